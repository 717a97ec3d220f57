package suiterun

import (
	"strings"

	"asldb/engine"
	"asldb/engine/coverage"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/suite"
)

// Suite is a suite that was written.
type Suite struct {
	// Text is the suite, as YAML.
	Text []byte
	// Cases is the number of its cases.
	Cases int
	// Unreached has a line for each rule, retrier and catcher that no case reaches.
	Unreached []string
	// Coverage are the parts of the definition with the number of cases that go through them; of cases of recorded
	// executions and of fixtures it has none.
	Coverage coverage.Definition
}

// EndOf says in words how an execution ended, if it has not succeeded: "ends FAILED with Order.Rejected".
func EndOf(status engine.Status, name string) string {
	switch {
	case status == engine.Succeeded:
		return ""
	case status == engine.Failed && name != "":
		return "ends FAILED with " + name
	}
	return "ends " + status.String()
}

// Expected writes the status, the error and the path of a run as expectations, each in a line.
func Expected(status engine.Status, name string, path []string) string {
	const indent = "      "
	text := indent + "status: " + status.String() + "\n"
	if status == engine.Failed && name != "" {
		text += indent + "error: " + suite.Quote(name) + "\n"
	}
	return text + indent + "path: [" + strings.Join(shortened(value.Each(path, value.Quote)), ", ") + "]\n"
}

// expectations are those that a run meets.
func expectations(log *runlog.Log) string {
	end := endOf(log)
	return Expected(end.status, end.name, end.path)
}

// ending is how a run ended, and the states of its top thread.
type ending struct {
	status engine.Status
	name   string
	path   []string
}

func endOf(log *runlog.Log) ending {
	end := ending{status: engine.Failed, path: TopPath(log)}
	switch last := log.Last(); last.Type {
	case engine.ExecutionSucceeded:
		end.status = engine.Succeeded
	case engine.ExecutionTimedOut:
		end.status = engine.TimedOut
	default:
		if f := last.Failure(); f != nil {
			end.name = f.Name
		}
	}
	return end
}

// TopPath returns the names of the states that the top of an execution has entered.
func TopPath(log *runlog.Log) (names []string) {
	for event := range log.All() {
		if event.Type == engine.StateEntered && event.Visit.Parent == nil {
			names = append(names, event.Visit.State.Name)
		}
	}
	return names
}

// maxPath is the greatest number of states of a path that is written as a whole.
const maxPath = 40

// shortened leaves out the middle of a long path.
func shortened(names []string) []string {
	if len(names) <= maxPath {
		return names
	}
	return append(append(names[:maxPath/2:maxPath/2], `"..."`), names[len(names)-1])
}
