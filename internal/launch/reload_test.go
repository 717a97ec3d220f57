package launch_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/testkit"
)

const billText = `{"StartAt": "Quote", "States": {
  "Quote": {"Type": "Task", "Resource": "arn:aws:lambda:eu-central-1:123456789012:function:${Name}", "Next": "Bill"},
  "Bill": {"Type": "Pass", "Parameters": {"amount.$": "$.totl"}, "End": true}}}`

// rewrite writes a file of a run, with its own time.
func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(name, later, later); err != nil {
		t.Fatal(err)
	}
}

// A change of the definition is compiled without being written, then written, and taken back; a file that has changed
// meanwhile is not written.
func TestEditOfAFile(t *testing.T) {
	file := testkit.Named(t, map[string]string{"bill.asl.json": strings.Replace(billText, "${Name}", "quote", 1)})
	run := newRun(t, launch.Spec{Definition: definitions.Definition{File: file("bill.asl.json")}, Dialect: engine.AWS})
	text := run.Session.Machine().Definition().Source
	at := strings.Index(string(text.Data), "$.totl")
	span := source.Span{Start: source.Position{Offset: at}, End: source.Position{Offset: at + len("$.totl")}}
	edit := source.Edit{File: text, Span: span, Text: "$.total"}
	edited, err := run.Edited(edit)
	if err != nil || !strings.Contains(string(edited.Machine.Definition().Source.Data), `"$.total"`) {
		t.Fatalf("the edited definition: %v", err)
	}
	read := func() string {
		data, err := os.ReadFile(file("bill.asl.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if strings.Contains(read(), `"$.total"`) {
		t.Error("the file was written")
	}
	back, err := run.Write(edit)
	if err != nil || !strings.Contains(read(), `"$.total"`) {
		t.Fatalf("written: %v\n%s", err, read())
	}
	if err := back(); err != nil || read() != string(text.Data) || run.Changed() != "" {
		t.Errorf("taken back: %v, %q\n%s", err, run.Changed(), read())
	}
	rewrite(t, file("bill.asl.json"), read()+"\n")
	if _, err := run.Write(edit); err == nil {
		t.Error("a file was written that is not the one that was read")
	}
}

// A change is tried with the results of the fixtures, which belong to the states of its definition: also with
// one that the run did not need.
func TestEditIsTriedWithFixtures(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"pay.asl.json": `{"StartAt": "Pay", "States": {"Pay": {"Type": "Task",
  "Resource": "arn:aws:lambda:eu-central-1:123456789012:function:pay",
  "Retry": [{"ErrorEquals": ["Card.Bussy"]}], "End": true}}}`,
		"pay.fixtures.yaml": "version: 1\ntasks: {Pay: [{error: Card.Busy}, {output: 1}]}\n",
	})
	run := newRun(t, launch.Spec{Definition: definitions.Definition{File: file("pay.asl.json")}, Dialect: engine.AWS,
		Fixtures: launch.Fixtures{Default: true}})
	_, err := run.Session.Do(debug.Command{Kind: debug.Continue})
	if err != nil || run.Session.Status() != engine.Failed {
		t.Fatalf("%v, %v", run.Session.Status(), err)
	}
	text := run.Session.Machine().Definition().Source
	at := strings.Index(string(text.Data), "Bussy")
	span := source.Span{Start: source.Position{Offset: at}, End: source.Position{Offset: at + len("Bussy")}}
	edited, err := run.Edited(source.Edit{File: text, Span: span, Text: "Busy"})
	if err != nil {
		t.Fatal(err)
	}
	tried, err := run.Session.Try(edited, func() bool { return false })
	if err != nil || tried.Status() != engine.Succeeded || run.Session.Status() != engine.Failed {
		t.Errorf("%v, %v; the run itself %v", tried.Status(), err, run.Session.Status())
	}
}

