package screen

import (
	"strings"
	"testing"

	"asldb/tui/keys"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// typed presses the keys that write text.
func (d *driver) typed(text string) *driver {
	for _, r := range text {
		d.press(string(r))
	}
	return d
}

func TestCommands(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press(":").typed("step-stage").press("enter").sees("PAUSED")
	d.press(":").typed("break ChargeCard:ResultPath").press("enter").sees("Breakpoint set: ChargeCard:ResultPath")
	d.press(":").typed("clock manual").press("enter").sees("Clock: manual")
	d.press(":").typed("clock x0").press("enter").sees(`a clock is skip, real, manual, or a factor above 0 such as x60; found "x0"`)
	d.press(":").typed("continue").press("enter").sees("WAITING for a timer")
	d.press(":").typed("clock +100ms").press("enter").sees("t+0.1s")
	d.press(":").typed("clock skip").press("enter").press(":").typed("run-to PaymentDue").press("enter").sees("PAUSED at the target")
	d.press(":").typed("3").press("enter").sees("VIEWING event 3 of")
	d.press(":").typed("goto 99").press("enter").sees("An event is a number from 1 to ")
	d.press(":").typed("view after").press("enter").sees("[after]")
	d.press(":").typed("brek x").press("enter").sees(`there is no command "brek"; did you mean :break?`)
	d.press(":").typed("zoom in").press("enter").sees(":zoom takes nothing after its name")
	d.press(":").typed("find xyzzy").press("enter").sees("Not found: xyzzy")
	d.press(":").typed("messages").press("enter").sees("Messages", "Breakpoint set: ChargeCard:ResultPath", "did you mean :break?").press("esc")
	d.press(":").typed("next-timer").press("enter").sees("a: no timer is pending")
}

func TestThePromptCompletes(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press(":").typed("bre").sees(":break SPEC", ":breakpoints", ":break-on-error")
	d.press("tab").sees(":break ").typed("Char").sees("ChargeCard").press("tab").sees(":break ChargeCard")
	d.typed(":Res").sees("ResultSelector", "puts the result into the raw input").press("tab", "tab").sees(":break ChargeCard:ResultPath")
	d.press("tab") // after the last one comes the typed text
	if got := d.app.ui.dialog.(*dialog.Prompt).Text(); got != "break ChargeCard:Res" {
		t.Errorf("after the last completion the line is %q", got)
	}
	d.press("shift+tab", "enter").sees("Breakpoint set: ChargeCard:ResultPath")
	d.press("U").typed("ValidateOrder if $.or").press("tab")
	if got := d.app.ui.dialog.(*dialog.CheckedPrompt).Text(); got != "ValidateOrder if $.order" {
		t.Errorf("the path is completed to %q", got)
	}
	d.typed(".").sees(`$.order.id`, `"o-1042"`, "$.order.lines")
}

func TestThePromptRemembers(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	line := func() string { return d.app.ui.dialog.(*dialog.Prompt).Text() }
	d.press(":").typed("step-stage").press("enter").press(":").typed("view before").press("enter")
	d.press(":").typed("mine").press("up")
	if line() != "view before" {
		t.Errorf("up brings %q", line())
	}
	d.press("up", "up")
	if line() != "step-stage" {
		t.Errorf("up brings %q", line())
	}
	d.press("down", "down")
	if line() != "mine" {
		t.Errorf("down leads back to %q", line())
	}
	d.press("esc", "/") // another prompt has its own lines
	if d.press("up"); line() != "" {
		t.Errorf("the search offers %q", line())
	}
	d.press("esc", ":", "backspace").sees("i stage") // nothing typed: backspace leaves
}

func TestPalette(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press("ctrl+p").sees("All commands", ":step-stage", "i, F7, I").typed("nxtim").sees(":next-timer", "(no timer is pending)")
	if strings.Contains(d.frame(), ":step-stage") {
		t.Error("what does not fit is still listed")
	}
	d.press("enter").sees("a: no timer is pending")
	d.press("ctrl+p").typed("sst")
	if first := d.app.ui.dialog.(*dialog.Palette).First(); first != keys.StepState && first != keys.StepStage {
		t.Errorf("sst finds %s first", d.app.ui.keys.Binding(first).Names[0])
	}
	d.press("esc", "ctrl+p").typed("break").press("enter").sees("Stop at:") // the argument is asked for
	d.typed("PaymentDue").press("enter").sees("Breakpoint set: PaymentDue")
	d.press("ctrl+p").typed("any key").sees(":pause") // words of the help are found, too
	d.press("esc", "ctrl+p").typed("qqqq").sees("No command has these letters.").press("enter", "esc").sees("READY")
}

// TestEveryActionHasARoom: every action of the table has a binding.
func TestEveryActionHasARoom(t *testing.T) {
	for _, b := range Keys().Bindings() {
		t.Run(b.Names[0], func(t *testing.T) {
			u := drive(t, order(t), 120, 34, Options{}).app.ui
			if u.disabled(b.Action) != "" {
				t.Skip("not now")
			}
			for _, p := range []view.ID{view.Data, view.States, view.Drawer} {
				u.layout.focus(p)
				u.act(b.Action)
				said := u.messages.shown && strings.Contains(u.messages.list[len(u.messages.list)-1].Text, "this pane has nothing")
				if !said {
					return
				}
				u.dialog = nil
			}
			t.Error("no pane carries it out")
		})
	}
}

func TestACompletedStageHasItsPurpose(t *testing.T) {
	const definition = `{"StartAt":"Load","States":{"Load":{"Type":"Task","Resource":"r","ResultPath":"$","End":true}}}`
	drive(t, session(t, definition, `{}`, nil), 160, 44, Options{}).press("U").typed("Load:Res").sees("the result replaces the raw input")
}

// TestFindCompletes: the words of the pane that has the focus complete the text that is looked for.
func TestFindCompletes(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press("s", "s", "2", "/").typed("cust").sees(" customer").press("tab", "enter").sees("$.customer")
	d.press("1", "/", "backspace").typed("wai").press("tab").sees("WaivePayment").press("enter", "esc")
	d.press("3", "/").typed("vali").sees("ValidateOrder").press("esc")
	d.press(":").typed("watch $.order.id").press("enter").press("4", "/").typed("order").press("tab").sees("): $.order.id").press("esc")
	d.press("2").press(":").typed("view definition").press("enter", "/").typed("numericg").sees("NumericGreaterThan").press("esc")
}
