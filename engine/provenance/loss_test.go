package provenance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

func lossText(l *provenance.Loss) string {
	if l.Kind == provenance.NeverThere {
		return fmt.Sprintf("%s, near %q", l.Kind, l.Miss.Suggestion)
	}
	text := l.Kind.String() + " by"
	if l.Visit != nil {
		text += " " + l.Visit.Path()
	}
	if l.Field != "" {
		text += " " + l.Field
	}
	if l.Default {
		text += " (default)"
	}
	text += fmt.Sprintf(", had %s = %s, lost %s", l.HadPath, value.Preview(l.Value, 40), strings.Join(l.Lost, " "))
	if l.Remedy != nil {
		text += "; " + l.Remedy.Line + " in " + l.Remedy.Field
		if l.Remedy.Without != "" {
			text += ", without " + l.Remedy.Without
		}
	}
	return text
}

// run runs a definition with an input; each task gives the next outcome, or echoes its payload where there is none.
func run(t *testing.T, definition, input string, outcomes ...engine.Outcome) *debug.Session {
	t.Helper()
	options := debug.Options{Input: value.Must(input), Source: sourcetest.Func(echoing)}
	if len(outcomes) > 0 {
		options.Source = &runs.Script{Outcomes: outcomes}
	}
	s := debug.New(machineOf(t, definition), options)
	reach(t, s, debug.StoppedAtEnd)
	return s
}

// A catcher without ResultPath replaces the input; the next state misses a member of it.
func TestLostByACatcher(t *testing.T) {
	s := run(t, `{"StartAt":"Load","States":{
		"Load":{"Type":"Pass","Next":"Enrich"},
		"Enrich":{"Type":"Task",`+lambda+`,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Ship"}],"Next":"Ship"},
		"Ship":{"Type":"Task",`+lambda+`,"Parameters":{"email.$":"$.customer.email"},"End":true}}}`,
		`{"orderId":1,"customer":{"email":"a@b.c"}}`, engine.Outcome{Error: "Bad"})
	failed := indexOf(t, s.Log(), func(e *engine.Event) bool { return e.Type == engine.StageFailed })
	for _, at := range []int{failed, s.Log().Len() - 1} {
		way, loss, err := lensOf(s).Find(at, "$.customer.email")
		if err != nil || way != nil {
			t.Fatal(way, err)
		}
		wantText(t, "the loss", lossText(loss)+"\n", `replaced by Enrich Catch[0]/ResultPath (default), had $.customer.email = "a@b.c", lost orderId customer; "ResultPath": "$.error" in Catch[0]/ResultPath`)
		wantText(t, "the route", passed(loss.Passages, loss.Edges), `
			|carried Load $.customer.email>$.customer.email
			|lost Enrich $.customer.email>
			|missing Ship >
			|next(0) Load>Enrich $.customer.email
			|catcher(0) Enrich>Ship `)
		wantText(t, "the way", tree(loss.Way), `input $.customer.email = "a@b.c"`)
		if parts := loss.States(); parts[1].Lost != loss || !loss.Edges[1].Lost {
			t.Error("the state that lost it, or the edge behind it, is not marked")
		}
		if loss.Reader != "Parameters/email.$" || loss.Read == nil {
			t.Errorf("read by %q", loss.Reader)
		}
	}
	if loss, err := lensOf(s).Loss(failed, "$.orderId"); err != nil || loss.Reader != "" {
		t.Errorf("another path is read by %q, %v", loss.Reader, err)
	}
}