// A change is tried on a recorded execution with its results, and with the fixtures' results for the tasks and the
// attempts that it did not have.
func TestEditIsTriedWithFixturesBesideAHistory(t *testing.T) {
	const recorded = "../../recorder/rerun/testdata/order"
	file := testkit.Named(t, map[string]string{
		"order.fixtures.yaml": "version: 1\ntasks: {Charge: [{output: {Payload: paid}}]}\n"})
	run := newRun(t, launch.Spec{Definition: definitions.Definition{File: recorded + ".asl.json"}, Dialect: engine.AWS,
		History:  launch.History{Files: []string{recorded + ".history.json"}},
		Fixtures: launch.Fixtures{Name: file("order.fixtures.yaml")}})
	if _, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	text := run.Session.Machine().Definition().Source
	at := source.Position{Offset: strings.Index(string(text.Data), `"Catch"`)}
	edited, err := run.Edited(source.Edit{File: text, Span: source.Span{Start: at, End: at},
		Text: `"Retry": [{"ErrorEquals": ["Card.Declined"]}], `})
	if err != nil {
		t.Fatal(err)
	}
	tried, err := run.Session.Try(edited, func() bool { return false })
	if err != nil || tried.Status() != engine.Succeeded || run.Session.Status() != engine.Failed {
		t.Fatalf("%v, %v; the run itself %v", tried.Status(), err, run.Session.Status())
	}
	if out := value.Compact(tried.Output()); !strings.Contains(out, `"payment":{"Payload":"paid"}`) ||
		!strings.Contains(out, `"customer"`) {
		t.Errorf("the output is %s", out)
	}
}

// The files of a run are read again: the definition, its substitutions and the fixtures; what is broken leaves the run
// as it is.
func TestReread(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"quote.asl.json": billText, "names.json": `{"Name": "quote"}`,
		"quote.fixtures.yaml": "version: 1\ntasks: {Quote: [{output: {total: 1}}]}\n",
	})
	run := newRun(t, launch.Spec{
		Definition: definitions.Definition{File: file("quote.asl.json"), Substitutions: file("names.json")},
		Dialect:    engine.AWS,
		Fixtures:   launch.Fixtures{Default: true},
	})
	end := func() {
		t.Helper()
		if _, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
	}
	reread := func() *debug.Reloaded {
		t.Helper()
		next, err := run.Reread()
		if err != nil {
			t.Fatal(err)
		}
		reloaded, err := next.Apply(false)
		if err != nil {
			t.Fatal(err)
		}
		return reloaded
	}
	end()
	if run.Changed() != "" || run.Session.Status() != engine.Failed {
		t.Fatalf("%q has changed, the run is %v", run.Changed(), run.Session.Status())
	}
	rewrite(t, file("quote.asl.json"), strings.Replace(billText, "$.totl", "$.total", 1))
	if run.Changed() != file("quote.asl.json") {
		t.Errorf("%q has changed", run.Changed())
	}
	reloaded := reread()
	if got := value.Compact(run.Session.Output()); got != `{"amount":1}` || reloaded.Before != 1 ||
		run.Changed() != "" {
		t.Errorf("the output is %s, %+v, %q", got, reloaded, run.Changed())
	}
	rewrite(t, file("quote.fixtures.yaml"), "version: 1\ntasks: {Quote: [{output: {total: 2}}]}\n")
	reread()
	if got := value.Compact(run.Session.Output()); got != `{"amount":2}` {
		t.Errorf("with other fixtures the output is %s", got)
	}
	rewrite(t, file("quote.fixtures.yaml"), "version: 1\ninput: {vat: 7}\ntasks: {Quote: [{output: {total: 2}}]}\n")
	reread()
	if got := value.Compact(run.Session.Options().Input); got != `{"vat":7}` {
		t.Errorf("with another input in the fixtures it is %s", got)
	}
	if forks := run.Session.Forks().All(); forks[len(forks)-1].Cause != "edited quote.fixtures.yaml" {
		t.Errorf("the what-if is called %q", forks[len(forks)-1].Cause)
	}
	rewrite(t, file("names.json"), `{"Name": "other"}`)
	reread()
	if first := run.Session.Machine().Definition().Top.State("Quote"); !strings.HasSuffix(first.Resource, ":other") {
		t.Errorf("the resource is %s", first.Resource)
	}
	rewrite(t, file("quote.asl.json"), billText[:100])
	_, err := run.Reread()
	if problems, source := launch.ProblemsOf(err); len(problems) == 0 || source == nil || run.Changed() == "" {
		t.Errorf("a broken file: %v", err)
	}
	if got := value.Compact(run.Session.Output()); got != `{"amount":2}` {
		t.Errorf("after a broken file the output is %s", got)
	}
	if err := os.Remove(file("quote.asl.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Reread(); err == nil {
		t.Error("a file that is gone is read")
	}
}

// A run whose definition is in no file is not read again.
func TestRereadWithoutFile(t *testing.T) {
	run := newRun(t, launch.Spec{Definition: definitions.Definition{File: "-"}, Stdin: strings.NewReader(parent),
		Dialect: engine.AWS, Missing: fixtures.Fail})
	if _, err := run.Reread(); err != launch.ErrNoFile || run.Changed() != "" {
		t.Errorf("%v, %q", err, run.Changed())
	}
}
