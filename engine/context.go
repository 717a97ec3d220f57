package engine

import (
	"cmp"
	"fmt"
	"time"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// Names of a local run, for which there are no real ones.
const (
	defaultRegion    = "us-east-1"
	defaultAccount   = "123456789012"
	accountPrefix    = "arn:aws:states:" + defaultRegion + ":" + defaultAccount + ":"
	defaultMachine   = "StateMachine"
	defaultExecution = "Execution"
	defaultRole      = "StepFunctions"
)

// contextParts are the parts of the context object that stay the same for a whole execution.
type contextParts struct {
	execution, stateMachine value.Value
	over                    *value.Object // the members that the driver's context adds or replaces
}

func newContextParts(e *evaluator) *contextParts {
	over, _ := e.options.Context.(*value.Object)
	parts := &contextParts{
		execution: value.ObjectOf(
			value.Member{
				Key:   "Id",
				Value: value.String(accountPrefix + executionID(defaultMachine, e.options.Express)),
			},
			value.Member{Key: "Input", Value: e.input},
			value.Member{Key: "Name", Value: value.String(defaultExecution)},
			value.Member{
				Key:   "RoleArn",
				Value: value.String("arn:aws:iam::" + defaultAccount + ":role/" + defaultRole),
			},
			value.Member{Key: "StartTime", Value: value.String(FormatInstant(e.options.Start))},
			value.Member{Key: "RedriveCount", Value: value.Int(0)},
		),
		stateMachine: value.ObjectOf(
			value.Member{Key: "Id", Value: value.String(accountPrefix + "stateMachine:" + defaultMachine)},
			value.Member{Key: "Name", Value: value.String(defaultMachine)},
		),
	}
	if over != nil {
		parts.execution = MergeContext(parts.execution, over.Get("Execution"))
		parts.stateMachine = MergeContext(parts.stateMachine, over.Get("StateMachine"))
		parts.over = over.Without("Execution").Without("StateMachine")
	}
	if e.redrive != nil {
		parts.execution = MergeContext(parts.execution, value.ObjectOf(
			value.Member{Key: "RedriveCount", Value: value.Int(int64(e.redrive.Count))},
			value.Member{Key: "RedriveTime", Value: value.String(FormatInstant(e.redrive.Now))},
		))
	}
	return parts
}

// Deployed returns what the template of the machine says for the context object; nil: it says nothing.
func (m *Machine) Deployed(express bool) value.Value {
	deployed := m.Definition().Deployment
	if deployed == (asl.Deployment{}) {
		return nil
	}
	partition := cmp.Or(m.partition, "aws")
	if deployed.Region != "" {
		partition = asl.PartitionOf(deployed.Region)
	}
	account, name := cmp.Or(deployed.Account, defaultAccount), cmp.Or(deployed.Name, defaultMachine)
	prefix := "arn:" + partition + ":states:" + cmp.Or(deployed.Region, defaultRegion) + ":" + account + ":"
	role := cmp.Or(deployed.Role, "arn:"+partition+":iam::"+account+":role/"+defaultRole)
	return value.ObjectOf(
		value.M("Execution",
			value.ObjectOf(value.Text("Id", prefix+executionID(name, express)), value.Text("RoleArn", role))),
		value.M("StateMachine",
			value.ObjectOf(value.Text("Id", prefix+"stateMachine:"+name), value.Text("Name", name))),
	)
}

// executionID returns the end of the ARN of the execution of a machine.
func executionID(machine string, express bool) string {
	if express {
		return "express:" + machine + ":" + defaultExecution + ":" + uuid(defaultExecution)
	}
	return "execution:" + machine + ":" + defaultExecution
}

// context returns the context object as the current state of t sees it (specification, "The Context
// Object"). item and index belong to a Map iteration that is about to begin; item is nil elsewhere.
func (e *evaluator) context(t *thread, item value.Value, index int) value.Value {
	if e.single != nil {
		return e.single.contextFor(item, index)
	}
	if e.base == nil {
		e.base = newContextParts(e)
	}
	if e.newest == nil {
		e.newest = &newestContext{}
	}
	newest := e.newest
	if newest.members == nil || newest.visit != t.visit || newest.retried != t.retried {
		newest.visit, newest.retried, newest.members, newest.whole = t.visit, t.retried, e.contextMembers(t), nil
	}
	if item != nil {
		members := make([]value.Member, 0, len(newest.members)+1)
		members = append(members, newest.members...)
		return e.mergeContext(
			append(members, value.Member{Key: "Map", Value: withSource(t, mapItem(item, index), index)}),
		)
	}
	if newest.whole == nil {
		newest.whole = e.mergeContext(newest.members)
	}
	return newest.whole
}

// newestContext is the context object that was built last: the stages of a visit, and the iterations that it begins, see the
// same but for the item.
type newestContext struct {
	visit   *Visit
	retried int
	// members are those without an item.
	members []value.Member
	whole   value.Value // of the members; nil until it is asked for
	// enteredTime is the instant entered as a text. Time does not move in most runs.
	entered     int64
	enteredTime value.Value
}

// contextMembers returns the members of the context object without an item.
func (e *evaluator) contextMembers(t *thread) []value.Member {
	newest := e.newest
	if newest.enteredTime == nil || newest.entered != t.entered {
		newest.entered, newest.enteredTime = t.entered, value.String(FormatInstant(time.Unix(0, t.entered)))
	}
	state := make([]value.Member, 0, 3)
	state = append(state,
		value.Member{Key: "EnteredTime", Value: newest.enteredTime},
		value.Member{Key: "Name", Value: value.String(t.state.def.Name)},
	)
	if len(t.state.def.Retry) > 0 || t.state.branches != nil || t.state.def.Resource != "" {
		state = append(state, value.Member{Key: "RetryCount", Value: value.Int(int64(t.retried))})
	}
	members := make([]value.Member, 0, 4)
	members = append(members,
		value.Member{Key: "Execution", Value: t.child.execution(e.base)},
		value.Member{Key: "StateMachine", Value: t.child.stateMachine(e.base)},
		value.Member{Key: "State", Value: value.NewObject(state)},
	)
	if t.state.integration.Pattern != RequestResponse {
		members = append(members, value.Member{Key: "Task", Value: value.ObjectOf(
			value.Member{Key: "Token", Value: value.String(e.taskToken(t))},
		)})
	}
	return members
}

// mergeContext returns the context object of members, with the members of the driver's context in their place.
func (e *evaluator) mergeContext(members []value.Member) value.Value {
	context := value.Value(value.NewObject(members))
	if e.base.over != nil {
		context = MergeContext(context, e.base.over)
	}
	return context
}

// taskToken returns the token of the attempt that t is at. It is made of the prefix or the seed, the visit and the
// number of the attempt, so that a run can be repeated.
func (e *evaluator) taskToken(t *thread) string {
	prefix := e.options.Tokens
	if prefix == "" {
		prefix = fmt.Sprintf("token-%x", uint64(e.options.Seed))
	}
	return fmt.Sprintf("%s-%d-%d", prefix, t.visit.Entered, t.retried+1)
}

// MergeContext returns base, which may be nil, with the members of over: objects are merged, anything else is replaced.
func MergeContext(base, over value.Value) value.Value {
	if over == nil {
		return base
	}
	a, okA := base.(*value.Object)
	b, okB := over.(*value.Object)
	if !okA || !okB {
		return over
	}
	for key, member := range b.All() {
		if known := a.Get(key); known != nil {
			member = MergeContext(known, member)
		}
		a = a.With(key, member)
	}
	return a
}

// FormatInstant writes an instant in UTC as Step Functions does: with no fraction, or one of 3, 6 or 9 digits.
func FormatInstant(t time.Time) string {
	t = t.UTC()
	switch nanos := t.Nanosecond(); {
	case nanos == 0:
		return t.Format("2006-01-02T15:04:05Z")
	case nanos%1e6 == 0:
		return t.Format("2006-01-02T15:04:05.000Z")
	case nanos%1e3 == 0:
		return t.Format("2006-01-02T15:04:05.000000Z")
	}
	return t.Format("2006-01-02T15:04:05.000000000Z")
}

// ContextOf returns the context object as the thread of that number sees it now; nil when there is no
// such live thread, or it has entered no state yet.
func (e *Execution) ContextOf(id ThreadID) value.Value {
	t := e.thread(id)
	if t == nil || t.visit == nil {
		return nil
	}
	return e.context(t, nil, 0)
}

// Past is a moment of a visit that is over: see [Execution.ContextAt].
type Past struct {
	// Entered is when the visit began, Retries how many retries there had been.
	Entered time.Time
	Retries int
	// Item and Index belong to the item for which an ItemSelector was evaluated; Item is nil elsewhere.
	Item  value.Value
	Index int
}

// ContextAt returns the context object as it was at a moment of a visit.
func (e *evaluator) ContextAt(visit *Visit, past Past) value.Value {
	t := &thread{
		state: e.machine.plan(
			visit.State,
		), visit: visit, entered: past.Entered.UnixNano(), child: visit.child, retried: past.Retries,
	}
	return e.context(t, past.Item, past.Index)
}
