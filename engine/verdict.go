package engine

import "asldb/engine/asl"

// Catchable reports whether the retriers and catchers of a state are asked about the error at all. States.Runtime is never
// caught, whatever they name.
func (f *Failure) Catchable() bool { return f.catchable() }

// TakenByRetrier reports whether a retrier's ErrorEquals takes the error, used up or not. Errors that are not
// [Failure.Catchable] are taken by none.
func (f *Failure) TakenByRetrier(r *asl.Retrier, dialect Dialect) bool {
	return f.catchable() && f.matches(r.ErrorEquals, dialect)
}

// TakenByCatcher reports whether a catcher's ErrorEquals takes the error. Errors that are not [Failure.Catchable] are taken
// by none.
func (f *Failure) TakenByCatcher(c *asl.Catcher, dialect Dialect) bool {
	return f.catchable() && f.matches(c.ErrorEquals, dialect)
}
