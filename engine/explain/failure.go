package explain

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// maxCause bounds a Cause in an explanation, in bytes: it may quote a whole input.
const maxCause = 1200

// FailureDetail says an error in a few words: its name and the beginning of its Cause. It is empty for nil.
func FailureDetail(f *engine.Failure) []Span {
	if f == nil {
		return nil
	}
	spans := []Span{errorName(f.Name)}
	switch {
	case f.Cause != "":
		spans = append(spans, words(": "), causeSpan(wording.Clip(Reason(f), maxBrief)))
	case exceeded(f) != "":
		spans = append(spans, words(": "+exceeded(f)))
	}
	return spans
}

// Reason returns the Cause of an error for people: without the sentence of Step Functions before it, and of the JSON of
// a Lambda function its errorType, where that is not the Error Name, its errorMessage and the last frame.
func Reason(f *engine.Failure) string {
	parsed, err := value.Parse([]byte(f.Cause), value.Limits{})
	object, _ := parsed.(*value.Object)
	if err != nil || object == nil {
		return f.Reason()
	}
	message, ok := object.Get("errorMessage").(value.String)
	if !ok {
		return f.Reason()
	}
	text := string(message)
	if kind, _ := object.Get("errorType").(value.String); kind != "" && string(kind) != f.Name {
		text = string(kind) + ": " + text
	}
	if frame := lastFrame(object); frame != "" {
		text += ", " + frame
	}
	return text
}

// lastFrame returns the function that raised the error of a Lambda function: Python names it last in "stackTrace",
// Node.js first in "trace", behind the message, and the others first in "stackTrace".
func lastFrame(object *value.Object) string {
	frames, node := object.Get("trace").(*value.Array)
	if !node {
		frames, _ = object.Get("stackTrace").(*value.Array)
	}
	if frames == nil {
		return ""
	}
	last := ""
	for _, item := range frames.All() {
		text, _ := item.(value.String)
		line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		at, isAt := strings.CutPrefix(line, "at ")
		switch {
		case line == "" || node && !isAt:
			continue
		case strings.HasPrefix(line, "File "):
			last = line
			continue
		}
		return "at " + at
	}
	return last
}

// failure explains event i of a session's log, which carries an error: in one sentence, then by its name and place, how
// it came about, and last by its Cause, which may be long.
func failure(s *debug.Session, i int, f *engine.Failure) Text {
	e, r := s.Log().At(i), RunOf(s, nil)
	loss, list := r.Missing(i)
	name := append([]Span{errorName(f.Name)}, fieldOf(f)...)
	if f.Origin != nil && f.Origin != e.Visit {
		name = append(name, words(", began in "), Span{Kind: KindState, Text: f.Origin.Path(), Event: f.Origin.Entered})
	}
	head, hasHead := sentence(f, loss, list)
	text := Text{head, say(ToneQuiet, NoSign, name...)}
	if !hasHead {
		text = Text{say(ToneBad, SignError, name...)}
		if f.Cause != "" {
			text = append(text, say(TonePlain, NoSign, causeSpan(wording.Clip(Reason(f), maxCause))))
		}
	}
	text = append(text, whence(r, loss, list)...)
	if p, ok := OwnLimit(f.Err); ok {
		text = append(text, p)
	}
	if p, ok := timedOut(r, i); ok {
		text = append(text, p)
	}
	if hasHead && f.Cause != "" {
		text = append(text, say(ToneQuiet, NoSign, causeSpan(wording.Clip(Reason(f), maxCause))))
	}
	return text
}

// fieldOf says in which field an error came up, with its line: " in Parameters/to.$, line 13".
func fieldOf(f *engine.Failure) []Span {
	if f.Field == "" {
		return nil
	}
	spans := []Span{words(" in "), fieldName(f.Field)}
	if place, ok := f.Place(); ok && place.Source != nil {
		spans[1].Place = &place
		spans = append(spans, words(", line "+strconv.Itoa(place.Span.Start.Line)))
	}
	return spans
}

// Sentence says in one sentence what went wrong at event i of a session's log, counted from 0, which carries an error;
// ok is false where the Error Name and the Cause say it all.
func Sentence(s *debug.Session, i int) (p Paragraph, ok bool) {
	loss, list := RunOf(s, nil).Missing(i)
	return sentence(s.Log().At(i).Failure(), loss, list)
}

