package coverage_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// run runs a definition to its end: each task gets the next outcome.
func run(t *testing.T, machine *engine.Machine, input string, outcomes ...engine.Outcome) *debug.Session {
	t.Helper()
	s := debug.New(machine, debug.Options{
		Input: value.Must(input), Start: time.Unix(0, 0), Source: &runs.Script{Outcomes: outcomes},
		Limits: engine.Limits{Evaluation: 1_000_000},
	})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if !s.AtEnd() {
		t.Fatalf("the run has not ended: %v", s.Stop().Reason)
	}
	return s
}

// counts describes the items of a collector that have a count: "Charge retrier 1 (Card.Timeout) 2".
func counts(c *coverage.Collector) string {
	var lines []string
	for i := range c.Items.List {
		if item := &c.Items.List[i]; item.Covered() {
			lines = append(lines, fmt.Sprintf("%s %s %d", item.State, item.Describe(), item.Count))
		}
	}
	return strings.Join(lines, "\n")
}

func names(items []coverage.Item) string {
	var lines []string
	for i := range items {
		lines = append(lines, items[i].State+" "+items[i].Describe())
	}
	return strings.Join(lines, "\n")
}

func same(t *testing.T, title, got, want string) {
	t.Helper()
	if want = strings.TrimSpace(want); got != want {
		t.Errorf("%s\ngot\n%s\nwant\n%s", title, got, want)
	}
}

var (
	fails = engine.Outcome{Error: "Card.Timeout", Cause: "slow"}
	pays  = engine.Outcome{Output: value.Must(`{"id":"ch_1"}`)}
)

// find returns the items of an ID.
func find(items *coverage.Items, id coverage.ID) []coverage.Item {
	return slices.DeleteFunc(slices.Clone(items.List), func(i coverage.Item) bool { return i.ID != id })
}

func TestItemsOfADefinition(t *testing.T) {
	machine := runs.Machine(runs.Order)
	items := coverage.Of(machine.Definition(), coverage.Options{})
	same(t, "items", names(items.List), `
Check state
Check rule 1 ($.total > 100)
Check Default
Free state
Charge state
Charge retrier 1 (Card.Timeout)
Charge retrier 1 exhausted (Card.Timeout)
Charge catcher 1 (States.ALL)
Fulfil state
Fulfil uncaught error
Fulfil branch 1
Fulfil branch 2
Fulfil/Branches[0]/Reserve state
Fulfil/Branches[0]/Pack state
Fulfil/Branches[1]/Notify state
Each state
Each uncaught error
Each some items
Each no items
Each failed iteration
Each/Iterations[*]/Ship state
Done state
Refund state`)
	if rule := find(items, coverage.ID{State: "Check", Kind: coverage.Rule}); len(rule) != 1 || rule[0].Line != 2 {
		t.Errorf("the rule is %+v", rule)
	}
	if len(find(items, coverage.ID{State: "Check", Kind: coverage.Rule, Index: 1})) > 0 {
		t.Error("there is a second rule")
	}
}

func TestCounts(t *testing.T) {
	machine := runs.Machine(runs.Order)
	c := coverage.NewCollector(machine.Definition(), coverage.Options{})
	c.Add(run(t, machine, runs.OrderInput, fails, pays))
	same(t, "one run", counts(c), `
Check state 1
Check rule 1 ($.total > 100) 1
Charge state 1
Charge retrier 1 (Card.Timeout) 1
Fulfil state 1
Fulfil branch 1 1
Fulfil branch 2 1
Fulfil/Branches[0]/Reserve state 1
Fulfil/Branches[0]/Pack state 1
Fulfil/Branches[1]/Notify state 1
Each state 1
Each some items 1
Each/Iterations[*]/Ship state 2
Done state 1`)

	c.Add(run(t, machine, runs.OrderInput, fails, fails, fails, fails))
	c.Add(run(t, machine, `{"total":1}`))
	c.Add(run(t, machine, `{"total":120,"lines":[]}`, pays))
	d := c.Definition("order.asl.json", "", "d1")
	same(t, "missing", names(d.Missing()), `
Each failed iteration`)
	retried := find(c.Items, coverage.ID{State: "Charge", Kind: coverage.Retried})
	if len(retried) != 1 || retried[0].Count != 4 {
		t.Errorf("retried: %+v, want 4 times: three in the second run", retried)
	}
	if got := d.Share(); got != (coverage.Share{Covered: 20, Total: 21}) || got.Percent() != 95 || d.Runs != 4 {
		t.Errorf("share %+v (%d %%) of %d runs", got, got.Percent(), d.Runs)
	}
	if got := d.Share(coverage.Rule, coverage.Default); got != (coverage.Share{Covered: 2, Total: 2}) {
		t.Errorf("rules and default %+v", got)
	}
	if (coverage.Share{}).Percent() != 100 {
		t.Error("nothing is not all")
	}
}

