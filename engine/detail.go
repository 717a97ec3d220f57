package engine

import (
	"time"

	"asldb/engine/value"
)

// Detail is the data that only one type of event has. All kinds of details are in this package.
type Detail interface {
	// Equal reports whether another detail is of the same kind and says the same; same compares the values in them.
	// Visits and Go errors are not compared: a recording has none.
	Equal(other Detail, same func(a, b value.Value) bool) bool
	// Members returns the detail under the names that a trace uses. Times are texts, durations numbers of seconds,
	// and indexes count from 0.
	Members() []value.Member

	detail()
}

func (*Failure) detail()       {}
func (*TaskRequest) detail()   {}
func (*ObjectRequest) detail() {}
func (*WaitDetail) detail()    {}
func (*StartDetail) detail()   {}
func (*MapRunDetail) detail()  {}
func (*ThreadDetail) detail()  {}
func (*AssignDetail) detail()  {}
func (*RetryDetail) detail()   {}
func (*CatchDetail) detail()   {}
func (*ExitDetail) detail()    {}
func (*RedriveDetail) detail() {}

func numberMember(key string, n int64) value.Member { return value.M(key, value.Int(n)) }

func timeMember(key string, at time.Time) value.Member { return value.Text(key, FormatInstant(at)) }

// Equal implements [Detail]: it compares the Error Name and the Cause.
func (f *Failure) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*Failure)
	return ok && f.equal(o)
}

func (f *Failure) equal(o *Failure) bool {
	if f == nil || o == nil {
		return f == o
	}
	return f.Name == o.Name && f.Cause == o.Cause
}

// Members implements [Detail]: error and cause.
func (f *Failure) Members() []value.Member {
	if f == nil {
		return nil
	}
	return []value.Member{value.Text("error", f.Name), value.Text("cause", f.Cause)}
}

// Equal implements [Detail].
func (d *RetryDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*RetryDetail)
	return ok && d.Failure.equal(o.Failure) && d.Retrier == o.Retrier && d.Attempt == o.Attempt && d.Delay == o.Delay &&
		d.Backoff == o.Backoff && d.Due.Equal(o.Due)
}

// Members implements [Detail]: the members of the Failure, retrier, attempt, delaySeconds, backoffSeconds and due.
func (d *RetryDetail) Members() []value.Member {
	return append(d.Failure.Members(), numberMember("retrier", int64(d.Retrier)), numberMember("attempt", d.Attempt),
		value.M("delaySeconds", Seconds(d.Delay)), value.M("backoffSeconds", Seconds(d.Backoff)), timeMember("due", d.Due))
}

// Equal implements [Detail].
func (d *CatchDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*CatchDetail)
	return ok && d.Failure.equal(o.Failure) && d.Catcher == o.Catcher && d.Next == o.Next
}

// Members implements [Detail]: the members of the Failure, catcher and next.
func (d *CatchDetail) Members() []value.Member {
	return append(d.Failure.Members(), numberMember("catcher", int64(d.Catcher)), value.Text("next", d.Next))
}

// recordedPrecision is the precision of a TaskRequest's bounds in a trace.
const recordedPrecision = time.Microsecond

// Equal implements [Detail]. Timeout and Heartbeat are compared to the microsecond, as a trace has them.
func (r *TaskRequest) Equal(other Detail, same func(a, b value.Value) bool) bool {
	o, ok := other.(*TaskRequest)
	return ok && r.Resource == o.Resource && r.Attempt == o.Attempt && r.Invocation == o.Invocation && r.ID == o.ID &&
		r.Timeout.Round(recordedPrecision) == o.Timeout.Round(recordedPrecision) &&
		r.Heartbeat.Round(recordedPrecision) == o.Heartbeat.Round(recordedPrecision) &&
		same(r.Parameters, o.Parameters) && same(r.Credentials, o.Credentials)
}