// The place where a value is lost, and the remedy, by each field that can lose one.
func TestLosses(t *testing.T) {
	const pass = `,"Next":"End"},"End":{"Type":"Pass","End":true}}}`
	machine := func(fields string) string { return `{"StartAt":"A","States":{"A":{` + fields + pass }
	query := func(fields string) string {
		return `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{` + fields + pass
	}
	task, bad := `"Type":"Task",`+lambda, []engine.Outcome{{Error: "Bad"}}
	given := []engine.Outcome{{Output: value.Must(`{"id":7,"x":{"c":1}}`)}}
	for _, test := range []struct {
		machine, path, want string
		outcomes            []engine.Outcome
	}{
		{machine(task), "$.a.b", `replaced by A ResultPath (default), had $.a.b = 1, lost a result; "ResultPath": "$.result2" in ResultPath`, given},
		{machine(task + `,"OutputPath":"$.x"`), "$.a.b", `replaced by A ResultPath (default), had $.a.b = 1, lost a result; "ResultPath": "$.result2" in ResultPath, without "OutputPath": "$.x"`, given},
		{machine(task + `,"ResultPath":null,"OutputPath":null`), "$.id", `discarded by A ResultPath, had $.id = 7, lost id x; "ResultPath": "$.result2" in ResultPath, without "OutputPath": null`, given},
		{machine(task + `,"ResultPath":"$.a","OutputPath":"$"`), "$.a.b", `overwritten by A ResultPath, had $.a.b = 1, lost a.b; "ResultPath": "$.result2" in ResultPath`, given},
		{machine(task + `,"OutputPath":"$.x","Catch":[{"ErrorEquals":["Bad"],"Next":"End"}]`), "$.a.b",
			`replaced by A Catch[0]/ResultPath (default), had $.a.b = 1, lost a result; "ResultPath": "$.error" in Catch[0]/ResultPath`, bad},
		{machine(task + `,"ResultPath":"$"`), "$.a.b", `replaced by A ResultPath, had $.a.b = 1, lost a result; "ResultPath": "$.result2" in ResultPath`, given},
		{machine(task + `,"ResultPath":"$.a"`), "$.a.b", `overwritten by A ResultPath, had $.a.b = 1, lost a.b; "ResultPath": "$.result2" in ResultPath`, given},
		{machine(task + `,"ResultPath":null`), "$.id", `discarded by A ResultPath, had $.id = 7, lost id x; "ResultPath": "$.result2" in ResultPath`, given},
		{machine(task + `,"ResultPath":"$.r"`), "$.id", `elsewhere by A ResultPath, had $.id = 7, lost `, given},
		{machine(task + `,"ResultSelector":{"other.$":"$.id"},"ResultPath":"$.r"`), "$.r.x.c", `leftOut by A ResultSelector, had $.x.c = 1, lost id x; "x.$": "$.x" in ResultSelector`, given},
		{machine(task + `,"ResultSelector":{"x":{"d":1}},"ResultPath":"$.r"`), "$.r.x.c", `leftOut by A ResultSelector, had $.x.c = 1, lost id x.c; "c.$": "$.x.c" in ResultSelector/x`, given},
		{machine(task + `,"Catch":[{"ErrorEquals":["Other"],"Next":"End"},{"ErrorEquals":["Bad"],"ResultPath":"$","Next":"End"}]`), "$.a.b",
			`replaced by A Catch[1]/ResultPath, had $.a.b = 1, lost a result; "ResultPath": "$.error" in Catch[1]/ResultPath`, bad},
		{machine(`"Type":"Pass","Parameters":{"z":1}`), "$.a.b", `leftOut by A Parameters, had $.a.b = 1, lost a result; "a.$": "$.a" in Parameters`, nil},
		{machine(`"Type":"Pass","Result":{"z":1}`), "$.a.b", `replaced by A ResultPath (default), had $.a.b = 1, lost a result; "ResultPath": "$.result2" in ResultPath`, nil},
		{machine(`"Type":"Pass","OutputPath":"$.result"`), "$.a.b", `notSelected by A OutputPath, had $.a.b = 1, lost a result`, nil},
		{machine(`"Type":"Pass","InputPath":"$.result"`), "$.a.b", `notSelected by A InputPath, had $.a.b = 1, lost a result`, nil},
		{machine(`"Type":"Parallel","Branches":[{"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}}]`), "$.a.b",
			`replaced by A ResultPath (default), had $.a.b = 1, lost a result; "ResultPath": "$.result2" in ResultPath`, nil},
		{query(task), "$.a.b", `replaced by A Output (default), had $.a.b = 1, lost a result; "Output": "{% $merge([$states.input, $states.result]) %}" in Output`, given},
		{query(task + `,"Output":{"id":"{% $states.result.id %}"}`), "$.a.b", `leftOut by A Output, had $.a.b = 1, lost a result; "a": "{% $states.input.a %}" in Output`, given},
		{query(task + `,"Output":{"id":"{% $states.result.id %}"}`), "$.x.c", `leftOut by A Output, had $.x.c = 1, lost x; "x": "{% $states.result.x %}" in Output`, given},
		{query(task + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"End"}]`), "$states.input.a.b",
			`replaced by A Catch[0]/Output (default), had $.a.b = 1, lost a result; "Output": "{% $merge([$states.input, {'error': $states.errorOutput}]) %}" in Catch[0]/Output`, bad},
		{machine(`"Type":"Pass"`), "$.resullt", `neverThere, near "result"`, nil},
		{machine(`"Type":"Pass"`), "$.a.b.c", `neverThere, near ""`, nil},
		{machine(`"Type":"Pass"`), "$nothing", `neverThere, near ""`, nil},
		{machine(`"Type":"Pass","Assign":{"v":{"price":1}}`), "$v.prise", `neverThere, near "price"`, nil},
		{`{"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"v":{"p":1}},"Next":"B"},"B":{"Type":"Pass","Assign":{"v":2},"Next":"C"},"C":{"Type":"Pass","End":true}}}`,
			"$v.p", `overwritten by B Assign/v, had $v.p = 1, lost $v.p`, nil},
		{machine(`"Type":"Parallel","Branches":[{"StartAt":"B","States":{"B":{"Type":"Pass","Assign":{"v":1},"Next":"C"},"C":{"Type":"Pass","End":true}}}]`), "$v",
			`outOfScope by A, had $v = 1, lost $v`, nil},
	} {
		s := run(t, test.machine, `{"a":{"b":1},"result":0}`, test.outcomes...)
		at := s.Log().Len() - 1
		if strings.HasPrefix(test.path, "$states") || strings.HasPrefix(test.path, "$v") || test.path == "$nothing" {
			at = indexOf(t, s.Log(), func(e *engine.Event) bool {
				return e.Type == engine.StateExited && e.Thread == 0 && e.Detail.(*engine.ExitDetail).Next == ""
			})
		}
		loss, err := lensOf(s).Loss(at, test.path)
		if err != nil {
			t.Errorf("%s of %s: %v", test.path, test.machine, err)
			continue
		}
		if got := lossText(loss); got != test.want {
			t.Errorf("%s of %s is\n     %s\nwant %s", test.path, test.machine, got, test.want)
		}
		if loss.Kind != provenance.NeverThere && loss.Place == nil && loss.Field != "" {
			t.Errorf("%s of %s has no place", test.path, test.machine)
		}
	}
}

