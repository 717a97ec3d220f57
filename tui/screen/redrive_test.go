package screen

import (
	"testing"

	"asldb/engine"
	"asldb/engine/value"
)

const failsAtT = `{"StartAt":"P","States":{"P":{"Type":"Pass","Next":"T"},
	"T":{"Type":"Task","Resource":"r","Parameters":{"n.$":"$.n"},"End":true}}}`

func redriven(t *testing.T, w, h int) *driver {
	t.Helper()
	s := session(t, failsAtT, `{"n":1}`, script{"T": {{Error: "Boom"}, {Output: value.Must(`"fixed"`)}}})
	return drive(t, s, w, h, Options{})
}

func (d *driver) command(text string) *driver { return d.press(":").typed(text).press("enter") }

// At the end of a run that has failed :redrive runs the failed state again, and undo takes it back.
func TestRedrive(t *testing.T) {
	d := redriven(t, 120, 34).command("redrive").sees(":redrive: the execution is not over")
	d.press("c", "c").sees("FAILED").command("redrive").sees("Redrive: run T again", "with the input that it had", "with another input", "with other results of its tasks")
	d.press("c").sees("Redriven, as what-if 2: T runs again.").press("c").sees("SUCCEEDED")
	if out := d.app.ui.session.Output(); value.Compact(out) != `"fixed"` {
		t.Errorf("the output is %s", value.Compact(out))
	}
	d.command("what-ifs").sees("the first run", "redrive after event").press("esc")
	d.command("redrive").sees("the execution succeeded; only executions")
	d.press("u").sees("Undone: the redrive after event", "FAILED")
}

// Another input: what is typed is not lost by esc; an empty text keeps the input.
func TestRedriveWithAnotherInput(t *testing.T) {
	d := redriven(t, 120, 34).press("c", "c").command("redrive").press("e").sees("Redrive: the input of T")
	d.app.ui.redrives.draft.SetText(`{"n":2}`)
	d.press("esc").sees("Nothing was changed; :redrive brings back").command("redrive").press("e")
	d.press("ctrl+s", "c").sees("SUCCEEDED")
	request := lastRequest(d)
	if request == nil || value.Compact(request.Parameters) != `{"n":2}` {
		t.Errorf("the task gets %v", request)
	}
	d.press("u").command("redrive").press("e")
	d.app.ui.redrives.draft.SetText(" ")
	if d.press("ctrl+s", "c").sees("SUCCEEDED"); value.Compact(lastRequest(d).Parameters) != `{"n":1}` {
		t.Errorf("the task gets %v", value.Compact(lastRequest(d).Parameters))
	}
}

func lastRequest(d *driver) (found *engine.TaskRequest) {
	for event := range d.app.ui.session.Log().All() {
		if request, ok := event.Detail.(*engine.TaskRequest); ok && event.Type == engine.TaskScheduled {
			found = request
		}
	}
	return found
}

// With other results the tasks ask, though the fixtures have a result.
func TestRedriveWithOtherResults(t *testing.T) {
	d := redriven(t, 80, 24).press("c", "c").command("redrive").press("x", "c").sees("T")
	if d.app.ui.dialog == nil {
		t.Fatalf("no question:\n%s", d.frame())
	}
	if requests := d.app.ui.session.Requests(); len(requests) != 1 {
		t.Fatalf("%d requests", len(requests))
	}
	fail := drive(t, session(t, `{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"X"}}}`, `{}`, nil), 120, 34, Options{})
	fail.press("c", "c").command("redrive").sees("(it has no task)").press("x").sees("It has no task.")
}
