package screen

import (
	"testing"

	"asldb/engine"
	"asldb/tui/screen/screentest"
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
	d.press("esc").until("I", "Ship › Parameters").sees(" H lens ").press("H").sees("Lost: $.customer.email").press("esc")
	if d.app.ui.dialog != nil {
		t.Error("Escape does not leave the lens")
	}
}

// A value that the cursor is at goes before the path that is missing, and a path that is typed before both.
func TestLensOfAChosenValue(t *testing.T) {
	d := unshipped(t).press("c", "1")
	if _, ok := d.app.ui.data.Find("Down", 1); !ok {
		t.Fatalf("the data do not have the error:\n%s", d.frame())
	}
	d.press("H").sees("Where it comes from: $.Error").press("esc")
	command := func(text string) *driver { return d.press(":").paste(text).press("enter") }
	command("lens $.id").sees("Lost: $.id is missing").press("esc")
	command("lens $.nowhere").sees("Never there: $.nowhere", "missing nowhere").press("esc")
	command("lens $.a[*]").sees("$.a[*] can name several values").press("esc")
	command("lens what").sees("a path begins with").press("esc")
	if d.app.ui.dialog != nil {
		t.Errorf("something is open:\n%s", d.frame())
	}
}

// On a screen in ASCII the lens has its signs.
func TestLensInASCII(t *testing.T) {
	d := drive(t, screentest.Order(t), 80, 24, Options{ASCII: true}).until("s", "AwaitSettlement : input").press("1")
	d.app.ui.data.Find("ch_3PqL", 1)
	d.press("H")
	golden(t, "ascii-lens", d.frame())
}
