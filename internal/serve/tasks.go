package serve

import (
	"crypto/rand"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/serve/verdict"
)

// task is a task whose outcome comes from outside: by a token, from a worker, or by /_asldb.
type task struct {
	x       *execution
	request *engine.TaskRequest
	token   string
	closed  bool // the execution is locked for it
	called  bool // an endpoint has been called for it

	// Of an activity: the worker that has it, and the virtual time at which it got it.
	activity *activity
	handed   bool
	worker   string
	at       time.Time
}

const timedOut = "Task Timed Out: 'Provided task does not exist anymore'"

// ask answers a request without a result, or notes that its outcome comes later. It reports whether it
// has answered.
func (x *execution) ask(r *engine.TaskRequest) bool {
	s := x.server
	t := &task{x: x, request: r}
	switch {
	case r.Integration.Kind == engine.ActivityTask:
		s.mu.Lock()
		t.activity = s.activities[r.Resource]
		s.mu.Unlock()
		if t.activity == nil {
			return x.give(r, engine.Outcome{Error: engine.ErrorRuntime, Cause: "The activity ARN does not exist."})
		}
		t.token = rand.Text() + rand.Text()
		x.worked[r.ID] = t
		defer s.enqueue(t)
	case r.Integration.Pattern == engine.WaitForToken:
		t.token = r.Token
		t.call() // it gets the token
	case strings.HasPrefix(r.Resource, "arn:aws:states:::states:startExecution"):
		if started := x.nested(t); started {
			break
		}
		return x.missing(t)
	case !t.call():
		return x.missing(t)
	}
	x.tasks[r.ID] = t
	if t.token != "" {
		s.mu.Lock()
		s.tokens[t.token] = t
		s.mu.Unlock()
		x.issued = append(x.issued, t.token)
	}
	return false
}

// call calls the endpoint for the task, and reports whether there is one. A function that gets a task token says by its
// answer only that it was not invoked.
func (t *task) call() bool {
	do, s := t.x.server.Cases.Call(t.request), t.x.server
	if do == nil {
		return false
	}
	t.called = true
	s.running.Go(func() {
		o := do(s.ctx)
		switch {
		case s.ctx.Err() != nil:
		case t.token == "" || o.Error != "":
			_ = t.answered(o) // it may be over
		}
	})
	return true
}

// give gives the outcome of a request.
func (x *execution) give(r *engine.TaskRequest, o engine.Outcome) bool {
	if err := x.session().Interventions().Answer(r.ID, o); err != nil {
		x.server.log(x.arn + ": " + err.Error())
		return false
	}
	return true
}

// missing treats a task without a result as the options say.
func (x *execution) missing(t *task) bool {
	r := t.request
	switch x.server.options.Missing {
	case MissingEchoes:
		return x.give(r, engine.Outcome{Output: r.Parameters})
	case MissingHolds:
		x.tasks[r.ID] = t
		return false
	case MissingFails:
	}
	cause := "no mock for " + r.Visit.Path() + " (" + r.Resource + "): add it to "
	var short *fixtures.Shortage
	switch reason := x.session().Reason(r.ID); {
	case errors.As(reason, &short):
		cause += short.File + "\n" + short.Error()
	case x.mock != "":
		cause += "the case " + x.mock
	default:
		cause += "a mock configuration (SFN_MOCK_CONFIG) or a fixtures file (--fixtures)"
	}
	x.server.log(x.arn + ": " + cause)
	return x.give(r, outcomeOf(engine.ErrorTaskFailed, cause))
}

// holdsTask reports whether a task waits for an answer that only /_asldb gives.
func (x *execution) holdsTask() bool {
	for _, t := range x.tasks {
		if t.token == "" && t.activity == nil && !t.handed && !t.called {
			return true
		}
	}
	return false
}

// closeTasks closes the tasks that the execution no longer waits for.
func (x *execution) closeTasks() {
	if len(x.tasks) == 0 {
		return
	}
	open := x.session().Requests()
	for id, t := range x.tasks {
		if !slices.ContainsFunc(open, func(r *engine.TaskRequest) bool { return r.ID == id }) {
			t.closed = true
			delete(x.tasks, id)
		}
	}
}

// answered gives the outcome of a task from outside. The error is one of the API.
func (t *task) answered(o engine.Outcome) error {
	x := t.x
	x.mu.Lock()
	defer x.mu.Unlock()
	if t.closed {
		return faultf("TaskTimedOut", timedOut)
	}
	if t.token != "" || t.called { // a nested execution has its own time
		x.catchUp()
	}
	if !x.give(t.request, o) {
		t.closed = true
		x.wake()
		return faultf("TaskTimedOut", timedOut)
	}
	t.closed = true
	delete(x.tasks, t.request.ID)
	x.wake()
	return nil
}

