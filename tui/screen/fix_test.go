package screen

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/value"
)

// At a failure the fix that was tried on this run is offered: f shows the change of the text, enter writes it and runs
// again, and u takes the file and the run back. Two keys mend the run.
func TestFix(t *testing.T) {
	r, d := failedQuote(t)
	d.sees("fix, tried: Bill passes, SUCCEEDED; f: read $.total in place of $.totl", `"$.totl"`, `"$.total"`)
	d.press("f").sees("quote.asl.json", "tried: Bill passes, SUCCEEDED", `"$.total"},"End"`,
		"enter writes it and runs again")
	if r.text != quoteFile {
		t.Error("the file was written before the change was agreed to")
	}
	d.press("esc").sees("The definition stays as it is.")
	d.press("f", "enter").sees("The first difference: Bill, Parameters", "1 typed answer kept: Quote")
	if r.text != strings.Replace(quoteFile, "$.totl", "$.total", 1) || r.session.Status() != engine.Succeeded {
		t.Errorf("the file is %s, the run %v", r.text, r.session.Status())
	}
	d.press("u").sees("Undone: the definition is as it was", "$.totl")
	if r.text != quoteFile || r.session.Forks().Current() != 1 {
		t.Errorf("after the undo the file is %s, the run what-if %d", r.text, r.session.Forks().Current())
	}
}

// A fix with which the run fails later says where.
func TestFixBeforeAnotherFailure(t *testing.T) {
	_, d := failedQuoteOf(t, strings.Replace(quoteFile, `"End":true}`,
		`"Next":"Last"},"Last":{"Type":"Pass","InputPath":"$.none","End":true}`, 1))
	d.sees("fix, tried: Bill passes, then FAILED in Last; f: read $.total in place of")
}

// A state that failed before its task was asked passes where the run with the fix asks for its
// result.
func TestFixBeforeATask(t *testing.T) {
	task := strings.Replace(quoteFile, `"Type":"Pass","Param`, `"Type":"Task","Resource":"r","Param`, 1)
	r, d := failedQuoteOf(t, task)
	d.sees("fix, tried: Bill passes Parameters, and asks for its result; f: read $.total")
	d.press("f", "enter").sees("The first difference: Bill, Parameters")
	if requests := r.session.Requests(); len(requests) != 1 || requests[0].Visit.State.Name != "Bill" {
		t.Errorf("the run with the fix asks %v", requests)
	}
}

// A fix may be tried in this session alone: the file stays.
func TestFixInTheSession(t *testing.T) {
	r, d := failedQuote(t)
	d.command("fix").press("s").sees("The fix is in this session alone: read $.total in place of $.totl.")
	if r.text != quoteFile || r.session.Status() != engine.Succeeded {
		t.Errorf("the file is %s, the run %v", r.text, r.session.Status())
	}
	d.press("u").sees("$.totl")
}

// Where nothing has failed, or no fix mends the failure, none is offered, and f steps out as before.
func TestNoFix(t *testing.T) {
	r := &reloadable{t: t, text: strings.Replace(quoteFile, "$.totl", "$.nothing.near", 1)}
	r.session = session(t, r.text, `{}`, script{})
	d := drive(t, r.session, 120, 34, r.options())
	d.command("fix").sees("the run has not failed")
	d.press("c")
	if err := r.session.Interventions().Answer(r.session.Requests()[0].ID,
		engine.Outcome{Output: value.Must(`{"total":1}`)}); err != nil {
		t.Fatal(err)
	}
	d.press("esc", "c").sees("$.nothing")
	if strings.Contains(d.frame(), "fix, tried") {
		t.Errorf("a fix is offered:\n%s", d.frame())
	}
	d.command("fix").sees("no fix of this failure has mended it when it was tried")
	d.press("f").sees("no fix of this failure")
}

// A fix with which the state fails again, or another one before it, is not offered; nor is one whose trial would take
// too long.
func TestFixesAreJudged(t *testing.T) {
	_, d := failedQuote(t)
	fx := &d.app.ui.fixing
	good := fx.offered[0]
	if words, passes := fx.judge(fx.Session()); passes || words != "" {
		t.Errorf("the run that failed passes: %q", words)
	}
	fx.offered, fx.waiting, fx.spent = nil, []explain.Fix{good.Fix}, tryingFor
	if fx.step(); len(fx.offered) > 0 && fx.spent <= tryingFor || fx.waiting != nil {
		t.Errorf("tried for %v: %+v", fx.spent, fx.offered)
	}
	bad := good.Fix
	bad.Edit.Text = "$.nothing"
	fx.offered, fx.waiting, fx.spent = nil, []explain.Fix{bad, good.Fix}, tryingFor
	if more := fx.step(); more || len(fx.offered) != 1 || fx.offered[0].Edit != good.Edit || fx.offered[0].tried != "" {
		t.Errorf("where the time is over: %+v", fx.offered)
	}
	d.sees("fix, not tried: that takes long; f: read $.total in place of $.totl")
}

// Before the run e edits its input; where none was given, one that is made up is there, and says so.
func TestTheInputBeforeTheRun(t *testing.T) {
	const reads = `{"StartAt":"A","States":{"A":{"Type":"Pass","InputPath":"$.order","End":true}}}`
	grown := func() value.Value { return value.Must(`{"order":{"id":"made-up"}}`) }
	d := drive(t, session(t, reads, `{}`, nil), 100, 30, Options{Grown: grown})
	d.sees("No input was given (e offers one that is made up from the paths that the states read):")
	d.press("e").sees("An input made up from the paths that the states read",
		"made-up").press("esc").sees("No input was given")
	d.press("e", "ctrl+s").sees("The run begins with this input.", "made-up", "The input (e edits it):")
	d.press("e").sees("━ The input ━").press("ctrl+s", "c").sees("SUCCEEDED", "made-up")
	if forks := d.app.ui.session.Forks().All(); len(forks) != 1 {
		t.Errorf("a new input makes %d what-ifs", len(forks))
	}
	d.press("e").sees("the run is over")
	again := drive(t, session(t, reads, `{}`, nil), 100, 34, Options{Grown: grown}).press("c")
	again.sees("FAILED in A", "No input was given: C, then e", "offers one made up")
	again.press("C", "e").sees("An input made up").press("ctrl+s").sees("The run begins with this input.").press("c")
	again.sees("SUCCEEDED")
	nothing := func() value.Value { return value.Must(`{}`) } // no state reads a path
	drive(t, session(t, reads, `{}`, nil), 100, 30, Options{Grown: nothing}).press("e").sees("━ The input ━")
}
