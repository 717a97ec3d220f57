package cli

import (
	"errors"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/fixtures/live"
	"asldb/recorder"
)

// readNested reads the definition of an execution that a task starts, as that of the run itself is read: it may be
// inside of a template, and hold ${Name}s. What is wrong with it is in the error, since a screen may be open.
func (f *definitionFlags) readNested(s *streams, name string) (*asl.StateMachine, error) {
	flags := *f
	flags.resource = "" // it names the state machine of the run itself
	text, err := flags.readDefinition(s, name)
	var wrong *wrongDefinition
	switch {
	case errors.As(err, &wrong):
		return nil, wrong.first()
	case err != nil:
		return nil, err
	case text.made != nil:
		return text.made, nil
	}
	definition, problems := asl.ParseTree(text.source, text.root)
	if definition == nil {
		text.suggestValues(problems)
		return nil, (&wrongDefinition{text.source, problems}).first()
	}
	return definition, nil
}

// first is the first of the problems, as an error.
func (e *wrongDefinition) first() error {
	for _, problem := range e.problems {
		if problem.Severity == source.Error {
			return errors.New(problem.Format(e.source))
		}
	}
	return e
}

// nestedEvents prints the events of the executions that tasks start, each before the event of its task that it brings.
type nestedEvents struct {
	out    *recorder.Writer
	within *recorder.Execution // what is printed now; nil: the run itself
	calls  *live.Calls
	// tasks are those that may get their outcome from an execution.
	tasks map[*engine.Visit]*engine.TaskRequest
}

func newNestedEvents(out *recorder.Writer, calls *live.Calls, within *recorder.Execution) *nestedEvents {
	return &nestedEvents{out: out, within: within, calls: calls, tasks: make(map[*engine.Visit]*engine.TaskRequest)}
}

// write prints an event of the run, and first what an execution did that it is about.
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
