package explore_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/explore"
)

func must(text string) value.Value { return value.Must(text) }

func fixturesOf(t testing.TB, text string) *fixtures.File {
	t.Helper()
	file, err := fixtures.Load("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// changes lists the changes of data, with the value of each and the end of its run.
func changes(r *explore.Result) []string {
	var list []string
	for _, o := range r.Others {
		if len(o.Changes) != 1 {
			continue
		}
		text := o.Changes[0].Kind.String() + " " + o.Describe()
		if v := o.Changes[0].Value; v != nil {
			text += " = " + value.Compact(v)
		}
		list = append(list, text)
	}
	return list
}

// choice returns a definition with one Choice state after a Pass state.
func choice(rules string) string {
	return `{"StartAt":"P","States":{"P":{"Type":"Pass","Parameters":{"in.$":"$","made.$":"States.MathAdd($.n, 1)"},"Next":"C"},
		"C":{"Type":"Choice","Choices":[` + rules + `],"Default":"S"},"S":{"Type":"Succeed"}}}`
}

// Values are changed at both sides of a comparison, where they come from.
func TestBoundaries(t *testing.T) {
	const input = `{"n":5,"f":1.5,"s":"abc","b":true,"t":"2026-01-01T00:00:00Z","z":null,"limit":7}`
	for _, test := range []struct {
		rule string
		want []string
	}{
		{`{"Variable":"$.in.n","NumericGreaterThan":10,"Next":"S"}`, []string{"input $.n of the input: below 10 = 9", "input $.n of the input: at 10 = 10", "input $.n of the input: above 10 = 11"}},
		{`{"Variable":"$.in.f","NumericLessThan":1.25,"Next":"S"}`, []string{"input $.f of the input: below 1.25 = 1.249", "input $.f of the input: at 1.25 = 1.25", "input $.f of the input: above 1.25 = 1.251"}},
		{`{"Variable":"$.in.n","NumericEqualsPath":"$.in.limit","Next":"S"}`, []string{"input $.n of the input: below 7 = 6", "input $.n of the input: at 7 = 7", "input $.n of the input: above 7 = 8"}},
		{`{"Not":{"Variable":"$.in.s","StringEquals":"abc"},"Next":"S"}`, []string{`input $.s of the input: before "abc" = "ab"`, `input $.s of the input: after "abc" = "abc~"`}},
		{`{"Variable":"$.in.s","StringMatches":"x*","Next":"S"}`, []string{`input $.s of the input: like "x*" = "xexplored"`, `input $.s of the input: unlike "x*" = "-xexplored"`}},
		{`{"Variable":"$.in.b","BooleanEquals":true,"Next":"S"}`, []string{"input $.b of the input: false = false"}},
		{`{"Variable":"$.in.t","TimestampLessThan":"2026-02-01T00:00:00Z","Next":"S"}`, []string{
			`input $.t of the input: before "2026-02-01T00:00:00Z" = "2026-01-31T23:59:59Z"`, `input $.t of the input: at "2026-02-01T00:00:00Z" = "2026-02-01T00:00:00Z"`,
			`input $.t of the input: after "2026-02-01T00:00:00Z" = "2026-02-01T00:00:01Z"`,
		}},
		{`{"Variable":"$.in.n","IsPresent":true,"Next":"S"}`, []string{"input $.n of the input: absent"}},
		{`{"And":[{"Variable":"$.in.x","IsPresent":true},{"Variable":"$.in.x","IsNull":false}],"Next":"S"}`, []string{
			`input $.x of the input: present = "explored"`, "input $.x of the input: null = null", `input $.x of the input: not null = "explored"`,
		}},
		{`{"Variable":"$.in.s","IsNumeric":true,"Next":"S"}`, []string{"input $.s of the input: a number = 1", `input $.s of the input: a string = "explored"`, "input $.s of the input: true = true"}},
		{`{"Variable":"$.made","NumericEquals":3,"Next":"S"}`, []string{"edited $.made at C: below 3 = 2", "edited $.made at C: at 3 = 3", "edited $.made at C: above 3 = 4"}},
	} {
		r := run(t, explore.Options{Machine: open(t, choice(test.rule)), Given: []explore.Given{{Input: must(input)}}})
		same(t, changes(r), test.want)
		for _, o := range r.Others {
			if !o.Reached {
				t.Errorf("%s: the change has not come up", o.Describe())
			}
		}
	}
}

// Where a Choice only asks whether a value is there, or null, it is made as the states behind it read it.
func TestPresentAsItIsRead(t *testing.T) {
	const definition = `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[
		{"Variable":"$.lines","IsPresent":true,"Next":"M"}],"Default":"D"},
		"D":{"Type":"Choice","Choices":[{"Variable":"$.n","IsNull":false,"Next":"A"}],"Default":"S"},
		"M":{"Type":"Map","ItemsPath":"$.lines","ItemProcessor":{"StartAt":"I","States":{
		"I":{"Type":"Pass","Parameters":{"sku.$":"$.sku"},"End":true}}},"Next":"S"},
		"A":{"Type":"Pass","Parameters":{"next.$":"States.MathAdd($.n, 1)"},"Next":"S"},"S":{"Type":"Succeed"}}}`
	r := run(t, explore.Options{Machine: open(t, definition), Given: []explore.Given{{Input: must(`{"n":null}`)}}})
	same(t, changes(r), []string{
		`input $.lines of the input: present = [{"sku":"sku"}]`, `input $.n of the input: not null = 1`,
		"input $.lines of the input: no items = []",
		`input $.lines of the input: 3 items = [{"sku":"sku"},{"sku":"sku"},{"sku":"sku"}]`,
	})
	if list := findings(r, explore.Data); len(list) > 0 {
		t.Error(list)
	}
}

// A ${Name} that nothing filled is neither a value to compare with nor an error.
func TestNamesWithoutValues(t *testing.T) {
	r := run(t, explore.Options{Machine: open(t, `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[
		{"Variable":"$.s","StringEquals":"${Status}","Next":"T"},{"Variable":"$.n","NumericGreaterThan":${Limit},"Next":"T"},
		{"Variable":"$.n","NumericGreaterThan":5,"Next":"T"}],"Default":"T"},
		"T":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","End":true,
		"Retry":[{"ErrorEquals":["${Name}","Busy"]}]}}}`), Given: []explore.Given{{Input: must(`{"s":"a","n":2}`)}}})
	same(t, changes(r), []string{"input $.n of the input: below 5 = 4", "input $.n of the input: at 5 = 5",
		"input $.n of the input: above 5 = 6"})
	for _, row := range r.Rows {
		if strings.Contains(row.Error, "${") {
			t.Errorf("the error %s is explored", row.Error)
		}
	}
}

// A Choice state without Default fails for values that no rule takes; an edit of its data has no case.
func TestNoRule(t *testing.T) {
	definition := strings.Replace(choice(`{"Variable":"$.made","NumericEquals":6,"Next":"S"}`), `"Default":"S"`,
		`"Comment":""`, 1)
	r := run(t, explore.Options{Machine: open(t, definition), Given: []explore.Given{{Input: must(`{"n":5}`)}}})
	list := findings(r, explore.Data)
	if len(list) != 1 || !strings.HasPrefix(list[0], "data C: C fails with States.Runtime") {
		t.Error(list)
	}
	for _, f := range r.Findings {
		if f.Class == explore.Data && f.Case != nil {
			t.Error("an edit has a case:\n" + f.Case.Text)
		}
	}
	if _, err := r.Reproduce(r.Others[0]); err != explore.ErrNoCase {
		t.Error(err)
	}
}

// JSONata has its comparisons and items, too.
func TestJSONata(t *testing.T) {
	r := run(t, explore.Options{Machine: open(t, `{"QueryLanguage":"JSONata","StartAt":"C","States":{
		"C":{"Type":"Choice","Choices":[{"Condition":"{% 2 < $states.input.n and $not('a' != $states.input.s) %}","Next":"M"}],"Default":"M"},
		"M":{"Type":"Map","Items":"{% $states.input.list %}","ItemProcessor":{"StartAt":"W","States":{"W":{"Type":"Pass","End":true}}},"End":true}}}`),
		Given: []explore.Given{{Input: must(`{"n":1,"s":"b","list":[1,2]}`)}}})
	same(t, changes(r), []string{
		"input $.n of the input: at 2 = 2", "input $.n of the input: above 2 = 3",
		`input $.s of the input: before "a" = ""`, `input $.s of the input: equal to "a" = "a"`, `input $.s of the input: after "a" = "a~"`,
		"input $.list of the input: no items = []", "input $.list of the input: one item = [1]", "input $.list of the input: 3 items = [1,2,1]",
	})
}

// Of a service's result only those members are left out that may be missing.
func TestMembers(t *testing.T) {
	o := explore.Options{Machine: open(t, task("arn:aws:states:::aws-sdk:sqs:receiveMessage",
		`"ResultSelector":{"all.$":"$.Messages"},`))}
	o.Given = []explore.Given{{File: fixturesOf(t, `{version: 1, input: {}, tasks: {T: [
		{output: {Messages: [{MessageId: a}]}, repeat: forever}]}}`)}}
	r := run(t, o)
	same(t, changes(r), []string{"result T gives a result without Messages"}) // the queue is empty
	missing := `data T: T fails with States.Runtime: $.Messages is missing: $ is an empty object`
	if list := findings(r, explore.Data); len(list) != 1 || !strings.HasPrefix(list[0], missing) {
		t.Error(list)
	}
	o.Machine = open(t, task("arn:aws:states:::sqs:sendMessage", `"ResultSelector":{"id.$":"$.MessageId"},`))
	o.Given[0].File = fixturesOf(t, `{version: 1, input: {}, tasks: {T: [{output: {MessageId: a}, repeat: forever}]}}`)
	same(t, changes(run(t, o)), nil) // each message that is sent has one
	o.Machine = open(t, task("arn:aws:states:::states:startExecution", ""))
	o.Given[0].File = fixturesOf(t,
		`{version: 1, input: {}, tasks: {T: [{output: {ExecutionArn: a, StartDate: b}, repeat: forever}]}}`)
	same(t, changes(run(t, o)), nil) // both are always there
	o.Machine = open(t, task("arn:aws:states:::lambda:invoke", ""))
	o.Given[0].File = fixturesOf(t,
		`{version: 1, input: {}, tasks: {T: [{output: {Payload: {a: {b: 1}}, StatusCode: 200}, repeat: forever}]}}`)
	same(t, changes(run(t, o)), nil)
	o.Data = true
	if list := changes(run(t, o)); !slices.Contains(list, "result T gives a result without Payload.a") ||
		slices.Contains(list, "result T gives a result without Payload.a.b") {
		t.Error(list)
	}
}

// Of a result that is made up those members are left out that a state may read, however deep they are.
func TestMembersThatAreRead(t *testing.T) {
	definition := func(reads string) string {
		return `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Next":"R"},
			"R":{"Type":"Pass","Parameters":{` + reads + `},"Next":"S"},"S":{"Type":"Pass","Result":1,"End":true}}}`
	}
	o := explore.Options{Machine: open(t, definition(`"v.$":"$.Payload.a.b.c"`)), Data: true}
	r := run(t, o)
	same(
		t,
		changes(r),
		[]string{"result T gives a result without Payload.a", "result T gives a result without Payload.a.b",
			"result T gives a result without Payload.a.b.c"},
	)
	missing := "data R: R fails with States.Runtime: $.Payload.a.b.c is missing: $.Payload is an empty object" // the first of three
	if list := findings(r, explore.Data); !slices.Contains(list, missing) {
		t.Error(list)
	}
	o.Given = []explore.Given{{Input: must(`{}`)}}
	o.Machine = open(t, definition(`"v.$":"$.StatusCode"`)) // which lambda:invoke always gives
	same(t, changes(run(t, o)), nil)
}

// Executions of other definitions run once; what they gave is the result of their tasks in all runs.
func TestNested(t *testing.T) {
	o := explore.Options{
		Machine: open(
			t,
			`{"StartAt":"Child","States":{"Child":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2",
		"Parameters":{"StateMachineArn":"arn:aws:states:eu-west-1:123456789012:stateMachine:c","Input":{"n":1}},"ResultSelector":{"out.$":"$.Output"},
		"Catch":[{"ErrorEquals":["States.TaskFailed"],"Next":"Undo"}],"Next":"Check"},
		"Undo":{"Type":"Pass","Parameters":{"status.$":"States.StringToJson($.Cause)"},"End":true},
		"Check":{"Type":"Choice","Choices":[{"Variable":"$.out.made","NumericEquals":7,"Next":"Done"}],"Default":"Bad"},"Done":{"Type":"Succeed"},"Bad":{"Type":"Fail"}}}`,
		),
	}
	dir := filepath.Dir(o.Machine.Definition.File)
	for name, text := range map[string]string{
		"child.asl.json": `{"StartAt":"P","States":{"P":{"Type":"Pass","Result":{"made":7},"End":true}}}`,
		"f.yaml":         "version: 1\nallowLive: true\ninput: {}\ntasks: {Child: [{asldb: {definition: child.asl.json}}]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "f.yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := fixtures.Load(name, data)
	if err != nil {
		t.Fatal(err)
	}
	o.Given = []explore.Given{{File: file, Written: true}}
	r := run(t, o)
	if got := r.Bases[0].Run; got.Status != engine.Succeeded || got.States != 3 {
		t.Errorf("the base ends %v %s with %d states; %q", got.Status, got.Cause, got.States, r.Notes)
	}
	if got := handling(row(t, r, "Child", "States.TaskFailed", explore.All).Once); got != "caught 0×1 Undo, SUCCEEDED" { // its Cause is JSON
		t.Error(got)
	}
	same(t, r.Notes, nil)
}
