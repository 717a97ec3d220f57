package screen

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
)

// reloadable is a session whose file holds another text at each reading.
type reloadable struct {
	t       *testing.T
	session *debug.Session
	text    string
	changed string
	fault   []source.Diagnostic
}

const quoteFile = `{"StartAt":"Quote","States":{"Quote":{"Type":"Task","Resource":"r","Next":"Bill"},
	"Bill":{"Type":"Pass","Parameters":{"amount.$":"$.totl"},"End":true}}}`

const mendedFile = `{"StartAt":"Quote","States":{"Quote":{"Type":"Task","Resource":"r","Next":"Bill"},
	"Bill":{"Type":"Pass","Parameters":{"amount.$":"$.total"},"Next":"Last"},"Last":{"Type":"Succeed"}}}`

func (r *reloadable) options() Options {
	return Options{Title: "quote.asl.json", Reload: &Reload{
		Read: func() (Reread, error) {
			parsed, problems := asl.Parse(&source.File{Name: "quote.asl.json", Data: []byte(r.text)})
			if parsed == nil {
				r.fault = problems
				return nil, errors.New("quote.asl.json has 1 error")
			}
			r.fault = nil
			machine, err := engine.Compile(parsed, engine.AWS)
			return reread{r, machine}, err
		},
		Changed: func() string { return r.changed },
		Edited: func(edit source.Edit) (how debug.Reloading, err error) {
			parsed, _ := asl.Parse(&source.File{Name: "quote.asl.json", Data: source.Apply(edit.File,
				[]source.Edit{edit})})
			if parsed == nil {
				return how, errors.New("it cannot be read")
			}
			how.Machine, err = engine.Compile(parsed, engine.AWS)
			return how, err
		},
		Write: func(edit source.Edit) (func() error, error) {
			before := r.text
			r.text, r.changed = string(source.Apply(edit.File, []source.Edit{edit})), "quote.asl.json"
			return func() error { r.text = before; return nil }, nil
		},
		Problems: func(error) []source.Diagnostic { return r.fault },
	}}
}

type reread struct {
	r       *reloadable
	machine *engine.Machine
}

func (n reread) Apply(atStart bool) (*debug.Reloaded, error) {
	n.r.changed = ""
	return n.r.session.Reload(debug.Reloading{Machine: n.machine, Cause: "edited definition", AtStart: atStart})
}

func (n reread) Problems() []source.Diagnostic { return nil }

func failedQuote(t *testing.T) (*reloadable, *driver) {
	t.Helper()
	return failedQuoteOf(t, quoteFile)
}

func failedQuoteOf(t *testing.T, text string) (*reloadable, *driver) {
	t.Helper()
	r := &reloadable{t: t, session: session(t, text, `{}`, script{}), text: text}
	d := drive(t, r.session, 120, 34, r.options())
	d.press("c").sees("Quote")
	if err := r.session.Interventions().Answer(r.session.Requests()[0].ID,
		engine.Outcome{Output: value.Must(`{"total":4242}`)}); err != nil {
		t.Fatal(err)
	}
	d.press("esc", "c").sees("$.totl")
	return r, d
}

// A file that another program has changed is told in the top line; r reads it and runs it with the typed answer, and
// the screen is at the first difference. The run before is kept, and u goes back to it with its own graph.
func TestReload(t *testing.T) {
	r, d := failedQuote(t)
	r.text, r.changed = mendedFile, "quote.asl.json"
	d.app.FilesChanged("quote.asl.json")
	d.sees("changed on disk: r")
	d.press("r").sees("The first difference: Bill, Parameters", "1 typed answer kept: Quote", "Last")
	if got := value.Compact(r.session.Output()); got != "null" && got != `{"amount":4242}` {
		t.Errorf("the output is %s", got)
	}
	if r.session.Forks().Current() != 2 || d.app.ui.selection.Event.Visit.State.Name != "Bill" {
		t.Errorf("what-if %d at %v", r.session.Forks().Current(), d.app.ui.selection.Event)
	}
	d.press("esc").sees("SUCCEEDED", "4242").command("what-ifs").sees("the first run", "edited definition").press("esc")
	d.press("u").sees("Undone: the edited definition", "$.totl")
	if strings.Contains(d.frame(), "Last") {
		t.Errorf("the graph is the one of the other text:\n%s", d.frame())
	}
}

// A broken file is told with its place; the run before is kept, and r reads the file again once it is mended.
func TestReloadOfABrokenFile(t *testing.T) {
	r, d := failedQuote(t)
	r.text, r.changed = quoteFile[:60], "quote.asl.json"
	d.press("r").sees("quote.asl.json: not read again", "The run before is kept").press("esc").sees("$.totl")
	if r.session.Forks().Current() != 1 {
		t.Errorf("what-if %d", r.session.Forks().Current())
	}
	r.text = mendedFile
	d.press("r").sees("The first difference: Bill, Parameters")
}

// A file without a change runs again from its start, with the typed answers; :forget asks again.
func TestReloadWithoutAChange(t *testing.T) {
	r, d := failedQuote(t)
	d.press("r").sees("Restarted: 1 typed answer is kept, :forget asks again.").press("c").sees("$.totl")
	if r.session.Status() != engine.Failed {
		t.Errorf("the run is %v", r.session.Status())
	}
	d.command("forget").sees("Restarted without the answers before").press("c")
	if r.session.Stop().Reason != debug.StoppedForAnswer {
		t.Errorf("stops with %+v", r.session.Stop())
	}
}

// With Auto a change is read at the next look at the files; the editor's end reads at once.
func TestReloadByItself(t *testing.T) {
	r, d := failedQuote(t)
	d.app.ui.reload.of.Auto = true
	r.text, r.changed = mendedFile, "quote.asl.json"
	d.app.FilesChanged("quote.asl.json")
	d.sees("The first difference: Bill, Parameters")
	r.text, r.changed = quoteFile, "quote.asl.json"
	d.app.ui.reload.edited()
	d.sees("The first difference: Bill, Parameters (before:")
	d.app.ui.reload.edited()
	d.sees("The file has not changed.")
}
