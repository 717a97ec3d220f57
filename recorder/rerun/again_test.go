package rerun_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/testkit/runs"
	"asldb/recorder"
	"asldb/recorder/history"
)

// withObjects has the objects that a case uploaded, which neither a history nor fixtures made of it have. It has no
// whole Map Runs, which fixtures cannot give: their executions run.
type withObjects struct {
	outcome.Source
	tasks *runs.TaskResults
}

func (w withObjects) Ask(ask outcome.Ask) outcome.Reply {
	switch ask.(type) {
	case outcome.Object:
		return w.tasks.Ask(ask)
	case outcome.MapRun:
		return outcome.None(nil)
	}
	return w.Source.Ask(ask)
}

// Fixtures that are made of a history and its definition give the very same run: the same events, byte for byte.
func TestFixturesGiveTheSameRun(t *testing.T) {
	done := 0
	for _, c := range runs.LoadAWS(t) {
		if c.Kind != "execution" || c.Document() == nil {
			continue
		}
		definition, _ := asl.Parse(&source.File{Name: c.Name, Data: c.Definition})
		if definition == nil {
			continue
		}
		machine, err := engine.Compile(definition, engine.AWS)
		if err != nil {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			r := open(t, c.Name, value.Append(nil, c.Document()))
			options, source := r.Options()
			options.Context = c.Context
			options.Source = withObjects{source, c.Tasks()}
			session := debug.New(machine, options)
			source.Follow(session.Now)
			check, err := r.Check(session, source)
			if err != nil || check.Waits != "" || options.Abort != nil {
				return // runs that cannot be repeated, and values that fixtures cannot express
			}
			done++
			text := fixtures.DraftOf(session).YAML()
			file, err := fixtures.Load("draft.yaml", text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			bound, err := file.Source(definition)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			second := debug.New(machine, debug.Options{
				Input: file.Input, Start: *file.StartTime, Seed: *file.Seed, Context: file.Context,
				Limits: options.Limits,
				Source: withObjects{bound, c.Tasks()},
			})
			if _, err := second.Do(debug.Command{Kind: debug.Continue}); err != nil {
				t.Fatal(err)
			}
			if want, got := eventLines(session), eventLines(second); want != got {
				t.Errorf("%s\n got %s\nwant %s", text, got, want)
			}
		})
	}
	if done > 0 && done < 400 {
		t.Errorf("only %d runs were compared", done)
	}
}

func eventLines(s *debug.Session) string {
	var lines bytes.Buffer
	for event := range s.Log().All() {
		lines.Write(recorder.AppendEvent(nil, event))
		lines.WriteByte('\n')
	}
	return lines.String()
}

// A recording steps as any run does, forwards to its end: with the definition by running again, without by its events.
func TestRecordingsStep(t *testing.T) {
	r := open(t, "order.history.json", file(t, "order.history.json"))
	definition, err := r.Skeleton()
	if err != nil {
		t.Fatal(err)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	options, source := r.Options()
	live := debug.New(compile(t, "order.asl.json", file(t, "order.asl.json")), options)
	source.Follow(live.Now)
	options.Source = nil
	for name, s := range map[string]*debug.Session{"live": live,
		"recorded": debug.ReplayLog(machine, options, debug.Recording{Events: r.Events(definition)})} {
		var states []string
		for range 10 {
			stop, err := s.Do(debug.Command{Kind: debug.StepState})
			if err != nil {
				t.Fatal(err)
			}
			if stop.Reason == debug.StoppedAtEnd {
				break
			}
			last := s.Log().At(s.Position() - 1)
			states = append(states, fmt.Sprint(last.Type, " ", last.Visit.Path()))
		}
		if got := strings.Join(states, ", "); got != "StateEntered LookUp, StateEntered Charge" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// large is the history of an execution with 25,000 events: a loop of tasks.
func large(t testing.TB) []byte {
	t.Helper()
	const definition = `{"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"n.$":"$.n","text.$":"$.text"},"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Variable":"$.n","IsNumeric":true,"Next":"T"}],"Default":"E"},"E":{"Type":"Succeed"}}}`
	text := strings.Repeat("x", 200)
	s := debug.New(compile(t, "loop", []byte(definition)), debug.Options{
		Input: value.Must(`{"n":1,"text":"` + text + `"}`), Source: fixtures.OnMissing(nil, fixtures.Echo),
		Limits: engine.ServiceLimits(),
	})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	events := history.Of(s.Log().All())
	if len(events) < 25_000 {
		t.Fatal(len(events))
	}
	return value.Append(nil, history.Document(events))
}

func BenchmarkImport(b *testing.B) {
	data := large(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := open(b, "large", data)
		if len(r.Execution.Events) < 25_000 {
			b.Fatal(r.Execution.Notes)
		}
	}
}

func BenchmarkEventsAsRecorded(b *testing.B) {
	r := open(b, "large", large(b))
	definition, err := r.Skeleton()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if events := r.Events(definition); len(events) < 20_000 {
			b.Fatal(len(events))
		}
	}
}
