package recorder

import (
	"encoding/base64"
	"fmt"
	"time"
	"unicode/utf8"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
)

// appendAnswer appends the lines of an answer: its large values, and itself. now is the virtual time, zero where it is not known.
func appendAnswer(dst []byte, values *valueLines, a *debug.Answer, now time.Time) []byte {
	submitted, output, edited := int64(inline), int64(inline), int64(inline)
	dst, submitted = values.line(dst, a.Outcome.Submitted, nil)
	dst, output = values.line(dst, a.Outcome.Output, nil)
	if a.Edit != nil {
		dst, edited = values.line(dst, a.Edit.Value, nil)
	}
	form := eventForm{trace: true}
	dst = append(dst, `{"answer":`...)
	dst = value.AppendQuoted(dst, a.Kind.String())
	dst = appendInt(dst, "step", a.Step)
	dst = appendInt(dst, "after", a.After)
	if a.Request != 0 {
		dst = appendInt(dst, "request", a.Request)
	}
	if a.Thread != 0 {
		dst = appendInt(dst, "thread", int64(a.Thread))
	}
	if !a.Time.IsZero() {
		dst = appendTime(appendKey(dst, "time"), a.Time)
	}
	if a.Outcome.After != 0 {
		dst = appendSeconds(dst, "afterSeconds", a.Outcome.After)
		if !now.IsZero() {
			dst = appendTime(appendKey(dst, "due"), now.Add(a.Outcome.After))
		}
	}
	if a.Outcome.HeartbeatEvery != 0 {
		dst = appendSeconds(dst, "heartbeatEverySeconds", a.Outcome.HeartbeatEvery)
	}
	dst = form.appendValue(dst, "submitted", a.Outcome.Submitted, submitted)
	dst = form.appendValue(dst, "output", a.Outcome.Output, output)
	name, cause := a.Error, a.Cause
	if a.Kind == debug.AnswerOutcome || a.Kind == debug.AnswerMapRun {
		name, cause = a.Outcome.Error, a.Outcome.Cause
	}
	if name != "" || cause != "" {
		dst = appendText(appendText(dst, "error", name), "cause", cause)
	}
	if a.Body != nil {
		dst = appendBody(dst, a.Body)
	}
	if a.Refused != nil {
		dst = appendText(dst, "refused", a.Refused.Cause)
	}
	if a.Edit != nil {
		dst = appendInt(dst, "editThread", int64(a.Edit.Thread))
		dst = form.appendValue(dst, "edit", a.Edit.Value, edited)
	}
	if a.Origin != "" {
		dst = appendText(dst, "origin", a.Origin)
	}
	return append(dst, '}', '\n')
}

// appendBody writes the content of an object as text where it is one.
func appendBody(dst, body []byte) []byte {
	if utf8.Valid(body) {
		return appendText(dst, "body", string(body))
	}
	return appendText(dst, "body"+base64Suffix, base64.StdEncoding.EncodeToString(body))
}

// readAnswer decodes the line of an answer.
func (r *decoder) readAnswer(f *fields) (debug.Answer, error) {
	kind, known := debug.ParseAnswerKind(f.text("answer"))
	if !known {
		return debug.Answer{}, fmt.Errorf("has an answer of the kind %q, which is not known", clip(f.text("answer")))
	}
	a := debug.Answer{
		Kind: kind, Step: f.integer("step"), After: f.integer("after"), Request: f.integer("request"),
		Thread: engine.ThreadID(f.integer("thread")), Time: f.time("time"), Body: f.bytes("body"), Origin: f.text("origin"),
	}
	name, cause := f.text("error"), f.text("cause")
	if kind == debug.AnswerOutcome || kind == debug.AnswerMapRun {
		a.Outcome = engine.Outcome{
			Output: r.value(f, "output"), Submitted: r.value(f, "submitted"), Error: name, Cause: cause,
			After: f.seconds("afterSeconds"), HeartbeatEvery: f.seconds("heartbeatEverySeconds"),
		}
	} else {
		a.Error, a.Cause = name, cause
	}
	if f.has("refused") {
		a.Refused = &engine.ObjectError{Cause: f.text("refused")}
	}
	if edited := r.value(f, "edit"); edited != nil {
		a.Edit = &engine.Edit{Thread: engine.ThreadID(f.integer("editThread")), Value: edited}
	}
	if f.fault != "" {
		return a, fmt.Errorf("%s", f.fault)
	}
	return a, nil
}
