package recorder

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
)

// program is a definition with all that a run of it takes.
type program struct {
	machine *engine.Machine
	options debug.Options
	steps   int // after which a run is left; 0: none
}

// compiled reads a definition; failing it fails the test.
func compiled(t testing.TB, name string, definition []byte) *engine.Machine {
	t.Helper()
	text := &source.File{Name: name, Data: definition}
	parsed, diagnostics := asl.Parse(text)
	if parsed == nil {
		t.Fatal(diagnostics[0].Format())
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// programOf is a definition with an input, whose tasks source answers.
func programOf(t testing.TB, definition, input string, source outcome.Source) program {
	t.Helper()
	return program{
		machine: compiled(t, "test.asl.json", []byte(definition)),
		options: debug.Options{Input: value.Must(input), Source: source, Seed: 1, Limits: engine.ServiceLimits()},
	}
}

// example is one of the project's, with its fixtures.
func example(t testing.TB, definition, fixture string) program {
	t.Helper()
	machine := compiled(t, filepath.Base(definition), read(t, definition))
	file, err := fixtures.Load(fixture, read(t, fixture))
	if err != nil {
		t.Fatal(err)
	}
	source, err := file.Source(machine.Definition())
	if err != nil {
		t.Fatal(err)
	}
	p := program{machine: machine, options: debug.Options{
		Input: file.Input, Context: file.Context, Source: source, Seed: 7, Limits: engine.ServiceLimits(),
	}}
	if p.options.Input == nil {
		p.options.Input = value.ObjectOf()
	}
	if file.StartTime != nil {
		p.options.Start = *file.StartTime
	}
	return p
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// examples are the project's examples whose definition is a separate file, and the demo.
func examples(t testing.TB) map[string]program {
	t.Helper()
	all := map[string]program{"demo": example(t, "../internal/definitions/order.asl.json",
		"../internal/definitions/order.fixtures.yaml")}
	files, err := filepath.Glob("../testdata/examples/*/definition.asl.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		all[filepath.Base(dir)] = example(t, file, filepath.Join(dir, "fixtures.yaml"))
	}
	return all
}

func (p *program) header() *Header {
	definition := p.machine.Definition()
	return &Header{
		Program: "test", Definition: definition.Source, Input: p.options.Input, Context: p.options.Context,
		Start: p.options.Start, Seed: p.options.Seed, Dialect: p.machine.Dialect(), Limits: p.options.Limits,
	}
}

// record runs a program as [program.run] does, and returns its trace and the session.
func record(t testing.TB, p program, options TraceOptions) ([]byte, *debug.Session) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewTraceWriter("test", &out, p.header(), options)
	if err != nil {
		t.Fatal(err)
	}
	s := p.run(t, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(options.Redactions) == 0 {
		checkReplay(t, p, open(t, out.Bytes()))
	}
	return out.Bytes(), s
}

// checkReplay executes every run of a trace again with its inputs: the events are those that were recorded, byte for
// byte.
func checkReplay(t testing.TB, p program, trace *Trace) {
	t.Helper()
	for b := range trace.Forks() {
		run := trace.Run(b)
		recording, err := run.LazyRecording()
		if err != nil {
			t.Fatal(err)
		}
		s, divergence := debug.Replay(p.machine, trace.Header().Options(), recording)
		if divergence != nil {
			t.Fatalf("fork %d: %+v", b, divergence)
		}
		if int64(s.Log().Len()) != run.Len() {
			t.Fatalf("fork %d: %d events, %d were recorded", b, s.Log().Len(), run.Len())
		}
		var got, want []byte
		for event, err := range run.All() {
			if err != nil {
				t.Fatal(err)
			}
			want = AppendEvent(want[:0], event)
			if got = AppendEvent(got[:0], s.Log().At(int(event.Seq)-1)); !bytes.Equal(got, want) {
				t.Fatalf("fork %d:\n got %s\nwant %s", b, got, want)
			}
		}
	}
}

// newTrace begins a trace in memory.
func newTrace(t testing.TB, p program) (*bytes.Buffer, *TraceWriter) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewTraceWriter("test", &out, p.header(), TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &out, w
}

// run runs the program to its end, to a question, or as far as its steps go.
func (p program) run(t testing.TB, sink debug.Sink) *debug.Session {
	t.Helper()
	if p.options.Source != nil {
		p.options.Source.Seek(nil)
	}
	p.options.Sink = sink
	s := debug.New(p.machine, p.options)
	if err := s.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if p.steps > 0 {
		s.Advance(p.steps)
		return s
	}
	for s.Advance(1<<20).Reason == debug.StillRunning {
	}
	return s
}

func open(t testing.TB, data []byte) *Trace {
	t.Helper()
	trace, err := NewTrace("test", bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// checkRun compares a run of a trace with the events that happened, byte for byte.
func checkRun(t testing.TB, run *Run, log *runlog.Log) {
	t.Helper()
	if run.Len() != int64(log.Len()) {
		t.Fatalf("%d events in the trace, %d happened", run.Len(), log.Len())
	}
	for i := range log.Len() {
		checkEvent(t, run, log.At(i))
	}
}

func checkEvent(t testing.TB, run *Run, happened *engine.Event) {
	t.Helper()
	e, err := run.Event(happened.Seq)
	if err != nil {
		t.Fatalf("event %d: %v", happened.Seq, err)
	}
	if got, want := AppendEvent(nil, e), AppendEvent(nil, happened); !bytes.Equal(got, want) {
		t.Fatalf("event %d:\n got %s\nwant %s", happened.Seq, got, want)
	}
	// What the form of an event does not show.
	a, b := e.Visit, happened.Visit
	for ; a != nil && b != nil; a, b = a.Parent, b.Parent {
		if a.State.Name != b.State.Name || a.Thread != b.Thread || a.Index != b.Index || a.Number != b.Number ||
			a.Entered != b.Entered || a.HistoryID != b.HistoryID {
			t.Fatalf("event %d has the visit %+v, want %+v", happened.Seq, a, b)
		}
	}
	if (a == nil) != (b == nil) {
		t.Fatalf("event %d has another depth of visits", happened.Seq)
	}
	if f, g := e.Failure(), happened.Failure(); f != nil && f.Reason() != g.Reason() {
		t.Fatalf("event %d: the reason is %q, want %q", happened.Seq, f.Reason(), g.Reason())
	}
	if r, ok := e.Detail.(*engine.TaskRequest); ok {
		want := happened.Detail.(*engine.TaskRequest)
		if r.TimeoutSet != want.TimeoutSet || r.Integration != want.Integration ||
			!value.Equal(r.Parameters, want.Parameters) {
			t.Fatalf("event %d has the request %+v, want %+v", happened.Seq, r, want)
		}
	}
}
