package explore

import (
	"asldb/engine"
	"asldb/engine/asl"
)

var stopWords = [...]string{
	NotStopped: "", StoppedByRuns: "the bound of the runs was reached", StoppedByTime: "the time ran out", StoppedByContext: "it was interrupted",
}

// String returns the reason in words; "" of NotStopped.
func (s Stop) String() string {
	if int(s) < len(stopWords) {
		return stopWords[s]
	}
	return "Stop(?)"
}

var kindWords = [...]string{Fails: "fails", Late: "late", Large: "large", Input: "input", ResultValue: "result", Edited: "edited"}

// String returns the word of the kind in reports: "fails", "late", "large", "input", "result", "edited".
func (k Kind) String() string {
	if int(k) < len(kindWords) && kindWords[k] != "" {
		return kindWords[k]
	}
	return "Kind(?)"
}

// String returns "all" or "first".
func (w Where) String() string {
	if w == First {
		return "first"
	}
	return "all"
}

var stepWords = [...]string{Retried: "retried", Caught: "caught", Tolerated: "tolerated", Unhandled: "unhandled"}

// String returns the word of the kind in reports: "retried", "caught", "tolerated", "unhandled".
func (k StepKind) String() string {
	if int(k) < len(stepWords) && stepWords[k] != "" {
		return stepWords[k]
	}
	return "StepKind(?)"
}

var classWords = [...]string{
	Bug: "bug", Broken: "invariant", Endless: "endless", Uncaught: "unhandled", Data: "data", Swallowed: "swallowed", Unreached: "unreached",
}

// String returns the word of the class in reports, such as "bug".
func (c Class) String() string {
	if int(c) < len(classWords) && classWords[c] != "" {
		return classWords[c]
	}
	return "Class(?)"
}

// Bad reports whether a finding of the class makes the exploration fail.
func (c Class) Bad() bool { return c == Bug || c == Broken }

// Label names the error of the row: "Card.Timeout", "too late", "no heartbeat", "too large".
func (r *Row) Label() string {
	switch {
	case r.Kind == Late && r.Error == engine.ErrorHeartbeatTimeout:
		return "no heartbeat"
	case r.Kind == Late:
		return "too late"
	case r.Kind == Large:
		return "too large"
	}
	return r.Error
}

// FindingsOf returns the findings that a run shows, with those that other runs of the same way show.
func (r *Result) FindingsOf(run *Run) []*Finding { return r.explored.found[run.signature] }

// PlaceOf returns the place of a field of a state: "order.asl.json:44:12"; without a field, of the state's name.
func PlaceOf(state *asl.State, field string) string { return shown(placeIn(state, field)) }

// Place writes the place of a finding: "order.asl.json:44:12".
func Place(f *Finding) string { return shown(f.At) }
