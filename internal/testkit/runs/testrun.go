// Package runs makes runs for tests: definitions run to their end, workloads, cases recorded on AWS, histories, and a stub of the API of Step Functions.
package runs

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Outcomes gives the outcome of each task.
type Outcomes func(request *engine.TaskRequest) engine.Outcome

// Echo gives each task its own payload as its output.
func Echo(request *engine.TaskRequest) engine.Outcome {
	return engine.Outcome{Output: request.Parameters}
}

// InTurn gives the outcomes one after the other, whichever task asks, and the last one for all further requests.
func InTurn(outcomes ...engine.Outcome) Outcomes {
	next := 0
	return func(*engine.TaskRequest) engine.Outcome {
		outcome := outcomes[min(next, len(outcomes)-1)]
		next++
		return outcome
	}
}

// Machine compiles a definition. It panics where the definition is not valid.
func Machine(definition string) *engine.Machine {
	parsed, diagnostics := asl.Parse(&source.File{Name: "test.asl.json", Data: []byte(definition)})
	if parsed == nil {
		panic(fmt.Sprint(diagnostics))
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		panic(err)
	}
	return machine
}

// mostEvents ends a run that does not end by itself.
const mostEvents = 100_000

// Run runs a machine to its end and returns the log. The clock skips to the next timer when every thread waits.
// Objects that ItemReaders ask for do not exist. Run panics where the run does not end.
func Run(machine *engine.Machine, input string, outcomes Outcomes) *runlog.Log {
	x := machine.Start(value.Must(input), engine.StartOptions{})
	log := &runlog.Log{}
	for log.Len() < mostEvents {
		switch status := x.Status(); {
		case status.Done():
			return log
		case status == engine.Runnable:
			log.Append(x.Step())
		case status == engine.AwaitingTime:
			at, _ := x.NextTimer()
			must(x.AdvanceTo(at))
		default:
			if request := x.UnansweredObject(); request != nil {
				must(x.AnswerObject(request.ID, nil, &engine.ObjectError{Cause: "The specified key does not exist."}))
				continue
			}
			request := x.Requests()[0]
			must(x.Answer(request.ID, outcomes(request)))
		}
	}
	panic("testrun: the run does not end")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Events returns the events of a log.
func Events(log *runlog.Log) []engine.Event {
	var events []engine.Event
	for event := range log.All() {
		events = append(events, *event)
	}
	return events
}
