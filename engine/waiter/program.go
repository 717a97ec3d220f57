package waiter

import (
	"fmt"
	"strconv"
	"time"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The states that every waiter has besides the operation and its acceptors. The names of the last three are
// the specification's outcomes.
const (
	NoMatch  = "no match"
	TimeLeft = "time left"
	DelayFor = "delay"
	Matched  = "Success"
	Failed   = "Failure"
	TimedOut = "Timeout"
)

// The error names of a waiter that does not end well, where the service gave none.
const (
	ErrorFailed  = "Waiter.Failed"
	ErrorTimeout = "Waiter.Timeout"
)

// AcceptorName is the name of the state that is acceptor i of the waiter, from 0.
func (w *Waiter) AcceptorName(i int) string {
	return strconv.Itoa(i) + " " + w.Acceptors[i].State.String()
}

// Input wraps the operation's input as a waiter's machine takes it; nil means {}.
func Input(operation value.Value) value.Value {
	return value.ObjectOf(value.Member{Key: "input", Value: orEmpty(operation)})
}

// The expressions of the states, in JSONata: the result of a call is stored next to the operation's input, and
// replaces the result of the call before it.
const (
	callArguments = "{% $states.input.input %}"
	callOutput    = "{% {'input': $states.input.input, 'output': $states.result} %}"
	callError     = "{% {'input': $states.input.input, 'error': $states.errorOutput} %}"
	endOutput     = "{% $exists($states.input.output) ? $states.input.output : $states.input.error %}"
	failedError   = "{% $exists($states.input.error) ? $states.input.error.Error : '" + ErrorFailed + "' %}"
)

// Program makes a state machine of a waiter of the model, which is willing to wait for maxWait. Its states are the
// call of the operation, each acceptor, and the delay; their places are in the model's text. The error is one
// of the waiter itself, which [Read] has returned.
func (m *Model) Program(w *Waiter, maxWait time.Duration) (*asl.StateMachine, error) {
	if maxWait <= 0 {
		return nil, fmt.Errorf("the time to wait must be longer than 0, and is %v", maxWait)
	}
	if len(w.Acceptors) == 0 {
		return nil, fmt.Errorf("the waiter %s has no acceptors", w.Name)
	}
	b := &builder{waiter: w, maxWait: maxWait}
	definition, diagnostics := asl.ParseTree(w.File, b.tree())
	if definition == nil {
		return nil, fmt.Errorf("the waiter %s cannot be run: %s", w.Name, diagnostics[0].Message)
	}
	b.attach(definition)
	definition.Name, definition.Origin = w.Name, m.origin(w, maxWait)
	return definition, nil
}

// builder writes a waiter down as a tree of a definition.
type builder struct {
	waiter  *Waiter
	maxWait time.Duration
}

func text(s string, at source.Span) *source.Node { return source.NewString(s, at) }

func object(at source.Span, members ...source.NodeMember) *source.Node {
	return source.NewObject(members, at)
}

// pairs makes an object whose values are strings, from keys and values in turn.
func pairs(at source.Span, keysAndValues ...string) []source.NodeMember {
	var members []source.NodeMember
	for i := 0; i < len(keysAndValues); i += 2 {
		members = append(members, source.M(keysAndValues[i], text(keysAndValues[i+1], at)))
	}
	return members
}

func (b *builder) tree() *source.Node {
	w := b.waiter
	at := w.key
	states := []source.NodeMember{{Key: w.OperationName(), KeySpan: at, Node: b.call(at)}}
	for i := range w.Acceptors {
		states = append(states, source.NodeMember{Key: w.AcceptorName(i), KeySpan: w.Acceptors[i].node.Span, Node: b.acceptor(i)})
	}
	states = append(states,
		source.M(NoMatch, b.choice(at, Failed, TimeLeft)),
		source.M(TimeLeft, b.choice(at, DelayFor, TimedOut)),
		source.M(DelayFor, object(b.delaysSpan(), append(pairs(b.delaysSpan(), "Type", "Wait", "Next", w.OperationName()), source.M("Seconds", b.number()))...)),
		source.M(Matched, object(at, pairs(at, "Type", "Succeed", "Output", endOutput)...)),
		source.M(Failed, object(at, pairs(at, "Type", "Fail", "Error", failedError, "Cause", "")...)),
		source.M(TimedOut, object(at, pairs(at, "Type", "Fail", "Error", ErrorTimeout, "Cause", "")...)),
	)
	return object(w.node.Span, append(pairs(at, "Comment", w.Documentation, "QueryLanguage", "JSONata", "StartAt", w.OperationName()),
		source.M("States", object(w.node.Span, states...)))...)
}

// number is in the place of a Calculation.
func (b *builder) number() *source.Node {
	return &source.Node{Kind: value.KindNumber, Value: value.Int(1), Span: b.delaysSpan()}
}

// delaysSpan is where the model sets the delay, or the waiter's name where it does not.
func (b *builder) delaysSpan() source.Span {
	return spanOf(b.waiter.node.Get("minDelay"), &source.Node{Span: b.waiter.key})
}

// call is the state that polls.
func (b *builder) call(at source.Span) *source.Node {
	first := b.waiter.AcceptorName(0)
	catchers := source.NewArray([]*source.Node{
		object(at, source.M("ErrorEquals", source.NewArray([]*source.Node{text("States.Timeout", at)}, at)), source.M("Next", text(TimedOut, at))),
		object(at, source.M("ErrorEquals", source.NewArray([]*source.Node{text("States.ALL", at)}, at)), source.M("Next", text(first, at)),
			source.M("Output", text(callError, at))),
	}, at)
	return object(at, append(pairs(at, "Type", "Task", "Resource", "smithy:"+b.waiter.Operation, "Arguments", callArguments, "Output", callOutput, "Next", first),
		source.M("TimeoutSeconds", b.number()), source.M("Catch", catchers))...)
}

// acceptor is the state that looks at acceptor i.
func (b *builder) acceptor(i int) *source.Node {
	a := b.waiter.Acceptors[i]
	next, otherwise := map[State]string{Success: Matched, Failure: Failed, Retry: TimeLeft}[a.State], NoMatch
	if i+1 < len(b.waiter.Acceptors) {
		otherwise = b.waiter.AcceptorName(i + 1)
	}
	return b.choice(a.node.Span, next, otherwise)
}

// choice is a state with one rule, whose Predicate comes later.
func (b *builder) choice(at source.Span, next, otherwise string) *source.Node {
	rule := object(at, source.M("Condition", &source.Node{Kind: value.KindBool, Value: value.Bool(true), Span: at}), source.M("Next", text(next, at)))
	return object(at, append(pairs(at, "Type", "Choice", "Default", otherwise), source.M("Choices", source.NewArray([]*source.Node{rule}, at)))...)
}

// attach gives the states the properties that the tree cannot express.
func (b *builder) attach(definition *asl.StateMachine) {
	w := b.waiter
	for i := range w.Acceptors {
		decide(definition, w.AcceptorName(i), &acceptorRule{w, w.Acceptors[i]})
	}
	decide(definition, NoMatch, errorRule{})
	decide(definition, TimeLeft, &timeRule{b.maxWait})
	definition.Lookup(w.OperationName()).TimeoutSeconds = &asl.Quantity{Field: "TimeoutSeconds", Calculation: &timeLeft{b.maxWait}}
	definition.Lookup(DelayFor).Seconds = &asl.Quantity{Field: "Seconds", Calculation: &delayFor{w, b.maxWait}, Span: b.delaysSpan()}
	definition.Lookup(Failed).Cause = &asl.TextField{Field: "Cause", Calculation: &failureCause{w}}
	definition.Lookup(TimedOut).Cause = &asl.TextField{Field: "Cause", Calculation: &timeoutCause{w, b.maxWait}}
}

// decide puts a predicate into the one rule of a state.
func decide(definition *asl.StateMachine, state string, p asl.Predicate) {
	rule := definition.Lookup(state).Choices[0]
	rule.Condition, rule.Query, rule.Predicate = nil, nil, p
}
