package runs

import (
	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/waiter"
	"asldb/fixtures/live"
	"asldb/recorder"
)

// nestedEvents prints the events of the executions that tasks start, each before the event of its task that it brings.
type nestedEvents struct {
	out    *recorder.Writer
	within *recorder.Execution // the execution that is printed; nil: the run itself
	calls  *live.Calls
	// tasks are those that may get their outcome from an execution.
	tasks map[*engine.Visit]*engine.TaskRequest
	// polls are a waiter's polls; nil for definitions.
	polls *waiter.Polls
}

func newNestedEvents(out *recorder.Writer, calls *live.Calls, within *recorder.Execution) *nestedEvents {
	return &nestedEvents{out: out, within: within, calls: calls, tasks: make(map[*engine.Visit]*engine.TaskRequest)}
}

// write prints an event of the run, after the events of the execution that it is about.
func (n *nestedEvents) write(event *engine.Event) error {
	if request := n.tasks[event.Visit]; request != nil {
		if child := n.calls.Take(request); child != nil {
			delete(n.tasks, event.Visit)
			if err := n.writeChild(child); err != nil {
				return err
			}
		}
		if event.Type == engine.StateExited {
			delete(n.tasks, event.Visit)
		}
	}
	if request, ok := event.Detail.(*engine.TaskRequest); ok && event.Type == engine.TaskScheduled && n.calls != nil {
		n.tasks[event.Visit] = request
	}
	if n.polls != nil {
		if poll := n.polls.Add(event); poll != nil {
			return n.out.WriteWith(event, "poll", poll.Value())
		}
	}
	return n.out.WriteOf(event, n.within)
}

func (n *nestedEvents) writeChild(child *live.Child) error {
	inner := newNestedEvents(n.out, child.Calls, &recorder.Execution{
		Title: child.Title, State: child.Request.Visit.Path(), Request: child.Request.ID, In: n.within,
	})
	return inner.writeLog(child.Session.Log())
}

func (n *nestedEvents) writeLog(log *runlog.Log) error {
	for event := range log.All() {
		if err := n.write(event); err != nil {
			return err
		}
	}
	return nil
}