const failing = `{"StartAt":"M","States":{
	"M":{"Type":"Map","ToleratedFailureCount":1,"ItemsPath":"$.items","Next":"T","ResultPath":null,
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{
			"I":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:i","End":true}}}},
	"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:t","TimeoutSeconds":10,"HeartbeatSeconds":5,
		"Retry":[{"ErrorEquals":["Never"],"MaxAttempts":0}],"End":true}}}`

func TestFailuresAndTimeouts(t *testing.T) {
	machine := runs.Machine(failing)
	c := coverage.NewCollector(machine.Definition(), coverage.Options{})
	items := `{"items":[1,2]}`
	c.Add(run(t, machine, items, engine.Outcome{Error: "E"}, pays, engine.Outcome{Error: "Never"}))
	c.Add(run(t, machine, items, engine.Outcome{Error: "E"}, engine.Outcome{Error: "E"}))
	c.Add(run(t, machine, items, pays, pays, engine.Outcome{Output: value.Must(`1`), After: 7 * time.Second}))
	c.Add(run(t, machine, items, pays, pays, engine.Outcome{Output: value.Must(`1`), After: 11 * time.Second,
		HeartbeatEvery: 2 * time.Second}))
	for _, name := range []string{engine.ErrorTimeout, engine.ErrorHeartbeatTimeout} { // no limit was reached
		c.Add(run(t, machine, items, pays, pays, engine.Outcome{Error: name}))
	}
	same(t, "counts", counts(c), `
M state 6
M uncaught error 1
M some items 6
M failed iteration 2
M tolerated failure 1
M/Iterations[*]/I state 12
M/Iterations[*]/I uncaught error 3
T state 5
T retrier 1 exhausted (Never) 1
T uncaught error 5
T timeout 1
T missed heartbeat 1`)
}

func TestConditions(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"C","States":{
	"C":{"Type":"Choice","Default":"E","Choices":[
		{"Or":[{"Variable":"$.a","IsPresent":true},{"Not":{"Variable":"$.b","NumericEquals":1}}],"Next":"E"}]},
	"E":{"Type":"Succeed"}}}`)
	c := coverage.NewCollector(machine.Definition(), coverage.Options{Conditions: true})
	c.Add(run(t, machine, `{"a":1}`))
	c.Add(run(t, machine, `{"b":1}`))
	d := c.Definition("c", "", "")
	same(t, "missing", names(d.Missing()), `C $.b = 1 is false`)

	machine = runs.Machine(`{"QueryLanguage":"JSONata","StartAt":"C","States":{
	"C":{"Type":"Choice","Default":"E","Choices":[
		{"Condition":"{% $states.input.a and $states.input.b > 1 %}","Next":"E","Output":"{% $states.input.a ? 1 %}"}]},
	"E":{"Type":"Pass","Output":{"n":"{% $states.input.a ? 'x' : 'y' %}"},"End":true}}}`)
	c = coverage.NewCollector(machine.Definition(), coverage.Options{Conditions: true})
	c.Add(run(t, machine, `{"a":false,"b":1}`))
	c.Add(run(t, machine, `{"a":true,"b":2}`))
	d = c.Definition("c", "", "")
	same(t, "missing in JSONata", names(d.Missing()), `