// nested starts the served machine that a task names. It reports whether it is served.
func (x *execution) nested(t *task) bool {
	parameters, _ := t.request.Parameters.(*value.Object)
	if parameters == nil {
		return false
	}
	s, of := x.server, parameters.Text("StateMachineArn")
	if !strings.HasPrefix(of, "arn:") {
		of = s.options.arn("stateMachine", of)
	}
	s.mu.Lock()
	_, err := s.target(of, false)
	s.mu.Unlock()
	if err != nil {
		return false
	}
	input := "{}"
	if v := parameters.Get("Input"); v != nil {
		if input = value.Compact(v); v.Kind() == value.KindString {
			input = parameters.Text("Input")
		}
	}
	t.handed = true // only its end answers it
	waits := t.request.Integration.Pattern == engine.RunJob
	parsed := strings.HasSuffix(t.request.Resource, ":2")
	s.running.Go(func() {
		child, err := s.start(start{machine: of, name: parameters.Text("Name"), input: input})
		if err != nil {
			fault := asFault(err)
			_ = t.answered(outcomeOf("StepFunctions."+fault.Name, fault.Message)) // it may be over
			return
		}
		begun := answer{value.Text("ExecutionArn", child.arn),
			value.M("StartDate", value.Int(child.started.UnixMilli()))}
		if !waits {
			_ = t.answered(engine.Outcome{Output: begun.object()})
			return
		}
		select {
		case <-child.done:
		case <-s.ctx.Done():
			return
		}
		v := child.view.Load()
		described := child.described(v, parsed)
		after := max(v.stopped.Sub(child.started), 0)
		o := engine.Outcome{Output: described, Submitted: begun.object(), After: after}
		if v.status != engine.Succeeded {
			o.Output, o.Error, o.Cause = nil, engine.ErrorTaskFailed, value.Compact(described)
		}
		_ = t.answered(o)
	})
	return true
}

// described is DescribeExecution as the tasks .sync and .sync:2 give it.
func (x *execution) described(v *view, parsed bool) *value.Object {
	a := answer{value.Text("ExecutionArn", x.arn)}
	text := func(key, text string) {
		if text == "" {
			return
		}
		if v, err := value.ParseString(text); parsed && err == nil {
			a.set(key, v)
			return
		}
		a.text(key, text)
	}
	included := value.Must(`{"Included":true}`)
	text("Input", x.input)
	a.set("InputDetails", included)
	a.text("Name", x.name)
	if text("Output", v.output); v.output != "" {
		a.set("OutputDetails", included)
	}
	if v.failure != nil {
		a.text("Error", v.failure.Name)
		a.text("Cause", v.failure.Cause)
	}
	a.set("StartDate", value.Int(x.started.UnixMilli()))
	a.text("StateMachineArn", x.machine.arn)
	a.text("Status", v.status.String())
	a.set("StopDate", value.Int(v.stopped.UnixMilli()))
	return a.object()
}

// taskOf returns the task of a token.
func (s *Server) taskOf(token string) (*task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tokens[token]; t != nil {
		return t, nil
	}
	if plain, err := url.QueryUnescape(token); err == nil && s.tokens[plain] != nil { // it came through a URL
		return s.tokens[plain], nil
	}
	return nil, faultf(invalidToken, "Invalid Token: 'Invalid token'")
}

func (s *Server) sendTaskSuccess(_ *call, in *sfn.SendTaskSuccessInput) (*value.Object, error) {
	t, err := s.taskOf(*in.TaskToken)
	if err != nil {
		return nil, err
	}
	output, err := value.ParseString(*in.Output)
	if err != nil {
		return nil, faultf("InvalidOutput", "Invalid Output: '%s'", verdict.Fault(*in.Output))
	}
	return value.ObjectOf(), t.answered(engine.Outcome{Output: output})
}

func (s *Server) sendTaskFailure(_ *call, in *sfn.SendTaskFailureInput) (*value.Object, error) {
	t, err := s.taskOf(*in.TaskToken)
	if err != nil {
		return nil, err
	}
	o := engine.Outcome{Error: deref(in.Error), Cause: deref(in.Cause)}
	if t.request.Integration.Pattern == engine.WaitForToken {
		o.Submitted = value.ObjectOf()
	}
	return value.ObjectOf(), t.answered(o)
}

func (s *Server) sendTaskHeartbeat(_ *call, in *sfn.SendTaskHeartbeatInput) (*value.Object, error) {
	t, err := s.taskOf(*in.TaskToken)
	if err != nil {
		return nil, err
	}
	x := t.x
	x.mu.Lock()
	defer x.mu.Unlock()
	x.catchUp()
	if !t.closed {
		err = x.session().Interventions().Heartbeat(t.request.ID)
	}
	x.wake()
	if t.closed || err != nil {
		return nil, faultf("TaskTimedOut", timedOut)
	}
	return value.ObjectOf(), nil
}

// activity is one that workers poll for.
type activity struct {
	serial     int64
	arn, name  string
	created    time.Time
	encryption value.Value
	tags       []value.Member
	queue      []*task
	polls      []chan struct{} // of workers that wait; the first is served first
}

