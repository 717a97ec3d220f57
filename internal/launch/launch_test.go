package launch_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

const definition = `{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","End":true}}}`

func parse(text string) definitions.Definition {
	parsed, err := definitions.TextOf(&source.File{Name: "order.asl.json", Data: []byte(text)})
	if err != nil {
		panic(err)
	}
	return definitions.Definition{Text: parsed}
}

func load(text string) launch.Fixtures {
	file, err := fixtures.Load("order.yaml", []byte("version: 1\n"+text))
	if err != nil {
		panic(err)
	}
	return launch.Fixtures{File: file}
}

// A face fills a Spec, shows the session of the Run, and closes it.
func Example() {
	run, err := launch.New(launch.Spec{
		Definition: parse(definition), Dialect: engine.AWS, Input: launch.Input{Text: `{"total": 12}`},
		Fixtures: load(`tasks: {Charge: [{output: {paid: true}}]}`), Missing: fixtures.Fail,
		Breakpoints: []string{"Charge"},
	})
	if err != nil {
		fmt.Println(errors.Join(err, run.Close()))
		return
	}
	defer run.Close()
	for range 2 {
		stop, err := run.Session.Do(debug.Command{Kind: debug.Continue})
		fmt.Println(stop.Reason == debug.StoppedByBreakpoint, run.Session.Status(), err)
	}
	fmt.Println(value.Compact(run.Session.Output()), len(run.Source.Unused()), "unused")
	// Output:
	// true RUNNING <nil>
	// false SUCCEEDED <nil>
	// {"paid":true} 0 unused
}

// Fields that a Spec leaves out are taken from the fixtures, else have their defaults.
func TestDefaults(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 123456789, time.FixedZone("", 3600)) }
	file := load("input: {a: 1}\nseed: 7\nstartTime: \"2026-01-01T00:00:00Z\"\n")
	seed := int64(3)
	for _, c := range []struct {
		spec  launch.Spec
		input string
		seed  int64
		start string
	}{
		{launch.Spec{}, `{}`, 1, "2026-05-04T02:02:01.123Z"},
		{launch.Spec{Fixtures: file}, `{"a":1}`, 7, "2026-01-01T00:00:00Z"},
		{launch.Spec{Fixtures: file, Input: launch.Input{Value: value.Must(`[2]`)}, Seed: &seed,
			Start: time.Unix(0, 0)}, `[2]`, 3, "1970-01-01T00:00:00Z"},
		{launch.Spec{Wrap: func(v value.Value) value.Value { return value.ArrayOf(v) }}, `[{}]`, 1,
			"2026-05-04T02:02:01.123Z"},
	} {
		c.spec.Definition, c.spec.Dialect, c.spec.Now = parse(definition), engine.AWS, now
		run, err := launch.New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		o := run.Session.Options()
		if got := o.Start.Format(time.RFC3339Nano); value.Compact(o.Input) != c.input || o.Seed != c.seed ||
			got != c.start {
			t.Errorf("%s, %d, %s; want %s, %d, %s", value.Compact(o.Input), o.Seed, got, c.input, c.seed, c.start)
		}
		if run.Calls != nil || run.Trace != nil || run.Recorded != nil || run.About != nil {
			t.Errorf("the run has %+v", run)
		}
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestErrorsNameTheirPart(t *testing.T) {
	there := filepath.Join(t.TempDir(), "run.trace")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("not today")
	for name, c := range map[string]struct {
		spec launch.Spec
		part files.Part
		want string
	}{
		"input": {launch.Spec{Input: launch.Input{Value: value.String("ab")}, Limits: engine.Limits{Payload: 3}},
			files.PartInput, "the input: the input has 4 bytes, and Step Functions takes at most 3"},
		"breakpoint": {launch.Spec{Breakpoints: []string{"Chrage"}}, files.PartBreakpoint, "Charge"},
		"trace":      {launch.Spec{Trace: &launch.Trace{File: there}}, files.PartTrace, "the trace: cannot record in"},
		"fixtures": {launch.Spec{Fixtures: load("tasks: {Chrage: [{output: 1}]}")}, 0,
			"the fixtures do not fit the definition:\norder.yaml:2:9"},
		"permission": {launch.Spec{Fixtures: load(""),
			Permit: func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error) {
				return fixtures.Permission{}, refused
			}}, 0, "not today"},
	} {
		c.spec.Definition, c.spec.Dialect = parse(definition), engine.AWS
		run, err := launch.New(c.spec)
		var wrong *files.PartError
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &wrong) != (c.part > 0) ||
			wrong != nil && wrong.Part != c.part {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		_ = run.Close()
	}
	if _, err := launch.New(launch.Spec{}); err == nil {
		t.Error("a Spec without anything makes a run")
	}
}

// A history runs again with its definition, and is shown without.
func TestHistory(t *testing.T) {
	const name = "order.history.json"
	from := filepath.Join("..", "..", "recorder", "rerun", "testdata")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	open := func() launch.History {
		executions, err := history.Read(history.File{Name: name, Data: read(name)})
		if err != nil {
			t.Fatal(err)
		}
		return launch.History{Recording: rerun.Of(executions[0])}
	}
	trace := filepath.Join(t.TempDir(), "run.trace")
	run, err := launch.New(launch.Spec{
		Definition: parse(string(read("order.asl.json"))), Dialect: engine.AWS, History: open(),
		Trace: &launch.Trace{File: trace, Program: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if stop, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil ||
		stop.Reason != debug.StoppedAtEnd {
		t.Errorf("stops with %+v, %v", stop, err)
	}
	if f := run.Session.Failure(); f == nil || f.Name != "Card.Declined" || run.Diverged || !run.Recorded.Agrees ||
		len(run.About) == 0 {
		t.Errorf("failure %v, the run %+v", f, run)
	}
	if err := run.Close(); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(trace); err != nil || !strings.Contains(string(data), "Card.Declined") {
		t.Errorf("the trace is %d bytes, %v", len(data), err)
	}
	shown, err := launch.New(launch.Spec{History: open(), Breakpoints: []string{"Charge"}})
	if err != nil || !shown.Session.ReadOnly() || shown.Recorded != nil {
		t.Errorf("%+v, %v", shown, err)
	}
	if _, err := launch.New(launch.Spec{History: open(), Input: launch.Input{Value: value.Null{}}}); err == nil {
		t.Error("a history without a definition takes an input")
	}
}
