package tui

import (
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/work"
	"asldb/tui/screen"
	"asldb/tui/tuitest"
)

// A fault ends the program, wherever it happens, with everything that is to be saved.
func TestAFaultTakesTheSessionsAlong(t *testing.T) {
	shop, calls := tuitest.Shop(t, "cash")
	d := drive(t, shop, 120, 34, Options{Options: screen.Options{Title: "shop.asl.json", Calls: calls}})
	d.until("i", "> steps into it").press(">").until("i", "What does Charge return?")
	d.press("{", "1")
	found := d.app.panicError(&work.Fault{Value: "by the test", Stack: []byte("its stack")})
	if found.Error() != "by the test" || string(found.Stack) != "its stack" {
		t.Fatalf("the fault is %+v", found)
	}
	titles := value.Each(found.Sessions, func(s screen.TitledSession) string { return s.Title })
	if got := strings.Join(titles, ", "); got != "shop.asl.json, payment.asl.json" {
		t.Errorf("the sessions are %s", got)
	}
	if len(found.Typed) != 1 || found.Typed[0] != "{1" {
		t.Errorf("the typed texts are %q", found.Typed)
	}
}
