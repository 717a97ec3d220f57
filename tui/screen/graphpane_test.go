package screen

import (
	"asldb/internal/definitions"
	"asldb/tui/keys"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/tui/view"
)

// items is a Map over three items with a task that fails for the second one, which is caught.
const itemsDefinition = `{"StartAt":"Each","States":{
	"Each":{"Type":"Map","MaxConcurrency":1,"Next":"Done","ItemProcessor":{"StartAt":"Try","States":{
		"Try":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Catch":[{"ErrorEquals":["No"],"Next":"Else"}],"Next":"Good"},
		"Good":{"Type":"Pass","End":true},
		"Else":{"Type":"Pass","End":true}}}},
	"Done":{"Type":"Succeed"}}}`

func itemsDriver(t *testing.T, w, h int) *driver {
	t.Helper()
	return drive(t, session(t, itemsDefinition, `[1,2,3]`, script{"Try": []engine.Outcome{
		{Output: value.Must(`1`)}, {Error: "No"},
	}}), w, h, Options{Title: "items"})
}

func TestGraphIsDrawnWhereThereIsRoom(t *testing.T) {
	d := drive(t, order(t), 200, 60, Options{})
	d.sees("· ValidateOrder", "OrderCompleted", "Fulfil ≡2", "┆") // all of it, in chips
	d.press("s", "s", "s").
		sees("▶ ChargeCard").
		press("+").
		sees("▶ ChargeCard", "║", "┏")
		// the current state is a double box, and the edges taken are heavy
	small := drive(t, order(t), 80, 24, Options{})
	small.press("s", "s").sees("▶ PaymentDue ◇ ─ …valid = false ─→ · OrderRejected ◉ +2")
	if strings.Contains(small.frame(), "╔") {
		t.Error("one row is not enough for a drawing")
	}
	small.press("1", "z").sees("  ▶ PaymentDue ◇    ")
}

// TestTheGraphTakesTheWidthItNeeds: a narrow drawing leaves its cells to the data, a wide one takes them, and of one
// that is wider still a part is seen, which the border says.
func TestTheGraphTakesTheWidthItNeeds(t *testing.T) {
	whole := drive(t, order(t), 120, 40, Options{})
	whole.sees("· WaivePayment ", "OrderRejected ◉ ◀┄┄ · ChargeCard")
	if frame := whole.frame(); strings.Contains(frame, "›┬") {
		t.Errorf("the drawing is cut:\n%s", frame)
	}
	more := strings.ReplaceAll(
		string(definitions.DemoDefinition),
		`"Choices": [`,
		`"Choices": [{"Variable":"$.a","NumericEquals":1,"Next":"Fulfil"},{"Variable":"$.b","NumericEquals":1,"Next":"Summarize"},`,
	)
	wide := drive(t, session(t, more, `{}`, nil), 110, 34, Options{})
	if got := wide.app.ui.layout.places.Panes[view.States].W; got != MostDrawing(110)+graphFrame {
		t.Errorf("a drawing that is too wide gets %d cells", got)
	}
	for range 2 {
		wide.does(keys.DividerLeft, "")
	}
	wide.sees("· ValidateOrder", "›┬").press("1", "down", "right", "right").sees("‹", "· WaivePayment")
	if frame := wide.frame(); strings.Contains(frame, "›┬") {
		t.Errorf("there is nothing to the right of the last state:\n%s", frame)
	}
	narrow := drive(t, session(t, onePass, `{}`, nil), 120, 34, Options{})
	if got := narrow.app.ui.layout.places.Panes[view.States].W; got != 36 {
		t.Errorf("a drawing of one state gets %d cells", got)
	}
}

func TestDensityIsChosen(t *testing.T) {
	d := drive(t, order(t), 120, 60, Options{}).press("1", "z").sees("│ · ValidateOrder │")
	d.press("-").sees("  · ValidateOrder  ")
	d.press("-").sees("ValidateOrder → PaymentDue", "branch 0")
	d.press("-").sees("cannot be drawn smaller")
	d.press("+", "+").sees("│ · ValidateOrder │")
	d.press("+").sees("cannot be drawn larger")
	d.app.ui.states.Enlarge("rail")
	d.sees("ValidateOrder → PaymentDue")
	d.app.ui.states.Enlarge("auto")
	d.sees("│ · ValidateOrder │")
	d.app.ui.states.Enlarge("huge")
	d.sees("boxes, chips, rail, or auto")
}

