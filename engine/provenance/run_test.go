package provenance_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const function = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`

// runOf runs a definition to its end.
func runOf(definition, input string, outcomes ...engine.Outcome) *provenance.RunAgain {
	machine := runs.Machine(definition)
	source := runs.Echo
	if len(outcomes) > 0 {
		source = runs.InTurn(outcomes...)
	}
	log := runs.Run(machine, input, source)
	return &provenance.RunAgain{Log: log, Machine: machine, Start: log.At(0).At()}
}

// TestLinksHaveTimesAndPlaces: each link and survivor has its own time, and the place of the field, rule or state.
func TestLinksHaveTimesAndPlaces(t *testing.T) {
	r := runOf(`{"StartAt":"A","States":{"A":{`+function+`,"Retry":[{"ErrorEquals":["Busy"],"IntervalSeconds":2}],"Next":"B"},
"B":{`+function+`,"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"C"}],"Next":"C"},
"C":{"Type":"Choice","Choices":[{"Variable":"$.e.Error","StringEquals":"Bad","Next":"F"}],"Default":"F"},
"F":{"Type":"Fail","Error":"F"}}}`, `{}`, failed("Busy"), engine.Outcome{Output: value.Must(`{}`)}, failed("Bad"))
	chain := r.End()
	got := value.Each(chain.Links, func(l provenance.Link) string {
		return fmt.Sprintf("%s %s %s %s", l.Kind, l.Visit.State.Name, l.At.Sub(r.Start), l.Place.Pointer)
	})
	for _, s := range chain.Survived {
		got = append(got, fmt.Sprintf("%s %s %s %s", s.Fate, s.Visit.State.Name, s.At.Sub(r.Start), s.Place.Pointer))
	}
	want := []string{"failed F 2s /States/F", "decided C 2s /States/C/Choices/0", "failed B 2s /States/B", "retried A 0s /States/A"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	byDefault := runOf(`{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.n","IsPresent":true,"Next":"D"}],"Default":"F"},
"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"F"}}}`, `{}`).End().Root()
	if byDefault.Place == nil || byDefault.Place.Pointer != "/States/C/Default" {
		t.Errorf("the place of Default: %+v", byDefault.Place)
	}
}

// TestRetries has the attempts before the last one, with their delays.
func TestRetries(t *testing.T) {
	r := runOf(`{"StartAt":"A","States":{"A":{`+function+`,"Retry":[{"ErrorEquals":["X"],"IntervalSeconds":9},{"ErrorEquals":["Busy"],"IntervalSeconds":2,"BackoffRate":3}],"End":true}}}`, `{}`,
		failed("Busy"), failed("Busy"), failed("Last"))
	root := r.End().Root()
	var got []string
	for _, retry := range r.Retries(root) {
		got = append(got, fmt.Sprintf("%d %s at %s, retrier %d after %s", retry.Attempt, retry.Failure.Name, retry.At.Sub(r.Start), retry.Retrier, retry.Delay))
	}
	if want := "1 Busy at 0s, retrier 1 after 2s; 2 Busy at 2s, retrier 1 after 6s"; strings.Join(got, "; ") != want || root.Attempt != 3 {
		t.Errorf("got %q, want %q", got, want)
	}
	if first := runOf(`{"StartAt":"A","States":{"A":{`+function+`,"End":true}}}`, `{}`, failed("E")); first.Retries(first.End().Root()) != nil {
		t.Error("a first attempt has attempts before it")
	}
}

// TestBounds has the time limits that were exceeded: of tasks, by their fields, and of an execution.
func TestBounds(t *testing.T) {
	slow := engine.Outcome{Output: value.Must(`{}`), After: time.Minute, HeartbeatEvery: 8 * time.Second}
	silent := engine.Outcome{Output: value.Must(`{}`), After: time.Minute}
	for _, test := range []struct {
		name, fields, input, want string
		outcome                   engine.Outcome
	}{
		{"a timeout", `"TimeoutSeconds":30,"HeartbeatSeconds":10`, `{}`, "TimeoutSeconds 30s waited 30s heartbeat 24s false", slow},
		{"a path", `"TimeoutSecondsPath":"$.n"`, `{"n":5}`, "TimeoutSecondsPath 5s waited 5s heartbeat none false", silent},
		{"heartbeats", `"HeartbeatSeconds":10`, `{}`, "HeartbeatSeconds 10s waited 10s heartbeat none true", silent},
	} {
		for _, recorded := range []bool{false, true} {
			r := runOf(`{"StartAt":"W","States":{"W":{`+function+`,`+test.fields+`,"End":true}}}`, test.input, test.outcome)
			root := r.End().Root()
			want := test.want
			if recorded { // a history names no field
				root.Failure.Field = ""
				want = strings.Replace(want, "SecondsPath", "Seconds", 1)
			}
			b := r.Bound(root.Event)
			if b == nil {
				t.Errorf("%s, recorded %v: no bound", test.name, recorded)
				continue
			}
			beat := "none"
			if !b.Heartbeat.IsZero() {
				beat = b.Heartbeat.Sub(r.Start).String()
			}
			if got := fmt.Sprintf("%s %s waited %s heartbeat %s %v", b.Field, b.Limit, b.Waited, beat, b.OfHeartbeats()); got != want {
				t.Errorf("%s, recorded %v: got %q, want %q", test.name, recorded, got, want)
			}
		}
	}
	r := runOf(`{"TimeoutSeconds":5,"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":2,"Next":"W"},"W":{`+function+`,"HeartbeatSeconds":3,"End":true}}}`, `{}`,
		engine.Outcome{Output: value.Must(`{}`), After: time.Minute, HeartbeatEvery: time.Second})
	root := r.End().Root()
	if b := r.Bound(root.Event); root.Kind != provenance.OutOfTime || b == nil || b.Limit != 5*time.Second || b.Waited != 5*time.Second || b.Heartbeat.Sub(r.Start) < 3*time.Second {
		t.Errorf("the execution's bound: %+v of %+v", b, root)
	}
	if r.Bound(0) != nil {
		t.Error("the start of an execution has a bound")
	}
	by := runOf(`{"StartAt":"A","States":{"A":{`+function+`,"End":true}}}`, `{}`, failed("States.Timeout"))
	if b := by.Bound(by.End().Root().Event); b != nil {
		t.Errorf("a task that gave States.Timeout itself: %+v", b)
	}
}

// TestMissing has a value that a catcher lost, a name that is misspelt, and an error of another kind.
func TestMissing(t *testing.T) {
	definition := `{"StartAt":"L","States":{"L":{` + function + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"S"}],"Next":"S"},
