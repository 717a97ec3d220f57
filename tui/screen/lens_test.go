package screen

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/tui/tuitest"
)

// unshipped is a run that fails because a catcher has replaced the input.
func unshipped(t *testing.T) *driver {
	t.Helper()
	s := session(t, `{"StartAt":"Enrich","States":{
		"Enrich":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["States.ALL"],"Next":"Ship"}],"Next":"Ship"},
		"Ship":{"Type":"Task","Resource":"r","Parameters":{"to.$":"$.customer.email"},"End":true}}}`,
		`{"id":1,"customer":{"email":"a@b.c"}}`, script{"Enrich": {engine.Outcome{Error: "Down"}}})
	return drive(t, s, 100, 30, Options{Title: "ship"})
}

// The end of a failed run, and the stage that failed, lead to the state that lost the missing value.
func TestLensOfAFailedRun(t *testing.T) {
	d := unshipped(t).press("c").sees("FAILED", "H follows $.customer.email back")
	d.press("H").sees("Lost: $.customer.email is missing", "lost here: ResultPath of catcher 1", "Enrich lost it")
	d.press("enter").sees("VIEWING", "Enrich › ResultPath")
	d.press("esc").until("I", "Ship › Parameters").sees(" H where from ").press("H").sees("Lost: $.customer.email").press("esc")
	if d.app.ui.dialog != nil {
		t.Error("Escape does not leave the lens")
	}
}

// A value that the cursor is at goes before the path that is missing, and a path that is typed before both.
func TestLensOfAChosenValue(t *testing.T) {
	d := unshipped(t).press("c", "2")
	if _, ok := d.app.ui.data.Find("Down", 1); !ok {
		t.Fatalf("the data do not have the error:\n%s", d.frame())
	}
	d.press("H").sees("Where it comes from: $.Error").press("esc")
	command := func(text string) *driver { return d.press(":").paste(text).press("enter") }
	command("lens $.id").sees("Lost: $.id is missing").press("esc")
	command("lens $.nowhere").sees("Never there: $.nowhere", "$ has only").press("esc")
	command("lens $.a[*]").sees("$.a[*] can name several values").press("esc")
	command("lens what").sees("a path begins with").press("esc")
	if d.app.ui.dialog != nil {
		t.Errorf("something is open:\n%s", d.frame())
	}
}

// On a screen in ASCII the lens has its signs.
func TestLensInASCII(t *testing.T) {
	d := drive(t, tuitest.Order(t), 80, 24, Options{ASCII: true}).until("s", "AwaitSettlement : input").press("2")
	d.app.ui.data.Find("ch_3PqL", 1)
	d.press("H")
	golden(t, "ascii-lens", d.frame())
}

// A long search continues between keys, until the lens is closed or another one is opened.
func TestLensInSlices(t *testing.T) {
	s := session(t, loop, `{"order":{"id":1}}`, nil)
	if err := s.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	for s.Log().Len() < 10_000 {
		s.Advance(budget)
	}
	s.Interrupt()
	s.Advance(1)
	app := shown(s, Options{Title: "loop"})
	app.Resize(100, 30)
	goesOn := func() bool { return app.ui.goesOn }
	at := s.Log().Len() - 1
	for s.Log().At(at).Type != engine.StateExited {
		at--
	}
	app.ui.showEvent(at)
	app.ui.origins.openLens("$.order")
	for range 2 {
		if !goesOn() || !strings.Contains(app.Text(), "searching, at event ") {
			t.Fatalf("the search does not continue:\n%s", app.Text())
		}
		app.Advance()
	}
	for _, key := range []string{">", "esc"} {
		app.Press(tuitest.Key(key))
		goesOn()
		app.Advance()
	}
	if goesOn() || app.ui.slices.advance != nil {
		t.Error("the search continues after the lens was closed")
	}
}

// mostKeysToABug is the greatest number of keys from the first frame to the cause of a planted bug.
const mostKeysToABug = 3

// The planted bugs of the gallery are found in a few keys, with the breakpoint at uncaught errors that every run has
// and without it, on every size of screen: the state that lost the data, the field, and the line that keeps them are on
// the screen.
func TestKeysToThePlantedBugs(t *testing.T) {
	found := map[string][]string{
		"enrich.asl.json": {"lost here: ResultPath", "EnrichCustomer lost it", `"$.error"`},
		"stock.asl.json":  {"lost here: ResultPath", "CheckStock lost it", `"$.result"`},
	}
	for _, e := range exhibits() {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			for _, uncaught := range []bool{true, false} {
				want := found[e.file]
				if want == nil {
					continue
				}
				d := e.open(t)
				if uncaught {
					d.app.ui.session.Breakpoints().AddUncaught()
				}
				d.resize(size[0], size[1])
				keys := 0
				for _, key := range []string{"c", "H"} {
					d.press(key)
					keys++
				}
				if keys > mostKeysToABug {
					t.Errorf("%s: %d keys", e.file, keys)
				}
				text := strings.Join(strings.Fields(d.frame()), " ")
				for _, part := range want {
					if !strings.Contains(text, part) {
						t.Errorf("%s at %v, uncaught %v: after %d keys the screen lacks %q:\n%s", e.file, size, uncaught, keys, part, d.frame())
					}
				}
			}
		}
	}
}
