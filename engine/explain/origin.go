package explain

import (
	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
)

// Origin says in a few words where the value at a path of the data of event i came from: which event set it, and from
// which place. It is empty where there is no such value, or where its origin is not known.
func Origin(s *debug.Session, i int, path string) []Span {
	hops, err := provenance.Of(s.Log(), i, path)
	if err != nil || len(hops) == 0 {
		return nil
	}
	hop := &hops[0]
	event := s.Log().At(hop.Event)
	var spans []Span
	switch {
	case hop.Kind == provenance.Input:
		return []Span{words("from the execution's input")}
	case hop.Kind == provenance.Unknown:
		return nil
	case hop.Event == i:
		spans = []Span{words("set here")}
	case event.Visit != nil:
		at := number(event.Seq)
		at.Event = event.Seq
		spans = []Span{words("set by "), state(PlaceName(event.Visit)), words(" in event "), at}
	default:
		return nil
	}
	switch {
	case hop.Kind != provenance.Moved || hop.From == "":
		return spans
	case event.Stage != engine.StageResultPath:
		return append(spans, words(", from "), pathSpan(hop.From))
	case hop.From == "$":
		return append(spans, words(", from the result"))
	}
	return append(spans, words(", from "), pathSpan(hop.From), words(" of the result"))
}

// ByHand names the intervention that made event i of the log, such as "edited manually"; it is empty where there was
// none.
func ByHand(s *debug.Session, i int) string {
	kind, by := s.Origins().ByHand(i)
	if !by {
		return ""
	}
	switch kind {
	case runlog.InputEdit:
		return "edited manually"
	case runlog.InputInject:
		return "injected manually"
	case runlog.InputHeartbeat:
		return "sent manually"
	case runlog.InputTimeout:
		return "timed out manually"
	default:
		return "answered manually"
	}
}

// Outside names the intervention or the call that event i came of, such as "edited manually" or "live: command"; it is
// empty where the event came of neither.
func Outside(s *debug.Session, i int) string {
	if text := ByHand(s, i); text != "" {
		return text
	}
	if kind, ok := Live(s, i); ok {
		return "live: " + kind.String()
	}
	return ""
}

// Live returns the kind of call that gave the outcome of event i; ok is false where there was no call.
func Live(s *debug.Session, i int) (kind outcome.CallKind, ok bool) {
	return outcome.Parse(s.Origins().OriginOf(i))
}

// Source explains that the outcome of event i came from a call; it is empty where it did not.
func Source(s *debug.Session, i int) Text {
	switch kind, ok := Live(s, i); {
	case !ok:
		return nil
	case !kind.Outside():
		return Text{say(TonePlain, SignEdited, words("This came of running another definition."))}
	default:
		return Text{say(ToneCaution, SignEdited, words("This came from outside ("+kind.String()+"); a trace has it, so that a replay does not call again."))}
	}
}
