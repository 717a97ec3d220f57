package serve

import (
	"cmp"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/google/uuid"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/serve/verdict"
	"asldb/internal/wording"
)

// start is the start of an execution.
type start struct {
	machine, name, input, trace string
	sync                        bool // by StartSyncExecution
}

// soon is how long a start waits for the execution to come to its end or to something that it waits for.
const soon = 20 * time.Millisecond

// start starts an execution.
func (s *Server) start(of start) (*execution, error) {
	a, err := parse(of.machine, "stateMachine")
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	t, err := s.target(a.text, true)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if of.sync && t.machine.kind != express {
		return nil, faultf("StateMachineTypeNotSupported", typeNotSupported)
	}
	if err := checkName(of.name); err != nil {
		return nil, err
	}
	x := s.newExecution(of, t, a.mock)
	input, err := value.ParseString(of.input)
	if err != nil {
		return nil, faultf("InvalidExecutionInput", "Invalid State Machine Execution Input: '%s'",
			verdict.Fault(of.input))
	}
	if known, err := s.known(x); known != nil || err != nil {
		return known, err
	}
	if err := s.compose(x, input); err != nil {
		return nil, err
	}
	s.mu.Lock()
	if s.executions[x.arn] != nil { // another start of the name came first
		s.mu.Unlock()
		x.close()
		return s.start(of)
	}
	x.serial = s.next()
	s.executions[x.arn], s.order = x, append(s.order, x)
	s.mu.Unlock()
	x.mu.Lock()
	x.wake()
	x.mu.Unlock()
	late := time.NewTimer(soon)
	defer late.Stop()
	select {
	case <-x.settled:
	case <-late.C:
	}
	return x, nil
}

// newExecution returns the execution of a target that a start asks for, before it is composed.
func (s *Server) newExecution(of start, t target, mock string) *execution {
	m := t.machine
	x := &execution{server: s, machine: m, revision: t.revision, express: m.kind == express, input: of.input,
		trace: of.trace, mock: mock, name: cmp.Or(of.name, uuid.NewString()), tasks: map[int64]*task{},
		worked: map[int64]*task{}, done: make(chan struct{}), settled: make(chan struct{})}
	if t.version != nil {
		x.version = t.version.arn
	}
	if t.alias != nil {
		x.alias = t.alias.arn
	}
	x.arn = s.options.arn("execution", m.name, x.name)
	if x.express {
		x.arn = s.options.arn("express", m.name, x.name, uuid.NewString())
	}
	return x
}

// known returns the execution of the same name that a repeated start of a Standard machine means; the error is that
// it is
// another one.
func (s *Server) known(x *execution) (*execution, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.executions[x.arn]
	switch {
	case known == nil:
		return nil, nil
	case !known.view.Load().ended() && known.input == x.input && known.mock == x.mock:
		return known, nil
	}
	return nil, faultf("ExecutionAlreadyExists", "Execution Already Exists: '%s'", x.arn)
}

// compose makes the session of an execution.
func (s *Server) compose(x *execution, input value.Value) error {
	spec := s.options.Spec
	spec.Definition, spec.Missing, spec.Clock = x.revision.definition, fixtures.Ask, s.options.Clock
	spec.Input = launch.Input{Value: input, Written: x.input}
	spec.Tokens = uuid.NewString()
	spec.Interrupt = s.ctx.Err
	spec.Context = value.ObjectOf(
		value.M("Execution", value.ObjectOf(value.Text("Id", x.arn), value.Text("Name", x.name),
			value.Text("RoleArn", x.revision.role))),
		value.M("StateMachine", value.ObjectOf(value.Text("Id", x.machine.arn), value.Text("Name", x.machine.name))))
	spec.Now = s.options.Now
	if err := s.choose(x, &spec); err != nil {
		return err
	}
	if s.options.TraceDir != "" {
		x.traceFile = filepath.Join(s.options.TraceDir, fileName(x)+".trace")
		spec.Trace = &launch.Trace{File: x.traceFile, Program: s.options.Version, Options: s.options.Trace}
	}
	run, err := launch.New(spec)
	if err != nil {
		_ = run.Close() // it is incomplete
		return faultf(validation, "The execution cannot be started: %s", wording.Line(err.Error()))
	}
	x.run, x.started = run, run.Session.Options().Start
	for _, b := range s.options.Breakpoints {
		of, spec, both := strings.Cut(b, "#")
		switch {
		case !both:
			spec = b
		case of != x.machine.name:
			continue
		}
		_, _ = run.Session.Breakpoints().Add(spec) // it may be about another machine
	}
	x.view.Store(&view{})
	return run.Session.Begin(debug.Command{Kind: debug.Continue})
}

