package debug_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

var errEnough = errors.New("enough")

// whim interrupts at looks drawn at random, at most twice before it is told that something was done.
type whim struct {
	random *rand.Rand
	left   int
	hits   int
	all    int
}

func newWhim(seed uint64) *whim { return &whim{random: rand.New(rand.NewPCG(seed, 1))} }

func (w *whim) check() error {
	if w.left--; w.left >= 0 || w.hits == 2 {
		return nil
	}
	w.hits++
	w.all++
	w.left = w.random.IntN(8)
	return errEnough
}

// interruptedSource is a source whose own evaluations are interrupted now and then.
type interruptedSource struct {
	outcome.Source
	asked int
}

func (s *interruptedSource) Ask(ask outcome.Ask) outcome.Reply {
	if s.asked++; s.asked%3 != 0 {
		return outcome.Fault(fmt.Errorf("for a task: %w", &interrupt.Error{Reason: errEnough}))
	}
	return s.Source.Ask(ask)
}

// slow is a machine whose expressions take some thousand steps, its breakpoints' and watches' included.
const slow = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
	"A":{"Type":"Pass","Output":"{% {'items': [1..400].{'v': $, 'r': $random()}, 'sum': $sum([1..2000].($ * 2))} %}","Next":"M"},
	"M":{"Type":"Map","Items":"{% [1..6] %}","MaxConcurrency":2,"ItemSelector":{"v":"{% $sum($states.input.items.v) + $states.context.Map.Item.Value %}","r":"{% $random() %}"},
		"ItemProcessor":{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",
			"Retry":[{"ErrorEquals":["Again"],"MaxAttempts":2,"JitterStrategy":"FULL"}],
			"Arguments":"{% {'x': $states.input.v, 'y': $count([1..2500].($))} %}","Next":"C"},
			"C":{"Type":"Choice","Choices":[{"Condition":"{% $count([1..2500].($)) + $random() > 2500.5 %}","Next":"P"}],"Default":"P"},
			"P":{"Type":"Pass","Output":"{% {'u': $uuid(), 'items': [1..300].($)} %}","End":true}}},
		"Output":"{% $states.result %}","Next":"E"},
	"E":{"Type":"Fail","Error":"{% 'E' & $count([1..2500].($)) %}"}}}`

// outcomesOfSlow are given in the order in which the tasks ask.
func outcomesOfSlow() *runs.Script {
	list := []engine.Outcome{{Error: "Again"}, {Output: value.Must(`1`)}, {Error: "Again"}, {Error: "Again"}}
	for range 10 {
		list = append(list, engine.Outcome{Output: value.Must(`{"ok":true}`)})
	}
	return &runs.Script{Outcomes: list}
}

// A run that is interrupted again and again, and continues each time, is byte for byte the run that was left alone: its
// events, its inputs, the hits of its breakpoints and the messages of its logpoints.
func TestInterruptedRunsAreTheSameRuns(t *testing.T) {
	run := func(source outcome.Source, w *whim) (*debug.Session, *tape, []string) {
		sink := &tape{}
		s := session(t, slow, debug.Options{Seed: 5, Sink: sink, Source: source})
		for _, spec := range []string{"T if len($..v) > 0", "P:OutputPath hits % 2",
			"T if $..items[?(@.v == 7)] log {len($..v)}", "change $..v"} {
			if _, err := s.Breakpoints().Add(spec); err != nil {
				t.Fatal(err)
			}
		}
		watch, err := s.Watches().Add("$..v")
		if err != nil {
			t.Fatal(err)
		}
		if w != nil {
			s.SetInterrupt(w.check)
		}
		for s.Stop().Reason != debug.StoppedAtEnd {
			stop := do(t, s, debug.Continue)
			if stop.Reason == debug.StoppedByInterrupt {
				if w == nil || !interrupt.Is(stop.Err) || !errors.Is(stop.Err, errEnough) {
					t.Fatalf("stopped with %v", stop.Err)
				}
				continue
			}
			if w != nil {
				w.hits = 0
			}
		}
		s.SetInterrupt(nil)
		var counted []string
		for _, b := range s.Breakpoints().All() {
			counted = append(counted, fmt.Sprintf("%s: %d", b, b.Hits))
		}
		for _, m := range s.Breakpoints().Messages() {
			counted = append(counted, fmt.Sprintf("%d %d %s", m.Event, m.Breakpoint, m.Text))
		}
		counted = append(counted, fmt.Sprint(len(s.Watches().Changes(watch))))
		return s, sink, counted
	}
	alone, want, counts := run(outcomesOfSlow(), nil)
	if failure := alone.Failure(); failure == nil || failure.Name != "E2500" {
		t.Fatalf("ended with %v", failure)
	}
	interruptions := 0
	for seed := range uint64(3) {
		w := newWhim(seed)
		_, got, counted := run(&interruptedSource{Source: outcomesOfSlow()}, w)
		interruptions += w.all
		sameLines(t, "the interrupted run", lines(got.events), lines(want.events))
		if len(got.inputs) != len(want.inputs) {
			t.Fatalf("it was told %d inputs, want %d", len(got.inputs), len(want.inputs))
		}
		for i, a := range got.inputs {
			if b := want.inputs[i]; a.Kind != b.Kind || a.Step != b.Step || a.After != b.After ||
				a.Request != b.Request {
				t.Errorf("answer %d is %v at step %d after event %d, want %v, %d, %d", i, a.Kind, a.Step, a.After,
					b.Kind, b.Step, b.After)
			}
		}
		if !slices.Equal(counted, counts) {
			t.Errorf("counted\n%s\nwant\n%s", strings.Join(counted, "\n"), strings.Join(counts, "\n"))
		}
	}
	if interruptions < 50 {
		t.Errorf("interrupted %d times", interruptions)
	}
}

// A look at the log can be interrupted, too: the error says so, and the session stays where it is.
func TestLookingBackCanBeInterrupted(t *testing.T) {
	s := session(t, slow, debug.Options{Seed: 5, Source: outcomesOfSlow()})
	do(t, s, debug.Continue)
	if _, err := s.Breakpoints().Add("M if $..v == 'never'"); err != nil {
		t.Fatal(err)
	}
	watch, err := s.Watches().Add("$..items[?(@.v == 399)]")
	if err != nil {
		t.Fatal(err)
	}
	stop := false
	s.SetInterrupt(func() error {
		if stop {
			return errEnough
		}
		return nil
	})
	end, entered := s.Position(), -1
	for i := range end {
		if e := s.Log().At(i); e.Type == engine.StateEntered && e.Visit.State.Name == "M" {
			entered = i
		}
	}
	repeat := func(what string, f func() error) {
		t.Helper()
		for range 50 { // each look is some way off
			if err := f(); err != nil {
				if !errors.Is(err, errEnough) || !interrupt.Is(err) {
					t.Errorf("%s: %v", what, err)
				}
				return
			}
		}
		t.Errorf("%s was not interrupted", what)
	}
	for stop = true; stop; stop = false {
		repeat("a value", func() error { _, err := s.Watches().Evaluate("$..v", entered); return err })
		repeat("a watch", func() error { _, err := s.Watches().At(watch, entered); return err })
		repeat("a search", func() error { _, _, err := s.Watches().Find("$..v == 'never'", -1, false); return err })
		repeat("the last change", func() error { _, _, err := s.Watches().LastChange("$..v", end-2, true); return err })
		repeat("going back", func() error {
			stop, err := s.Back(debug.Command{Kind: debug.Continue})
			if err == nil && stop.Reason == debug.StoppedByInterrupt {
				return stop.Err
			}
			return err
		})
		if s.Position() != end {
			t.Errorf("it went to event %d", s.Position())
		}
	}
	if v, err := s.Watches().Evaluate("$..v", entered); err != nil || v.(*value.Array).Len() != 400 {
		t.Errorf("afterwards: %v", err)
	}
	if len(s.Watches().Changes(watch)) == 0 {
		t.Error("what was interrupted is lost")
	}
}

// Where the way back is interrupted, the session is where it has come to.
func TestGoingBackCanBeInterrupted(t *testing.T) {
	s := session(t, slow, debug.Options{Seed: 5, Source: outcomesOfSlow()})
	do(t, s, debug.Continue)
	end := s.Position()
	s.SetInterrupt(func() error { return errEnough })
	s.GoTo(20)
	_, _, _ = s.Interventions().Editable(0) // it needs the execution
	threads := s.Threads()
	if at := s.Position(); at >= 20 || s.Stop().Reason != debug.StoppedByInterrupt || !interrupt.Is(s.Stop().Err) {
		t.Errorf("it is at event %d of %d with %v", at, end, s.Stop())
	}
	s.SetInterrupt(nil)
	at := s.Position()
	s.GoTo(end)
	s.GoTo(at)
	if again := s.Threads(); fmt.Sprint(again) != fmt.Sprint(threads) {
		t.Errorf("there were the threads %v, and there are %v", threads, again)
	}
	if s.GoTo(20); s.Position() != 20 || len(s.Threads()) == 0 {
		t.Errorf("afterwards it goes to %d", s.Position())
	}
}
