package tui

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"asldb/internal/fault"
	"asldb/internal/tty"
	"asldb/tui/screen"
	"asldb/tui/screen/screentest"
	tea "github.com/charmbracelet/bubbletea"
)

// A fault ends the program, wherever it happens, with everything that is to be saved.
func TestAFaultTakesTheSessionsAlong(t *testing.T) {
	shop, calls := screentest.Shop(t, "cash")
	d := drive(t, shop, 120, 34, Options{Options: screen.Options{Title: "shop.asl.json", Calls: calls}})
	d.until("i", "> steps into it").press(">").until("i", "What does Charge return?")
	d.press("{", "1").send(faultMsg{&fault.Fault{Value: "by the test", Stack: []byte("its stack")}})
	found := d.app.fault
	if found == nil || found.Error() != "by the test" || string(found.Stack) != "its stack" {
		t.Fatalf("the fault is %+v", found)
	}
	var titles []string
	for _, s := range found.Sessions {
		titles = append(titles, s.Title)
	}
	if got := strings.Join(titles, ", "); got != "shop.asl.json, payment.asl.json" {
		t.Errorf("the sessions are %s", got)
	}
	if len(found.Typed) != 1 || found.Typed[0] != "{1" {
		t.Errorf("the typed texts are %q", found.Typed)
	}
	if d.app.View() != "" {
		t.Error("a program that has failed draws")
	}
	if _, cmd := d.app.Update(keyMsg("i")); cmd == nil {
		t.Error("a program that has failed goes on")
	}
}

// A fault in a command of the program, or while another program has the terminal, is one like any other.
func TestFaultsElsewhere(t *testing.T) {
	if msg, ok := guard(func() tea.Msg { panic("by the test") })().(faultMsg); !ok || msg.fault.Error() != "by the test" {
		t.Errorf("the message is %+v", msg)
	}
	if msg := guard(func() tea.Msg { return advanceMsg{} })(); msg != (advanceMsg{}) {
		t.Errorf("the message is %+v", msg)
	}
	d := drive(t, order(t), 80, 24, Options{})
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d.app.terminal = tty.Open(file, file)
	isLent := false
	d.app.terminal.Lending = func() func() {
		isLent = true
		return func() { isLent = false }
	}
	command := &asideCommand{app: d.app, lend: d.app.terminal.Lend, run: func(_, _ *os.File) error { panic("by the test") }}
	command.SetStdin(nil)
	command.SetStdout(nil)
	command.SetStderr(io.Discard)
	var broken *fault.Fault
	if err := command.Run(); !errors.As(err, &broken) || isLent {
		t.Fatalf("the error is %v", err)
	}
	if d.send(backMsg{func() { backFrom(broken, func(error) { t.Error("the fault is taken for an error") }) }}); d.app.fault == nil {
		t.Error("the fault is forgotten")
	}
	var told error
	backFrom(io.EOF, func(err error) { told = err })
	if told != io.EOF {
		t.Errorf("the error is %v", told)
	}
}
