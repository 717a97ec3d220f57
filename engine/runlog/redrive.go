package runlog

import (
	"fmt"
	"maps"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// maxRedrivable is the number of events in Step Functions' history from which on an execution cannot be redriven.
const maxRedrivable = 24_999

// Redrive returns the place from which the execution of the log continues when it is redriven: the states that were not
// left, in all threads, with their inputs. earlier is the number of redrives that there were before the first event of
// the log; redrives in the log are counted besides. The error is an *[engine.RedriveError].
//
// As the service does it (Developer guide, "Redriving executions"), branches and iterations that succeeded are not run again, but
// after States.DataLimitExceeded; executions of type EXPRESS of a distributed Map start over, and so do all of one that
// writes its results. The Map Run is the same one.
func (l *Log) Redrive(earlier int) (*engine.Redrive, error) {
	if err := l.Redrivable(); err != nil {
		return nil, err
	}
	last := l.Last()
	s := &survey{threads: map[engine.ThreadID]*surveyed{0: {visits: map[string]int{}}}, redrive: &engine.Redrive{
		Count: earlier + 1, Seq: int64(l.Len()), Now: last.At(), Ended: last.At(), Invocations: map[string]int{},
	}}
	for event := range l.All() {
		s.add(event)
	}
	if s.redrive.History >= maxRedrivable {
		return nil, &engine.RedriveError{Reason: fmt.Sprintf("its history has %d events; fewer than %d are needed", s.redrive.History, maxRedrivable)}
	}
	s.redrive.Root = s.threads[0].resumption()
	return s.redrive, nil
}

// Redrivable reports whether the end of the log allows a redrive: the execution is over and has not succeeded. The error is an
// *[engine.RedriveError].
func (l *Log) Redrivable() error {
	last := l.Last()
	switch {
	case last == nil || !last.Type.EndsExecution():
		return &engine.RedriveError{Reason: "it is not over"}
	case last.Type == engine.ExecutionSucceeded:
		return &engine.RedriveError{Reason: "it succeeded; only executions that failed, timed out or were aborted can be redriven"}
	case !l.Whole():
		return &engine.RedriveError{Reason: "the run kept only the newest of its events"}
	}
	return nil
}

// survey gathers the places of all threads.
type survey struct {
	threads map[engine.ThreadID]*surveyed
	redrive *engine.Redrive
}

// surveyed is a thread as far as it came.
type surveyed struct {
	visits    map[string]int
	variables *value.Object
	assigned  *value.Object // by the state that it is in
	visit     *engine.Visit // the newest
	input     value.Value
	left      bool // the newest visit was left: next is the state that it led to, output its input
	next      string
	output    value.Value
	succeeded bool                 // the thread came to its end
	result    value.Value          // of a thread that succeeded
	failure   string               // the error by which the newest visit failed
	mapRun    *engine.MapRunDetail // of the newest work
	// Of an execution of a Map Run: its redrives, when it began, and the events of its history.
	again, history int
	started        int64
	// below are the branches or iterations of the newest work; goesOn is set where a redrive continues with them.
	below  map[int]*surveyed
	goesOn bool
}

func (s *survey) add(event *engine.Event) {
	r := s.redrive
	r.Thread = max(r.Thread, event.Thread)
	if event.HistoryThread() == 0 && event.HistoryID > 0 {
		r.History = max(r.History, int(event.HistoryID)+event.HistoryEvents()-1)
	} else if t := s.threads[event.HistoryThread()]; t != nil && event.HistoryID > 0 {
		t.history = max(t.history, int(event.HistoryID)+event.HistoryEvents()-1)
	}
	switch detail := event.Detail.(type) {
	case *engine.TaskRequest:
		r.Request = max(r.Request, detail.ID)
		if event.Visit != nil {
			r.Invocations[event.Visit.State.Path()] = detail.Invocation
		}
	case *engine.ObjectRequest:
		r.Object = max(r.Object, detail.ID)
	case *engine.MapRunDetail:
		if detail.Redriven == 0 {
			r.MapRuns++
		}
		if t := s.threads[event.Thread]; t != nil {
			t.mapRun = detail
		}
	}
	traits := event.Type.Traits()
	switch {
	case event.Type == engine.ExecutionRedriven:
		r.Count++
		s.threads[0].redriven()
	case traits.Scope == engine.OfThread && traits.Opens:
		s.begin(event)
	case traits.Scope == engine.OfThread:
		if t := s.threads[event.Thread]; t != nil && traits.Ends == engine.Succeeded {
			t.succeeded, t.result = true, event.After
		}
	case event.Visit != nil && traits.Scope == engine.OfState:
		if t := s.threads[event.Thread]; t != nil {
			t.add(event)
		}
	}
}

// redriven marks what a redrive continues with.
func (t *surveyed) redriven() {
	t.goesOn = true
	t.again++
	for _, below := range t.below {
		if !below.succeeded {
			below.redriven()
		}
	}
}

// begin adds a branch or an iteration. One with which a redrive continues has the past of the earlier one of the same
// number.
func (s *survey) begin(event *engine.Event) {
	parent, detail := s.threads[event.Visit.Thread], event.Detail.(*engine.ThreadDetail)
	t := &surveyed{visits: map[string]int{}, input: event.After, started: event.Time}
	if parent == nil {
		return
	}
	if before := parent.below[detail.Index]; before != nil && before.goesOn && !anew(event.Visit.State) {
		*t = *before
	}
	if parent.below == nil {
		parent.below = map[int]*surveyed{}
	}
	parent.below[detail.Index] = t
	s.threads[event.Thread] = t
}

func (t *surveyed) add(event *engine.Event) {
	switch event.Type {
	case engine.StateEntered:
		name := event.Visit.State.Name
		if again := t.goesOn && t.visit != nil && t.visit.State.Name == name; !again {
			t.below, t.goesOn = nil, false
		}
		t.visits[name]++
		t.visit, t.input, t.left, t.assigned, t.failure = event.Visit, event.After, false, nil, ""
	case engine.ParallelStarted, engine.MapStarted:
		if !t.goesOn {
			t.below, t.mapRun = nil, nil
		}
		t.goesOn = false
	case engine.StageCompleted:
		if detail, ok := event.Detail.(*engine.AssignDetail); ok {
			t.assigned = detail.Assigned
		}
	case engine.ErrorCaught, engine.RetryStarted:
		t.assigned, t.failure = nil, ""
	case engine.StateFailed, engine.StageFailed:
		if failure := event.Failure(); failure != nil {
			t.failure = failure.Name
		}
	case engine.StateExited:
		t.left, t.output, t.below = true, event.After, nil
		if detail, ok := event.Detail.(*engine.ExitDetail); ok {
			t.next = detail.Next
		}
		if t.assigned == nil {
			return
		}
		if t.variables == nil {
			t.variables = value.ObjectOf()
		}
		for name, v := range t.assigned.All() {
			t.variables = t.variables.With(name, v)
		}
	default:
	}
}

// anew reports whether the executions of a Map that did not succeed start over.
func anew(state *asl.State) bool {
	return state.Distributed() && (state.ProcessorConfig.ExecutionType == asl.TypeExpress || state.ResultWriter != nil)
}

func (t *surveyed) resumption() *engine.Resumption {
	r := &engine.Resumption{
		Visits: maps.Clone(t.visits), Variables: t.variables, Redriven: t.again + 1, History: t.history, Started: t.started,
	}
	switch {
	case t.visit == nil:
		return r
	case t.left:
		if r.State, r.Input = t.next, t.output; t.next == "" { // it was stopped right at its end
			r.State, r.Input = t.visit.State.Name, t.input
		}
		return r
	}
	state := t.visit.State
	r.State, r.Input, r.HistoryID = state.Name, t.input, t.visit.HistoryID
	if t.failure == engine.ErrorDataLimitExceeded || state.Distributed() && state.ResultWriter != nil {
		return r
	}
	r.Kept, r.Below = map[int]value.Value{}, map[int]*engine.Resumption{}
	if t.mapRun != nil && len(t.below) > 0 { // without executions another Map Run begins (Developer guide, "Redriving Map Runs")
		r.MapRun = &engine.MapRunDetail{Arn: t.mapRun.Arn, Redriven: t.mapRun.Redriven + 1}
	}
	for index, below := range t.below {
		switch {
		case below.succeeded:
			r.Kept[index] = below.result
		case !anew(state):
			r.Below[index] = below.resumption()
		}
	}
	return r
}
