package suiterun

import (
	"path/filepath"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Origin says in one line where the value at a path of the data of an event of a run came from; it is empty where that
// is not known.
func Origin(run *Finished, event int, path string) string {
	return (&checker{run: run, session: run.Session, log: run.Session.Log()}).origin(event, path)
}

// origin says in one line where the value at a path of the data of an event came from: the place from which the event
// took it, and its first origin, as in "from $.validation.total; the result of ValidateOrder (order.fixtures.yaml:22)".
// It is empty where that is not known.
func (k *checker) origin(event int, path string) string {
	if event < 0 || path == "" {
		return ""
	}
	hops, err := provenance.Of(k.log, event, path)
	if err != nil || len(hops) == 0 {
		return ""
	}
	root := k.root(&hops[len(hops)-1])
	if root == "" {
		return ""
	}
	newest := &hops[0]
	if at := k.log.At(newest.Event); len(hops) > 1 && newest.Kind == provenance.Moved && newest.From != "" && at.Stage != engine.StageResultPath {
		return "from " + newest.From + "; " + root
	}
	return "from " + root
}

// root describes the hop at which a value came into the run.
func (k *checker) root(hop *provenance.Hop) string {
	e := k.log.At(hop.Event)
	state, place := "", ""
	if e.Visit != nil {
		state = e.Visit.State.Name
		place = " (" + k.fileLine(e.Visit.State) + ")"
	}
	switch hop.Kind {
	case provenance.Input:
		return "the execution's input"
	case provenance.Context:
		return "the context object"
	case provenance.Result:
		of := "the result of " + state + k.given(e)
		if hop.To != "" && hop.To != "$" {
			return hop.To + " of " + of
		}
		return of
	case provenance.Literal:
		return "a literal in " + state + place
	case provenance.Computed:
		if hop.Expression != "" && !strings.HasPrefix(hop.Expression, "{\"") { // not a whole template
			return wording.Clip(hop.Expression, maxExpression) + " in " + state + place
		}
		return "an expression in " + state + place
	case provenance.Error:
		return "an error of " + state
	case provenance.Object:
		return "an object that " + state + " read"
	case provenance.Gathered:
		return "the results inside " + state
	case provenance.Edited:
		return "an edit in " + state
	case provenance.Moved, provenance.ChangedInside:
		return state + place
	case provenance.Unknown, provenance.Folded, provenance.Read, provenance.Sent, provenance.Output, provenance.Dropped:
	}
	return ""
}

// maxExpression is the greatest length of an expression in an origin.
const maxExpression = 60

// given returns the place of the result in the fixtures that a task was given, in brackets: the place of the first
// equal one.
func (k *checker) given(e *engine.Event) string {
	if k.run.Source == nil || e.Visit == nil {
		return ""
	}
	for _, candidate := range k.run.Source.For(e.Visit.State, k.run.Source.Lists()) {
		for _, entry := range candidate.List.Entries {
			for i := range entry.Results {
				r := &entry.Results[i]
				if r.Outcome.Output != nil && e.After != nil && value.Equal(r.Outcome.Output, e.After) {
					return " (" + filepath.Base(candidate.List.File) + ":" + strconv.Itoa(r.At.Line) + ")"
				}
			}
		}
	}
	return ""
}
