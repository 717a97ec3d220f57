package provenance

import (
	"errors"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// RunAgain is a run whose causes are asked for, with all that the facts about them are taken from.
type RunAgain struct {
	// Log has the events of the run, Machine is the one that ran.
	Log     *runlog.Log
	Machine *engine.Machine
	// Start is the virtual time at which the execution started.
	Start time.Time
	// Explainer does evaluations again, to find the operands of expressions; it may be nil.
	Explainer *Explainer
	// Recorded is set where the events come from a history, which have no stages. Derived is set where the definition
	// is derived from them, too, so that it has neither places nor the ErrorEquals of retriers and catchers.
	Recorded, Derived bool
	// Redriven is the number of events before a redrive of the run, 0 where there was none.
	Redriven int
	// Nested returns the execution that answered the request of a task; nil where there was none or it is not known. It
	// may be nil.
	Nested func(request *engine.TaskRequest) *RunAgain
}

// End returns why the run ended, as [Of].
func (r *RunAgain) End() *Chain { return r.known(EndOf(r.Log, r.Machine.Dialect())) }

// Error returns why the error of event i, counted from 0, came up, as the function [Error].
func (r *RunAgain) Error(i int) *Chain { return r.known(CauseError(r.Log, i, r.Machine.Dialect())) }

// known leaves out of a chain of a bare history the part that the derived definition has and the history does not.
func (r *RunAgain) known(c *Chain) *Chain {
	if !r.Derived {
		return c
	}
	for _, list := range [][]Link{c.Links, c.Handled} {
		for i := range list {
			l := &list[i]
			l.Place, l.Compared = nil, nil
			took := l.Handlers
			l.Handlers = nil
			for _, h := range took {
				if h.Verdict == Took {
					h.Names = nil
					l.Handlers = append(l.Handlers, h)
				}
			}
		}
	}
	for i := range c.Survived {
		c.Survived[i].Place = nil
	}
	return c
}

// Retry is an attempt of a state's work that failed, and after which a retrier scheduled another.
type Retry struct {
	// Event is the index of the event in which the error came up, from 0; Attempt counts the attempts, from 1.
	Event   int
	Attempt int
	At      time.Time
	Failure *engine.Failure
	// Retrier is its place in Retry, from 0, and Delay the time until the next attempt.
	Retrier int
	Delay   time.Duration
}

// Retries returns the attempts before the one that failed, in order.
func (r *RunAgain) Retries(l *Link) []Retry {
	if l.Kind != Failed || l.Visit == nil || l.Attempt < 2 {
		return nil
	}
	var list []Retry
	raised, attempt := -1, 1
	for k := max(int(l.Visit.Entered)-1, r.Log.First()); k < l.Event; k++ {
		e := r.Log.At(k)
		if e.Visit != l.Visit {
			continue
		}
		switch {
		case e.RaisesError() || e.Type == engine.MapRunFailed:
			raised = k
		case e.Type == engine.RetryStarted:
			attempt++
		case e.Type == engine.RetryScheduled && raised >= 0:
			d := e.Detail.(*engine.RetryDetail)
			list = append(list, Retry{Event: raised, Attempt: attempt, At: r.Log.At(raised).At(), Failure: d.Failure, Retrier: d.Retrier, Delay: d.Delay})
		}
	}
	return list
}

// Bound is a time limit that was exceeded.
type Bound struct {
	// Field is the field that has the limit: TimeoutSeconds, HeartbeatSecondsPath; of an execution TimeoutSeconds, the
	// state machine's.
	Field string
	// Limit is its value, 0 where it is not known; Waited is how long it was waited.
	Limit, Waited time.Duration
	// Heartbeat is the time of the last heartbeat; zero where none came.
	Heartbeat time.Time
}

// OfHeartbeats reports whether the limit is one between heartbeats.
func (b *Bound) OfHeartbeats() bool { return strings.HasPrefix(b.Field, "Heartbeat") }

// Bound returns the time limit that was exceeded with event i, counted from 0: of a task, or of the execution. It is
// nil for other events, and for a timeout by hand.
func (r *RunAgain) Bound(i int) *Bound {
	e := r.Log.At(i)
	if e.Type == engine.ExecutionTimedOut {
		b := &Bound{Field: "TimeoutSeconds", Waited: e.At().Sub(r.Start)}
		b.Limit = time.Duration(r.Machine.Definition().TimeoutSeconds) * time.Second
		w := endWalker{log: r.Log, first: r.Log.First()}
		if visit := w.open(i); visit != nil {
			_, b.Heartbeat = r.waiting(visit, i)
		}
		return b
	}
	f := e.Failure()
	if f == nil || f.Name != engine.ErrorTimeout && f.Name != engine.ErrorHeartbeatTimeout {
		return nil
	}
	origin := e.Visit
	if f.Origin != nil {
		origin = f.Origin
	}
	if origin == nil {
		return nil
	}
	scheduled, beat := r.waiting(origin, i)
	b := &Bound{Field: f.Field, Heartbeat: beat}
	var request *engine.TaskRequest
	if scheduled >= 0 {
		request = r.Log.At(scheduled).Detail.(*engine.TaskRequest)
		b.Waited = e.At().Sub(r.Log.At(scheduled).At())
	}
	if b.Field == "" && request != nil && e.Type == engine.TaskTimedOut { // a history names no field
		b.Field = fieldOf(request, f.Name, b.Waited)
	}
	switch strings.TrimSuffix(b.Field, "Path") {
	case "TimeoutSeconds", "HeartbeatSeconds":
	default:
		return nil
	}
	if request != nil {
		b.Limit = request.Timeout
		if b.OfHeartbeats() {
			b.Limit = request.Heartbeat
		}
	}
	return b
}

// fieldOf returns the limit of a request that was exceeded after a time.
func fieldOf(request *engine.TaskRequest, name string, waited time.Duration) string {
	switch {
	case request.Heartbeat > 0 && (name == engine.ErrorHeartbeatTimeout || request.Timeout == 0 || waited < request.Timeout):
		return "HeartbeatSeconds"
	case request.Timeout > 0 && waited >= request.Timeout:
		return "TimeoutSeconds"
	}
	return ""
}

// waiting returns the index of the newest request of a visit before event i, -1 where there is none, and the time of
// the last heartbeat after it.
func (r *RunAgain) waiting(visit *engine.Visit, i int) (scheduled int, beat time.Time) {
	for k := i - 1; k >= max(int(visit.Entered)-1, r.Log.First()); k-- {
		switch e := r.Log.At(k); {
		case e.Visit != visit:
		case e.Type == engine.TaskHeartbeat && beat.IsZero():
			beat = e.At()
		case e.Type == engine.TaskScheduled:
			return k, beat
		}
	}
	return -1, beat
}

// Missing returns where the value was lost that the stage of event i, counted from 0, failed for, or that it never was
// there, with hints; nil where the event has another error. hints are about a value of a kind that its field does not
// take.
func (r *RunAgain) Missing(i int) (loss *Loss, hints []Hint) {
	f := r.Log.At(i).Failure()
	if f == nil {
		return nil, nil
	}
	if r.Log.Whole() {
		lens := Lens{Log: r.Log, Explainer: r.Explainer}
		switch u := lens.Unmet(i); {
		case u == nil:
		case u.Takes != 0:
			return nil, newWalker(&lens).kindsFor(u)
		default:
			if loss, err := lens.Loss(u.Event, u.Path); err == nil {
				return loss, nil
			}
		}
	}
	var miss *path.MissError
	if !errors.As(f.Err, &miss) {
		return nil, nil
	}
	return &Loss{Event: i, Miss: miss, Had: -1, At: -1}, nil
}

// Child is an execution that a task started and that did not succeed.
type Child struct {
	// Arn is its name; empty where it is not known. Status, Error and Cause are its end.
	Arn, Status, Error, Cause string
	// Run is the execution itself, and Chain why it ended; nil where only its description is known.
	Run   *RunAgain
	Chain *Chain
	// Child is the execution that a task of it had started, and for which it failed; nil where there was none, and
	// where Chain has it.
	Child *Child
}

// Child returns the execution that the task of a link had started and for which it failed, nil where there was none:
// the one that [Run.Nested] knows, else the one that the Cause of the error describes.
func (r *RunAgain) Child(l *Link) *Child {
	if l.Visit == nil || l.Kind != Failed || l.Failure == nil {
		return nil
	}
	described := ChildOf(l.Failure.Cause)
	if r.Nested == nil {
		return described
	}
	request := r.Log.RequestBefore(l.Event)
	if request == nil {
		return described
	}
	inner := r.Nested(request)
	if inner == nil {
		return described
	}
	chain := inner.End()
	if root := chain.Root(); root == nil || root.Kind != Failed || root.Visit == nil || root.Failure == nil {
		return described
	}
	child := &Child{Run: inner, Chain: chain}
	if last := inner.Log.Last(); last != nil && last.Failure() != nil {
		child.Status, child.Error, child.Cause = last.Type.Traits().Ends.String(), last.Failure().Name, last.Failure().Cause
	}
	if described != nil {
		child.Arn = described.Arn
	}
	return child
}

// maxChildren bounds the descriptions of executions inside of each other.
const maxChildren = 20

// ChildOf reads the Cause of a task that started an execution: JSON text that describes it, as DescribeExecution does.
// It is nil for other texts.
func ChildOf(cause string) *Child {
	var first *Child
	for to, n := &first, 0; len(cause) > 0 && n < maxChildren; to, n = &(*to).Child, n+1 {
		parsed, err := value.Parse([]byte(cause), value.Limits{})
		if err != nil {
			break
		}
		described, ok := parsed.(*value.Object)
		if !ok || described.Get("ExecutionArn") == nil {
			break
		}
		member := func(name string) string {
			text, _ := described.Get(name).(value.String)
			return string(text)
		}
		*to = &Child{Arn: member("ExecutionArn"), Status: member("Status"), Error: member("Error"), Cause: member("Cause")}
		cause = (*to).Cause
	}
	return first
}

// MapRun returns the name of the Map Run that failed with a link; empty where none did.
func (r *RunAgain) MapRun(l *Link) string {
	if l.Visit == nil || l.Kind != Failed {
		return ""
	}
	for k := l.Event; k >= max(int(l.Visit.Entered)-1, r.Log.First()); k-- {
		if e := r.Log.At(k); e.Visit == l.Visit && e.Type == engine.MapRunStarted {
			if d, ok := e.Detail.(*engine.MapRunDetail); ok {
				return d.Arn
			}
		}
	}
	return ""
}

// Bounds of the values of a link: maxValues of them, among the first maxMembers members of the request.
const (
	maxValues  = 3
	maxMembers = 40
)

// Value is a value that a link had to do with.
type Value struct {
	// Path is its place in the payload of the task, or in the data that the Choice state read.
	Path  string
	Value value.Value
	// From is its place in the input of the link's state; empty where an Expression of the state computed it.
	From, Expression string
	// Visit is the visit of the state that it came from, and Event the index of the event there, from 0. A value of the
	// execution's input has no Visit.
	Visit *engine.Visit
	Event int
}

// Values returns the values that a link had to do with: of a task those members of its payload that came from the data,
// those that the error quotes first; of a Choice state those that its rule compared.
func (r *RunAgain) Values(l *Link) []Value {
	if l.Visit == nil || !r.Log.Whole() || r.Recorded || l.Event < r.bare() {
		return nil
	}
	at, paths := int(l.Visit.Entered)-1, l.Compared
	if l.Kind == Failed {
		e := r.Log.At(l.Event)
		request := r.Log.RequestBefore(l.Event)
		if e.Type != engine.TaskFailed && e.Type != engine.TaskTimedOut || request == nil {
			return nil
		}
		at = r.Log.Scheduled(request.ID)
		paths = membersOf(l.Visit.State.Parameters != nil, request.Parameters, l.Failure)
	}
	var list []Value
	for _, p := range paths {
		if len(list) == maxValues {
			break
		}
		if v, ok := r.valueAt(at, p, l.Visit); ok {
			list = append(list, v)
		}
	}
	return list
}

// bare returns the index of the event with which an execution was redriven whose first attempt was read from a history:
// that has no stages, so the origin of a value in it is not known. It is not positive where there is none.
func (r *RunAgain) bare() int {
	for i := r.Log.First(); i < min(r.Redriven, r.Log.Len()); i++ {
		if r.Log.Head(i).Type == engine.StageCompleted {
			return -1
		}
	}
	return r.Redriven
}

// membersOf returns the paths of the members of a request that may have to do with its error: those whose value the
// error quotes before the others. Without a payload template the request is the whole input: then only those.
func membersOf(template bool, request value.Value, failure *engine.Failure) []string {
	var quoted, others []string
	seen := 0
	add := func(at []path.Segment, quotes bool) {
		if quotes {
			quoted = append(quoted, pathText(at))
			return
		}
		others = append(others, pathText(at))
	}
	var walk func(at []path.Segment, v value.Value)
	walk = func(at []path.Segment, v value.Value) {
		if seen++; seen > maxMembers {
			return
		}
		switch v := v.(type) {
		case *value.Object:
			for key, member := range v.All() {
				walk(append(at[:len(at):len(at)], path.Segment{Kind: path.NameSegment, Name: key}), member)
			}
		case *value.Array:
		case value.String:
			add(at, len(v) > 2 && strings.Contains(failure.Cause, string(v)))
		case value.Number:
			text := value.Compact(v)
			add(at, len(text) > 1 && strings.Contains(failure.Cause, text))
		default:
			add(at, false)
		}
	}
	walk(nil, request)
	if !template {
		return quoted
	}
	return append(quoted, others...)
}

// valueAt returns the value at a path of the data of event i and where it came from. ok is false for a literal of the
// definition, and where the origin is not known.
func (r *RunAgain) valueAt(i int, p string, visit *engine.Visit) (v Value, ok bool) {
	hops, err := Of(r.Log, i, p)
	if err != nil || len(hops) == 0 {
		return Value{}, false
	}
	v = Value{Path: p, Value: hops[0].Value, From: p, Event: -1}
	k := 0
	for ; k < len(hops) && r.Log.At(hops[k].Event).Visit == visit && hops[k].Kind == Moved; k++ {
		v.From = hops[k].From
	}
	if k < len(hops) && r.Log.At(hops[k].Event).Visit == visit {
		v.From, v.Expression, v.Visit, v.Event = "", hops[k].Expression, visit, hops[k].Event
		return v, hops[k].Kind == Computed // else a literal, or the context object
	}
	origin := hops[len(hops)-1]
	if origin.Kind != Input && origin.Event < r.bare() {
		return Value{}, false
	}
	if event := r.Log.At(origin.Event); origin.Kind != Input && event.Visit != nil {
		v.Visit, v.Event = event.Visit, origin.Event
	}
	return v, true
}
