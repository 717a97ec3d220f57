package why

import (
	"fmt"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// maxValue and maxExplained bound values in a line, in characters.
const (
	maxVerified  = 200
	maxExplained = 100
)

// Failure returns how and where an execution failed, in several lines. nested has the executions that its tasks
// started.
func Failure(session *debug.Session, nested explain.Nested) *FailedError {
	return &FailedError{explain.Failed(session, nested)}
}

// FailedError says why an execution has failed.
type FailedError struct{ text explain.Text }

// Error implements error.
func (e *FailedError) Error() string { return e.Painted(report.None) }

// Painted is the message in colours: its headline is strong, with the status as its severity. All else that a terminal
// would act on is escaped.
func (e *FailedError) Painted(paint report.Painter) string {
	status, rest, _ := strings.Cut(Painted(e.text[:1], report.None), " ")
	head := paint(report.Bad, status) + paint(report.Strong, " "+rest)
	if len(e.text) == 1 {
		return head
	}
	return head + "\n" + Painted(e.text[1:], paint)
}

// Painted are the paragraphs of an explanation in colours, a line for each. All else that a terminal would act on is
// escaped.
func Painted(text explain.Text, paint report.Painter) string {
	return strings.Join(explain.Plain(maxExplained).Painted(text, func(tone report.Tone, part string) string {
		return paint(tone, wording.Text(part))
	}), "\n")
}

// remark returns the limits of an agreement.
func remark(r *launch.Replayed) string {
	v, text := r.Verification, ""
	switch last := v.Recorded.Last(); {
	case r.Unread > 0:
		text += fmt.Sprintf(": the %s that follow cannot be read, and were not compared",
			wording.Count(r.Unread, "event"))
	case last != nil && !last.Type.EndsExecution():
		text += ": the recording ends before the run does"
	}
	if r.Trace.Redacted() {
		text += " (as far as a redacted trace can tell)"
	}
	return text
}

// Verification returns the result of executing a recording again: that all events agree, or the first difference and
// the end of the run. The comparison must not have ended at its bound.
func Verification(r *launch.Replayed) string {
	v := r.Verification
	d := v.Divergence
	if d == nil {
		return "all " + wording.Count(v.Recorded.Len(), "event") + " agree" + remark(r) + "\n"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "the run differs from the recording at event %d of %d", d.Index+1, v.Recorded.Len())
	if state := d.State(); state != "" {
		fmt.Fprintf(&out, ", in the state %q", state)
	}
	if stage := d.Stage(); stage != "" {
		fmt.Fprintf(&out, ", stage %s", stage)
	}
	out.WriteByte('\n')
	if d.Err != nil {
		fmt.Fprintf(&out, "a recorded answer does not fit: %v\n", d.Err)
	}
	fmt.Fprintf(&out, "expected: %s\nfound:    %s\n", sketch(d.Expected), sketch(d.Found))
	for _, member := range d.Differs {
		was, is := runlog.Member(d.Expected, member), runlog.Member(d.Found, member)
		place, was, is := firstDifference("$", was, is)
		wanted, found := value.Pair(was, is, maxVerified)
		if place == "$" {
			place = ""
		} else {
			place = " at " + place
		}
		fmt.Fprintf(&out, "  %s%s: expected %s, found %s\n", member, place, wanted, found)
	}
	if r.Trace.Redacted() {
		out.WriteString("the trace is redacted: where a redacted value mattered the run cannot be executed as it was\n")
	}
	out.WriteString(fate(v))
	return out.String()
}

// fate returns the end of the run that was executed now.
func fate(v *debug.Verification) string {
	session := v.Session
	session.GoTo(v.Found.Len())
	text := ""
	switch status := session.Status(); {
	case status == engine.Succeeded:
		text = "the run now ends as SUCCEEDED, with the output " + shortly(session.Output()) + "\n"
	case status.Done():
		text = "now " + Failure(session, nil).Error() + "\n"
	case v.Stop.Object != nil:
		text = "the run now waits for items: " + v.Stop.MissingObject().Error() + "\n"
	case v.Stop.Reason == debug.StoppedForAnswer:
		text = "the run now waits for a task without a recorded result"
		if requests := session.Requests(); len(requests) > 0 {
			text += fmt.Sprintf(": %s, attempt %d", requests[0].Visit.Path(), requests[0].Attempt)
		}
		text += "; --fixtures can give one\n"
	case v.Stop.Err != nil:
		text = "the run now stops: " + v.Stop.Err.Error() + "\n"
	case v.Stop.Reason == debug.StoppedByLimit:
		text = fmt.Sprintf("the run had not ended after %d events\n", v.Found.Len())
	}
	if len(v.Unused) > 0 {
		text += wording.Count(len(v.Unused), "recorded answer") + " found no use\n"
	}
	return text
}

// sketch returns an event in short.
func sketch(e *engine.Event) string {
	if e == nil {
		return "nothing: the run is over or waits"
	}
	text := e.Type.String()
	if e.Visit != nil {
		text += fmt.Sprintf(" in %q (visit %d)", e.Visit.Path(), e.Visit.Number)
	}
	if e.Stage != engine.NoStage {
		text += ", stage " + e.StageName()
	}
	text += ", at " + engine.FormatInstant(e.At())
	if name := runlog.Member(e, "error"); name != nil {
		text += ", error " + shortly(name)
	}
	return text
}

func shortly(v value.Value) string {
	if v == nil {
		return "nothing"
	}
	return value.Preview(v, maxVerified)
}

// firstDifference leads to the first place at which two values differ, and returns both there.
func firstDifference(place string, a, b value.Value) (string, value.Value, value.Value) {
	switch was := a.(type) {
	case *value.Object:
		is, ok := b.(*value.Object)
		if !ok {
			break
		}
		for key, member := range was.All() {
			if other := is.Get(key); other == nil || value.Compact(member) != value.Compact(other) {
				return firstDifference(place+"["+value.Compact(value.String(key))+"]", member, other)
			}
		}
		for key, member := range is.All() {
			if was.Get(key) == nil {
				return place + "[" + value.Compact(value.String(key)) + "]", nil, member
			}
		}
	case *value.Array:
		is, ok := b.(*value.Array)
		if !ok {
			break
		}
		for i := range min(was.Len(), is.Len()) {
			if value.Compact(was.At(i)) != value.Compact(is.At(i)) {
				return firstDifference(fmt.Sprintf("%s[%d]", place, i), was.At(i), is.At(i))
			}
		}
		if was.Len() < is.Len() {
			return fmt.Sprintf("%s[%d]", place, was.Len()), nil, is.At(was.Len())
		}
		if is.Len() < was.Len() {
			return fmt.Sprintf("%s[%d]", place, is.Len()), was.At(is.Len()), nil
		}
	}
	return place, a, b
}