// A JSONata expression that gives nothing names its field.
func TestReaderInJSONata(t *testing.T) {
	s := run(t, `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":{"b":"{% $states.input.b %}"},"Next":"B"},
		"B":{"Type":"Pass","Output":{"x":"{% $states.input.a %}"},"End":true}}}`, `{"a":1,"b":2}`)
	failed := indexOf(t, s.Log(), func(e *engine.Event) bool { return e.Type == engine.StageFailed })
	loss, err := lensOf(s).Loss(failed, "$states.input.a")
	if err != nil {
		t.Fatal(err)
	}
	if got := lossText(loss); loss.Reader != "Output/x" || loss.Read == nil ||
		got != `leftOut by A Output, had $.a = 1, lost a; "a": "{% $states.input.a %}" in Output` {
		t.Errorf("%s reads it: %s", loss.Reader, got)
	}
}

// Inside of an iteration the input of the Map state is not there, with an ItemSelector and without.
func TestLostInAnIteration(t *testing.T) {
	for selector, want := range map[string]string{
		``: `notInItem by M ItemSelector (default), had $.id = 1, lost id lines`,
		`"ItemSelector":{"line.$":"$$.Map.Item.Value"},`: `leftOut by M ItemSelector, had $.id = 1, lost id lines; "id.$": "$.id" in ItemSelector`,
	} {
		s := run(t, `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.lines",`+selector+`"ItemProcessor":{"StartAt":"I","States":{
			"I":{"Type":"Pass","End":true}}},"End":true}}}`, `{"id":1,"lines":[{"sku":"a"}]}`)
		at := indexOf(t, s.Log(), func(e *engine.Event) bool { return e.Type == engine.StateExited && e.Thread != 0 })
		loss, err := lensOf(s).Loss(at, "$.id")
		if err != nil {
			t.Fatal(err)
		}
		if got := lossText(loss); got != want {
			t.Errorf("the loss is\n     %s\nwant %s", got, want)
		}
	}
}

func TestLostByAnEdit(t *testing.T) {
	s := debug.New(machineOf(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}`),
		debug.Options{Input: value.Must(`{"a":1,"b":2}`)})
	if _, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "B"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Interventions().Edit(0, value.Must(`{"b":3}`)); err != nil {
		t.Fatal(err)
	}
	reach(t, s, debug.StoppedAtEnd)
	loss, err := lensOf(s).Loss(s.Log().Len()-1, "$.a")
	if err != nil {
		t.Fatal(err)
	}
	if got := lossText(loss); got != "editedAway by B, had $.a = 1, lost a" {
		t.Error(got)
	}
}

func TestLossErrors(t *testing.T) {
	s := run(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`, `{"a":[1]}`)
	l, end := lensOf(s), s.Log().Len()-1
	var present *provenance.PresentError
	if _, err := l.Loss(end, "$.a[0]"); !errors.As(err, &present) {
		t.Error(err)
	}
	var many *provenance.ManyError
	for text, segment := range map[string]string{"$.a[*]": "[*]", "$..a": "..", "$.a[0,1]": "[0,1]", "$.a[0:2]": "[0:2]", "$.*": ".*"} {
		for _, of := range []func() error{
			func() error { _, err := l.Loss(end, text); return err },
			func() error { _, err := l.Back(end, text); return err },
			func() error { _, err := l.Forward(end, text); return err },
		} {
			if err := of(); !errors.As(err, &many) || many.Segment != segment {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	var syntax *path.SyntaxError
	for _, text := range []string{"", "a", "$.", "$.a[", "$.a[-1]"} {
		if _, _, err := l.Find(end, text); !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
	var none *provenance.NoDataError
	for _, at := range []int{-1, end + 1} {
		if _, _, err := l.Find(at, "$"); !errors.As(err, &none) {
			t.Errorf("event %d: %v", at, err)
		}
	}
}
