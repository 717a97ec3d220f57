package debug_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/recorder/history"
)

func redriveMachine(t *testing.T, definition string, dialect engine.Dialect) *engine.Machine {
	t.Helper()
	parsed, problems := asl.Parse(&source.File{Name: "redrive", Data: []byte(definition)})
	if parsed == nil {
		t.Fatal(problems[0].Message)
	}
	machine, err := engine.Compile(parsed, dialect)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// answering gives a task, by the end of its resource's name, the result of its invocation; a text that begins with ! is
// an error.
type answering map[string][]string

func (a answering) source() outcome.Source {
	return sourcetest.Func(func(r *engine.TaskRequest) outcome.Reply {
		name := r.Resource[strings.LastIndex(r.Resource, ":")+1:]
		list := a[name]
		if len(list) == 0 {
			return outcome.None(nil)
		}
		next := list[min(r.Invocation, len(list))-1]
		if failure, failed := strings.CutPrefix(next, "!"); failed {
			return outcome.Given(engine.Outcome{Error: failure, Cause: "c"}, "test")
		}
		if next == "payload" {
			return outcome.Given(engine.Outcome{Output: r.Parameters}, "test")
		}
		return outcome.Given(engine.Outcome{Output: value.Must(next)}, "test")
	})
}

func runToEnd(t *testing.T, s *debug.Session) debug.Stop {
	t.Helper()
	stop, err := s.Do(debug.Command{Kind: debug.Continue})
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

const task = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:`

func entered(s *debug.Session, from int) string {
	var names []string
	for i := from; i < s.Log().Len(); i++ {
		if e := s.Log().At(i); e.Type == engine.StateEntered {
			names = append(names, e.Visit.Path())
		}
	}
	return strings.Join(names, " ")
}

// The rules of the guide: which states are run again, with which input; the retries and the machine's time count anew.
func TestRedrive(t *testing.T) {
	tests := []struct {
		name, definition, input string
		answers                 answering
		first, again, output    string // the status of the first attempt, the states of the redrive, its output or error
		history                 string // of the redrive
	}{
		{
			"a Task", `{"StartAt":"P","States":{"P":{"Type":"Pass","Result":{"n":1},"ResultPath":"$.p","Assign":{"v":7},"Next":"T"},
				"T":{` + task + `f","Retry":[{"ErrorEquals":["E"],"MaxAttempts":1}],"Next":"Q"},"Q":{"Type":"Pass","Parameters":{"v.$":"$v","count.$":"$$.Execution.RedriveCount"},"End":true}}}`, `{"a":1}`,
			answering{"f": {"!E", "!E", "!E", `{"ok":true}`}}, "FAILED", "T Q", `{"v":7,"count":1}`,
			"12←11 ExecutionRedriven 13←12 LambdaFunctionScheduled 14←13 LambdaFunctionStarted 15←14 LambdaFunctionFailed 16←15 LambdaFunctionScheduled " +
				"17←16 LambdaFunctionStarted 18←17 LambdaFunctionSucceeded 19←18 TaskStateExited 20←19 PassStateEntered 21←20 PassStateExited 22←21 ExecutionSucceeded",
		},
		{
			"a Fail", `{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"X"}}}`, `{}`, nil, "FAILED", "F", "X",
			"4←3 ExecutionRedriven 5←4 FailStateEntered 6←5 ExecutionFailed",
		},
		{
			"a Parallel", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
				{"StartAt":"A","States":{"A":{` + task + `a","End":true}}},
				{"StartAt":"B","States":{"B":{"Type":"Pass","Next":"C"},"C":{` + task + `b","End":true}}}]}}}`, `{}`,
			answering{"a": {`1`, `"again"`}, "b": {"!E", `2`}}, "FAILED", "P P/Branches[1]/C", "[1,2]", "",
		},
		{
			"a Map", `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"End":true,"ItemProcessor":{"StartAt":"I","States":{
				"I":{"Type":"Pass","Assign":{"x.$":"$"},"Next":"J"},"J":{` + task + `j","Parameters":{"x.$":"$x"},"End":true}}}}}}`, `[10,20,30]`,
			answering{"j": {"payload", "!E", "payload", "payload"}}, "FAILED",
			"M M/Iterations[1]/J M/Iterations[2]/I M/Iterations[2]/J", `[{"x":10},{"x":20},{"x":30}]`, "",
		},
		{
			"a Map whose data were too large", `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"End":true,"ItemProcessor":{"StartAt":"I","States":{
				"I":{` + task + `j","End":true}}}}}}`, `[1,2]`,
			answering{"j": {"1", "!States.DataLimitExceeded", "3", "4"}}, "FAILED",
			"M M/Iterations[0]/I M/Iterations[1]/I", `[3,4]`, "",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := debug.New(redriveMachine(t, test.definition, engine.AWS),
				debug.Options{Input: value.Must(test.input), Source: test.answers.source()})
			runToEnd(t, s)
			if got := s.Status().String(); got != test.first {
				t.Fatalf("at first it is %s", got)
			}
			n := s.Log().Len()
			if err := s.Redrive(debug.Redriving{}); err != nil {
				t.Fatal(err)
			}
			if s.Status() != engine.Runnable || s.Redriven() != n {
				t.Errorf("it is %v after %d events", s.Status(), s.Redriven())
			}
			runToEnd(t, s)
			if event := s.Log().At(n); event.Type != engine.ExecutionRedriven {
				t.Errorf("it continues with %v", event.Type)
			}
			if got := entered(s, n); got != test.again {
				t.Errorf("run again: %s, want %s", got, test.again)
			}
			got := ""
			if s.Output() != nil {
				got = value.Compact(s.Output())
			} else if s.Failure() != nil {
				got = s.Failure().Name
			}
			if got != test.output {
				t.Errorf("it ends with %s, want %s", got, test.output)
			}
			var ids []string
			for _, event := range history.Of(s.Log().All()) {
				if event.ID > int64(s.Log().At(n).HistoryID)-1 {
					ids = append(ids, fmt.Sprintf("%d←%d %s", event.ID, event.Previous, event.Type))
				}
			}
			if text := strings.Join(ids, " "); test.history != "" && text != test.history {
				t.Errorf("history\n got %s\nwant %s", text, test.history)
			}
			backAndForth(t, s, n)
		})
	}
}

// backAndForth goes through the events of a redriven run, whose position can be anywhere.
func backAndForth(t *testing.T, s *debug.Session, redriven int) {
	t.Helper()
	last := s.Log().Len()
	for n := last; n >= 0; n-- {
		s.GoTo(n)
		_, _, _ = s.Status(), s.Threads(), s.Focused()
	}
	runToEnd(t, s)
	if s.Position() != last {
		t.Errorf("the run goes from event %d to %d, and %d were there", redriven, s.Position(), last)
	}
}

// A second redrive continues from the end of the first; what succeeded in either stays.
func TestRedriveTwice(t *testing.T) {
	const definition = `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"End":true,"ItemProcessor":{"StartAt":"I","States":{"I":{` + task + `j","End":true}}}}}}`
	answers := answering{"j": {"1", "!E", "2", "!E", "3"}}
	s := debug.New(redriveMachine(t, definition, engine.AWS),
		debug.Options{Input: value.Must(`[0,0,0]`), Source: answers.source()})
	runToEnd(t, s)
	for range 2 {
		if s.Status() != engine.Failed {
			t.Fatal(s.Status())
		}
		if err := s.Redrive(debug.Redriving{}); err != nil {
			t.Fatal(err)
		}
		runToEnd(t, s)
	}
	if s.Status() != engine.Succeeded || value.Compact(s.Output()) != "[1,2,3]" {
		t.Errorf("%v %v", s.Status(), s.Output())
	}
	if forks := s.Forks().All(); len(forks) != 3 || forks[2].Cause != "redrive" || forks[2].Parent != 2 {
		t.Errorf("forks %+v", forks)
	}
}

// What-if: another definition, another input of the state that failed.
func TestRedriveOtherwise(t *testing.T) {
	const definition = `{"TimeoutSeconds":9,"StartAt":"P","States":{"P":{"Type":"Pass","Next":"T"},"T":{` + task +
		`f","End":true}}}`
	s := debug.New(redriveMachine(t, definition, engine.AWS),
		debug.Options{Input: value.Must(`{"a":1}`), Source: answering{"f": {"!E", "payload"}}.source()})
	runToEnd(t, s)
	changed := redriveMachine(t, strings.Replace(definition, `f","End"`, `f","ResultSelector":{"got.$":"$.a"},"End"`,
		1), engine.AWS)
	if err := s.Redrive(debug.Redriving{Machine: changed, Input: value.Must(`{"a":2}`)}); err != nil {
		t.Fatal(err)
	}
	runToEnd(t, s)
	if s.Status() != engine.Succeeded || value.Compact(s.Output()) != `{"got":2}` {
		t.Errorf("%v %v", s.Status(), s.Output())
	}
	var refused *engine.RedriveError
	if err := s.Redrive(debug.Redriving{}); !errors.As(err, &refused) ||
		!strings.Contains(err.Error(), "it succeeded") {
		t.Errorf("after success: %v", err)
	}
	if err := s.Forks().Switch(1); err != nil {
		t.Fatal(err)
	}
	without := redriveMachine(t, `{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}`, engine.AWS)
	if err := s.Redrive(debug.Redriving{Machine: without}); !errors.As(err, &refused) ||
		!strings.Contains(err.Error(), `the state "T"`) {
		t.Errorf("without the state: %v", err)
	}
	open := debug.New(changed, debug.Options{Input: value.Must(`{}`)})
	if err := open.Redrive(debug.Redriving{}); !errors.As(err, &refused) {
		t.Errorf("at the start: %v", err)
	}
}

// A redrive can be taken back: the run before it is there again, also where it was only recorded.
func TestUndoOfARedrive(t *testing.T) {
	const definition = `{"StartAt":"T","States":{"T":{` + task + `f","End":true}}}`
	machine := redriveMachine(t, definition, engine.AWS)
	s := debug.New(machine, debug.Options{Input: value.Must(`{}`), Source: answering{"f": {"!E", "1"}}.source()})
	runToEnd(t, s)
	recorded := make([]engine.Event, 0, s.Log().Len())
	for event := range s.Log().All() {
		recorded = append(recorded, *event)
	}
	shown := debug.ReplayLog(machine, debug.Options{Input: value.Must(`{}`)}, debug.Recording{Events: recorded})
	for _, s := range []*debug.Session{s, shown} {
		wasReadOnly := s.ReadOnly()
		if s.Forks().Undoable() {
			t.Error("there is something to undo before the redrive")
		}
		if err := s.Redrive(debug.Redriving{Ask: true}); err != nil {
			t.Fatal(err)
		}
		if s.ReadOnly() || !s.Forks().Undoable() {
			t.Error("the redriven run cannot be changed")
		}
		if stop := runToEnd(t, s); stop.Reason != debug.StoppedForAnswer {
			t.Fatalf("it stops for %v", stop.Reason)
		}
		if err := s.Interventions().Answer(s.Requests()[0].ID,
			engine.Outcome{Output: value.Must(`"mine"`)}); err != nil {
			t.Fatal(err)
		}
		if runToEnd(t, s); s.Status() != engine.Succeeded || value.Compact(s.Output()) != `"mine"` {
			t.Errorf("it is %v with %v", s.Status(), s.Output())
		}
		if undone, err := s.Forks().Undo(); err != nil || undone.String() != "answer" {
			t.Errorf("undone: %v, %v", undone, err)
		}
		if undone, err := s.Forks().Undo(); err != nil || undone.String() != "redrive" || undone.From != 3 {
			t.Errorf("undone: %v of %d, %v", undone, undone.From, err)
		}
		if s.Forks().Current() != 1 || s.ReadOnly() != wasReadOnly || s.Redriven() != 0 {
			t.Errorf("it is in the fork %d, read-only: %v", s.Forks().Current(), s.ReadOnly())
		}
		if _, err := s.Forks().Undo(); err == nil {
			t.Error("undone twice")
		}
	}
}

// With Ask the user answers the tasks of the state that failed; the next states' tasks come from the source.
func TestRedriveAsks(t *testing.T) {
	const definition = `{"StartAt":"P","States":{"P":{"Type":"Parallel","Next":"T","Branches":[{"StartAt":"A","States":{"A":{` + task + `f","End":true}}}]},
		"T":{` + task + `g","End":true}}}`
	s := debug.New(redriveMachine(t, definition, engine.AWS),
		debug.Options{Input: value.Must(`{}`), Source: answering{"f": {"!E"}, "g": {"2"}}.source()})
	runToEnd(t, s)
	if err := s.Redrive(debug.Redriving{Ask: true}); err != nil {
		t.Fatal(err)
	}
	if stop := runToEnd(t, s); stop.Reason != debug.StoppedForAnswer ||
		s.Requests()[0].Visit.Path() != "P/Branches[0]/A" {
		t.Fatalf("it stops for %v", stop.Reason)
	}
	if err := s.Interventions().Answer(s.Requests()[0].ID, engine.Outcome{Output: value.Must(`1`)}); err != nil {
		t.Fatal(err)
	}
	if runToEnd(t, s); value.Compact(s.Output()) != "2" {
		t.Errorf("%v %v", s.Status(), s.Output())
	}
}

// The service redrives an execution within 14 days of its end, and a year of its start.
func TestTimeOfARedrive(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	tests := []struct {
		wait   int // days before the failure
		at     time.Duration
		reason string
	}{
		{1, 15 * day, ""},
		{1, 15*day + time.Second, "more than 14 days"},
		{1, 0, "before its end"},
		{355, 364 * day, ""},
		{355, 366 * day, "more than a year"},
	}
	for _, test := range tests {
		definition := fmt.Sprintf(`{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":%d,"Next":"F"},"F":{"Type":"Fail"}}}`, test.wait*86400)
		s := debug.New(redriveMachine(t, definition, engine.AWS), debug.Options{Input: value.Must(`{}`), Start: start})
		runToEnd(t, s)
		err := s.Redrive(debug.Redriving{Time: start.Add(test.at)})
		switch {
		case test.reason == "" && (err != nil || !s.Now().Equal(start.Add(test.at))):
			t.Errorf("%d days, %v: at %v, %v", test.wait, test.at, s.Now(), err)
		case test.reason != "" && (err == nil || !strings.Contains(err.Error(), test.reason)):
			t.Errorf("%d days, %v: %v", test.wait, test.at, err)
		}
	}
}

// Every event of a redriven execution is in its history: the ids have no gaps, and each event of the run has its own.
// Tasks fail one after the other, each by itself, and two redrives follow.
func TestHistoryOfARedriveIsWhole(t *testing.T) {
	processor := `"ItemProcessor":{%s"StartAt":"I","States":{"I":{"Type":"Pass","Next":"J"},"J":{` + task + `j","Next":"K"},"K":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"L","States":{"L":{` + task + `j","Retry":[{"ErrorEquals":["E"],"MaxAttempts":1}],"End":true}}},
		{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":1,"Next":"X"},"X":{` + task + `j","Catch":[{"ErrorEquals":["F"],"Next":"Y"}],"End":true},"Y":{"Type":"Fail","Error":"Y"}}}]}}}`
	wrong := `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":1,"Next":"N"},"N":{"Type":"Pass","InputPath":"$.none","End":true}}}`
	tests := map[string]string{
		"a Map": `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,` + fmt.Sprintf(processor, "") + `}}}`,
		"one by one": `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"End":true,` +
			fmt.Sprintf(processor, "") + `}}}`,
		"a retried Map": `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":2,"Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":1}],"End":true,` + fmt.Sprintf(processor, "") + `}}}`,
		"an Express Map": `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,` +
			fmt.Sprintf(processor, `"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"EXPRESS"},`) + `}}}`,
		"a distributed Map": `{"StartAt":"M","States":{"M":{"Type":"Map","Next":"P","MaxConcurrency":2,` +
			fmt.Sprintf(processor, `"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},`) + `},"P":{` +
			task + `j","End":true}}}`,
		"a States.Runtime": `{"StartAt":"A","States":{"A":{"Type":"Parallel","Next":"T","Branches":[` + wrong + `,{"StartAt":"B","States":{"B":{` + task + `j","End":true}}}]},
			"T":{` + task + `j","End":true}}}`,
		"JSONata": `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Parallel","Next":"T","Branches":[{"StartAt":"B","States":{"B":{` + task + `j","Output":"{% $states.result.ok ? 1 : $states.none.a %}","End":true}}},
			{"StartAt":"C","States":{"C":{` + task + `j","End":true}}}],"Catch":[{"ErrorEquals":["E"],"Output":"{% $error('x') %}","Next":"T"}]},"T":{` + task + `j","End":true}}}`,
	}
	for name, definition := range tests {
		machine := redriveMachine(t, definition, engine.AWS)
		for failing := 1; failing <= 12; failing++ {
			for _, failure := range []string{"E", "F", "States.Runtime", "States.DataLimitExceeded"} {
				asked := 0
				source := sourcetest.Func(func(*engine.TaskRequest) outcome.Reply {
					asked++
					if asked%failing == 0 {
						return outcome.Given(engine.Outcome{Error: failure, Cause: "c", After: 2 * time.Second}, "test")
					}
					return outcome.Given(engine.Outcome{Output: value.Must(`{"ok":true}`), After: time.Second}, "test")
				})
				s := debug.New(machine, debug.Options{Input: value.Must(`[1,2,3]`), Source: source})
				runToEnd(t, s)
				for range 2 {
					if s.Status() != engine.Succeeded {
						if err := s.Redrive(debug.Redriving{}); err != nil {
							t.Fatal(err)
						}
						runToEnd(t, s)
					}
				}
				whole(t, fmt.Sprintf("%s, %s of task %d", name, failure, failing), s)
			}
		}
	}
}

// whole holds the history of a run against its events.
func whole(t *testing.T, name string, s *debug.Session) {
	t.Helper()
	written, of := history.Of(s.Log().All()), map[int64]int64{}
	for i, event := range written {
		if event.ID != int64(i)+1 {
			t.Errorf("%s: event %d has the id %d", name, i+1, event.ID)
		}
		of[event.ID] = event.Of
	}
	for event := range s.Log().All() {
		if event.HistoryID > 0 && event.HistoryThread() == 0 && of[int64(event.HistoryID)] != event.Seq {
			t.Errorf("%s: event %d (%v) has the id %d, which the history has of event %d", name, event.Seq, event.Type,
				event.HistoryID, of[int64(event.HistoryID)])
		}
	}
}

// A Map Run is redriven under its own name: the executions that succeeded stay, STANDARD ones that did not succeed
// continue, EXPRESS ones start anew (Developer guide, "Redriving Map Runs").
func TestRedriveOfAMapRun(t *testing.T) {
	const definition = `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"Next":"N","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"%s"},
		"StartAt":"I","States":{"I":{"Type":"Pass","Next":"J"},"J":{` + task + `j","Parameters":{"name.$":"$$.Execution.Name","count.$":"$$.Execution.RedriveCount"},"End":true}}}},
		"N":{"Type":"Map","End":true,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"K","States":{"K":{"Type":"Pass","End":true}}}}}}`
	for kind, want := range map[string]struct{ again, counts string }{
		"STANDARD": {"M M/Iterations[1]/J M/Iterations[2]/I M/Iterations[2]/J", "0 1 0"},
		"EXPRESS":  {"M M/Iterations[1]/I M/Iterations[1]/J M/Iterations[2]/I M/Iterations[2]/J", "0 0 0"},
	} {
		answers := answering{"j": {"payload", "!E", "payload", "payload"}}
		s := debug.New(redriveMachine(t, fmt.Sprintf(definition, kind), engine.AWS),
			debug.Options{Input: value.Must(`[1,2,3]`), Source: answers.source()})
		runToEnd(t, s)
		n := s.Log().Len()
		if err := s.Redrive(debug.Redriving{}); err != nil {
			t.Fatal(err)
		}
		runToEnd(t, s)
		if got := entered(s, n); !strings.HasPrefix(got, want.again+" N") {
			t.Errorf("%s: run again: %s", kind, got)
		}
		var runs []string
		for _, event := range history.Of(s.Log().All()) {
			if arn := event.Text("mapRunArn"); arn != "" {
				count, _ := event.Int("redriveCount")
				runs = append(runs, fmt.Sprint(event.Type, count, arn[strings.LastIndex(arn, ":"):]))
			}
		}
		first, again, other := runs[0], runs[1], runs[2]
		of := strings.TrimPrefix(first, "MapRunStarted0")
		if len(runs) != 3 || again != "MapRunRedriven1"+of || !strings.HasPrefix(other, "MapRunStarted0:") ||
			strings.HasSuffix(other, of) {
			t.Errorf("%s: Map Runs %q", kind, runs)
		}
		var counts []string
		names := map[string]bool{}
		for event := range s.Log().All() {
			if event.Type == engine.TaskScheduled {
				object := event.After.(*value.Object)
				names[value.Compact(object.Get("name"))] = true
			}
			if event.Type == engine.TaskSucceeded {
				counts = append(counts, value.Compact(event.After.(*value.Object).Get("count")))
			}
		}
		if wanted := map[string]int{"STANDARD": 3, "EXPRESS": 4}[kind]; strings.Join(counts, " ") != want.counts ||
			len(names) != wanted {
			t.Errorf("%s: redrives of the executions %v, %d names", kind, counts, len(names))
		}
		whole(t, kind, s)
	}
}
