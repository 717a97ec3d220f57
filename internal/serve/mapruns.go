package serve

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// mapRun is a Map Run of an execution, as its events tell it.
type mapRun struct {
	x                *execution
	arn, label       string
	visit            *engine.Visit
	thread           engine.ThreadID
	serial           int64
	started, stopped time.Time
	status           engine.Status
	concurrency      int
	bounds           engine.NewBounds // by UpdateMapRun
	children         []*child
}

// child is an execution of a Map Run.
type child struct {
	of               *mapRun
	thread           engine.ThreadID
	arn              string
	serial           int64
	started, stopped time.Time
	status           engine.Status
	input, output    value.Value
	failure          *engine.Failure
}

// mapRuns returns the Map Runs of an execution, the oldest first.
func (x *execution) mapRuns() (list []*mapRun) {
	if !x.session().Machine().HasMapRuns() {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	runs, children := map[*engine.Visit]*mapRun{}, map[engine.ThreadID]*child{}
	width := map[*engine.Visit]int{}
	for e := range x.session().Log().All() {
		switch detail := e.Detail.(type) {
		case *engine.StartDetail:
			width[e.Visit] = detail.MaxConcurrency
		case *engine.MapRunDetail:
			_, rest, _ := strings.Cut(detail.Arn, ":mapRun:")
			machine, _, _ := strings.Cut(rest, ":")
			_, label, _ := strings.Cut(machine, "/")
			if r := runs[e.Visit]; r != nil && r.arn == detail.Arn {
				r.status, r.stopped = engine.Runnable, time.Time{}
				continue
			}
			r := &mapRun{x: x, arn: detail.Arn, label: label, visit: e.Visit, thread: e.Thread, serial: e.Seq,
				started: e.At(), concurrency: width[e.Visit]}
			runs[e.Visit] = r
			list = append(list, r)
		}
		if r := runs[e.Visit]; r != nil {
			r.note(e, children)
			continue
		}
		if c := children[e.HistoryThread()]; c != nil && c.arn == "" && e.Visit != nil {
			c.arn = e.Visit.Execution()
		}
	}
	x.updated(list)
	return list
}

// updated notes the bounds that UpdateMapRun has changed.
func (x *execution) updated(list []*mapRun) {
	inputs := x.session().Inputs()
	for i := range inputs.Len() {
		in := inputs.At(i)
		for _, r := range list {
			if in.Kind != runlog.InputMapBounds || in.Thread != r.thread || in.After < r.serial {
				continue
			}
			b := &r.bounds
			b.MaxConcurrency = cmp.Or(in.Bounds.MaxConcurrency, b.MaxConcurrency)
			b.FailureCount = cmp.Or(in.Bounds.FailureCount, b.FailureCount)
			b.FailurePercentage = cmp.Or(in.Bounds.FailurePercentage, b.FailurePercentage)
		}
	}
}

// note takes in an event of the Map state of a Map Run.
func (r *mapRun) note(e *engine.Event, children map[engine.ThreadID]*child) {
	c := children[e.Thread]
	switch e.Type {
	case engine.IterationStarted:
		c = &child{of: r, thread: e.Thread, serial: e.Seq, started: e.At(), input: e.After}
		children[e.Thread] = c
		r.children = append(r.children, c)
	case engine.IterationSucceeded, engine.IterationFailed, engine.IterationAborted:
		if c != nil {
			c.stopped, c.status, c.output, c.failure = e.At(), e.Type.Traits().Ends, e.After, e.Failure()
		}
	case engine.MapRunSucceeded, engine.MapRunFailed:
		r.stopped, r.status = e.At(), e.Type.Traits().Ends
	default:
	}
}

// mapRunOf returns the Map Run of an ARN.
func (s *Server) mapRunOf(text string) (*mapRun, error) {
	a, err := parse(text, "mapRun")
	if err != nil {
		return nil, err
	}
	for _, x := range s.of(a.name) {
		for _, r := range x.mapRuns() {
			if r.arn == text {
				return r, nil
			}
		}
	}
	return nil, faultf("ResourceNotFound", "Resource not found: '%s'", text)
}

// of returns the executions of the machine of a name.
func (s *Server) of(name string) (list []*execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.order {
		if x.machine.name == name {
			list = append(list, x)
		}
	}
	return list
}

// child returns the execution of a Map Run with an ARN; nil: there is none.
func (s *Server) child(text string) *child {
	a, _ := parse(text, "execution") // it was read before
	for _, x := range s.of(a.name) {
		for _, r := range x.mapRuns() {
			for _, c := range r.children {
				if c.arn == text {
					return c
				}
			}
		}
	}
	return nil
}

func (c *child) name() string { return c.arn[strings.LastIndex(c.arn, ":")+1:] }

// machine is the ARN of the machine that a Map Run's executions are of.
func (r *mapRun) machine() string { return r.x.machine.arn + "/" + r.label }

// described is DescribeExecution of an execution of a Map Run.
func (c *child) described(whole bool) *value.Object {
	a := answer{value.Text("executionArn", c.arn), value.Text("stateMachineArn", c.of.machine()),
		value.Text("name", c.name()),
		value.Text("status", statusOf(c.status)), value.M("startDate", date(c.started))}
	if c.status.Done() {
		a.set("stopDate", date(c.stopped))
	}
	v := view{status: c.status, failure: c.failure}
	if c.status == engine.Succeeded {
		v.output = value.Compact(c.output)
	}
	(&execution{input: value.Compact(c.input)}).data(&a, &v, whole)
	a.number("redriveCount", 0)
	a.text("redriveStatus", "NOT_REDRIVABLE")
	a.text("redriveStatusReason", v.notRedrivable())
	a.text("mapRunArn", c.of.arn)
	return a.object()
}

// events is the history of an execution of a Map Run: the events of its thread in the whole.
func (c *child) events() []*value.Object {
	x := c.of.x
	x.mu.Lock()
	defer x.mu.Unlock()
	return value.Each(history.Of(c.own(x.session().Log().All())), func(e history.Event) *value.Object {
		return e.Object().With("timestamp", date(time.Unix(0, e.Time)))
	})
}

// own returns the events of the execution as an execution has them.
func (c *child) own(all iter.Seq[*engine.Event]) iter.Seq[*engine.Event] {
	ends := map[engine.EventType]engine.EventType{
		engine.IterationStarted: engine.ExecutionStarted, engine.IterationSucceeded: engine.ExecutionSucceeded,
		engine.IterationFailed: engine.ExecutionFailed, engine.IterationAborted: engine.ExecutionAborted,
	}
	visits := map[*engine.Visit]*engine.Visit{}
	return func(yield func(*engine.Event) bool) {
		for e := range all {
			if e.HistoryThread() != c.thread {
				continue
			}
			one := *e
			if one.Thread == c.thread {
				one.Thread = 0
			}
			if own, ok := ends[e.Type]; ok && e.Visit == c.of.visit {
				one.Type, one.Visit = own, nil
			} else if v := e.Visit; v != nil && v.Thread == c.thread {
				if visits[v] == nil {
					moved := *v
					moved.Thread = 0
					visits[v] = &moved
				}
				one.Visit = visits[v]
			}
			if !yield(&one) {
				return
			}
		}
	}
}

func (s *Server) listMapRuns(_ *call, in *sfn.ListMapRunsInput) (*value.Object, error) {
	x, _, err := s.executionOf(*in.ExecutionArn)
	if err != nil {
		return nil, err
	}
	part, token, err := page(s, paging{in.MaxResults, in.NextToken, []any{"mapRuns", x.arn}}, x.mapRuns(),
		func(r *mapRun) int64 { return r.serial }, false)
	if err != nil {
		return nil, err
	}
	return listing("mapRuns", part, token, func(r *mapRun) value.Value {
		a := answer{value.Text("executionArn", x.arn), value.Text("mapRunArn", r.arn),
			value.Text("stateMachineArn", r.machine()), value.M("startDate", date(r.started))}
		if r.status.Done() {
			a.set("stopDate", date(r.stopped))
		}
		return a.object()
	}), nil
}

// counts counts executions or items by their status.
func (r *mapRun) counts(of func(*child) int) *value.Object {
	by := map[engine.Status]int{}
	total := 0
	for _, c := range r.children {
		by[c.status] += of(c)
		total += of(c)
	}
	var a answer
	a.number("pending", 0)
	a.number("running", by[engine.Runnable])
	a.number("succeeded", by[engine.Succeeded])
	a.number("failed", by[engine.Failed])
	a.number("timedOut", by[engine.TimedOut])
	a.number("aborted", by[engine.Aborted])
	a.number("total", total)
	written := 0
	if r.status.Done() {
		written = by[engine.Succeeded]
	}
	a.number("resultsWritten", written)
	return a.object()
}

// items is the number of items of an execution, more than one for a batch.
func (c *child) items() int {
	if c.of.visit.State.ItemBatcher == nil {
		return 1
	}
	input, _ := c.input.(*value.Object)
	if input == nil {
		return 1
	}
	list, _ := input.Get("Items").(*value.Array)
	return max(list.Len(), 1)
}

func (s *Server) describeMapRun(_ *call, in *sfn.DescribeMapRunInput) (*value.Object, error) {
	r, err := s.mapRunOf(*in.MapRunArn)
	if err != nil {
		return nil, err
	}
	a := answer{value.Text("mapRunArn", r.arn), value.Text("executionArn", r.x.arn),
		value.Text("status", statusOf(r.status)), value.M("startDate", date(r.started))}
	if r.status.Done() {
		a.set("stopDate", date(r.stopped))
	}
	if n := r.bounds.MaxConcurrency; n != nil {
		r.concurrency = *n
	}
	a.number("maxConcurrency", r.concurrency)
	percentage, count := value.Value(value.Int(0)), value.Value(value.Int(0))
	if q := r.visit.State.ToleratedFailurePercentage; q != nil && q.Literal != nil {
		percentage = q.Literal
	}
	if q := r.visit.State.ToleratedFailureCount; q != nil && q.Literal != nil {
		count = q.Literal
	}
	if n := r.bounds.FailurePercentage; n != nil {
		percentage = value.Float(*n)
	}
	if n := r.bounds.FailureCount; n != nil {
		count = value.Int(int64(*n))
	}
	a.set("toleratedFailurePercentage", percentage)
	a.set("toleratedFailureCount", count)
	a.set("itemCounts", r.counts((*child).items))
	a.set("executionCounts", r.counts(func(*child) int { return 1 }))
	a.number("redriveCount", r.x.view.Load().redrives)
	return a.object(), nil
}

func (s *Server) updateMapRun(_ *call, in *sfn.UpdateMapRunInput) (*value.Object, error) {
	r, err := s.mapRunOf(*in.MapRunArn)
	switch {
	case err != nil:
		return nil, err
	case r.status.Done():
		return nil, faultf(validation, "Map Run is %s and cannot be updated: '%s'", r.status,
			r.arn).because("CANNOT_UPDATE_COMPLETED_MAP_RUN")
	}
	whole := func(n int64) *int { return new(int(n)) }
	var bounds engine.NewBounds
	if n := in.MaxConcurrency; n != nil {
		bounds.MaxConcurrency = whole(int64(*n))
	}
	if n := in.ToleratedFailureCount; n != nil {
		bounds.FailureCount = whole(*n)
	}
	if n := in.ToleratedFailurePercentage; n != nil {
		bounds.FailurePercentage = new(float64(*n))
	}
	r.x.mu.Lock()
	defer r.x.mu.Unlock()
	if err := r.x.session().Interventions().SetMapBounds(r.thread, bounds); err != nil {
		return nil, faultf(validation, "Map Run cannot be updated: '%s': %v", r.arn, err)
	}
	r.x.wake()
	return value.ObjectOf(), nil
}

// listChildren lists the executions of a Map Run.
func (s *Server) listChildren(in *sfn.ListExecutionsInput, about []any) (*value.Object, error) {
	r, err := s.mapRunOf(*in.MapRunArn)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(r.children), func(c *child) bool {
		return c.arn == "" || in.StatusFilter != "" && statusOf(c.status) != string(in.StatusFilter) ||
			in.RedriveFilter == "REDRIVEN"
	})
	slices.Reverse(list)
	part, token, err := page(s, paging{in.MaxResults, in.NextToken, about}, list,
		func(c *child) int64 { return c.serial }, true)
	if err != nil {
		return nil, err
	}
	return listing("executions", part, token, func(c *child) value.Value {
		a := answer{value.Text("executionArn", c.arn), value.Text("stateMachineArn", r.machine()),
			value.Text("name", c.name()),
			value.Text("status", statusOf(c.status)), value.M("startDate", date(c.started))}
		if c.status.Done() {
			a.set("stopDate", date(c.stopped))
		}
		a.text("mapRunArn", r.arn)
		a.number("itemCount", c.items())
		a.number("redriveCount", 0)
		return a.object()
	}), nil
}