var unsafeName = wording.Pattern(`[^A-Za-z0-9_.-]`)

// fileName is the name of an execution as a part of a file's.
func fileName(x *execution) string {
	name := x.machine.name + "-" + x.name
	if x.express {
		name += x.arn[strings.LastIndex(x.arn, ":"):]
	}
	return replaced(unsafeName(), name)
}

func replaced(pattern *regexp.Regexp, name string) string { return pattern.ReplaceAllString(name, "_") }

const typeNotSupported = "This operation is not supported by this type of state machine"

func (s *Server) startExecution(c *call, in *sfn.StartExecutionInput) (*value.Object, error) {
	of := start{machine: *in.StateMachineArn, name: deref(in.Name), input: "{}",
		trace: cmp.Or(c.Header.Get("X-Amzn-Trace-Id"), deref(in.TraceHeader))}
	if in.Input != nil {
		of.input = *in.Input
	}
	x, err := s.start(of)
	if err != nil {
		return nil, err
	}
	return value.ObjectOf(value.Text("executionArn", x.arn), value.M("startDate", date(x.started))), nil
}

func (s *Server) startSyncExecution(c *call, in *sfn.StartSyncExecutionInput) (*value.Object, error) {
	of := start{machine: *in.StateMachineArn, name: deref(in.Name), input: "{}", sync: true,
		trace: cmp.Or(c.Header.Get("X-Amzn-Trace-Id"), deref(in.TraceHeader))}
	if in.Input != nil {
		of.input = *in.Input
	}
	x, err := s.start(of)
	if err != nil {
		return nil, err
	}
	select {
	case <-x.done:
	case <-c.Context().Done():
		x.abort("", "") // its client is gone
		return nil, c.Context().Err()
	case <-s.ctx.Done():
		return nil, s.ctx.Err()
	}
	v := x.view.Load()
	a := answer{value.Text("executionArn", x.arn), value.Text("stateMachineArn", x.machine.arn),
		value.Text("name", x.name),
		value.M("startDate", date(x.started)), value.M("stopDate", date(v.stopped)),
		value.Text("status", v.status.String())}
	x.data(&a, v, in.IncludedData != "METADATA_ONLY")
	if v.output == "" {
		a.set("outputDetails", included(true))
	}
	a.text("traceHeader", x.trace)
	billed := int(math.Ceil(float64(v.stopped.Sub(x.started).Milliseconds())/100)) * 100
	a.set("billingDetails", value.ObjectOf(value.M("billedDurationInMilliseconds", value.Int(int64(max(billed, 100)))),
		value.M("billedMemoryUsedInMB", value.Int(64))))
	return a.object(), nil
}

func included(is bool) value.Value {
	return value.ObjectOf(value.M("included", value.Bool(is)))
}

// data adds the input and the output or the error.
func (x *execution) data(a *answer, v *view, whole bool) {
	if whole {
		a.text("input", x.input)
	}
	a.set("inputDetails", included(whole))
	if v.status == engine.Succeeded {
		if whole {
			a.text("output", v.output)
		}
		a.set("outputDetails", included(whole))
	}
	if v.failure != nil && v.status != engine.TimedOut {
		a.text("error", v.failure.Name)
		a.text("cause", v.failure.Cause)
	}
}

// executionOf returns the execution of an ARN, or an execution of a Map Run.
func (s *Server) executionOf(text string) (*execution, *child, error) {
	a, err := parse(text, "execution")
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	x := s.executions[a.text]
	s.mu.Unlock()
	if x != nil {
		return x, nil, nil
	}
	if a.label != "" {
		if child := s.child(a.text); child != nil {
			return child.of.x, child, nil
		}
	}
	return nil, nil, faultf("ExecutionDoesNotExist", "Execution Does Not Exist: '%s'", text)
}

func statusOf(s engine.Status) string {
	if s.Done() {
		return s.String()
	}
	return engine.Runnable.String()
}

// outline has the members with which both answers about an execution begin.
func (x *execution) outline(v *view) answer {
	a := answer{value.Text("executionArn", x.arn), value.Text("stateMachineArn", x.machine.arn),
		value.Text("name", x.name), value.Text("status", statusOf(v.status)), value.M("startDate", date(x.started))}
	if v.ended() {
		a.set("stopDate", date(v.stopped))
	}
	return a
}