// Members implements [Detail]: request, resource, attempt, invocation, timeoutSeconds, heartbeatSeconds, and
// credentials where the state has them. The payload is the event's After.
func (r *TaskRequest) Members() []value.Member {
	members := []value.Member{
		numberMember("request", r.ID), value.Text("resource", r.Resource), numberMember("attempt", int64(r.Attempt)),
		numberMember("invocation", int64(r.Invocation)),
		value.M("timeoutSeconds", Seconds(r.Timeout.Round(recordedPrecision))),
		value.M("heartbeatSeconds", Seconds(r.Heartbeat.Round(recordedPrecision))),
	}
	if r.Credentials != nil {
		members = append(members, value.M("credentials", r.Credentials))
	}
	return members
}

// Equal implements [Detail].
func (r *ObjectRequest) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*ObjectRequest)
	return ok && r.ID == o.ID && r.Object == o.Object
}

// Members implements [Detail]: request, action, bucket and key.
func (r *ObjectRequest) Members() []value.Member {
	return []value.Member{
		numberMember("request", r.ID), value.Text("action", r.Object.Action.String()), value.Text("bucket", r.Object.Bucket),
		value.Text("key", r.Object.Key),
	}
}

// Equal implements [Detail].
func (d *WaitDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*WaitDetail)
	return ok && d.Until.Equal(o.Until)
}

// Members implements [Detail]: until.
func (d *WaitDetail) Members() []value.Member { return []value.Member{timeMember("until", d.Until)} }

// Equal implements [Detail].
func (d *StartDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*StartDetail)
	return ok && *d == *o
}

// Members implements [Detail]: length and maxConcurrency, and done where a redrive does not run all.
func (d *StartDetail) Members() []value.Member {
	members := []value.Member{numberMember("length", int64(d.Length)), numberMember("maxConcurrency", int64(d.MaxConcurrency))}
	if d.Done > 0 {
		members = append(members, numberMember("done", int64(d.Done)))
	}
	return members
}

// Equal implements [Detail].
func (d *RedriveDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*RedriveDetail)
	return ok && *d == *o
}

// Members implements [Detail]: redriveCount.
func (d *RedriveDetail) Members() []value.Member {
	return []value.Member{numberMember("redriveCount", int64(d.Count))}
}

// Equal implements [Detail].
func (d *MapRunDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*MapRunDetail)
	return ok && *d == *o
}

// Members implements [Detail]: mapRunArn, and redriveCount of one that was redriven.
func (d *MapRunDetail) Members() []value.Member {
	members := []value.Member{value.Text("mapRunArn", d.Arn)}
	if d.Redriven > 0 {
		members = append(members, numberMember("redriveCount", int64(d.Redriven)))
	}
	return members
}

// Equal implements [Detail].
func (d *ThreadDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*ThreadDetail)
	return ok && d.Thread == o.Thread && d.Index == o.Index
}

// Members implements [Detail]: child, which is the thread's id, and index.
func (d *ThreadDetail) Members() []value.Member {
	return []value.Member{numberMember("child", int64(d.Thread)), numberMember("index", int64(d.Index))}
}

// Equal implements [Detail].
func (d *AssignDetail) Equal(other Detail, same func(a, b value.Value) bool) bool {
	o, ok := other.(*AssignDetail)
	return ok && (d.Assigned == o.Assigned || (d.Assigned != nil && o.Assigned != nil && same(d.Assigned, o.Assigned)))
}

// Members implements [Detail]: assigned, where variables were assigned.
func (d *AssignDetail) Members() []value.Member {
	if d.Assigned == nil {
		return nil
	}
	return []value.Member{value.M("assigned", d.Assigned)}
}

// Equal implements [Detail].
func (d *ExitDetail) Equal(other Detail, _ func(a, b value.Value) bool) bool {
	o, ok := other.(*ExitDetail)
	return ok && *d == *o
}

// Members implements [Detail]: next and rule, where the state has them.
func (d *ExitDetail) Members() []value.Member {
	var members []value.Member
	if d.Next != "" {
		members = append(members, value.Text("next", d.Next))
	}
	if d.Rule >= 0 {
		members = append(members, numberMember("rule", int64(d.Rule)))
	}
	return members
}