"S":{"Type":"Pass","Parameters":{"mail.$":"$.%s"},"End":true}}}`
	lost := runOf(fmt.Sprintf(definition, "customer.email"), `{"customer":{"email":"a@b.c"}}`, failed("E"))
	loss, _ := lost.Missing(lost.End().Root().Event)
	if loss == nil || loss.Miss.Missing != "customer" || loss.Kind != provenance.Replaced ||
		loss.Visit.State.Name != "L" {
		t.Errorf("lost: %+v", loss)
	}
	misspelt := runOf(fmt.Sprintf(definition, "Eror"), `{}`, failed("E"))
	loss, _ = misspelt.Missing(misspelt.End().Root().Event)
	if loss == nil || loss.Miss.Suggestion != "Error" || loss.Kind != provenance.NeverThere || loss.Hints != nil {
		t.Errorf("misspelt: %+v", loss)
	}
	never := runOf(fmt.Sprintf(definition, "xyz"), `{}`, failed("E"))
	loss, _ = never.Missing(never.End().Root().Event)
	if loss == nil || loss.Kind != provenance.NeverThere || loss.Miss.Missing != "xyz" {
		t.Errorf("never there: %+v", loss)
	}
	if loss, hints := never.Missing(0); loss != nil || hints != nil {
		t.Error("the start of an execution misses a path")
	}
}

// TestValues has the members of a payload with their origins, the quoted ones first, and the values that a rule compared.
func TestValues(t *testing.T) {
	r := runOf(`{"StartAt":"V","States":{"V":{`+function+`,"ResultPath":"$.v","Next":"C"},
"C":{`+function+`,"Parameters":{"name":"charge","ok":true,"amount.$":"$.v.total","card.$":"$.card","sum.$":"States.MathAdd($.n, 1)","list.$":"$.list"},"End":true}}}`,
		`{"card":"tok 7","n":1,"list":[1]}`, engine.Outcome{Output: value.Must(`{"total":129.90}`)}, engine.Outcome{Error: "E", Cause: "tok 7 has less than 129.90"})
	var got []string
	for _, v := range r.Values(r.End().Root()) {
		origin := "input"
		if v.Visit != nil {
			origin = v.Visit.State.Name
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s", v.Path, value.Compact(v.Value), v.From, v.Expression, origin))
	}
	want := []string{`$.amount 129.90 $.v.total  V`, `$.card "tok 7" $.card  input`, `$.sum 2  States.MathAdd($.n, 1) C`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	whole := runOf(`{"StartAt":"C","States":{"C":{`+function+`,"End":true}}}`, `{"a":"long text","b":2}`, engine.Outcome{Error: "E", Cause: "not a long text"})
	if values := whole.Values(whole.End().Root()); len(values) != 1 || values[0].Path != "$.a" {
		t.Errorf("of a whole input only what the error quotes: %+v", values)
	}
	choice := runOf(`{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"And":[{"Variable":"$.n","IsPresent":true},{"Variable":"$.n","NumericGreaterThan":3}],"Next":"F"}],"Default":"D"},
"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"F"}}}`, `{"n":4}`)
	if values := choice.Values(choice.End().Root()); len(values) == 0 || values[0].Path != "$.n" || values[0].Visit != nil {
		t.Errorf("of a rule: %+v", values)
	}
	choice.Recorded = true
	if choice.Values(choice.End().Root()) != nil {
		t.Error("recorded events have no stages, and values with origins")
	}
}