func TestFoldingAContainer(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{}).press("1", "z", "/").typed("Reserve").press("enter")
	d.sees("ReserveStock").press(" ")
	if got := d.app.ui.states.Selected().Name; got != "Fulfil" {
		t.Fatalf("after folding %s is selected", got)
	}
	d.sees("Fulfil ≡2 [+3]")
	if strings.Contains(d.frame(), "NotifyCustomer") {
		t.Error("what is folded is still drawn")
	}
	d.press("/").typed("Notify").press("enter").sees("NotifyCustomer") // the found state is in view
	d.press("g", " ").sees("Only a Parallel or a Map can be folded")
}

func TestLookingIntoAnIteration(t *testing.T) {
	d := itemsDriver(t, 120, 40).press("1", "z", ")")
	d.sees(":next-iteration: no iteration of Each has begun")
	d.press("down", "down", "down", "down", ")").sees(":next-iteration: the run has been in no Map and no Parallel")
}

func TestTheMinimapCanBeHidden(t *testing.T) {
	d := drive(t, order(t), 120, 24, Options{}).press("1", "z")
	foot := func() string {
		return strings.Split(d.frame(), "\n")[1]
	}
	if !strings.Contains(foot(), "[") {
		t.Fatalf("there is no minimap: %s", foot())
	}
	if d.press("M"); strings.Contains(foot(), "[") {
		t.Errorf("the minimap is still there: %s", foot())
	}
}

// A large graph is laid out behind the screen: the list stays until the drawing is there.
func TestALargeGraphComesLater(t *testing.T) {
	app := shown(session(t, ringOf(700), `{}`, nil), Options{})
	app.Resize(120, 40)
	const line = "╭"
	if frame := app.Text(); strings.Contains(frame, line) || !strings.Contains(frame, "S12") {
		t.Fatalf("the states are not listed before they are drawn:\n%s", frame)
	}
	frame := ""
	for range 3 { // the width that the drawing needs, and the drawing for it
		if err := app.stack.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		frame = app.Text()
	}
	if !strings.Contains(frame, line) {
		t.Errorf("the states are not drawn:\n%s", frame)
	}
}

// TestTheWheelMovesTheView: the selection stays, and the next step brings the running state into view again.
func TestTheWheelMovesTheView(t *testing.T) {
	for _, size := range [][2]int{{120, 24}, {80, 24}} {
		d := drive(t, order(t), size[0], size[1], Options{}).press("i", "i", "1").sees("▶ ValidateOrder")
		place := d.app.ui.layout.places.Panes[view.States]
		for range 12 {
			d.wheel(place.X+3, place.Y+3, 1)
		}
		d.sees("OrderCompleted ◉")
		if strings.Contains(d.frame(), "▶ ValidateOrder") || d.app.ui.states.Selected().Name != "ValidateOrder" {
			t.Errorf("the wheel does not move the view alone:\n%s", d.frame())
		}
		d.press("i").sees("▶ ValidateOrder")
	}
}

// TestSelectionDrives: moving in the graph shows the selected state's last visit at this moment, or its text where it
// has not run. Time does not move: a step begins at the place of the run, Enter goes to the visit, and Esc comes back.
func TestSelectionDrives(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	stagesUntil(d, "ResultPath", "ChargeCard")
	position := d.app.ui.session.Position()
	d.press("1").
		sees("━━ 1 States ━").
		press("up").
		sees("─ 2 PaymentDue ─").
		press("up").
		sees("─ 2 ValidateOrder ─", "Task, not here", "▶ ChargeCard", " enter go there  esc back  b break ")
	if got := d.app.ui.session.Position(); got != position {
		t.Errorf("the run is at %d, not at %d", got, position)
	}
	d.press("esc").sees("ChargeCard › ResultPath", "─ 2 ChargeCard ─")
	d.press("down").
		sees("─ 2 AwaitSettlement ─", "Wait, not run", `"Seconds": 3600`, "▶ ChargeCard").
		press("enter").
		sees("The run has not been in this state.")
	d.press("up").
		sees("─ 2 ChargeCard ─").
		press("up").
		sees("─ 2 PaymentDue ─", "Choice, not here").
		press("i").
		sees("ChargeCard › output")
	d.press("up").sees("─ 2 PaymentDue ─").press("enter").sees("▶ PaymentDue").press("s").sees("▶ ChargeCard")
	d.press("esc").
		sees("ChargeCard › output").
		press("/").
		typed("Validate").
		press("enter").
		sees("─ 2 ValidateOrder ─", "not here")
}
