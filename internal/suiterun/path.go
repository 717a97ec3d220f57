package suiterun

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// entry is the entry into a state.
type entry struct {
	visit *engine.Visit
	event int // the index of its StateEntered
}

// visitsOf returns the visits for which a condition holds, in the order of their entries.
func (k *checker) visitsOf(holds func(*engine.Visit) bool) (found []entry) {
	for i := range k.log.Len() {
		if e := k.log.At(i); e.Type == engine.StateEntered && holds(e.Visit) {
			found = append(found, entry{e.Visit, i})
		}
	}
	return found
}

func (k *checker) visits(p *suite.Pattern) []entry {
	return k.visitsOf(func(v *engine.Visit) bool { return matches(p.Text, v) })
}

// matches reports whether a pattern names the state of a visit.
func matches(pattern string, visit *engine.Visit) bool {
	return breakpoint.Matches(pattern, visit)
}

// path compares the states that a thread has entered. end is the index of the event with which the thread ended.
func (k *checker) path(name string, want *suite.Path, entered []entry, end int) bool {
	step, at, ok := follow(want, entered)
	if ok {
		return true
	}
	d := suite.OutcomeDifference{}
	event := end
	place := want.At
	if step < len(want.Steps) {
		d.Wanted, place = value.String(want.Steps[step].Text), want.Steps[step].At
	}
	where := nowhere
	if at < len(entered) {
		d.Found, event = value.String(entered[at].visit.State.Name), entered[at].event
		where = PlaceOf(entered[at].visit.State, "")
	}
	switch {
	case step < len(want.Steps) && at >= len(entered):
		d.Reason = "the path ends before that"
	case step >= len(want.Steps):
		d.Reason = "the path continues"
	default:
		d.Reason = "state " + strconv.Itoa(at+1) + " of the path"
	}
	if step < len(want.Steps) && want.Steps[step].Gap {
		d.Found, d.Reason, event, where = nil, "no such state follows", end, nowhere
	}
	k.differs(name, place, event, where, d)
	finding := &k.found[len(k.found)-1]
	finding.Wanted, finding.Found = pathsOf(want, entered, step, at)
	return false
}

// pathsOf returns the wanted path and the found one as lists. The wanted one begins with the states that match: those
// before the state at, which the steps before step match.
func pathsOf(want *suite.Path, entered []entry, step, at int) (wanted, found value.Value) {
	var w, f []value.Value
	for i := range entered {
		name := value.String(entered[i].visit.State.Name)
		f = append(f, name)
		if i < at {
			w = append(w, name)
		}
	}
	for _, s := range want.Steps[min(step, len(want.Steps)):] {
		if s.Gap {
			w = append(w, value.String("..."))
		}
		w = append(w, value.String(s.Text))
	}
	if want.Open {
		w = append(w, value.String("..."))
	}
	return value.NewArray(w), value.NewArray(f)
}

// follow matches a path with the states of a thread. Where they do not match, step and at are the first step that has
// no state, and the state in its place, of the longest part that does match.
func follow(want *suite.Path, entered []entry) (step, at int, ok bool) {
	n, m := len(want.Steps), len(entered)
	// reach[j]: the steps so far can match the first j states.
	reach := make([]bool, m+1)
	reach[0] = true
	for i := range n {
		next := make([]bool, m+1)
		open, any := false, false
		for j := range m + 1 {
			open = open || reach[j]
			if j < m && (reach[j] || want.Steps[i].Gap && open) && matches(want.Steps[i].Text, entered[j].visit) {
				next[j+1], any = true, true
			}
		}
		if !any {
			return i, first(reach), false
		}
		reach = next
	}
	if reach[m] || want.Open {
		return 0, 0, true
	}
	return n, first(reach), false
}

// first returns the first place that can be reached.
func first(reach []bool) int {
	for j, ok := range reach {
		if ok {
			return j
		}
	}
	return 0
}

// never adds a finding where a state was entered.
func (k *checker) never(p *suite.Pattern) {
	entered := k.visits(p)
	if len(entered) == 0 {
		return
	}
	e := entered[0]
	k.differs("never", p.At, e.event, PlaceOf(e.visit.State, ""), suite.OutcomeDifference{
		Found: value.String(e.visit.Path()), Reason: p.Text + " was entered",
	})
}

// thread is a branch or an iteration.
type thread struct {
	name       string // its path: Fulfil/Branches[1]
	id         engine.ThreadID
	first, end int // the indexes of its first and last events
}

var inside = wording.Pattern(`/(Branches|Iterations)\[(\d+|\*)\]$`)

// isThread reports whether a pattern names branches or iterations: it ends with Branches[n] or Iterations[n].
func isThread(pattern string) bool { return inside().MatchString(pattern) }

// threads returns the branches and iterations that began in the states of a pattern, or that it names itself.
func (k *checker) threads(p *suite.Pattern) (found []thread) {
	container, index := p.Text, ""
	if m := inside().FindStringSubmatchIndex(p.Text); m != nil {
		container, index = p.Text[:m[0]], p.Text[m[4]:m[5]]
	}
	for i := range k.log.Len() {
		e := k.log.At(i)
		d, _ := e.Detail.(*engine.ThreadDetail)
		if d == nil || !matches(container, e.Visit) {
			continue
		}
		switch e.Type {
		case engine.BranchStarted, engine.IterationStarted:
			if index == "" || index == "*" || index == strconv.Itoa(d.Index) {
				kind := strings.TrimSuffix(e.Type.String(), "Started")
				part := map[string]string{"Branch": "Branches", "Iteration": "Iterations"}[kind]
				found = append(found, thread{name: e.Visit.Path() + "/" + part + "[" + strconv.Itoa(d.Index) + "]", id: d.Thread, first: i, end: k.last()})
			}
		default:
		}
	}
	for i := range found {
		t := &found[i]
		for j := t.first; j < k.log.Len(); j++ {
			if k.log.At(j).Thread == t.id {
				t.end = j
			}
		}
	}
	return found
}

// threadPaths checks the path of each branch or iteration.
func (k *checker) threadPaths(s *suite.StateExpect) {
	threads := k.threads(&s.Pattern)
	if len(threads) == 0 {
		k.differs(s.Text+", path", s.Path.At, k.last(), nowhere,
			suite.OutcomeDifference{Reason: "no branch or iteration of it ran"})
	}
	for _, t := range threads {
		k.path(t.name+", path", s.Path, k.visitsOf(func(v *engine.Visit) bool { return v.Thread == t.id }), t.end)
	}
}
