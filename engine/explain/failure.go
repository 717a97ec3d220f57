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

// failure explains event i of a session's log, which carries an error.
func failure(s *debug.Session, i int, f *engine.Failure) Text {
	e, r := s.Log().At(i), RunOf(s, nil)
	text := Text{say(ToneBad, SignError, errorName(f.Name))}
	text = append(text, fault(f, missed(r, i))...) // before the cause, which may be long
	if f.Cause != "" {
		text = append(text, say(TonePlain, NoSign, causeSpan(wording.Clip(Reason(f), maxCause))))
	}
	if !missedPath(f) {
		if own := f.Explanation(); own != "" {
			text = append(text, say(TonePlain, NoSign, words(own)))
		}
	}
	var at []Span
	if p, ok := timedOut(r, i); ok {
		text = append(text, p)
	} else if f.Field != "" && !strings.Contains(f.Cause, f.Field) {
		at = append(at, words("in "), fieldName(f.Field))
	}
	if f.Origin != nil && f.Origin != e.Visit {
		if len(at) > 0 {
			at = append(at, words(", "))
		}
		at = append(at, words("began in "), Span{Kind: KindState, Text: f.Origin.Path(), Event: f.Origin.Entered})
	}
	if len(at) > 0 {
		text = append(text, say(ToneQuiet, NoSign, at...))
	}
	return text
}

// Ends reports whether event i of a session's log, counted from 0, raises an error that ends its state: no retrier and
// no catcher of the state takes it.
func Ends(s *debug.Session, i int) bool {
	return i >= 0 && s.Log().At(i).RaisesError() && !slices.ContainsFunc(provenance.Handlers(s.Log(), i, s.Machine().Dialect()), provenance.Handler.Takes)
}

// missedPath reports whether an error comes from a path that missed: how far it got is shown for itself.
func missedPath(f *engine.Failure) bool {
	var miss *path.MissError
	return errors.As(f.Err, &miss) && miss.At != nil
}

func fault(f *engine.Failure, text Text) Text {
	if p, ok := OwnLimit(f.Err); ok {
		text = append(text, p)
	}
	place, ok := f.Place()
	if !ok || f.Field == "" {
		return text
	}
	at := "in the definition at line " + strconv.Itoa(place.Span.Start.Line) + ", column " + strconv.Itoa(place.Span.Start.Col)
	return append(text, say(ToneQuiet, NoSign, Span{Text: at, Place: &place}))
}

// OwnLimit explains that an evaluation was ended by a limit of asldb, which Step Functions does not have; ok is false
// for other errors.
func OwnLimit(err error) (p Paragraph, ok bool) {
	var fault *jsonata.Error
	if !errors.As(err, &fault) || !fault.Own {
		return Paragraph{}, false
	}
	return say(ToneCaution, NoSign,
		words("this bound is asldb's own, and none of Step Functions: "), code("--max-evaluation"), words(" raises those of steps and of memory")), true
}

// Miss explains how far a path got: the part that leads to a value, the value there, and the missing part.
func Miss(miss *path.MissError) Text {
	if miss.At == nil {
		return nil
	}
	found := Paragraph{Tone: ToneGood, Label: "found", Spans: []Span{pathSpan(miss.Found), words(" is "), val(miss.At)}}
	if names := memberNames(miss.At); names != "" {
		found.Spans = []Span{pathSpan(miss.Found), words(" has: " + names)}
	}
	missing := Paragraph{Tone: ToneBad, Label: "missing", Spans: []Span{pathSpan(miss.Missing)}}
	if miss.Suggestion != "" {
		missing.Spans = append(missing.Spans, words("   did you mean "), pathSpan(miss.Suggestion), words("?"))
	}
	return Text{found, missing}
}

// maxNames is the greatest number of members that are named.
const maxNames = 12

// memberNames lists the members of an object; it is empty for other values.
func memberNames(v value.Value) string {
	object, ok := v.(*value.Object)
	if !ok {
		return ""
	}
	var names []string
	for key := range object.All() {
		if len(names) == maxNames {
			names = append(names, "and "+strconv.Itoa(object.Len()-maxNames)+" more")
			break
		}
		names = append(names, key)
	}
	return strings.Join(names, ", ")
}

// exceeded says which time limit of a task was exceeded: "TimeoutSeconds ran out". It is empty for an error that is no
// timeout, and for a timeout by hand.
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

// missed explains how far the path got that led to nothing in event i of the log, and where its value was lost: which
// field lost it, and the line that keeps it; or where else the value is, and which state would have made it.
func missed(r *provenance.RunAgain, i int) Text {
	loss, other := r.Missing(i)
	return missedText(r, loss, other)
}

func missedText(r *provenance.RunAgain, loss *provenance.Loss, other []provenance.Hint) Text {
	if loss == nil {
		return hints(other)
	}
	text := append(missBeside(loss.Miss, loss.Hints), hints(loss.Hints)...)
	if loss.Kind == provenance.NeverThere {
		return text
	}
	return append(text, lostWhere(loss, r.Log)...)
}
