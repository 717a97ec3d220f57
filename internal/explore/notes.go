package explore

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/provenance"
)

// unreached lists the states and the ways out of them that no run has gone.
func (x *exploration) unreached() []*Finding {
	var list []*Finding
	definition := x.options.Machine.Definition.Machine
	missing := x.result.Coverage.Missing()
	behind := x.behindWays(missing)
	for i := range missing {
		item := &missing[i]
		switch item.Kind {
		case coverage.Entered, coverage.Rule, coverage.Default, coverage.Retried, coverage.Caught:
		case coverage.Exhausted,
			coverage.Uncaught,
			coverage.Branch,
			coverage.MapSome,
			coverage.MapNone,
			coverage.MapFailed,
			coverage.MapTolerated,
			coverage.TimedOut,
			coverage.HeartbeatMissed,
			coverage.ConditionTrue,
			coverage.ConditionFalse:
			continue
		}
		state := definition.Lookup(item.State)
		if state == nil || behind[state] || untried(state, item) {
			continue
		}
		f := &Finding{Class: Unreached, State: state, Item: item, Event: -1, Text: "no run reaches " + item.Describe()}
		if item.Kind == coverage.Entered {
			f.Text = "no run enters the state"
		}
		if place := state.Place(""); place.Source != nil {
			f.At = placeAt(&place, asl.Position{Line: item.Line, Col: item.Column})
		}
		list = append(list, f)
	}
	return list
}

// untried reports whether an item is the retrier or catcher of errors that no run has: readers and writers do not fail.
func untried(state *asl.State, item *coverage.Item) bool {
	var names []string
	switch item.Kind {
	case coverage.Retried:
		names = state.Retry[item.Index].ErrorEquals
	case coverage.Caught:
		names = state.Catch[item.Index].ErrorEquals
	default:
		return false
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		return name != engine.ErrorItemReaderFailed && name != engine.ErrorResultWriterFailed
	})
}

// behindWays returns the states that no run enters, and which are behind a way that no run takes, a state that no run
// enters, or one that fails in a base: they have the same cause.
func (x *exploration) behindWays(missing []coverage.Item) map[*asl.State]bool {
	definition := x.options.Machine.Definition.Machine
	closed, unentered := map[*asl.State]bool{}, map[*asl.State]bool{} // the sources of ways
	for i := range missing {
		switch state := definition.Lookup(missing[i].State); missing[i].Kind {
		case coverage.Entered:
			unentered[state] = true
		case coverage.Rule, coverage.Default, coverage.Caught:
			closed[state] = true
		default:
		}
	}
	for _, b := range x.result.Bases {
		if root := x.rootOf(b); root != nil && b.Run.Status != engine.Succeeded {
			closed[root] = true
		}
	}
	behind := map[*asl.State]bool{}
	for s := range definition.All() {
		for _, e := range s.Edges() {
			if (closed[s] || unentered[s]) && unentered[e.To] {
				behind[e.To] = true
			}
		}
		for _, inner := range asl.FlowOf(s, true).Children {
			if first := inner.Meant(inner.StartAt); unentered[s] && unentered[first] {
				behind[first] = true
			}
		}
	}
	return behind
}

// rootOf returns the state in which a base fails, or nil.
func (x *exploration) rootOf(b *Base) *asl.State {
	if root := provenance.EndOf(b.setting.log, b.setting.machine.Dialect()).Root(); root != nil && root.Visit != nil {
		return root.Visit.State
	}
	return nil
}

// notes adds sentences about the limits of the exploration to the result.
func (x *exploration) notes() {
	add := func(format string, args ...any) {
		x.result.Notes = append(x.result.Notes, fmt.Sprintf(format, args...))
	}
	if x.result.Bases[0].Placeholder {
		add(
			"without fixtures, the input and the results are made up from the definition (asldb fixtures init writes them)",
		)
	}
	for state := range x.options.Machine.Definition.Machine.All() {
		switch {
		case slices.Contains(x.unanswered, state):
			add("the fixtures have no result for %s: a made-up one is used", state.Name)
		case state.Type == asl.Task && !x.tasks[state]:
			add("%s was not reached, so its faults were not tried", state.Name)
		}
		if name := x.blanks[state]; name != "" {
			add("%s fails since %s", state.Name, x.options.Machine.Definition.GiveValue(name))
		}
	}
	reported := map[*Run]bool{}
	for _, f := range x.result.Findings {
		reported[f.Run] = true
	}
	for _, b := range x.result.Bases {
		if b.Run.Stuck() {
			add("the run without faults%s does not come to its end: it waits for a result", named(b))
		} else if b.Run.Status != engine.Succeeded && !reported[b.Run] && x.blanks[x.rootOf(b)] == "" {
			add("the run without faults%s ends %s %s", named(b), b.Run.Status, b.Run.Error)
		}
	}
	if s := x.result.Stopped; s != NotStopped && x.result.Done < x.result.Planned {
		add("%d of %d runs were done: %s", x.result.Done, x.result.Planned, s)
	}
	x.result.Notes = append(x.result.Notes, x.cut...)
}

func named(b *Base) string {
	if b.Name == "" {
		return ""
	}
	return " (" + b.Name + ")"
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
