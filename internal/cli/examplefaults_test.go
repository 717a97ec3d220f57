package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/source"
	"asldb/fixtures"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
)

// example is a shipped definition with its fixtures.
type example struct {
	name     string
	machine  *engine.Machine
	fixtures *fixtures.File
}

func examples(t *testing.T) []example {
	t.Helper()
	s := &command.Streams{Err: io.Discard}
	made := func(name string, text *definitions.Text, file *fixtures.File) example {
		definition, err := text.Parse()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		machine, err := engine.Compile(definition, engine.AWS)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return example{name, machine, file}
	}
	load := func(name string, data []byte) *fixtures.File {
		file, err := fixtures.Load(name, data)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	text, err := definitions.TextOf(&source.File{Name: definitions.DefinitionName, Data: definitions.DemoDefinition})
	if err != nil {
		t.Fatal(err)
	}
	found := []example{made("demo", text, load(definitions.FixturesName, definitions.Fixtures))}
	folders, err := filepath.Glob("../../testdata/examples/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no examples: %v", err)
	}
	for _, folder := range folders {
		d := definitions.Definition{}
		if file := filepath.Join(folder, "substitutions.yaml"); exists(file) {
			d.Substitutions = file
		}
		text, err := command.OpenText(s, d, definitionIn(t, folder))
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		file := filepath.Join(folder, "fixtures.yaml")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, made(filepath.Base(folder), text, load(file, data)))
	}
	return found
}

// faultySource lets one state fail, once or always, and otherwise answers as the fixtures do. Where those have no more
// for a state, its last result comes again.
type faultySource struct {
	*fixtures.Source
	state  *asl.State
	fault  string
	always bool
	faults int
	last   map[*asl.State]outcome.Reply
}

// Ask implements outcome.Source.
func (s *faultySource) Ask(ask outcome.Ask) outcome.Reply {
	task, ok := ask.(outcome.Task)
	if !ok {
		return s.Source.Ask(ask)
	}
	state := task.Request.Visit.State
	if state == s.state && (s.always || s.faults == 0) {
		s.faults++
		return outcome.Given(engine.Outcome{Error: s.fault, Cause: "as the test wants it"}, "test")
	}
	reply := s.Source.Ask(ask)
	switch reply.Kind() {
	case outcome.KindGiven:
		if reply.Outcome().Output != nil {
			s.last[state] = reply
		}
	case outcome.KindNone:
		if last, known := s.last[state]; known {
			return last
		}
	case outcome.KindContent, outcome.KindRefusal, outcome.KindLater, outcome.KindFault:
	}
	return reply
}

// handled returns the names of errors that the Retry and the Catch of a definition's states have, and the ones that
// any task may end with.
func handled(definition *asl.StateMachine) []string {
	names := []string{"States.Timeout", "States.HeartbeatTimeout", "States.TaskFailed", "Unknown.Error"}
	for state := range definition.All() {
		var listed []string
		for _, r := range state.Retry {
			listed = append(listed, r.ErrorEquals...)
		}
		for _, c := range state.Catch {
			listed = append(listed, c.ErrorEquals...)
		}
		for _, name := range listed {
			if name != "States.ALL" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// run runs an example to its end with a fault in it.
func (x *example) run(t *testing.T, s *faultySource) *debug.Session {
	t.Helper()
	bound, err := x.fixtures.Source(x.machine.Definition())
	if err != nil {
		t.Fatal(err)
	}
	s.Source, s.last = bound, make(map[*asl.State]outcome.Reply)
	options := debug.Options{
		Source: s, Input: x.fixtures.Input, Context: x.fixtures.Context, Limits: engine.ServiceLimits(), Seed: 1,
		Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	options.Limits.History = engine.ServiceLimits().History
	bound.Begin(options.Start, options.Seed)
	session := debug.New(x.machine, options)
	if err := session.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	stop := session.Advance(1 << 20)
	if stop.Reason != debug.StoppedAtEnd {
		t.Fatalf("the run stops for %v: %v", stop.Reason, stop.Err)
	}
	return session
}

// TestExamplesHandleFaults runs every shipped example with every error that a task of it may end with, once and always:
// behind a fault, handled or not, no state fails because its data are missing or of another type.
func TestExamplesHandleFaults(t *testing.T) {
	runs := 0
	for _, x := range examples(t) {
		definition := x.machine.Definition()
		names := handled(definition)
		for state := range definition.All() {
			if state.Type != asl.Task {
				if len(state.Retry)+len(state.Catch) > 0 {
					t.Errorf("%s: %s is not a task and handles errors, which is not tested here", x.name, state.Path())
				}
				continue
			}
			for _, fault := range names {
				for _, always := range []bool{false, true} {
					runs++
					s := &faultySource{state: state, fault: fault, always: always}
					session := x.run(t, s)
					if s.faults == 0 {
						t.Errorf("%s: %s is never asked for a result", x.name, state.Path())
					}
					for event := range session.Log().All() {
						if f := event.Failure(); f != nil && f.Name == engine.ErrorRuntime {
							t.Errorf("%s: %s in %s (always: %v) leads to %s in %s: %s", x.name, fault, state.Path(), always, f.Name, f.Origin.Path(), f.Cause)
							break
						}
					}
				}
			}
		}
	}
	t.Logf("%d runs", runs)
}

// TestApprovalWithoutAnAnswer: it asks three times and fails with its own error.
func TestApprovalWithoutAnAnswer(t *testing.T) {
	for _, x := range examples(t) {
		if x.name != "approval" {
			continue
		}
		for state := range x.machine.Definition().All() {
			if state.Name != "Ask" {
				continue
			}
			s := &faultySource{state: state, fault: "States.HeartbeatTimeout", always: true}
			session := x.run(t, s)
			failure := session.Failure()
			if s.faults != 3 || failure == nil || failure.Name != "Approval.Unanswered" || !strings.Contains(failure.Cause, "a-7 was asked for 3 times") {
				t.Errorf("asked %d times, %+v", s.faults, failure)
			}
			return
		}
	}
	t.Error("the example is not there")
}
