package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/why"
)

// request is the body of a request to /_asldb.
type request struct {
	Keep, Advance, ExecutionArn, State string
	Output                             json.RawMessage
	Error, Cause                       *string
	order
}

// serveOwn answers the requests that the API of the service has no operation for.
func (s *Server) serveOwn(w http.ResponseWriter, r *http.Request, path string) {
	var in request
	body, ok := s.body(w, r)
	if !ok {
		return
	}
	if len(body) > 0 && json.Unmarshal(body, &in) != nil {
		http.Error(w, "the body has to be JSON", http.StatusBadRequest)
		return
	}
	first, rest, _ := strings.Cut(path, "/")
	reply, err := s.own(r, first, rest, &in)
	switch {
	case err != nil:
		http.Error(w, asFault(err).Message, http.StatusBadRequest)
	case reply == nil:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply) // the client may be gone
	}
}

// own returns the reply to a request; nil for an unknown path.
func (s *Server) own(r *http.Request, first, rest string, in *request) ([]byte, error) {
	posts := r.Method == http.MethodPost
	switch {
	case first == "health":
		s.mu.Lock()
		defer s.mu.Unlock()
		return value.Append(nil, value.ObjectOf(value.Text("status", "ok"), value.Text("version", s.options.Version),
			value.M("machines", value.Int(int64(len(s.machines)))),
			value.M("executions", value.Int(int64(len(s.executions)))))), nil
	case first == "reset" && posts:
		s.clear(in.Keep == "machines")
	case first == "clock" && posts:
		return s.advanceClock(in)
	case first == "breakpoints":
		return s.breakpoints(posts, in)
	case first == "executions" && rest == "":
		return value.Append(nil, s.listOwn(r.URL.Query())), nil
	case first == "executions":
		return s.ofExecution(rest, r.URL.Query(), posts, in)
	default:
		return nil, nil
	}
	return []byte("{}"), nil
}

// clear forgets executions and activities, and machines unless they are kept; what runs is ended.
func (s *Server) clear(keep bool) {
	s.mu.Lock()
	all, machines := slices.Clone(s.order), s.machines
	s.reset()
	if keep {
		s.machines = machines
	}
	s.mu.Unlock()
	for _, x := range all {
		x.abort("", "")
	}
}

// advanceClock moves the clock of one or of all executions that wait.
func (s *Server) advanceClock(in *request) ([]byte, error) {
	by, err := time.ParseDuration(in.Advance)
	if err != nil || by < 0 {
		return nil, faultf(validation, "advance is a duration such as 1h, not %q", in.Advance)
	}
	s.mu.Lock()
	all := slices.Clone(s.order)
	s.mu.Unlock()
	for _, x := range all {
		if in.ExecutionArn == "" || in.ExecutionArn == x.arn {
			x.move(by)
		}
	}
	return []byte("{}"), nil
}

// move moves the virtual clock, timer by timer.
func (x *execution) move(by time.Duration) {
	x.mu.Lock()
	if x.view.Load().ended() {
		x.mu.Unlock()
		return
	}
	until := x.session().Now().Add(by)
	x.mu.Unlock()
	for more := true; more; {
		x.mu.Lock()
		x.advance(until.Sub(x.session().Now()))
		more = x.session().Now().Before(until) && !x.view.Load().ended()
		running := !x.driving
		for running && x.slice() {
		}
		x.publish()
		x.mu.Unlock()
	}
}

// summary describes an execution for the list of /_asldb.
func (x *execution) summary() *value.Object {
	v := x.view.Load()
	a := answer{value.Text("executionArn", x.arn), value.Text("status", statusOf(v.status)),
		value.Text("name", x.name), value.Text("machine", x.machine.name)}
	a.text("case", x.mock)
	a.text("judgement", v.judgement)
	a.text("state", v.state)
	a.set("startDate", date(x.started))
	if v.ended() {
		a.set("stopDate", date(v.stopped))
	}
	if v.failure != nil {
		a.text("error", v.failure.Name)
		a.text("cause", v.failure.Cause)
	}
	a.text("trace", x.traceFile)
	if at := x.holds(v); at != nil {
		var held answer
		held.text("state", at.state)
		held.text("stage", at.stage)
		held.text("file", at.file)
		held.text("reason", at.reason)
		a.set("held", held.object())
	}
	return a.object()
}

// holds returns where an execution is held, by a breakpoint or by a task that waits for an answer.
func (*execution) holds(v *view) *heldAt {
	if v.held != nil {
		return v.held
	}
	return v.asks
}

var errNotHeld = errors.New("the execution is not held")

func (s *Server) listOwn(query url.Values) *value.Object {
	s.mu.Lock()
	all := slices.Clone(s.order)
	s.mu.Unlock()
	var list []value.Value
	for _, x := range all {
		v := x.view.Load()
		if status := query.Get("status"); status != "" && statusOf(v.status) != status ||
			query.Get("held") == "true" && x.holds(v) == nil ||
			query.Get("case") != "" && query.Get("case") != x.mock {
			continue
		}
		list = append(list, x.summary())
	}
	return value.ObjectOf(value.M("executions", value.NewArray(list)))
}

// ofExecution answers what is about one execution: ARN/trace, ARN/why, ARN/continue, ARN/step, ARN/input,
// ARN/answer.
func (s *Server) ofExecution(path string, query url.Values, posts bool, in *request) ([]byte, error) {
	name, verb, _ := strings.Cut(path, "/")
	text, err := url.PathUnescape(name)
	if err != nil {
		return nil, nil
	}
	s.mu.Lock()
	x := s.executions[text]
	s.mu.Unlock()
	if x == nil {
		return nil, faultf("ExecutionDoesNotExist", "Execution Does Not Exist: '%s'", text)
	}
	switch {
	case verb == "" && !posts:
		return value.Append(nil, x.summary()), nil
	case verb == "trace" && !posts:
		from, _ := strconv.Atoi(query.Get("from")) // from the start without a number
		return x.traceText(from)
	case verb == "why" && !posts:
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.session().Failure() == nil {
			return []byte("{}"), nil
		}
		return value.Append(nil, value.ObjectOf(value.Text("why",
			why.Failure(x.session(), x.run.Calls.SessionOf).Error()))), nil
	case verb == "continue" && posts:
		in.Kind = "continue"
		err = x.forward(in)
	case verb == "step" && posts:
		err = x.forward(in)
	case verb == "input" && posts:
		err = x.take(in.Input)
	case verb == "answer" && posts:
		err = x.answerHeld(in)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, faultf(validation, "%s", err.Error())
	}
	return value.Append(nil, x.summary()), nil
}

// answerHeld gives the outcome of a task that an execution waits for, the oldest or the one of a state.
func (x *execution) answerHeld(in *request) error {
	x.mu.Lock()
	var oldest *task
	for _, t := range x.tasks {
		if (in.State == "" || t.request.Visit.State.Name == in.State) &&
			(oldest == nil || t.request.ID < oldest.request.ID) {
			oldest = t
		}
	}
	x.mu.Unlock()
	if oldest == nil {
		return faultf(validation, "no task of the execution waits for an answer")
	}
	o := engine.Outcome{}
	switch {
	case in.Output != nil:
		output, err := value.ParseString(string(in.Output))
		if err != nil {
			return err
		}
		o.Output = output
	case in.Error != nil:
		o.Error, o.Cause = *in.Error, deref(in.Cause)
	default:
		return faultf(validation, `an answer is {"output": JSON} or {"error": "Name", "cause": "text"}`)
	}
	return oldest.answered(o)
}