func (s *Server) createActivity(c *call, in *sfn.CreateActivityInput) (*value.Object, error) {
	if err := checkName(*in.Name); err != nil {
		return nil, err
	}
	_, given := c.configured("encryptionConfiguration")
	encryption := given[0]
	if encryption == nil {
		encryption = noEncryption
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := s.options.arn("activity", *in.Name)
	a := s.activities[name]
	switch {
	case a == nil:
		a = &activity{serial: s.next(), arn: name, name: *in.Name, created: s.now(), encryption: encryption}
		for _, tag := range in.Tags {
			a.tags = append(a.tags, tagOf(tag.Key, tag.Value))
		}
		s.activities[name] = a
	case !value.Equal(a.encryption, encryption):
		return nil, faultf("ActivityAlreadyExists", "Activity Already Exists: '%s'", name)
	}
	return value.ObjectOf(value.Text("activityArn", a.arn), value.M("creationDate", date(a.created))), nil
}

// activityOf returns an activity by its ARN; the server is locked.
func (s *Server) activityOf(text string) (*activity, error) {
	if _, err := parse(text, "activity"); err != nil {
		return nil, err
	}
	a := s.activities[text]
	if a == nil {
		return nil, faultf("ActivityDoesNotExist", "Activity Does Not Exist: '%s'", text)
	}
	return a, nil
}

func (s *Server) describeActivity(_ *call, in *sfn.DescribeActivityInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.activityOf(*in.ActivityArn)
	if err != nil {
		return nil, err
	}
	return value.ObjectOf(value.Text("activityArn", a.arn), value.Text("name", a.name),
		value.M("creationDate", date(a.created)),
		value.M("encryptionConfiguration", a.encryption)), nil
}

func (s *Server) listActivities(_ *call, in *sfn.ListActivitiesInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*activity, 0, len(s.activities))
	for _, a := range s.activities {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *activity) int { return int(a.serial - b.serial) })
	part, token, err := page(s, paging{in.MaxResults, in.NextToken, []any{"activities"}}, all,
		func(a *activity) int64 { return a.serial }, false)
	if err != nil {
		return nil, err
	}
	return listing("activities", part, token, func(a *activity) value.Value {
		return value.ObjectOf(value.Text("activityArn", a.arn), value.Text("name", a.name),
			value.M("creationDate", date(a.created)))
	}), nil
}

func (s *Server) deleteActivity(_ *call, in *sfn.DeleteActivityInput) (*value.Object, error) {
	if _, err := parse(*in.ActivityArn, "activity"); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.activities, *in.ActivityArn)
	return value.ObjectOf(), nil
}

// enqueue gives a task to the workers of its activity.
func (s *Server) enqueue(t *task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.activity.queue = append(t.activity.queue, t)
	t.activity.wake()
}

// wake tells the worker that waits longest of a task; the server is locked.
func (a *activity) wake() {
	if len(a.polls) > 0 {
		close(a.polls[0])
		a.polls = a.polls[1:]
	}
}

func (s *Server) getActivityTask(c *call, in *sfn.GetActivityTaskInput) (*value.Object, error) {
	s.mu.Lock()
	a, err := s.activityOf(*in.ActivityArn)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	late := time.NewTimer(s.options.Poll)
	defer late.Stop()
	for {
		s.mu.Lock()
		if len(a.queue) > 0 {
			t := a.queue[0]
			a.queue = a.queue[1:]
			s.mu.Unlock()
			if c.Context().Err() == nil && t.hand(deref(in.WorkerName)) {
				return value.ObjectOf(value.Text("taskToken", t.token),
					value.Text("input", value.Compact(t.request.Parameters))), nil
			}
			if c.Context().Err() == nil {
				continue
			}
			s.mu.Lock() // the worker is gone: the next one gets it
			a.queue = append([]*task{t}, a.queue...)
			a.wake()
			s.mu.Unlock()
			return nil, c.Context().Err()
		}
		poll := make(chan struct{})
		a.polls = append(a.polls, poll)
		s.mu.Unlock()
		select {
		case <-poll:
			continue
		case <-late.C:
		case <-c.Context().Done():
		case <-s.ctx.Done():
		}
		s.mu.Lock()
		if at := slices.Index(a.polls, poll); at >= 0 {
			a.polls = slices.Delete(a.polls, at, at+1)
		} else { // it was told of a task that it does not take
			a.wake()
		}
		s.mu.Unlock()
		return value.ObjectOf(), nil
	}
}

// hand notes which worker has a task, and reports whether it is still to be done.
func (t *task) hand(worker string) bool {
	x := t.x
	x.mu.Lock()
	defer x.mu.Unlock()
	if t.closed {
		return false
	}
	x.catchUp()
	t.handed, t.worker, t.at = true, worker, x.session().Now()
	x.history = nil
	if t.request.Heartbeat > 0 {
		_ = x.session().Interventions().Heartbeat(t.request.ID) // its time begins when a worker has it
	}
	x.wake()
	return true
}
