package recorder

import (
	"math"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// AppendEvent appends e as one JSON object, without a newline, and returns the extended slice.
func AppendEvent(dst []byte, e *engine.Event) []byte {
	var form eventForm
	return form.append(dst, e)
}

// inline says that a value is in the event itself.
const inline = -1

// eventForm is how events are written. The zero eventForm is the form of AppendEvent.
type eventForm struct {
	trace bool
	// Of a trace: the numbers of the lines with the event's values, or inline. detail is the number of the one value
	// that some details have.
	before, after, detail int64

	// What many events in a row share is written once.
	visit *engine.Visit
	place []byte
	time  int64
	clock []byte
}

func (f *eventForm) append(dst []byte, e *engine.Event) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, e.Seq, 10)
	dst = append(dst, `,"time":`...)
	dst = f.appendClock(dst, e)
	dst = appendText(dst, "type", e.Type.String())
	dst = appendInt(dst, "thread", int64(e.Thread))
	if e.Visit != nil {
		dst = f.appendPlace(dst, e.Visit)
	}
	if e.Stage != engine.NoStage {
		dst = appendText(dst, "stage", e.StageName())
		if key := e.InspectionName(); key != "" {
			dst = appendText(dst, "inspection", key)
		}
	}
	if f.trace && e.Type == engine.StateEntered && e.Visit != nil {
		if e.Visit.Parent != nil {
			dst = appendInt(dst, "parent", e.Visit.Parent.Entered)
		}
	}
	switch id := int64(e.HistoryID); {
	case id != 0:
		dst = appendInt(dst, "historyId", id)
	case e.Type == engine.StateEntered && e.Visit != nil && e.Visit.HistoryID > math.MaxUint16 && f.trace:
		dst = appendInt(dst, "historyId", e.Visit.HistoryID) // causes quote it
	}
	dst = f.appendValue(dst, "before", e.Before, f.before)
	dst = f.appendValue(dst, "after", e.After, f.after)
	return append(f.appendDetail(dst, e), '}')
}

// appendClock writes the event's time. Events in a row often have the same.
func (f *eventForm) appendClock(dst []byte, e *engine.Event) []byte {
	if !f.trace {
		return appendTime(dst, e.At())
	}
	if f.clock == nil || f.time != e.Time {
		f.time, f.clock = e.Time, appendTime(f.clock[:0], e.At())
	}
	return append(dst, f.clock...)
}

// appendPlace writes the visit and the state, which all events of a visit share.
func (f *eventForm) appendPlace(dst []byte, visit *engine.Visit) []byte {
	if f.trace && f.visit == visit {
		return append(dst, f.place...)
	}
	start := len(dst)
	dst = appendText(dst, "state", visit.Path())
	dst = appendInt(dst, "visit", int64(visit.Number))
	dst = appendInt(dst, "entered", visit.Entered)
	if f.trace {
		f.visit, f.place = visit, append(f.place[:0], dst[start:]...)
	}
	return dst
}

// appendValue writes a value, or the number of its line.
func (f *eventForm) appendValue(dst []byte, key string, v value.Value, line int64) []byte {
	switch {
	case v == nil:
		return dst
	case f.trace && line != inline:
		dst = append(dst, `,"`...)
		dst = append(dst, key...)
		dst = append(dst, valueSuffix+`":`...)
		return strconv.AppendInt(dst, line, 10)
	}
	return value.Append(appendKey(dst, key), v)
}

// valueSuffix follows the name of a member that gives the number of a line in place of a value.
const valueSuffix = "Value"

func (f *eventForm) appendDetail(dst []byte, e *engine.Event) []byte {
	switch d := e.Detail.(type) {
	case *engine.Failure:
		return f.appendFailure(dst, d, e.Visit)
	case *engine.TaskRequest:
		return f.appendRequest(dst, d)
	case *engine.WaitDetail:
		return appendTime(append(dst, `,"until":`...), d.Until)
	case *engine.StartDetail:
		dst = appendInt(dst, "length", int64(d.Length))
		dst = appendInt(dst, "maxConcurrency", int64(d.MaxConcurrency))
		if d.Done > 0 {
			dst = appendInt(dst, "done", int64(d.Done))
		}
	case *engine.RedriveDetail:
		return appendInt(dst, "redriveCount", int64(d.Count))
	case *engine.MapRunDetail:
		dst = appendText(dst, "mapRunArn", d.Arn)
		if d.Redriven > 0 {
			dst = appendInt(dst, "redriveCount", int64(d.Redriven))
		}
		return dst
	case *engine.ObjectRequest:
		dst = appendInt(dst, "request", d.ID)
		dst = appendText(dst, "action", d.Object.Action.String())
		dst = appendText(dst, "bucket", d.Object.Bucket)
		return appendText(dst, "key", d.Object.Key)
	case *engine.ThreadDetail:
		if !f.trace {
			dst = appendInt(dst, "child", int64(d.Thread)) // it is the event's own thread
		}
		dst = appendInt(dst, "index", int64(d.Index))
		return f.appendVisit(dst, "in", d.Visit)
	case *engine.AssignDetail:
		if d.Assigned != nil {
			dst = f.appendValue(dst, "assigned", d.Assigned, f.detail)
		}
	case *engine.RetryDetail:
		dst = f.appendFailure(dst, d.Failure, e.Visit)
		dst = appendInt(dst, "retrier", int64(d.Retrier))
		dst = appendInt(dst, "attempt", d.Attempt)
		dst = appendSeconds(dst, "delaySeconds", d.Delay)
		if !f.trace || d.Backoff != d.Delay {
			dst = appendSeconds(dst, "backoffSeconds", d.Backoff)
		}
		return appendTime(append(dst, `,"due":`...), d.Due)
	case *engine.CatchDetail:
		dst = f.appendFailure(dst, d.Failure, e.Visit)
		dst = appendInt(dst, "catcher", int64(d.Catcher))
		return appendText(dst, "next", d.Next)
	case *engine.ExitDetail:
		if d.Next != "" {
			dst = appendText(dst, "next", d.Next)
		}
		if d.Rule >= 0 {
			dst = appendInt(dst, "rule", int64(d.Rule))
		}
	}
	return dst
}

