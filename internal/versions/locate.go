package versions

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
)

// locator finds the fields that made data differ.
type locator struct {
	old, fresh       *asl.StateMachine
	oldLog, freshLog *runlog.Log
}

// locate sets the place of data that differ to the place of the field that made them in the new version, or that had
// made them in the old one where the new one has none. Where it cannot be told, the place stays the state's.
func (l *locator) locate(d *Difference) {
	if d == nil {
		return
	}
	switch d.Member {
	case "variables":
		l.variable(d)
	case "input", "output", "payload", "items", "error output":
		if d.Is != nil {
			l.traceBack(d, l.freshLog, d.NewAt)
		} else {
			l.traceBack(d, l.oldLog, d.OldAt)
		}
	}
}

// traceBack goes back from the data of an event; -1 means the end of the execution.
func (l *locator) traceBack(d *Difference, log *runlog.Log, at int) {
	if at < 0 {
		at = log.Len() - 1
	}
	hops, err := provenance.Of(log, at, d.Path)
	if err != nil || len(hops) == 0 {
		return
	}
	visit, end := log.At(hops[0].Event).Visit, 0
	for end < len(hops) && visit != nil && log.At(hops[end].Event).Visit == visit {
		end++
	}
	found := ""
	for _, m := range slices.Backward(hops[:end]) {
		if m.Field == "" || m.Field == "Resource" { // the result is the recorded one
			continue
		}
		state := l.fresh.Lookup(visit.State.Path())
		if state == nil {
			continue
		}
		place := fieldPlace(state, m.Field)
		if l.changed(state, m.Field) {
			d.Place = place
			return
		}
		found = cmp.Or(found, place)
	}
	if d.Is == nil {
		if place := l.lost(d); place != "" {
			d.Place = place
			return
		}
	}
	if found != "" {
		d.Place = found
	}
}

// lost returns the place of the field that has lost a value of the new version, and has changed; empty where none has.
func (l *locator) lost(d *Difference) string {
	if d.NewAt < 0 {
		return ""
	}
	loss, err := (&provenance.Lens{Log: l.freshLog}).Loss(d.NewAt, d.Path)
	if err != nil || loss.Kind == provenance.NeverThere || loss.Visit == nil || loss.Field == "" || !l.changed(loss.Visit.State, loss.Field) {
		return ""
	}
	return fieldPlace(loss.Visit.State, loss.Field)
}

// changed reports whether a field of a state has another text in the new version.
func (l *locator) changed(state *asl.State, field string) bool {
	before := l.old.Lookup(state.Path())
	return before == nil || !bytes.Equal(textOf(before, field), textOf(state, field))
}

// textOf is the text of a field, or of the state where it has no such field.
func textOf(state *asl.State, field string) []byte {
	at := state.Place(field)
	if at.Source == nil || at.Span.End.Offset > len(at.Source.Data) {
		return nil
	}
	return at.Source.Data[at.Span.Start.Offset:at.Span.End.Offset]
}

// variable finds the member of Assign that set a variable.
func (l *locator) variable(d *Difference) {
	log, at := l.freshLog, d.NewAt
	if d.Is == nil {
		log, at = l.oldLog, d.OldAt
	}
	if at < 0 || at >= log.Len() || log.At(at).Visit == nil {
		return
	}
	state := l.fresh.Lookup(log.At(at).Visit.State.Path())
	if state == nil {
		return
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(d.Path, "$."), ".")
	name, _, _ = strings.Cut(name, "[")
	best := fieldPlace(state, "Assign")
	for _, field := range []string{assigning(log.At(at)) + "Assign/" + name, assigning(log.At(at)) + "Assign/" + name + ".$"} {
		if state.Place(field).Pointer != state.Place(assigning(log.At(at))+"Assign").Pointer {
			best = fieldPlace(state, field)
		}
	}
	d.Place = best
}

// assigning is the rule or the catcher whose Assign is in force at an event: "Choices[0]/", or nothing.
func assigning(e *engine.Event) string {
	switch detail := e.Detail.(type) {
	case *engine.ExitDetail:
		if e.Visit.State.Type == asl.Choice && detail.Rule >= 0 && detail.Rule < len(e.Visit.State.Choices) && e.Visit.State.Choices[detail.Rule].Assign != nil {
			return ruleField(detail.Rule) + "/"
		}
	case *engine.CatchDetail:
		return catchField(detail.Catcher) + "/"
	}
	return ""
}