func (s *Server) describeExecution(_ *call, in *sfn.DescribeExecutionInput) (*value.Object, error) {
	x, c, err := s.executionOf(*in.ExecutionArn)
	if err != nil {
		return nil, err
	}
	whole := in.IncludedData != "METADATA_ONLY"
	if c != nil {
		return c.described(whole), nil
	}
	v := x.view.Load()
	a := x.outline(v)
	x.data(&a, v, whole)
	a.number("redriveCount", v.redrives)
	if v.redrives > 0 {
		a.set("redriveDate", date(v.redriven))
	}
	switch why := v.notRedrivable(); {
	case why != "":
		a.text("redriveStatus", "NOT_REDRIVABLE")
		a.text("redriveStatusReason", why)
	default:
		a.text("redriveStatus", "REDRIVABLE")
	}
	a.text("stateMachineVersionArn", x.version)
	a.text("stateMachineAliasArn", x.alias)
	a.text("traceHeader", x.trace)
	return a.object(), nil
}

// notRedrivable is the reason why an execution cannot be redriven; "" where it can.
func (v *view) notRedrivable() string {
	if !v.ended() || v.status == engine.Succeeded || v.redrivable != nil {
		return "Execution is " + statusOf(v.status) + " and cannot be redriven"
	}
	return ""
}

func (s *Server) describeStateMachineForExecution(_ *call,
	in *sfn.DescribeStateMachineForExecutionInput) (*value.Object, error) {
	x, c, err := s.executionOf(*in.ExecutionArn)
	if err != nil {
		return nil, err
	}
	m, r := x.machine, x.revision
	a := answer{value.Text("stateMachineArn", m.arn), value.Text("name", m.name), value.Text("definition", r.text),
		value.Text("roleArn", r.role),
		value.M("updateDate", date(r.at)), value.M("loggingConfiguration", m.logging),
		value.M("tracingConfiguration", m.tracing),
		value.M("encryptionConfiguration", m.encryption), value.M("variableReferences", r.variables)}
	a.text("revisionId", r.id)
	if c != nil {
		a.text("mapRunArn", c.of.arn)
		a.text("label", c.of.label)
	}
	return a.object(), nil
}

func (s *Server) stopExecution(_ *call, in *sfn.StopExecutionInput) (*value.Object, error) {
	x, _, err := s.executionOf(*in.ExecutionArn)
	if err != nil {
		return nil, err
	}
	return value.ObjectOf(value.M("stopDate", date(x.abort(deref(in.Error), deref(in.Cause))))), nil
}

func (s *Server) listExecutions(_ *call, in *sfn.ListExecutionsInput) (*value.Object, error) {
	if (in.StateMachineArn == nil) == (in.MapRunArn == nil) {
		return nil,
			faultf(validation,
				"Exactly one of stateMachineArn and mapRunArn must be specified").because("MISSING_REQUIRED_PARAMETER")
	}
	about := []any{"executions", in.StateMachineArn, in.MapRunArn, in.StatusFilter, in.RedriveFilter}
	if in.MapRunArn != nil {
		return s.listChildren(in, about)
	}
	s.mu.Lock()
	t, err := s.target(*in.StateMachineArn, false)
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	if t.machine.kind == express {
		s.mu.Unlock()
		return nil, faultf("StateMachineTypeNotSupported", typeNotSupported)
	}
	var list []*execution
	for _, x := range slices.Backward(s.order) {
		if x.machine.arn == t.machine.arn && (in.StatusFilter == "" ||
			statusOf(x.view.Load().status) == string(in.StatusFilter)) &&
			(t.alias == nil || x.alias == t.alias.arn) &&
			(t.alias != nil || t.version == nil || x.version == t.version.arn) {
			list = append(list, x)
		}
	}
	s.mu.Unlock()
	part, token, err := page(s, paging{in.MaxResults, in.NextToken, about}, list,
		func(x *execution) int64 { return x.serial }, true)
	if err != nil {
		return nil, err
	}
	return listing("executions", part, token, func(x *execution) value.Value {
		v := x.view.Load()
		a := x.outline(v)
		a.number("redriveCount", v.redrives)
		if v.redrives > 0 {
			a.set("redriveDate", date(v.redriven))
		}
		a.text("stateMachineVersionArn", x.version)
		a.text("stateMachineAliasArn", x.alias)
		return a.object()
	}), nil
}