// sentence says what is missing or wrong, and what is there instead: it is the head of a failure on every face. ok is
// false where the Error Name and the Cause say it all.
func sentence(f *engine.Failure, loss *provenance.Loss, list []provenance.Hint) (p Paragraph, ok bool) {
	switch {
	case loss != nil && loss.Miss != nil:
		return Miss(missBeside(loss.Miss, loss.Hints)), true
	case len(list) > 0 && list[0].Kind == provenance.HintKinds:
		p = hint(&list[0])
		p.Tone, p.Sign, p.Spans = ToneBad, SignError, append(p.Spans, words("."))
		return p, true
	}
	if text := f.Explanation(); text != "" {
		return say(ToneBad, SignError, words(wording.Sentence(text))), true
	}
	return p, false
}

// Ends reports whether event i of a session's log, counted from 0, raises an error that ends its state: no retrier and
// no catcher of the state takes it.
func Ends(s *debug.Session, i int) bool {
	return i >= 0 && s.Log().At(i).RaisesError() && !slices.ContainsFunc(provenance.Handlers(s.Log(), i, s.Machine().Dialect()), provenance.Handler.Takes)
}

// OwnLimit explains that an evaluation was ended by a limit of asldb, which Step Functions does not have; ok is false
// for other errors.
func OwnLimit(err error) (p Paragraph, ok bool) {
	var fault *jsonata.Error
	if !errors.As(err, &fault) || !fault.Own {
		return Paragraph{}, false
	}
	return say(ToneCaution, NoSign,
		words("this bound is asldb's, not Step Functions': "), code("--max-evaluation"), words(" raises the bounds of steps and of memory")), true
}

// Miss says that a path leads to nothing, and what there is instead: "$.order is missing: $ has only Error and Cause."
func Miss(miss *path.MissError) Paragraph {
	text := wording.Sentence(miss.Error())
	if rest, ok := strings.CutPrefix(text, miss.Path.String()); ok {
		return say(ToneBad, SignError, pathSpan(miss.Path.String()), words(rest))
	}
	return say(ToneBad, SignError, words(text))
}

// exceeded says which time limit of a task was exceeded: "TimeoutSeconds ran out". It is empty for an error that isn't
// a timeout, and for a timeout by hand.
func exceeded(f *engine.Failure) string {
	if f.Name != engine.ErrorTimeout && f.Name != engine.ErrorHeartbeatTimeout {
		return ""
	}
	switch strings.TrimSuffix(f.Field, "Path") {
	case "TimeoutSeconds", "HeartbeatSeconds":
		return f.Field + " ran out"
	}
	return ""
}

// timedOut explains that a time limit was exceeded with event i of the log: "waited 30s; TimeoutSeconds 30; the last
// heartbeat came at t+12s". ok is false for other events.
func timedOut(r *provenance.RunAgain, i int) (p Paragraph, ok bool) {
	b := r.Bound(i)
	if b == nil || r.Log.At(i).Type == engine.ExecutionTimedOut {
		return Paragraph{}, false
	}
	if b.Limit == 0 {
		return say(TonePlain, NoSign, words(b.Field+" ran out")), true
	}
	text := "waited " + wording.Duration(b.Waited) + "; " + strings.TrimSuffix(b.Field, "Path") + " " + strconv.FormatFloat(b.Limit.Seconds(), 'f', -1, 64)
	if strings.HasSuffix(b.Field, "Path") {
		text += ", from " + b.Field
	}
	switch {
	case !b.Heartbeat.IsZero():
		text += "; last heartbeat at " + SinceStart(r.Start, b.Heartbeat)
	case b.OfHeartbeats():
		text += "; no heartbeat came"
	}
	return say(TonePlain, NoSign, words(text)), true
}

// whence explains where the value of a path was lost that led to nothing: which field lost it, and the line that keeps
// it; or where else the value is, and which state should have made it.
func whence(r *provenance.RunAgain, loss *provenance.Loss, other []provenance.Hint) Text {
	switch {
	case loss == nil && len(other) > 0 && other[0].Kind == provenance.HintKinds:
		return hints(other[1:]) // the sentence has the first
	case loss == nil:
		return hints(other)
	case loss.Kind == provenance.NeverThere:
		return hints(loss.Hints)
	}
	return append(hints(loss.Hints), lostWhere(loss, r.Log)...)
}
