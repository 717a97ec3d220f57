// Package recorder writes the events of an execution as JSON.
//
// One event is one object. These members are in every object, in this order:
//
//	seq      the number of the event, from 1
//	time     the virtual time, RFC 3339 in UTC, with as many digits of a second as it needs
//	type     "StateEntered", "StageCompleted", …: the name of the engine's EventType
//	thread   the thread's number; 0 is the root
//
// These follow where the event has them:
//
//	state       the state path, "Fulfil/Branches[1]/Notify"
//	visit       which visit of the state by its thread, from 1
//	entered     the seq of the StateEntered event that began the visit
//	stage       "InputPath", "ResultSelector", …: the name of the field that the stage carries out
//	inspection  the key of TestState's inspection data for it, "afterInputPath"
//	before      the data before
//	after       the data after
//
// What only one type of event has comes last, under these names; durations are numbers of seconds, times
// are written as time is, numbers of places are from 0:
//
//	a failure     error, cause, field, origin (the state path where the error came up, where it is another state)
//	a task        request, resource, attempt, invocation, timeoutSeconds, heartbeatSeconds, credentials;
//	              its payload is after
//	a wait        until
//	Parallel, Map length, maxConcurrency (0: all at once)
//	a Map Run     mapRunArn
//	an object     request, action (getObject or listObjectsV2), bucket, key (of a list: the prefix)
//	a thread      child (the thread's number), index (of the branch or iteration), and of an aborted one
//	              in (the path of the state that it was in)
//	an Assign     assigned (the variables that it set)
//	a retry       the failure's, then retrier, attempt, delaySeconds, backoffSeconds, due
//	a catch       the failure's, then catcher, next
//	an exit       next (absent at the end of a scope), rule (absent unless a Choice rule matched)
//
// The order of members is fixed, so equal events have equal bytes.
package recorder

import (
	"strconv"
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/value"
)

// AppendEvent appends e as one JSON object, without a newline, and returns the extended slice.
func AppendEvent(dst []byte, e *engine.Event) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, e.Seq, 10)
	dst = appendTime(append(dst, `,"time":`...), e.At())
	dst = appendText(dst, "type", e.Type.String())
	dst = appendInt(dst, "thread", int64(e.Thread))
	if e.Visit != nil {
		dst = appendText(dst, "state", e.Visit.Path())
		dst = appendInt(dst, "visit", int64(e.Visit.Number))
		dst = appendInt(dst, "entered", e.Visit.Entered)
	}
	if e.Stage != engine.NoStage {
		dst = appendText(dst, "stage", e.StageName())
		if key := e.InspectionName(); key != "" {
			dst = appendText(dst, "inspection", key)
		}
	}
	if e.Before != nil {
		dst = value.Append(append(dst, `,"before":`...), e.Before)
	}
	if e.After != nil {
		dst = value.Append(append(dst, `,"after":`...), e.After)
	}
	return append(appendDetail(dst, e), '}')
}

func appendDetail(dst []byte, e *engine.Event) []byte {
	switch d := e.Detail.(type) {
	case *engine.Failure:
		return appendFailure(dst, d, e.Visit)
	case *engine.TaskRequest:
		return appendRequest(dst, d)
	case *engine.WaitDetail:
		return appendTime(append(dst, `,"until":`...), d.Until)
	case *engine.StartDetail:
		dst = appendInt(dst, "length", int64(d.Length))
		return appendInt(dst, "maxConcurrency", int64(d.MaxConcurrency))
	case *engine.MapRunDetail:
		return appendText(dst, "mapRunArn", d.Arn)
	case *engine.ObjectRequest:
		dst = appendInt(dst, "request", d.ID)
		dst = appendText(dst, "action", string(d.Object.Action))
		dst = appendText(dst, "bucket", d.Object.Bucket)
		return appendText(dst, "key", d.Object.Key)
	case *engine.ThreadDetail:
		dst = appendInt(dst, "child", int64(d.Thread))
		dst = appendInt(dst, "index", int64(d.Index))
		if d.Visit != nil {
			dst = appendText(dst, "in", d.Visit.Path())
		}
	case *engine.AssignDetail:
		if d.Assigned != nil {
			dst = value.Append(appendKey(dst, "assigned"), d.Assigned)
		}
	case *engine.RetryDetail:
		dst = appendFailure(dst, d.Failure, e.Visit)
		dst = appendInt(dst, "retrier", int64(d.Retrier))
		dst = appendInt(dst, "attempt", d.Attempt)
		dst = appendSeconds(dst, "delaySeconds", d.Delay)
		dst = appendSeconds(dst, "backoffSeconds", d.Backoff)
		return appendTime(append(dst, `,"due":`...), d.Due)
	case *engine.CatchDetail:
		dst = appendFailure(dst, d.Failure, e.Visit)
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

func appendFailure(dst []byte, f *engine.Failure, at *engine.Visit) []byte {
	if f == nil {
		return dst
	}
	dst = appendText(dst, "error", f.Name)
	dst = appendText(dst, "cause", f.Cause)
	if f.Field != "" {
		dst = appendText(dst, "field", f.Field)
	}
	if f.Origin != nil && f.Origin != at {
		dst = appendText(dst, "origin", f.Origin.Path())
	}
	return dst
}

func appendRequest(dst []byte, r *engine.TaskRequest) []byte {
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
	if r.Credentials != nil {
		dst = value.Append(appendKey(dst, "credentials"), r.Credentials)
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
