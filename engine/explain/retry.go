package explain

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// retry explains which retrier takes an error, and its delay.
func retry(e *engine.Event, d *engine.RetryDetail, start time.Time) Text {
	text := Text{say(ToneCaution, SignRetry, words("retrier "), number(int64(d.Retrier+1)), words(" takes "), errorName(d.Failure.Name),
		words(": retry "), number(d.Attempt), words(" at "+SinceStart(start, d.Due)))}
	if d.Failure.Cause != "" {
		text = append(text, say(ToneQuiet, NoSign, causeSpan(wording.Clip(Reason(d.Failure), maxCause))))
	}
	if e.Visit != nil && d.Retrier < len(e.Visit.State.Retry) {
		text = append(text, say(TonePlain, NoSign, words(Backoff(e.Visit.State.Retry[d.Retrier], d))))
	}
	return text
}

// Backoff says how the delay of a retry came about: "1s x 2^1 = 2s; retry 2 of at most 3".
func Backoff(r *asl.Retrier, d *engine.RetryDetail) string {
	text := strconv.FormatInt(r.IntervalSeconds, 10) + "s x " + strconv.FormatFloat(r.BackoffRate, 'g', -1, 64) +
		"^" + strconv.FormatInt(d.Attempt-1, 10) + " = " + wording.Duration(d.Backoff)
	if r.MaxDelaySeconds > 0 {
		text += ", at most " + strconv.FormatInt(r.MaxDelaySeconds, 10) + "s"
	}
	if r.JitterStrategy == asl.JitterFull {
		text += ", jitter FULL: " + wording.Duration(d.Delay)
	}
	return text + "; retry " + strconv.FormatInt(d.Attempt, 10) + " of at most " + strconv.FormatInt(r.MaxAttempts, 10)
}

// catch explains which catcher takes an error, and the place of the Error Output.
func catch(e *engine.Event, d *engine.CatchDetail) Text {
	text := Text{say(ToneCaution, SignCatch, words("catcher "), number(int64(d.Catcher+1)), words(" takes "), errorName(d.Failure.Name),
		words(" and goes to "), state(d.Next))}
	if d.Failure.Cause != "" {
		text = append(text, say(ToneQuiet, NoSign, causeSpan(wording.Clip(Reason(d.Failure), maxCause))))
	}
	if e.Visit == nil || d.Catcher >= len(e.Visit.State.Catch) {
		return append(text, say(ToneQuiet, NoSign, words("This is the Error Output.")))
	}
	catcher := e.Visit.State.Catch[d.Catcher]
	if e.Visit.State.QueryLanguage == asl.JSONata {
		sentence := "This is the Error Output, $states.errorOutput; the catcher's Output makes the state's output of it."
		if catcher.Output == nil {
			sentence = "This is the Error Output. The catcher has no Output: the Error Output replaces the input."
		}
		return append(text, say(ToneQuiet, NoSign, words(sentence)))
	}
	text = append(text, say(ToneQuiet, NoSign, words("This is the Error Output. The catcher's ResultPath is "),
		pathSpan(ResultPath(catcher.ResultPath)), words(": "+caughtPurpose(catcher)+".")))
	if destinationOf(catcher.ResultPath) == replacesInput {
		text = append(text, lost(e.Before, e.After, provenance.FreeMember(e.Before, "error"))...)
	}
	return text
}

func caughtPurpose(c *asl.Catcher) string {
	switch destinationOf(c.ResultPath) {
	case discards:
		return "it discards the Error Output, and the raw input is passed on"
	case intoInput:
		return "it puts the Error Output into the raw input"
	case replacesInput:
	}
	return "the Error Output replaces the raw input"
}

// destination is where a ResultPath puts its value.
type destination uint8

const (
	replacesInput destination = iota // $, which is also the default
	intoInput                        // a place in the raw input
	discards                         // null: the raw input is passed on
)

func destinationOf(field *asl.PathField) destination {
	switch {
	case field == nil:
		return replacesInput
	case field.Null:
		return discards
	case field.Path.String() == "$":
		return replacesInput
	}
	return intoInput
}

// ResultPath writes a ResultPath, which is nil where the definition has none.
func ResultPath(field *asl.PathField) string {
	switch {
	case field == nil:
		return strings.TrimPrefix(asl.DefaultResultPath, "ResultPath ")
	case field.Null:
		return "null"
	}
	return field.Path.String()
}

// purposeOfResultPath returns the effect of a ResultPath on a value, "the result" or "the Error Output".
func purposeOfResultPath(field *asl.PathField, thing string) string {
	switch destinationOf(field) {
	case discards:
		return "discards " + thing + ": the raw input is passed on"
	case intoInput:
		return "puts " + thing + " into the raw input"
	case replacesInput:
	}
	return thing + " replaces the raw input"
}

// lostBy names the members that the ResultPath of the stage of event i has lost, and a ResultPath that keeps them.
func lostBy(s *debug.Session, i int) Text {
	e := s.Log().At(i)
	if e.Type != engine.StageCompleted || e.Stage != engine.StageResultPath || e.Visit == nil {
		return nil
	}
	member := "result"
	for k := i - 1; k >= max(int(e.Visit.Entered), i-reach); k-- {
		if earlier := s.Log().At(k); earlier.Visit == e.Visit && earlier.Type == engine.ErrorCaught {
			member = "error"
			break
		}
	}
	return lost(e.Before, e.After, provenance.FreeMember(e.Before, member))
}

// maxLost is the greatest number of lost members that are named.
const maxLost = 12

// lost names the members of before that after does not have. path is a ResultPath that keeps them.
func lost(before, after value.Value, path string) Text {
	names, more := value.Lost(before, after, maxLost)
	if len(names) == 0 {
		return nil
	}
	if more > 0 {
		names = append(names, "and "+wording.Grouped(more)+" more")
	}
	return Text{
		say(ToneRemoved, SignRemoved, words("lost: "+strings.Join(names, ", "))),
		say(ToneQuiet, NoSign, code(`"ResultPath": "`+path+`"`), words(" keeps the raw input.")),
	}
}