func (f *eventForm) appendFailure(dst []byte, d *engine.Failure, at *engine.Visit) []byte {
	if d == nil {
		return dst
	}
	dst = appendText(dst, "error", d.Name)
	dst = appendText(dst, "cause", d.Cause)
	if d.Field != "" {
		dst = appendText(dst, "field", d.Field)
	}
	dst = f.appendSource(dst, d)
	if d.Origin == at {
		return dst
	}
	return f.appendVisit(dst, "origin", d.Origin)
}

// appendSource writes where in the definition an error came from: the file, line and column from 1, in characters. A
// trace leaves it out: it has the definition, the visit and the field, from which a reader finds the place again.
func (f *eventForm) appendSource(dst []byte, d *engine.Failure) []byte {
	place, ok := d.Place()
	if f.trace || !ok || place.Source == nil {
		return dst
	}
	dst = append(dst, `,"source":{`...)
	dst = append(dst, `"file":`...)
	dst = value.AppendQuoted(dst, place.Source.Name)
	dst = appendInt(dst, "line", int64(place.Span.Start.Line))
	dst = appendInt(dst, "column", int64(place.Span.Start.Col))
	dst = appendText(dst, "pointer", place.Pointer)
	return append(dst, '}')
}

// appendVisit writes the path of another visit than the event's own.
func (f *eventForm) appendVisit(dst []byte, key string, visit *engine.Visit) []byte {
	if visit == nil {
		return dst
	}
	dst = appendText(dst, key, visit.Path())
	if f.trace {
		dst = appendInt(dst, key+enteredSuffix, visit.Entered)
	}
	return dst
}

const enteredSuffix = "Entered"

func (f *eventForm) appendRequest(dst []byte, r *engine.TaskRequest) []byte {
	dst = appendInt(dst, "request", r.ID)
	dst = appendText(dst, "resource", r.Resource)
	dst = appendInt(dst, "attempt", int64(r.Attempt))
	dst = appendInt(dst, "invocation", int64(r.Invocation))
	if r.Timeout > 0 {
		dst = appendSeconds(dst, "timeoutSeconds", r.Timeout)
	}
	if r.Heartbeat > 0 {
		dst = appendSeconds(dst, "heartbeatSeconds", r.Heartbeat)
	}
	dst = f.appendValue(dst, "credentials", r.Credentials, f.detail)
	if f.trace && r.TimeoutSet {
		dst = append(dst, `,"timeoutSet":true`...)
	}
	return dst
}

// appendKey appends the comma before a member and its key, which needs no escapes.
func appendKey(dst []byte, key string) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, key...)
	return append(dst, `":`...)
}

func appendText(dst []byte, key, text string) []byte {
	return value.AppendQuoted(appendKey(dst, key), text)
}

func appendInt(dst []byte, key string, n int64) []byte {
	return strconv.AppendInt(appendKey(dst, key), n, 10)
}

// appendSeconds writes d as a decimal number of seconds, exactly.
func appendSeconds(dst []byte, key string, d time.Duration) []byte {
	dst = appendKey(dst, key)
	nanos := uint64(d)
	if d < 0 {
		dst, nanos = append(dst, '-'), -nanos
	}
	dst = strconv.AppendUint(dst, nanos/uint64(time.Second), 10)
	fraction := nanos % uint64(time.Second)
	if fraction == 0 {
		return dst
	}
	dst = append(dst, '.')
	for digit := uint64(time.Second / 10); fraction > 0; digit /= 10 {
		dst = append(dst, byte('0'+fraction/digit))
		fraction %= digit
	}
	return dst
}

func appendTime(dst []byte, at time.Time) []byte {
	dst = append(dst, '"')
	dst = at.UTC().AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"')
}
