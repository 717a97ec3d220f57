package screen

import (
	"testing"

	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/dialog"
	"asldb/tui/view/side"
)

// The cursor stays at the value that the person has chosen, whatever view is shown, so that every key answers for it.
func TestTheCursorStaysInEveryView(t *testing.T) {
	d := drive(t, order(t), 160, 50, Options{})
	stagesUntil(d, "ResultPath", "ChargeCard")
	d.press("2")
	for _, text := range []string{"tok_visa_4242", "TEA-500", "captured"} { // folded in the difference, deep in it, new
		for d.app.ui.data.View() != data.After {
			d.press("d")
		}
		if _, ok := d.app.ui.data.Find(text, 1); !ok {
			t.Fatalf("the data have no %s", text)
		}
		want := d.app.ui.data.Path()
		for range 8 {
			d.press("d")
			if d.app.ui.data.View() == data.Definition {
				continue // its cursor is on a line of the text
			}
			got := d.app.ui.data.Path()
			if d.app.ui.data.View() == data.Before && text == "captured" {
				d.sees("There is no $.payment.status before this: the cursor is at $.")
				continue
			}
			if got != want {
				t.Errorf("%s: in the view %v the cursor is at %s, want %s", text, d.app.ui.data.View(), got, want)
			}
			if v, ok := d.app.ui.data.Selected().(value.String); !ok || string(v) != text {
				t.Errorf("%s: in the view %v the cursor is at %v", text, d.app.ui.data.View(), d.app.ui.data.Selected())
			}
		}
		d.press("H").sees("Where it comes from: " + want).press("esc")
	}
}

// Keys that arrive before a frame is drawn find the cursor where that frame will show it.
func TestTheCursorIsAtTheChangeBeforeItIsDrawn(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	stagesUntil(d, "ResultPath", "ChargeCard")
	if got := d.app.ui.data.Path(); got != "$.payment" {
		t.Errorf("before the frame the cursor is at %s", got)
	}
	d.press("d")
	d.frame()
	if got := d.app.ui.data.Path(); got != "$.payment" {
		t.Errorf("side by side the cursor is at %s", got)
	}
}

// A suggestion goes when something is typed, and stays when the cursor moves.
func TestTypingTakesThePlaceOfASuggestion(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	stagesUntil(d, "ResultPath", "ChargeCard")
	line := func() string { return d.app.ui.dialog.(*dialog.CheckedPrompt).Text() }
	for _, key := range []string{"w", "="} {
		d.press(key).sees("$.payment", "a suggestion: typing takes its place")
		if d.typed("$.order"); line() != "$.order" {
			t.Errorf("%s: typing $.order gives %q", key, line())
		}
		d.press("esc", key, "end").typed(".id")
		if line() != "$.payment.id" {
			t.Errorf("%s: behind the suggestion that was kept comes %q", key, line())
		}
		d.press("esc", key, "backspace")
		if line() != "$.paymen" {
			t.Errorf("%s: backspace leaves %q", key, line())
		}
		d.press("esc", key)
		d.paste("$.customer.name") // pasted
		if line() != "$.customer.name" {
			t.Errorf("%s: a paste gives %q", key, line())
		}
		d.press("esc")
	}
	d.press("w", "enter").sees("$.payment")
	if w := d.app.ui.session.Watches().All(); len(w) != 1 || w[0].Text != "$.payment" {
		t.Fatalf("the suggestion taken as it is: %v", w)
	}
	// What is edited isn't a suggestion.
	d.app.ui.layout.focus(view.Drawer)
	d.app.ui.lists.Choose(side.Watches)
	if d.press("enter").typed(".id"); line() != "$.payment.id" {
		t.Errorf("an edited watch becomes %q", line())
	}
	d.press("esc")
	d.app.ui.do(keys.FindEvent, "$.payment.id > 0")
	d.app.ui.do(keys.FindEvent, "")
	if d.typed("thread == 1"); line() != "thread == 1" {
		t.Errorf("the condition becomes %q", line())
	}
	d.press("esc")
}

func TestTypingTakesThePlaceOfASuggestedError(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","Retry":[{"ErrorEquals":["Card.Timeout"]}],"End":true}}}`, `{}`, nil)
	d := drive(t, s, 100, 30, Options{}).press("c", "tab", "down").sees("Card.Timeout")
	q := d.app.ui.dialog.(*dialog.Question)
	d.typed("Mail.Lost")
	if name, _ := q.Name(); name != "Mail.Lost" {
		t.Errorf("the name becomes %q", name)
	}
	d.press("enter")
	if f := d.app.ui.session.Failure(); f == nil || f.Name != "Mail.Lost" {
		t.Errorf("the run ended with %v", f)
	}
}
