package serve

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// events returns the history of an execution, as the service shows it.
func (x *execution) events() []*value.Object {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.converted()
}

// converted is events of an execution that is locked.
func (x *execution) converted() []*value.Object {
	log := x.session().Log()
	if x.history != nil && x.converts == log.Len() {
		return x.history
	}
	found := history.OfInput(x.session().Options().InputText, log.All())
	list := make([]*value.Object, 0, len(found))
	for i := range found {
		e := &found[i]
		if e.Type == "ActivityStarted" {
			t := x.worker(e.Of)
			switch {
			case t == nil:
			case !t.handed && i == len(found)-1:
				continue // no worker has it yet
			case t.handed:
				e.Time, e.Details = t.at.UnixNano(), value.ObjectOf()
				if t.worker != "" {
					e.Details = e.Details.With("workerName", value.String(t.worker))
				}
			}
		}
		if e.Type == "ExecutionStarted" {
			e.Details = e.Details.With("roleArn", value.String(x.revision.role))
		}
		list = append(list, e.Object().With("timestamp", date(time.Unix(0, e.Time))))
	}
	x.history, x.converts = list, log.Len()
	return list
}

// report gives the events of an execution that has ended in the form of CloudWatch's messages; it is locked.
func (x *execution) report(now *view) {
	write := x.server.options.Events
	if write == nil {
		return
	}
	for _, e := range x.converted() {
		details := value.Value(value.ObjectOf())
		for _, member := range e.All() {
			if of, ok := member.(*value.Object); ok {
				details = of
			}
		}
		id, _ := e.Get("id").(value.Number)
		before, _ := e.Get("previousEventId").(value.Number)
		at, _ := e.Get("timestamp").(value.Number)
		write(append(value.Append(nil, value.ObjectOf(value.Text("id", id.Text()), value.Text("type", e.Text("type")),
			value.M("details", details), value.Text("previous_event_id", before.Text()),
			value.Text("event_timestamp", strconv.FormatInt(int64(math.Round(at.Float64()*1000)), 10)),
			value.Text("execution_arn", x.arn), value.Text("redrive_count", strconv.Itoa(now.redrives)))), '\n'))
	}
}

// worker returns the task of an activity that an event of the log scheduled.
func (x *execution) worker(seq int64) *task {
	if request, ok := x.session().Log().At(int(seq) - 1).Detail.(*engine.TaskRequest); ok {
		return x.worked[request.ID]
	}
	return nil
}

// private are the members of an event's details that execution data are.
var private = []string{"input", "inputDetails", "output", "outputDetails", "parameters", "assignedVariables",
	"assignedVariablesDetails"}

func withoutData(event *value.Object) *value.Object {
	for key, member := range event.All() {
		if details, ok := member.(*value.Object); ok {
			for _, name := range private {
				details = details.Without(name)
			}
			event = event.With(key, details)
		}
	}
	return event
}

func (s *Server) getExecutionHistory(_ *call, in *sfn.GetExecutionHistoryInput) (*value.Object, error) {
	x, c, err := s.executionOf(*in.ExecutionArn)
	if err != nil {
		return nil, err
	}
	whole := in.IncludeExecutionData == nil || *in.IncludeExecutionData
	var events []*value.Object
	if c != nil {
		events = c.events()
	} else {
		events = x.events()
	}
	if in.ReverseOrder {
		events = slices.Clone(events)
		slices.Reverse(events)
	}
	part, token, err := page(s, paging{in.MaxResults, in.NextToken,
		[]any{"history", *in.ExecutionArn, in.ReverseOrder, whole}}, events, func(e *value.Object) int64 {
		n, _ := e.Get("id").(value.Number)
		id, _ := n.Int64()
		return id
	}, in.ReverseOrder)
	if err != nil {
		return nil, err
	}
	return listing("events", part, token, func(e *value.Object) value.Value {
		if !whole {
			return withoutData(e)
		}
		return e
	}), nil
}

func (s *Server) redriveExecution(_ *call, in *sfn.RedriveExecutionInput) (*value.Object, error) {
	x, c, err := s.executionOf(*in.ExecutionArn)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return nil, faultf("ExecutionNotRedrivable", "Execution is an execution of a Map Run and cannot be redriven")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, known := range x.redrives {
		if token := deref(in.ClientToken); token != "" && known.token == token {
			return value.ObjectOf(value.M("redriveDate", date(known.at))), nil
		}
	}
	v := *x.view.Load()
	if why := v.notRedrivable(); why != "" {
		return nil, faultf("ExecutionNotRedrivable", "%s", why)
	}
	at := s.now()
	if at.Before(v.stopped) {
		at = v.stopped // its virtual time may be ahead
	}
	if err := x.session().Redrive(debug.Redriving{Time: at}); err != nil {
		return nil, faultf("ExecutionNotRedrivable", "%s", err.Error())
	}
	x.redrives = append(x.redrives, redrive{deref(in.ClientToken), at})
	x.redrives = x.redrives[max(len(x.redrives)-10, 0):]
	x.view.Store(&view{redrives: v.redrives + 1, redriven: at})
	x.done = make(chan struct{})
	s.mu.Lock()
	s.ended--
	s.mu.Unlock()
	if err := x.session().Begin(debug.Command{Kind: debug.Continue}); err != nil {
		return nil, err
	}
	x.wake()
	return value.ObjectOf(value.M("redriveDate", date(at))), nil
}
