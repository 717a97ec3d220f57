package outcome_test

import (
	"errors"
	"fmt"
	"testing"

	"asldb/engine"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/value"
)

// sequence gives its outputs in turn to the tasks whose number is a multiple of every.
type sequence struct {
	every   int64
	outputs []string
	next    int
}

func (s *sequence) Ask(ask outcome.Ask) outcome.Reply {
	task, ok := ask.(outcome.Task)
	if !ok || task.Request.ID%s.every != 0 || s.next >= len(s.outputs) {
		return outcome.None(fmt.Errorf("not every %d", s.every))
	}
	s.next++
	return outcome.Given(engine.Outcome{Output: value.String(s.outputs[s.next-1])}, "sequence")
}

func (s *sequence) Seek(asked []outcome.Ask) []outcome.Ask {
	s.next = 0
	return outcome.Again(s, asked)
}

func tasks(n int64) []outcome.Ask {
	var asks []outcome.Ask
	for id := range n {
		asks = append(asks, outcome.Task{Request: &engine.TaskRequest{ID: id + 1}})
	}
	return append(asks, outcome.Object{Request: &engine.ObjectRequest{ID: n + 1}})
}

func echo(r *engine.TaskRequest) outcome.Reply {
	return outcome.Given(engine.Outcome{Output: value.Int(r.ID)}, "echo")
}

func TestSources(t *testing.T) {
	for name, create := range map[string]func() outcome.Source{
		"sequence":   func() outcome.Source { return &sequence{every: 2, outputs: []string{"a", "b", "c"}} },
		"func":       func() outcome.Source { return sourcetest.Func(echo) },
		"without":    func() outcome.Source { return outcome.Without(errors.New("none")) },
		"no sources": func() outcome.Source { return outcome.First() },
		"first": func() outcome.Source {
			return outcome.First(&sequence{every: 3, outputs: []string{"x", "y"}},
				outcome.First(&sequence{every: 2, outputs: []string{"a", "b"}}, outcome.Without(nil)))
		},
		"first with a last": func() outcome.Source {
			return outcome.First(&sequence{every: 3, outputs: []string{"x", "y"}},
				&sequence{every: 2, outputs: []string{"a", "b"}}, sourcetest.Func(echo))
		},
	} {
		t.Run(name, func(t *testing.T) { sourcetest.Test(t, create, tasks(12)...) })
	}
}

// The replies come from the source that has one, and the reasons are all of them, the last first.
func TestFirst(t *testing.T) {
	source := outcome.First(&sequence{every: 3, outputs: []string{"x"}},
		&sequence{every: 2, outputs: []string{"a", "b"}})
	got := ""
	for _, ask := range tasks(7) {
		switch reply := source.Ask(ask); reply.Kind() {
		case outcome.KindGiven:
			got += value.Compact(reply.Outcome().Output) + " "
		case outcome.KindContent, outcome.KindRefusal, outcome.KindLater, outcome.KindFault:
			t.Errorf("a reply of kind %s", reply.Kind())
		case outcome.KindNone:
			got += "- "
			if text := reply.Err().Error(); text != "not every 2\nnot every 3" {
				t.Errorf("the reason is %q", text)
			}
		}
	}
	if want := `- "a" "x" "b" - - - - `; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	last := sourcetest.Func(func(*engine.TaskRequest) outcome.Reply { return outcome.None(nil) })
	source = outcome.First(outcome.Without(errors.New("first")), last)
	if none := source.Ask(tasks(1)[0]); none.Kind() != outcome.KindNone || none.Err().Error() != "first" {
		t.Errorf("the reply is %+v", none)
	}
}

// The error of a fault for want of an outcome has the reasons of the sources that were asked before, also where these
// are combined by themselves.
func TestFaultBecause(t *testing.T) {
	last := sourcetest.Func(func(r *engine.TaskRequest) outcome.Reply {
		return outcome.FaultBecause(func(reason error) error {
			return errors.Join(fmt.Errorf("task %d", r.ID), reason)
		})
	})
	one, two := errors.New("one"), errors.New("two")
	source := outcome.First(outcome.First(outcome.Without(one), outcome.Without(nil)), outcome.Without(two), last)
	reply := source.Ask(tasks(1)[0])
	if err := reply.Err(); reply.Kind() != outcome.KindFault || err.Error() != "task 1\ntwo\none" ||
		!errors.Is(err, one) {
		t.Errorf("the reply is %+v", reply)
	}
	alone := last(&engine.TaskRequest{ID: 2})
	if text := alone.Err().Error(); text != "task 2" {
		t.Errorf("alone the fault is %s", text)
	}
}

// faulty breaks one rule of the protocol.
type faulty struct {
	sequence
	rule string
}

func (f *faulty) Ask(ask outcome.Ask) outcome.Reply {
	switch f.rule {
	case "kind":
		return outcome.Content([]byte("{}"), "test")
	case "origin":
		return outcome.Given(engine.Outcome{Error: "E"}, "")
	case "outcome":
		return outcome.Given(engine.Outcome{}, "test")
	case "refusal":
		return outcome.Refusal(nil, "test")
	case "later":
		return outcome.Later(nil)
	case "fault":
		return outcome.Fault(nil)
	}
	return f.sequence.Ask(ask)
}

func (f *faulty) Seek(asked []outcome.Ask) []outcome.Ask {
	left := f.sequence.Seek(asked)
	switch f.rule {
	case "left":
		return asked
	case "stays":
		f.next = len(asked)
	}
	return left
}

// errorsOnly counts the errors of a test that is expected to fail.
type errorsOnly struct {
	testing.TB
	count int
}

func (e *errorsOnly) Errorf(string, ...any) { e.count++ }
func (e *errorsOnly) Helper()               {}

func TestTheSuiteFindsWhatIsWrong(t *testing.T) {
	for _, rule := range []string{"", "kind", "origin", "outcome", "refusal", "later", "fault", "left", "stays"} {
		found := &errorsOnly{TB: t}
		sourcetest.Test(found, func() outcome.Source {
			return &faulty{sequence{every: 2, outputs: []string{"a", "b", "c"}}, rule}
		}, tasks(6)...)
		if (found.count > 0) != (rule != "") {
			t.Errorf("rule %q: %d errors", rule, found.count)
		}
	}
}

func Example() {
	recorded := sourcetest.Func(func(r *engine.TaskRequest) outcome.Reply {
		if r.ID > 1 {
			return outcome.None(errors.New("only one task was recorded"))
		}
		return outcome.Given(engine.Outcome{Output: value.String("recorded")}, "recorded")
	})
	source := outcome.First(recorded, sourcetest.Func(echo))
	for id := range int64(2) {
		reply := source.Ask(outcome.Task{Request: &engine.TaskRequest{ID: id + 1}})
		fmt.Println(value.Compact(reply.Outcome().Output), "by", reply.Origin())
	}
	// Output:
	// "recorded" by recorded
	// 2 by echo
}
