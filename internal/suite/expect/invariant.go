package expect

import (
	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suite/result"
)

// invariant checks a rule about every run.
func (k *checker) invariant(i *suite.Invariant) {
	status := statusOf(k.session.Status())
	if i.Never.Text != "" {
		k.neverWithout(i)
	}
	if i.Assert != nil && (i.When == 0 || i.When == status) && status != 0 {
		k.assertion("invariant "+i.Text, i.Assert)
	}
	if i.After.Text == "" || status != i.Not || i.Unless.Text != "" && len(k.visits(&i.Unless)) > 0 {
		return
	}
	for n := range k.log.Len() {
		e := k.log.At(n)
		if e.Type == engine.StateExited && matches(i.After.Text, e.Visit) && !k.wasCaught(e.Visit) {
			k.differs("invariant "+i.Text, i.At, k.last(), PlaceOf(e.Visit.State, ""), result.Difference{
				Found: value.String(status.String()), Reason: "it ended so after " + i.After.Text + " had succeeded",
			})
			return
		}
	}
}

// neverWithout adds a finding where a state was entered before the one that it needs.
func (k *checker) neverWithout(i *suite.Invariant) {
	for n := range k.log.Len() {
		e := k.log.At(n)
		switch {
		case e.Type != engine.StateEntered:
		case i.Without.Text != "" && matches(i.Without.Text, e.Visit):
			return
		case matches(i.Never.Text, e.Visit):
			k.differs("invariant "+i.Text, i.At, n, PlaceOf(e.Visit.State, ""), result.Difference{Found: value.String(e.Visit.Path()), Reason: "it was entered"})
			return
		}
	}
}

// wasCaught reports whether a visit ended by a catcher.
func (k *checker) wasCaught(visit *engine.Visit) bool {
	for n := range k.log.Len() {
		if e := k.log.At(n); e.Type == engine.ErrorCaught && e.Visit == visit {
			return true
		}
	}
	return false
}