// TestChildren has the executions that a task started: as their description says, and as they were run.
func TestChildren(t *testing.T) {
	deep := `{"ExecutionArn":"arn:c","Status":"TIMED_OUT"}`
	middle := fmt.Sprintf(`{"ExecutionArn":"arn:b","Status":"FAILED","Error":"States.TaskFailed","Cause":%s}`, value.AppendQuoted(nil, deep))
	child := provenance.ChildOf(middle)
	if child == nil || child.Arn != "arn:b" || child.Error != "States.TaskFailed" || child.Child == nil || child.Child.Arn != "arn:c" || child.Child.Status != "TIMED_OUT" || child.Child.Child != nil {
		t.Errorf("%+v", child)
	}
	for _, text := range []string{"", "no JSON", "[]", `{"JobId":"j"}`, `"text"`} {
		if c := provenance.ChildOf(text); c != nil {
			t.Errorf("%q: %+v", text, c)
		}
	}

	const start = `{"StartAt":"S","States":{"S":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","Parameters":{"StateMachineArn":"m"},"End":true}}}`
	inner := runOf(`{"StartAt":"Pay","States":{"Pay":{`+function+`,"End":true}}}`, `{}`, failed("Card.Declined"))
	outer := runOf(start, `{}`, engine.Outcome{Error: "States.TaskFailed", Cause: middle})
	root := outer.End().Root()
	if c := outer.Child(root); c == nil || c.Run != nil || c.Arn != "arn:b" {
		t.Errorf("described: %+v", c)
	}
	outer.Nested = func(*engine.TaskRequest) *provenance.RunAgain { return inner }
	c := outer.Child(root)
	if c == nil || c.Run != inner || c.Arn != "arn:b" || c.Status != "FAILED" || c.Error != "Card.Declined" || c.Chain.Root().Visit.State.Name != "Pay" {
		t.Errorf("run: %+v", c)
	}
	outer.Nested = func(*engine.TaskRequest) *provenance.RunAgain {
		return runOf(`{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}`, `{}`)
	}
	if c := outer.Child(root); c == nil || c.Run != nil {
		t.Errorf("an execution that succeeded is not a cause: %+v", c)
	}
	outer.Nested = func(*engine.TaskRequest) *provenance.RunAgain { return nil }
	if c := outer.Child(root); c == nil || c.Run != nil {
		t.Errorf("an execution that is not known: %+v", c)
	}
	if c := outer.Child(&provenance.Link{Kind: provenance.Stopped}); c != nil {
		t.Errorf("a link without a task: %+v", c)
	}
}

// TestMapRuns has the name of the Map Run that failed.
func TestMapRuns(t *testing.T) {
	r := runOf(`{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":
{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"A","States":{"A":{`+function+`,"End":true}}}}}}`, `[1]`, failed("E"))
	chain := r.End()
	if arn := r.MapRun(&chain.Links[0]); !strings.Contains(arn, ":mapRun:") {
		t.Errorf("the Map Run is %q", arn)
	}
	if arn := r.MapRun(chain.Root()); arn != "" {
		t.Errorf("a task has the Map Run %q", arn)
	}
}

// TestHistoryAlone: the definition that was made of a history has neither places nor handlers, but for those that took an error.
func TestHistoryAlone(t *testing.T) {
	r := runOf(`{"StartAt":"A","States":{"A":{`+function+`,"Retry":[{"ErrorEquals":["Busy"]}],"Catch":[{"ErrorEquals":["X"],"Next":"F"},{"ErrorEquals":["E"],"Next":"F"}],"End":true},"F":{"Type":"Fail","Error":"F"}}}`,
		`{}`, failed("Busy"), failed("E"))
	r.Recorded, r.Derived = true, true
	chain := r.End()
	for _, l := range chain.Links {
		if l.Place != nil {
			t.Errorf("%s has a place", l.Visit.State.Name)
		}
	}
	if list := chain.Root().Handlers; len(list) != 1 || !list[0].Catcher || list[0].Next != "F" || list[0].Names != nil || list[0].Verdict.String() != "took" {
		t.Errorf("%+v", list)
	}
	if r.Error(chain.Root().Event).Root().Place != nil {
		t.Error("an error has a place")
	}
}

// TestFailStateOfAHistory: a history has no event for the error of a Fail state.
func TestFailStateOfAHistory(t *testing.T) {
	whole := runOf(`{"StartAt":"A","States":{"A":{`+function+`,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},"F":{"Type":"Fail","Error":"F"}}}`, `{}`, failed("E"))
	var events []engine.Event
	for e := range whole.Log.All() {
		if e.Visit != nil && e.Visit.State.Type == asl.Fail && e.Type != engine.StateEntered && !e.Type.EndsExecution() {
			continue
		}
		events = append(events, *e)
	}
	chain := provenance.EndOf(runlog.Of(events), engine.AWS)
	if len(chain.Links) != 2 || chain.Links[0].Visit.State.Name != "F" || chain.Root().Visit.State.Name != "A" {
		t.Errorf("%+v", chain.Links)
	}
}
