package explain

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
)

// Tried returns notes about the states of a definition that was made from a text in another format, as they are after
// event i of a log, counted from 0: of the Choice states that were made from a part of that text, as the acceptors of a
// waiter do, which were tried since the first state of the definition was entered last, and which of them decided.
func Tried(definition *asl.StateMachine, log *runlog.Log, i int) []FieldValue {
	first := definition.Top.States[0]
	var notes []FieldValue
	for ; i >= 0 && i < log.Len(); i-- {
		e := log.At(i)
		if e.Visit == nil {
			continue
		}
		state := e.Visit.State
		if state == first {
			break
		}
		exit, ok := e.Detail.(*engine.ExitDetail)
		if !ok || e.Type != engine.StateExited || state.Type != asl.Choice || state.NameSpan == first.NameSpan {
			continue
		}
		note := FieldValue{Place: state.Place(""), Tone: ToneQuiet, Sign: SignFails, Event: i}
		note.Spans = []Span{words("does not match")}
		if exit.Rule >= 0 {
			note.Tone, note.Sign, note.Spans[0].Text = ToneGood, SignHolds, "decides"
		}
		notes = append([]FieldValue{note}, notes...)
	}
	return notes
}
