package suiterun

import (
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// Invariants returns the rules of a suite that a run breaks, in their order: one finding for each, at the first event
// that breaks it. The log of the run has all its events; of a run that has not come to its end, only rules about states
// are checked.
func Invariants(s *suite.Suite, run *Finished) []suite.Finding {
	k := &checker{run: run, session: run.Session, log: run.Session.Log(), suite: s.Name}
	for i := range s.Invariants {
		k.invariant(&s.Invariants[i])
	}
	return k.found
}

// invariant checks a rule about every run.
func (k *checker) invariant(i *suite.Invariant) {
	status := statusOf(k.session.Status())
	switch {
	case i.Never.Text != "":
		k.neverWithout(i)
	case status == 0: // the run has not ended
	case i.Assert != nil:
		if len(i.When) == 0 || slices.Contains(i.When, status) {
			k.assertion(i.String(), i.Assert)
		}
	case slices.Contains(i.Not, status):
		k.afterNot(i, status)
	}
}

// neverWithout adds a finding where a state was entered before the one that it needs had succeeded.
func (k *checker) neverWithout(i *suite.Invariant) {
	needed := k.successes(&i.Without)
	for _, e := range k.visits(&i.Never) {
		allowed := func(s entry) bool { return s.event < e.event && together(i, s.visit, e.visit) }
		if i.Without.Text != "" && (isInside(&i.Without, e.visit) || slices.ContainsFunc(needed, allowed)) {
			continue
		}
		reason := "it was entered at event " + eventNumber(e.event)
		if i.Without.Text != "" {
			reason += ", and " + i.Without.Text + " had not succeeded before"
		}
		k.differs(i.String(), i.At, e.event, PlaceOf(e.visit.State, ""), suite.OutcomeDifference{Found: value.String(e.visit.Path()), Reason: reason})
		return
	}
}

// afterNot adds a finding where a run ended as it must not after a state had succeeded.
func (k *checker) afterNot(i *suite.Invariant, status suite.Status) {
	amends := k.successes(&i.Unless)
	for _, e := range k.successes(&i.After) {
		if slices.ContainsFunc(amends, func(s entry) bool { return s.event > e.event && together(i, e.visit, s.visit) }) {
			continue
		}
		reason := e.visit.Path() + " succeeded at event " + eventNumber(e.event) + ", and the run ended at event " + eventNumber(k.last())
		if failure := k.session.Failure(); failure != nil && failure.Name != "" {
			reason += " with " + failure.Name
		}
		if i.Unless.Text != "" {
			reason += "; " + i.Unless.Text + " did not succeed between them"
		}
		k.differs(i.String(), i.At, k.last(), PlaceOf(e.visit.State, ""), suite.OutcomeDifference{Found: value.String(status.String()), Reason: reason})
		return
	}
}

// eventNumber is the number of an event for the user, from 1.
func eventNumber(event int) string { return strconv.Itoa(event + 1) }

// successes returns the visits of states that succeeded, with the events that ended them: those that were left without
// an error. A Fail state, which is never left, counts when it is entered.
func (k *checker) successes(p *suite.Pattern) (found []entry) {
	if p.Text == "" {
		return nil
	}
	var caught map[*engine.Visit]bool
	for n := range k.log.Len() {
		e := k.log.At(n)
		switch e.Type {
		case engine.ErrorCaught:
			if matches(p.Text, e.Visit) {
				if caught == nil {
					caught = map[*engine.Visit]bool{}
				}
				caught[e.Visit] = true
			}
		case engine.StateExited:
			if matches(p.Text, e.Visit) && !caught[e.Visit] {
				found = append(found, entry{e.Visit, n})
			}
		case engine.StateEntered:
			if e.Visit.State.Type == asl.Fail && matches(p.Text, e.Visit) {
				found = append(found, entry{e.Visit, n})
			}
		default:
		}
	}
	return found
}

// isInside reports whether a visit is inside of a state that the pattern names.
func isInside(p *suite.Pattern, visit *engine.Visit) bool {
	for v := visit.Parent; v != nil; v = v.Parent {
		if matches(p.Text, v) {
			return true
		}
	}
	return false
}

var oneIteration = wording.Pattern(`/Iterations\[\d+\]`)

// together reports whether two visits count for each other: states of the same Map do in one iteration, unless a
// pattern of the rule names iterations by number.
func together(i *suite.Invariant, a, b *engine.Visit) bool {
	for _, p := range []*suite.Pattern{&i.Never, &i.Without, &i.After, &i.Unless} {
		if oneIteration().MatchString(p.Text) {
			return true
		}
	}
	for v := a; v.Parent != nil; v = v.Parent {
		if v.Parent.State.Type != asl.Map {
			continue
		}
		for w := b; w.Parent != nil; w = w.Parent {
			if w.Parent.State == v.Parent.State && w.Thread != v.Thread {
				return false
			}
		}
	}
	return true
}
