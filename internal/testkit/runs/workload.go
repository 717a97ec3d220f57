package runs

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Workload is one of them, compiled.
type Workload struct {
	Machine         *engine.Machine
	Input, Expected value.Value
	// Steps is the number of state transitions in one run.
	Steps int64
}

// Load compiles a workload, for a test a tenth of it.
func Load(t testing.TB, name string) Workload {
	t.Helper()
	files := FilesFor(t, name)
	definition, diagnostics := asl.Parse(&source.File{Name: name, Data: files.Definition})
	if definition == nil {
		t.Fatal(diagnostics[0].Format())
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) value.Value {
		v, err := value.Parse(text, value.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	return Workload{Machine: machine, Input: read(files.Input), Expected: read(files.Expected), Steps: files.Steps}
}

// Tasks answers the workloads' tasks: an [outcome.Source].
type Tasks struct{ calls int }

// NewTasks returns a source that has answered nothing yet.
func NewTasks() *Tasks { return &Tasks{} }

var noise = value.Value(value.String(strings.Repeat("x", 400)))

// Seek implements [outcome.Source].
func (t *Tasks) Seek(asked []outcome.Ask) (left []outcome.Ask) {
	t.calls = 0
	return outcome.Again(t, asked)
}

// Ask implements [outcome.Source].
func (t *Tasks) Ask(ask outcome.Ask) outcome.Reply {
	if task, ok := ask.(outcome.Task); ok {
		return outcome.Given(t.Outcome(task.Request), "workload")
	}
	return outcome.None(nil)
}

// Outcome returns the outcome of a task.
func (t *Tasks) Outcome(request *engine.TaskRequest) engine.Outcome {
	in := request.Parameters
	t.calls++
	switch request.Resource[strings.LastIndexByte(request.Resource, ':')+1:] {
	case "incr":
		return engine.Outcome{Output: increased(memberOf(in, "c"))}
	case "flaky":
		if t.calls%4 != 0 {
			return engine.Outcome{Error: "Flaky", Cause: "not yet"}
		}
		return engine.Outcome{Output: increased(memberOf(in, "c"))}
	case "work":
		n, _ := memberOf(in, "n").(value.Number).Int64()
		return engine.Outcome{Output: value.ObjectOf(
			value.Member{Key: "n", Value: value.Int(n + 1)},
			value.Member{Key: "echo", Value: in},
			value.Member{Key: "noise", Value: noise},
		)}
	case "touch":
		return engine.Outcome{Output: value.ObjectOf(
			value.Member{Key: "ok", Value: value.Bool(true)},
			value.Member{Key: "keys", Value: value.Int(int64(in.(*value.Object).Len()))},
		)}
	}
	return engine.Outcome{Output: in}
}

func memberOf(v value.Value, key string) value.Value { return v.(*value.Object).Get(key) }

// increased returns {"n": counter.n + 1}.
func increased(counter value.Value) value.Value {
	n, _ := memberOf(counter, "n").(value.Number).Int64()
	return value.ObjectOf(value.Member{Key: "n", Value: value.Int(n + 1)})
}
