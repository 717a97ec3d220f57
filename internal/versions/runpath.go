package versions

import (
	"fmt"
	"path/filepath"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// runPath is the way of a run: the steps of each of its threads.
type runPath struct {
	threads map[string]*thread
	names   []string // of the threads, in the order in which they begin
	end     *engine.Event
}

// thread has the steps of the top of an execution, of a branch or of an iteration.
type thread struct {
	steps []step
	// stopped is set of a thread that was ended because something else failed.
	stopped bool
}

// step is an event that shows where a thread goes, with the data there.
type step struct {
	event *engine.Event
	at    int // the index of the event in the log
	// assigned are the variables that the visit has set before.
	assigned *value.Object
}

// courseOf reads the log of a run.
func courseOf(log *runlog.Log) *runPath {
	c := &runPath{threads: make(map[string]*thread)}
	names := map[engine.ThreadID]string{0: ""}
	rounds := make(map[string]int)
	assigned := make(map[*engine.Visit]*value.Object)
	c.thread("")
	for i := range log.Len() {
		e := log.At(i)
		switch e.Type {
		case engine.BranchStarted, engine.IterationStarted:
			if d, ok := e.Detail.(*engine.ThreadDetail); ok && e.Visit != nil {
				place := fmt.Sprintf("%s/%s#%d[%d]", names[e.Visit.Thread], e.Visit.State.Name, e.Visit.Number, d.Index)
				rounds[place]++
				names[d.Thread] = place + "~" + strconv.Itoa(rounds[place])
				c.thread(names[d.Thread])
			}
		case engine.BranchAborted, engine.IterationAborted:
			if d, ok := e.Detail.(*engine.ThreadDetail); ok {
				c.thread(names[d.Thread]).stopped = true
			}
		case engine.StageCompleted:
			if d, ok := e.Detail.(*engine.AssignDetail); ok {
				assigned[e.Visit] = d.Assigned
			}
		case engine.StateEntered, engine.TaskScheduled, engine.ParallelStarted, engine.MapStarted, engine.RetryScheduled,
			engine.ErrorCaught, engine.StateExited, engine.StateFailed:
			t := c.thread(names[e.Thread])
			t.steps = append(t.steps, step{event: e, at: i, assigned: assigned[e.Visit]})
			delete(assigned, e.Visit)
		default:
			if e.Type.EndsExecution() {
				c.end = e
			}
		}
	}
	return c
}

func (c *runPath) thread(name string) *thread {
	t := c.threads[name]
	if t == nil {
		t = &thread{}
		c.threads[name] = t
		c.names = append(c.names, name)
	}
	return t
}

// status is the end of the execution, with its Error Name.
func (c *runPath) status() string {
	if c.end == nil {
		return "RUNNING"
	}
	status := map[engine.EventType]string{
		engine.ExecutionSucceeded: "SUCCEEDED", engine.ExecutionFailed: "FAILED", engine.ExecutionTimedOut: "TIMED_OUT", engine.ExecutionAborted: "ABORTED",
	}[c.end.Type]
	if f := c.end.Failure(); f != nil && f.Name != "" {
		status += ": " + f.Name
	}
	return status
}

// output is the output of the execution; nil where it has none.
func (c *runPath) output() value.Value {
	if c.end == nil || c.end.Type != engine.ExecutionSucceeded {
		return nil
	}
	return c.end.After
}

// fields are the data of a step by their names, in the order in which they are compared.
func (s *step) fields() []value.Member {
	e := s.event
	var members []value.Member
	add := func(name string, v value.Value) {
		if v != nil {
			members = append(members, value.Member{Key: name, Value: v})
		}
	}
	switch e.Type {
	case engine.StateEntered:
		add("input", e.After)
	case engine.TaskScheduled:
		if d, ok := e.Detail.(*engine.TaskRequest); ok {
			add("resource", value.String(d.Resource))
			add("credentials", d.Credentials)
		}
		add("payload", e.After)
	case engine.ParallelStarted:
		add("payload", e.Before)
	case engine.MapStarted:
		add("items", e.Before)
	case engine.ErrorCaught:
		add("error output", e.After)
	case engine.StateFailed:
		if f := e.Failure(); f != nil {
			add("error", value.String(f.Name))
			add("cause", value.String(engine.CauseWithoutID(f.Cause)))
		}
	case engine.StateExited:
		add("output", e.After)
	default:
	}
	if s.assigned != nil {
		add("variables", s.assigned)
	}
	return members
}

// leads says where a step goes: "→ Ship". field names the part of the state that decides it, and via says it in words.
func (s *step) leads() (to, via, field string) {
	e := s.event
	switch d := e.Detail.(type) {
	case *engine.ExitDetail:
		to = d.Next
		switch {
		case e.Visit.State.Type == asl.Choice && d.Rule >= 0:
			via, field = "rule "+strconv.Itoa(d.Rule+1), ruleField(d.Rule)
		case e.Visit.State.Type == asl.Choice:
			via, field = "Default", "Default"
		case to != "":
			field = "Next"
		default:
			to, field = "the end", "End"
		}
		return to, via, field
	case *engine.CatchDetail:
		return d.Next, "catcher " + strconv.Itoa(d.Catcher+1), catchField(d.Catcher)
	case *engine.RetryDetail:
		return "another attempt", "retrier " + strconv.Itoa(d.Retrier+1), fmt.Sprintf("Retry[%d]", d.Retrier)
	}
	switch e.Type {
	case engine.StateEntered:
		return e.Visit.State.Name, "", ""
	case engine.StateFailed:
		to = "failure"
		if f := e.Failure(); f != nil && f.Name != "" {
			to = "failure with " + f.Name
		}
		return to, "", ""
	case engine.TaskScheduled:
		return "its task", "", ""
	case engine.ParallelStarted:
		return "its branches", "", ""
	case engine.MapStarted:
		return "its iterations", "", ""
	default:
		return "", "", ""
	}
}

// ruleField and catchField name a rule and a catcher as fields of their state.
func ruleField(n int) string { return fmt.Sprintf("Choices[%d]", n) }

func catchField(n int) string { return fmt.Sprintf("Catch[%d]", n) }

// fieldPlace returns the place of a field of a state in its text: "order.asl.json:27".
func fieldPlace(state *asl.State, field string) string {
	at := state.Place(field)
	if at.Source == nil {
		return ""
	}
	line := at.Span.Start.Line
	if at.Key.Start.Line > 0 {
		line = at.Key.Start.Line
	}
	return filepath.Base(at.Source.Name) + ":" + strconv.Itoa(line)
}
