package explain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
	"asldb/internal/wording"
)

// Standing says in a few words where a session is and why it has stopped. limit is the greatest number of events of
// one command (see [debug.Command]).
func Standing(s *debug.Session, limit int) Paragraph {
	stop := s.Stop()
	switch earlier := s.Position() > 0 && !s.AtEnd(); {
	case earlier && stop.Reason != debug.StoppedByBreakpoint && stop.Reason != debug.StoppedBySource:
		return Viewing(s, s.Position())
	case earlier:
		p := Stop(stop, limit)
		p.Spans = append(p.Spans, words(", "+position(s, s.Position())))
		return p
	case s.Status().Done() && (stop.Reason == debug.StoppedAtEnd || stop.Reason == debug.StoppedByStep):
		return Outcome(s.Status(), s.Failure())
	}
	return Stop(stop, limit)
}

// Viewing says that an event before the newest one is shown; number counts from 1.
func Viewing(s *debug.Session, number int) Paragraph {
	return say(TonePlain, NoSign, words("VIEWING "+position(s, number)))
}

// position writes the number of an event that is not the newest one, and the fork where there are several.
func position(s *debug.Session, number int) string {
	text := "event " + strconv.Itoa(number) + " of " + strconv.Itoa(s.Log().Len())
	if branches := s.Forks().All(); len(branches) > 1 {
		for _, b := range branches {
			if b.Current {
				text += ", what-if " + strconv.Itoa(b.ID)
			}
		}
	}
	return text
}

// Outcome says in a few words how an execution ended. failure is its error, or nil.
func Outcome(status engine.Status, failure *engine.Failure) Paragraph {
	if status == engine.Succeeded {
		return say(ToneGood, SignSuccess, words(status.String()))
	}
	p := say(ToneBad, SignError, words(status.String()))
	if failure != nil && failure.Name != "" {
		p.Spans = append(p.Spans, words(" "), errorName(failure.Name))
	}
	return p
}

// Stop says in a few words why a session has stopped. limit is the greatest number of events of one command.
func Stop(stop debug.Stop, limit int) Paragraph {
	switch stop.Reason {
	case debug.StoppedAtStart:
		return say(TonePlain, NoSign, words("READY"))
	case debug.StoppedByStep:
		return say(TonePlain, NoSign, words("PAUSED"))
	case debug.StoppedByBreakpoint:
		b := stop.Breakpoint
		if b == nil {
			return say(ToneCaution, NoSign, words("BREAKPOINT"))
		}
		if b.Standing {
			return say(ToneBad, SignBreakpoint, words(strings.ToUpper(Breakpoint(b))))
		}
		return say(ToneCaution, SignBreakpoint,
			words("BREAKPOINT "+strconv.Itoa(b.ID)+" "), code(Breakpoint(b)), words(" (hit "+strconv.Itoa(b.Hits)+")"))
	case debug.StoppedAtTarget:
		return say(TonePlain, NoSign, words("PAUSED at the target"))
	case debug.StoppedForAnswer:
		if stop.Object != nil {
			return say(ToneCaution, SignWaits, words("WAITING for items"))
		}
		return say(ToneCaution, SignWaits, words("WAITING for a result"))
	case debug.StoppedForTime:
		return say(ToneCaution, SignWaits, words("WAITING for a timer"))
	case debug.StoppedAtTime:
		return say(TonePlain, SignWaits, words("PAUSED: the clock has moved"))
	case debug.StoppedByInterrupt:
		if stop.Err != nil {
			return say(ToneCaution, NoSign, words("INTERRUPTED in an evaluation"))
		}
		return say(TonePlain, NoSign, words("INTERRUPTED"))
	case debug.StoppedAtEnd:
		return say(TonePlain, NoSign, words("ENDED"))
	case debug.StoppedBySource:
		var object *outcome.MissingObjectError
		if errors.As(stop.Err, &object) {
			return say(ToneBad, SignError, words("PAUSED: no items for the ItemReader"))
		}
		return say(ToneBad, SignError, words("PAUSED: no result for the task"))
	case debug.StoppedAtRecordingEnd:
		return say(TonePlain, NoSign, words("END of recording"))
	case debug.StoppedByLimit:
		return say(ToneCaution, NoSign, words("PAUSED after "+wording.Grouped(limit)+" events"))
	case debug.StoppedForCall, debug.StillRunning:
	}
	return say(TonePlain, NoSign, words("RUNNING"))
}

// Breakpoint writes where a breakpoint stops a run.
func Breakpoint(b *breakpoint.Breakpoint) string {
	if b.AnyError() {
		return strings.Replace(b.String(), "error", "any error", 1)
	}
	return b.String()
}

// placeSpan writes a place in the definition: file:line:column.
func placeSpan(place asl.Place) Span {
	text := fmt.Sprintf("%s:%d:%d", place.Source.Name, place.Span.Start.Line, place.Span.Start.Col)
	return Span{Text: text, Place: &place}
}

// Where names the state in which a session is, the first that has no other inside it, and the virtual time:
// ` in the state "Charge" at the virtual time 2026-01-01T00:00:00Z`.
func Where(s *debug.Session) string {
	where := " at the virtual time " + engine.FormatInstant(s.Now())
	for _, thread := range s.Threads() {
		if thread.Visit != nil && thread.Blocked != engine.OnBranches && thread.Blocked != engine.OnIterations {
			return " in the state " + strconv.Quote(thread.Visit.Path()) + where
		}
	}
	return where
}

// Interrupted says that an evaluation was ended from outside, with the reason where it is not a request to stop.
func Interrupted(err error) string {
	var interrupted *interrupt.Error
	if errors.Is(err, interrupt.ErrRaised) || !errors.As(err, &interrupted) {
		return "The evaluation was stopped."
	}
	return "The evaluation was stopped: " + interrupted.Reason.Error() + "."
}

// Stopped explains a stop where the events do not explain it: an evaluation that was interrupted, an error of a source,
// a command that brought limit events, a target that the run has not come to. Its first paragraph gives the
// reason.
func Stopped(stop debug.Stop, limit int) Text {
	var text Text
	switch {
	case stop.Reason == debug.StoppedByInterrupt && stop.Err != nil:
		sentence := Interrupted(stop.Err)
		if stop.Undone {
			sentence += " The step was rolled back."
		}
		text = append(text, say(ToneCaution, NoSign, words(sentence)))
	case stop.Reason == debug.StoppedBySource && stop.Err != nil:
		text = append(text, say(ToneBad, SignError, words(stop.Err.Error())))
	case stop.Reason == debug.StoppedByLimit:
		text = append(text, say(ToneCaution, NoSign, words(wording.Grouped(limit)+" events without an end: possibly an infinite loop.")))
	}
	if missed := stop.Missed; missed != "" {
		text = append(text, say(ToneCaution, NoSign, words("The run ended before reaching "), code(missed), words(".")))
	}
	return text
}

// Summary says how many events a run has brought and how much virtual time they took.
func Summary(s *debug.Session) Paragraph {
	log, took := s.Log(), time.Duration(0)
	if log.Len() > 0 {
		took = s.Now().Sub(log.At(0).At())
	}
	return say(ToneQuiet, NoSign, words(wording.Count(log.Len(), "event")+", "+wording.Duration(took)+" of virtual time"))
}

// Begin names the virtual time at which a run begins, and the seed of its random numbers.
func Begin(s *debug.Session) Paragraph {
	return say(ToneQuiet, NoSign, words("The clock starts at "+wording.Instant(s.Now())+"; the seed is "+strconv.FormatInt(s.Options().Seed, 10)+"."))
}
