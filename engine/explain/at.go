package explain

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/debug"
)

// At explains event i of a session's log, counted from 0: the event itself, and how the expressions and rules of its stage were
// evaluated.
func At(s *debug.Session, i int) Text {
	text := Happened(s, i)
	text = append(text, Choice(s, i)...)
	text = append(text, Computed(s, i)...)
	return append(text, Query(s, i)...)
}

// Happened explains event i of a session's log, counted from 0, without the evaluation of its expressions: the event, an
// action by hand, lost members, and the source of an outcome.
func Happened(s *debug.Session, i int) Text {
	event := s.Log().At(i)
	var text Text
	if hand := ByHand(s, i); hand != "" {
		text = append(text, say(ToneCaution, SignEdited, words("This was "+hand+".")))
	}
	text = append(text, Event(event, s.Options().Start)...)
	text = append(text, lostBy(s, i)...)
	text = append(text, Source(s, i)...)
	if bound := s.Machine().Definition().TimeoutSeconds; event.Type == engine.ExecutionTimedOut && bound > 0 {
		text = append(text, say(TonePlain, NoSign,
			words("The execution took longer than the state machine's TimeoutSeconds, "+strconv.FormatInt(bound, 10)+" s.")))
	}
	return text
}
