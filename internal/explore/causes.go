package explore

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// merge puts findings with the same cause together: the first one says it for all. What is so of all tasks comes last.
func (x *exploration) merge(list []*Finding) []*Finding {
	first, ways := map[string]*Finding{}, map[*asl.State]int{}
	for _, f := range list {
		if f.Class == Unreached {
			ways[f.State]++
		}
	}
	merged := make([]*Finding, 0, len(list))
	for _, f := range list {
		key := x.cause(f)
		if f.Class == Unreached && ways[f.State] > 1 {
			key = f.State.Path()
		}
		if have := first[key]; have != nil && key != "" {
			have.Same = append(have.Same, f)
			continue
		}
		first[key] = f
		merged = append(merged, f)
	}
	for _, f := range list {
		f.alone = f.Text
	}
	for _, f := range merged {
		f.tell(x.result.Tasks)
	}
	ofAll := func(f *Finding) int { return order(f.ofAll(x.result.Tasks)) }
	slices.SortStableFunc(merged, func(a, b *Finding) int { return ofAll(a) - ofAll(b) })
	return merged
}

// cause is the same for findings with one cause; empty for one that is told alone.
func (x *exploration) cause(f *Finding) string {
	switch f.Class {
	case Uncaught:
		return fmt.Sprint(f.Class)
	case Swallowed:
		return fmt.Sprint(f.Class, f.ofAny())
	case Endless:
		if exit := x.exitOf(f.State); exit != "" {
			return fmt.Sprint(f.Class, f.State.Scope.Span.Start, exit)
		}
	case Data:
		if text, ok := strings.CutPrefix(f.Text, f.State.Name); ok {
			return fmt.Sprint(f.Class, text)
		}
	case Unreached:
		return fmt.Sprint(f.Class, f.Text)
	case Bug, Broken:
	}
	return ""
}

// ofAny is the text without the name of the state that the finding is about: "catcher 1 leads to Undo".
func (f *Finding) ofAny() string { return strings.Replace(f.Text, " of "+f.State.Name+" ", " ", 1) }

// all are the findings that one is told for, with itself.
func (f *Finding) all() []*Finding { return append([]*Finding{f}, f.Same...) }

// ofAll reports whether a finding is one of all the tasks.
func (f *Finding) ofAll(tasks int) bool {
	return f.Class == Uncaught && len(f.Same) > 0 && len(f.Same)+1 == tasks
}

// tell sets the text of a finding that says it for others.
func (f *Finding) tell(tasks int) {
	if len(f.Same) == 0 {
		return
	}
	switch f.Class {
	case Uncaught, Swallowed:
		f.Subject, f.Text = fmt.Sprintf("%d of %s", len(f.Same)+1, wording.Count(tasks, "task")), f.ofAny()
		retried := slices.DeleteFunc(f.all(), func(f *Finding) bool { return f.alone != retriesUsed })
		if n := len(retried); f.Class == Uncaught && n > 0 && n <= len(f.Same) {
			f.Text = fmt.Sprintf("no catcher takes the error; %s retried first",
				wording.CountOf(n, "of them is", "of them are"))
		}
	case Data:
		f.Text = fmt.Sprintf("%d states fail%s", len(f.Same)+1, strings.TrimPrefix(f.Text, f.State.Name+" fails"))
	case Unreached:
		if n := len(f.States()); n > 1 {
			f.Subject = fmt.Sprintf("%d states", n)
			break
		}
		ways := value.Each(f.all(), func(f *Finding) string { return f.Item.Describe() })
		f.Text = "no run reaches " + wording.And(ways)
	case Bug, Broken, Endless:
	}
}

// States are the states that a finding is about, in the order of the text.
func (f *Finding) States() []*asl.State {
	return slices.Compact(value.Each(f.all(), func(f *Finding) *asl.State { return f.State }))
}

// names are the names of the states of a finding, where they are several.
func (f *Finding) names() string {
	if states := f.States(); len(states) > 1 {
		return strings.Join(value.Each(states, func(s *asl.State) string { return s.Name }), ", ")
	}
	return ""
}
