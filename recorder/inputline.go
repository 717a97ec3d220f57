package recorder

import (
	"encoding/base64"
	"fmt"
	"time"
	"unicode/utf8"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// appendInput appends the lines of an input of the run: its large values, and itself; without values they are in it.
// now is the virtual time, zero where it is not known.
func appendInput(dst []byte, values *valueLines, in *runlog.Input, now time.Time) []byte {
	submitted, output, edited := int64(inline), int64(inline), int64(inline)
	if values != nil {
		dst, submitted = values.line(dst, in.Outcome.Submitted, nil)
		dst, output = values.line(dst, in.Outcome.Output, nil)
		if in.Edit != nil {
			dst, edited = values.line(dst, in.Edit.Value, nil)
		}
	}
	form := eventForm{trace: true}
	dst = append(dst, `{"answer":`...)
	dst = value.AppendQuoted(dst, in.Kind.String())
	dst = appendInt(dst, "step", in.Step)
	dst = appendInt(dst, "after", in.After)
	if in.Request != 0 {
		dst = appendInt(dst, "request", in.Request)
	}
	if in.Thread != 0 {
		dst = appendInt(dst, "thread", int64(in.Thread))
	}
	if !in.Time.IsZero() {
		dst = appendTime(appendKey(dst, "time"), in.Time)
	}
	if in.Outcome.After != 0 {
		dst = appendSeconds(dst, "afterSeconds", in.Outcome.After)
		if !now.IsZero() {
			dst = appendTime(appendKey(dst, "due"), now.Add(in.Outcome.After))
		}
	}
	if in.Outcome.HeartbeatEvery != 0 {
		dst = appendSeconds(dst, "heartbeatEverySeconds", in.Outcome.HeartbeatEvery)
	}
	dst = form.appendValue(dst, "submitted", in.Outcome.Submitted, submitted)
	dst = form.appendValue(dst, "output", in.Outcome.Output, output)
	name, cause := in.Error, in.Cause
	if in.Kind == runlog.InputOutcome || in.Kind == runlog.InputMapRun {
		name, cause = in.Outcome.Error, in.Outcome.Cause
	}
	if name != "" || cause != "" {
		dst = appendText(appendText(dst, "error", name), "cause", cause)
	}
	if in.Body != nil {
		dst = appendBody(dst, in.Body)
	}
	if in.Refused != nil {
		dst = appendText(dst, "refused", in.Refused.Cause)
	}
	if in.Edit != nil {
		dst = appendInt(dst, "editThread", int64(in.Edit.Thread))
		dst = form.appendValue(dst, "edit", in.Edit.Value, edited)
	}
	if n := in.Bounds.MaxConcurrency; n != nil {
		dst = appendInt(dst, "maxConcurrency", int64(*n))
	}
	if n := in.Bounds.FailureCount; n != nil {
		dst = appendInt(dst, "toleratedFailureCount", int64(*n))
	}
	if n := in.Bounds.FailurePercentage; n != nil {
		dst = value.Append(appendKey(dst, "toleratedFailurePercentage"), value.Float(*n))
	}
	if in.Origin != "" {
		dst = appendText(dst, "origin", in.Origin)
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

// readInput decodes the line of an input.
func (r *decoder) readInput(f *fields) (runlog.Input, error) {
	kind, known := runlog.ParseInputKind(f.text("answer"))
	if !known {
		return runlog.Input{}, fmt.Errorf("has an answer of the kind %q, which is not known", clip(f.text("answer")))
	}
	in := runlog.Input{
		Kind: kind, Step: f.integer("step"), After: f.integer("after"), Request: f.integer("request"),
		Thread: engine.ThreadID(f.integer("thread")), Time: f.time("time"), Body: f.bytes("body"), Origin: f.text("origin"),
	}
	name, cause := f.text("error"), f.text("cause")
	if kind == runlog.InputOutcome || kind == runlog.InputMapRun {
		in.Outcome = engine.Outcome{
			Output: r.value(f, "output"), Submitted: r.value(f, "submitted"), Error: name, Cause: cause,
			After: f.seconds("afterSeconds"), HeartbeatEvery: f.seconds("heartbeatEverySeconds"),
		}
	} else {
		in.Error, in.Cause = name, cause
	}
	if f.has("refused") {
		in.Refused = &engine.ObjectError{Cause: f.text("refused")}
	}
	if edited := r.value(f, "edit"); edited != nil {
		in.Edit = &engine.Edit{Thread: engine.ThreadID(f.integer("editThread")), Value: edited}
	}
	in.Bounds = readBounds(f)
	if f.fault != "" {
		return in, fmt.Errorf("%s", f.fault)
	}
	return in, nil
}

// readBounds decodes the new bounds of a Map Run.
func readBounds(f *fields) (bounds engine.NewBounds) {
	number := func(key string) *int {
		if !f.has(key) {
			return nil
		}
		n := int(f.integer(key))
		return &n
	}
	bounds.MaxConcurrency, bounds.FailureCount = number("maxConcurrency"), number("toleratedFailureCount")
	if n, ok := f.get("toleratedFailurePercentage").(value.Number); ok {
		percentage := n.Float64()
		bounds.FailurePercentage = &percentage
	}
	return bounds
}

// FormatInput writes an input as a separate line, with its values in it.
func FormatInput(in *runlog.Input) []byte {
	return appendInput(nil, nil, in, time.Time{})
}

// ParseInput reads the line of [FormatInput].
func ParseInput(line []byte) (runlog.Input, error) {
	d := &decoder{}
	f, err := d.fields(line)
	if err != nil {
		return runlog.Input{}, err
	}
	for _, key := range []string{"submitted", "output", "edit"} {
		if f.has(key + valueSuffix) {
			return runlog.Input{}, fmt.Errorf("has %q of another line", key)
		}
	}
	return d.readInput(f)
}