C $states.input.b > 1 is false
C $states.input.a is false
E $states.input.a is true`)
	if c.Unknown != 0 {
		t.Errorf("%d evaluations are unknown", c.Unknown)
	}
}

// A state that was never entered represents all that is in it.
func TestMissingOfAContainer(t *testing.T) {
	machine := runs.Machine(runs.Order)
	c := coverage.NewCollector(machine.Definition(), coverage.Options{})
	c.Add(run(t, machine, `{"total":1}`))
	d := c.Definition("c", "", "")
	same(t, "missing", names(d.Missing()), `
Check rule 1 ($.total > 100)
Charge state
Fulfil state
Each state
Done state
Refund state`)
}

func TestProfiles(t *testing.T) {
	machine := runs.Machine(runs.Order)
	one, two := coverage.NewCollector(machine.Definition(), coverage.Options{}),
		coverage.NewCollector(machine.Definition(), coverage.Options{Conditions: true})
	one.Add(run(t, machine, runs.OrderInput, pays))
	two.Add(run(t, machine, `{"total":1}`))
	var p coverage.Profile
	a, b := one.Definition("b.asl.json", "", "d1"), two.Definition("b.asl.json", "", "d1")
	other := one.Definition("a.yaml", "Orders", "d2")
	for _, d := range []*coverage.Definition{&a, &b, &other} {
		if err := p.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := coverage.Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	d := read.Find("b.asl.json", "")
	if d == nil || d.Runs != 2 || read.Definitions[0].File != "a.yaml" {
		t.Fatalf("read %+v", read.Definitions)
	}
	if got := d.Share(coverage.Rule, coverage.Default, coverage.ConditionTrue,
		coverage.ConditionFalse); got != (coverage.Share{Covered: 3, Total: 4}) {
		t.Errorf("of both runs %+v, want rule, Default and the false condition", got)
	}
	if entered := d.Items[0]; entered.Count != 2 {
		t.Errorf("Check was entered %d times, want 2", entered.Count)
	}

	changed := one.Definition("a.yaml", "Orders", "d3")
	var wrong *coverage.ChangedError
	if err := p.Add(&changed); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "a.yaml (Orders) has changed") {
		t.Errorf("adding a changed definition: %v", err)
	}
	before := p.Find("b.asl.json", "").Runs
	if err := p.Merge(&coverage.Profile{Definitions: []coverage.Definition{a, changed}}); !errors.As(err, &wrong) ||
		p.Find("b.asl.json", "").Runs != before {
		t.Errorf("merging a changed definition: %v", err)
	}
	if err := p.Merge(read); err != nil || p.Find("b.asl.json", "").Runs != 4 {
		t.Errorf("merging itself: %v, %d runs", err, p.Find("b.asl.json", "").Runs)
	}
	p.AddOrReplace(&changed)
	p.AddOrReplace(&coverage.Definition{File: "new"})
	if p.Find("a.yaml", "Orders").Digest != "d3" || p.Find("new", "") == nil {
		t.Error("nothing was replaced")
	}
	if got := p.Share(); got.Total == 0 || got.Covered == 0 {
		t.Errorf("share of all: %+v", got)
	}
}

func TestWrongProfiles(t *testing.T) {
	const head = `{"version":1,"definitions":[{"file":"a","digest":"","runs":1,"items":[`
	for text, want := range map[string]string{
		``:                                 "not a coverage profile",
		`{"version":2}`:                    "version 2; this asldb reads version 1",
		`{"version":1,"definitions":[]} 1`: "more behind its end",
		`{"version":1,"other":1}`:          `unknown field "other"`,
		head + `{"state":"A","kind":"entred","line":1,"column":1,"count":0}]}]}`:                       `an item of the kind "entred"`,
		head + `{"state":"A","kind":"entered","line":1,"column":1,"count":-1}]}]}`:                     "a negative number",
		head + `{"state":"A","kind":"entered","count":1},{"state":"A","kind":"entered","count":1}]}]}`: "an item twice",
		head + `]},{"file":"a","digest":"","runs":1,"items":[]}]}`:                                     `the definition "a" is in it twice`,
	} {
		if _, err := coverage.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestKinds(t *testing.T) {
	for k := coverage.Entered; k <= coverage.ConditionFalse; k++ {
		if got, ok := coverage.ParseKind(k.String()); !ok || got != k {
			t.Errorf("%v: %v, %v", k, got, ok)
		}
		item := coverage.Item{ID: coverage.ID{Kind: k}}
		if item.Describe() == "" || strings.HasPrefix(item.Describe(), "Kind(") {
			t.Errorf("%v has no description", k)
		}
	}
	if _, ok := coverage.ParseKind(""); ok || coverage.Kind(99).String() != "Kind(99)" {
		t.Error("a kind that is none has a name")
	}
	item := coverage.Item{ID: coverage.ID{Kind: 99}}
	if item.Describe() != "Kind(99)" {
		t.Error(item.Describe())
	}
}

var _ coverage.Run = (*debug.Session)(nil)

func BenchmarkAdd(b *testing.B) {
	machine := runs.Machine(runs.Order)
	s := debug.New(machine, debug.Options{Input: value.Must(runs.OrderInput), Source: runs.Paid()})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	c := coverage.NewCollector(machine.Definition(), coverage.Options{})
	b.ReportAllocs()
	for b.Loop() {
		c.Add(s)
	}
}

// Of a run that branched from another one, the events that both have are counted once, and the kinds of a Map run by
// all events.
func TestAddFrom(t *testing.T) {
	machine := runs.Machine(runs.Order)
	c := coverage.NewCollector(machine.Definition(), coverage.Options{Conditions: true})
	s := run(t, machine, runs.OrderInput, fails, pays)
	c.Add(s)
	first, log := counts(c), s.Log()
	c.AddFrom(s, log.Len())
	if got := counts(c); got != first || c.Runs != 2 {
		t.Errorf("all events are shared, of %d runs:\n%s", c.Runs, got)
	}
	inside := 0 // an event within the Map
	for inside < log.Len() && log.At(inside).Type != engine.IterationStarted {
		inside++
	}
	c.AddFrom(s, inside+1)
	same(t, "after "+log.At(inside).Type.String(), counts(c), strings.NewReplacer(
		"Each/Iterations[*]/Ship state 2", "Each/Iterations[*]/Ship state 4", "Done state 1",
		"Done state 2").Replace(first))
}

func TestFieldsOfItems(t *testing.T) {
	machine := runs.Machine(runs.Order)
	items := coverage.Of(machine.Definition(), coverage.Options{Conditions: true})
	for i := range items.List {
		item := &items.List[i]
		var state *asl.State
		for s := range machine.Definition().All() {
			if s.Path() == item.State {
				state = s
			}
		}
		place := state.Place(item.Field())
		if line := place.Span.Start.Line; line != item.Line && place.Key.Start.Line != item.Line {
			t.Errorf("%s %s is on line %d; its field %q is on line %d", item.State, item.Describe(), item.Line,
				item.Field(), line)
		}
	}
	for kind, want := range map[coverage.Kind]string{
		coverage.Rule: "Choices[1]", coverage.Default: "Default", coverage.Retried: "Retry[1]",
		coverage.Caught: "Catch[1]", coverage.Branch: "Branches[1]",
		coverage.TimedOut: "TimeoutSeconds", coverage.HeartbeatMissed: "HeartbeatSeconds", coverage.Uncaught: "",
		coverage.ConditionTrue: "Output/total",
	} {
		id := coverage.ID{Kind: kind, Index: 1, Part: "Output/total 2"}
		if got := id.Field(); got != want {
			t.Errorf("%s: field %q, want %q", kind, got, want)
		}
	}
}
