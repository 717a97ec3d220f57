package template_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/template"
	"asldb/engine/value"
)

func query(t *testing.T, text string) *template.Query {
	t.Helper()
	q, err := template.CompileQuery(value.Must(text), "Output")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q
}

func queryRoots() *template.QueryRoots {
	return &template.QueryRoots{
		States: value.Must(`{"input":{"n":2,"list":[3,1,2],"none":null},"context":{"State":{"Name":"S"}}}`),
		Variables: func(name string) value.Value {
			if name == "rate" {
				return value.Must(`0.5`)
			}
			return nil
		},
		Env: jsonata.Env{Now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)},
	}
}

// Developer Guide, "Transforming data with JSONata": only whole strings {% %} are expressions, $states and the
// variables are all that they see, and a sequence is one value or an array.
func TestQueryEval(t *testing.T) {
	for _, c := range []struct{ field, want string }{
		{`"{% $states.input.n * $rate %}"`, `1`},
		{`"{%$states.input.list%}"`, `[3,1,2]`},
		{`"{% $states.input.list[$ > 1] %}"`, `[3,2]`},
		{`"{% $states.input.list[$ > 2] %}"`, `3`},
		{`"{% $states.input.none %}"`, `null`},
		{`"{% $now() %}"`, `"2026-03-04T05:06:07.000Z"`},
		{`{"a":["{% $states.context.State.Name %}",{"b":"{% 1+1 %}"}],"c":"not {% 1 %}"}`,
			`{"a":["S",{"b":2}],"c":"not {% 1 %}"}`},
		{`[]`, `[]`},
		{`7`, `7`},
	} {
		got, err := query(t, c.field).Eval(queryRoots())
		if err != nil || value.Compact(got) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.field, got, err, c.want)
		}
	}
}

// The sentences are Step Functions': the expression, the field with the place in it, the reason.
func TestQueryErrors(t *testing.T) {
	for _, c := range []struct{ field, location, want string }{
		{`"{% $states.input.lost %}"`, "Output", "The JSONata expression '$states.input.lost' specified for the field 'Output' returned nothing (undefined)."},
		{`"{% n %}"`, "Output", "The JSONata expression 'n' specified for the field 'Output' returned nothing (undefined)."},
		{`{"a":[1,{"b":"{% $unset %}"}]}`, "Output/a[1]/b",
			"The JSONata expression '$unset' specified for the field 'Output/a[1]/b' returned nothing (undefined)."},
		{`["{% function($x){$x} %}"]`, "Output[0]",
			"The JSONata expression 'function($x){$x}' specified for the field 'Output[0]' returned an unsupported result type."},
		{`"{% 1 + 'a' %}"`, "Output", "The JSONata expression '1 + 'a'' specified for the field 'Output' threw an error during evaluation. "},
		{`"{% $error('as asked') %}"`, "Output", "threw an error during evaluation. D3137: as asked"},
	} {
		_, err := query(t, c.field).Eval(queryRoots())
		var fault *template.QueryError
		if !errors.As(err, &fault) || fault.Location != c.location || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.field, err, c.want)
			continue
		}
		if evaluated := !strings.Contains(c.want, "nothing"); (errors.Unwrap(fault) != nil) != evaluated {
			t.Errorf("%s: the cause is %v", c.field, fault.Err)
		}
	}
	_, err := query(t, `"{% $rate %}"`).Eval(&template.QueryRoots{States: value.Null{}})
	if err == nil || !strings.HasSuffix(err.Error(), "returned nothing (undefined).") {
		t.Errorf("without variables: %v", err)
	}
}

func TestQueryFaults(t *testing.T) {
	_, err := template.CompileQuery(value.Must(`{"a/b":{"~":"{% 1 + %}"},"c":"{% [ %}"}`), "Arguments")
	var faults template.QueryFaults
	if !errors.As(err, &faults) || len(faults) != 2 {
		t.Fatal(err)
	}
	if faults[0].Pointer != "/a~1b/~0" || faults[1].Pointer != "/c" {
		t.Errorf("pointers %q and %q", faults[0].Pointer, faults[1].Pointer)
	}
	var syntax *jsonata.Error
	if !errors.As(faults[0], &syntax) || err.Error() != faults[0].Error()+"; "+faults[1].Error() {
		t.Errorf("err = %v", err)
	}
}

func TestQueryTellsItsExpressions(t *testing.T) {
	q := query(t, `{"a":"{% 1 %}","b":["x","{%  $states.context %}"],"c":3}`)
	var all []string
	for e := range q.Expressions {
		all = append(all, e.Location+" "+e.Pointer+" "+e.Text)
	}
	if got := strings.Join(all, "; "); got != "Output/a /a 1; Output/b[1] /b/1 $states.context" {
		t.Error(got)
	}
	for e := range q.Expressions {
		if e.Text != "1" {
			t.Errorf("%q comes after the end", e.Text)
		}
		break
	}
	if q.Text() != "" || q.Constant() || !q.ReadsContext() {
		t.Errorf("text %q, constant %v, reads the context %v", q.Text(), q.Constant(), q.ReadsContext())
	}
	if q = query(t, `"{% 'x' %}"`); q.Text() != "'x'" || q.Constant() || q.ReadsContext() {
		t.Errorf("text %q, constant %v, reads the context %v", q.Text(), q.Constant(), q.ReadsContext())
	}
	want := "The JSONata expression ''x'' specified for the field 'Output' returned an unexpected result type. Expected 'number', but was 'string' for value: \"x\""
	if got := q.UnexpectedType("number", value.String("x")); got == nil || got.Error() != want {
		t.Errorf("%v, want %s", got, want)
	}
	if q = query(t, `[1]`); !q.Constant() || q.UnexpectedType("number", value.String("x")) != nil {
		t.Error("a field without expressions has a constant value, and no expression to blame")
	}
}

// An expression that fails is explained like the others.
func TestQueryExplain(t *testing.T) {
	poll := interrupt.NewPoll(nil)
	roots := queryRoots()
	roots.Poll = &poll
	explained := query(t, `{"a":"{% $states.input.n + 1 %}","b":["{% $error('no') %}"],"c":"{% $states.lost %}"}`).Explain(roots)
	var all []string
	for _, e := range explained {
		text := e.Location + " " + e.Text
		if e.Err != nil {
			text += " fails"
		} else if e.Trace.Value != nil {
			text += " = " + value.Compact(e.Trace.Value)
		}
		all = append(all, text)
	}
	if got := strings.Join(all, "; "); got != "Output/a $states.input.n + 1 = 3; Output/b[0] $error('no') fails; Output/c $states.lost" {
		t.Error(got)
	}
	if poll.Spent() == 0 {
		t.Error("no steps were counted")
	}
}

// An interrupted evaluation has no result, and its error is none of the language.
func TestQueryIsInterrupted(t *testing.T) {
	stop := errors.New("enough")
	for _, field := range []string{`"{% $sum([1..100000]) %}"`, `["{% 1 %}"]`, `{"a":{"b":"{% 1 %}"}}`} {
		poll := interrupt.NewPoll(func() error { return stop })
		roots := queryRoots()
		roots.Poll = &poll
		if err := poll.Look(); err == nil {
			t.Fatal("the check is not looked at")
		}
		_, err := query(t, field).Eval(roots)
		var fault *template.QueryError
		if !interrupt.Is(err) || !errors.Is(err, stop) || errors.As(err, &fault) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
