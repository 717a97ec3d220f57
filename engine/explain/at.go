package explain

import (
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/provenance"
)

// At explains event i of a session's log, counted from 0: the event itself, and how the expressions and rules of its
// stage were evaluated.
func At(s *debug.Session, i int, nested Nested) Text {
	text := Happened(s, i, nested)
	text = append(text, Choice(s, i)...)
	text = append(text, Computed(s, i)...)
	return append(text, Query(s, i)...)
}

// Happened explains event i of a session's log, counted from 0, without the evaluation of its expressions: the event,
// an action by hand, the way back to the cause of an error, lost members, and the source of an outcome. Of the end of a
// run that has failed it is the whole way back to the cause.
func Happened(s *debug.Session, i int, nested Nested) Text {
	e := s.Log().At(i)
	var text Text
	if hand := ByHand(s, i); hand != "" {
		text = append(text, say(ToneCaution, SignEdited, words("This was "+hand+".")))
	}
	if e.Type.EndsExecution() && e.Type != engine.ExecutionSucceeded && i == s.Log().Len()-1 {
		return append(text, EndingOf(s, nested).View()...)
	}
	about, service := Service(event(s, i))
	if _, failed := e.Detail.(*engine.Failure); failed || len(about) == 0 {
		about = append(about, answers(s, i)...)
	} else { // below the answer that was given, and the cause of the error
		below := 1
		if len(about) > 1 && about[1].Spans[0].Kind == KindCause {
			below++
		}
		about = slices.Insert(about, below, answers(s, i)...)
	}
	text = append(text, about...)
	if e.RaisesError() {
		text = append(text, ErrorOf(s, i, nested).wayToCause()...)
	}
	text = append(text, lostBy(s, i)...)
	return append(append(text, Source(s, i)...), service...)
}

// Service splits from the end of an explanation the Cause of the service, which may be long, with its sureness, where
// the sentence on the error says it in other words.
func Service(text Text) (before, service Text) {
	for i := range text {
		if text[0].Sign != SignError {
			break
		}
		p := &text[i]
		if p.Level == 0 && p.Tone == ToneQuiet && len(p.Spans) == 1 && p.Spans[0].Kind == KindCause {
			return text[:i:i], text[i:]
		}
	}
	return text, nil
}

// answers explains the answers of the state's retriers and catchers to the error of event i.
func answers(s *debug.Session, i int) Text {
	log := s.Log()
	raised := provenance.Raised(log, i)
	if raised < 0 || log.At(i).Type == engine.StateFailed && raised == i || fromHistory(s) {
		return nil
	}
	failure := log.At(raised).Failure()
	list := provenance.Handlers(log, raised, s.Machine().Dialect())
	if raised != i && !slices.ContainsFunc(list, func(h provenance.Handler) bool {
		return h.Verdict == provenance.NotNamed || h.Verdict == provenance.Spent
	}) {
		return nil // the event says it
	}
	if len(list) > 0 {
		return Handlers(list, failure, "")
	}
	if raised != i || !failure.Catchable() || log.At(i).Visit.State.Type == asl.Fail {
		return nil
	}
	scope := "the execution"
	if parent := log.At(i).Visit.Parent; parent != nil {
		scope = "this branch of " + parent.State.Name
		if parent.State.Type == asl.Map {
			scope = "this iteration of " + parent.State.Name
		}
	}
	return Text{say(ToneQuiet, NoSign, words("No retrier and no catcher: the error ends "+scope+"."))}
}
