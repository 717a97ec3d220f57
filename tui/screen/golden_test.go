package screen

import (
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// picture is a place in a run, and the part of the screen that is compared there.
type picture struct {
	name  string
	shows func(d *driver) string
	reach func(d *driver)
}

// wholeScreen shows the frame.
func wholeScreen(d *driver) string { return d.frame() }

// only returns a function that shows one pane, as large as it is on the screen.
func only(p view.ID) func(d *driver) string {
	return func(d *driver) string {
		d.frame() // to which panes scroll
		l := &d.app.ui.layout
		place := l.places.Panes[p]
		c := canvas.New(place.W, place.H, d.app.ui.glyphs)
		l.panes[p].Draw(new(widget.Spots).Frame(c.Area(canvas.Rect{W: place.W, H: place.H}), l.mode.Focus == p))
		return c.String()
	}
}

// over shows the dialog, with nothing below it.
func over(d *driver) string {
	d.frame()
	w, h := d.app.Size()
	c := canvas.New(w, h, d.app.ui.glyphs)
	d.app.ui.dialog.Draw(new(widget.Spots).Frame(c.Area(canvas.Rect{W: w, H: h}), true))
	return c.String()
}

func pictures() []picture {
	return []picture{
		{"stage", wholeScreen, func(d *driver) { stagesUntil(d, "ResultPath", "ChargeCard") }},
		{"question", wholeScreen, func(d *driver) { d.press("c") }},
		{"looking", wholeScreen, func(d *driver) {
			stagesUntil(d, "Choices", "PaymentDue")
			d.press("3", "up", "up", " ", "down", "down", "down", "down")
		}},
		{"folded", only(view.Drawer), func(d *driver) { d.press("c", "esc", "3", "up", "up", "left") }},
		{"opened", only(view.Drawer), func(d *driver) { d.press("c", "esc", "3", "home", "down", "down", "down", " ", "down", "down") }},
		{"time-retry", only(view.Drawer), func(d *driver) { d.press("t", "t", "t", "c", "a", "c", "a", "c", "T", "left", "+") }},
		{"time-whole", only(view.Drawer), func(d *driver) { d.press("c", "esc", "T", " ", "z") }},
		{"palette", over, func(d *driver) {
			d.app.ui.keys = keys.Default().Only(someActions())
			d.app.ui.dialog = dialog.NewPalette(d.app.ui.context(), "All commands", nil)
			d.typed("st").press("down")
		}},
		{"prompt", over, func(d *driver) {
			d.app.ui.keys = keys.Default().Only(someActions())
			d.app.ui.prompts.askForCommand("")
			d.typed("br").press("tab").typed("Pay").press("tab").typed(" if $.c").press("tab").typed(".")
		}},
		{"messages", over, func(d *driver) { d.press("b", "E", "t", ":").typed("messages").press("enter") }},
		{"quit", over, func(d *driver) {
			d.app.ui.losses = append(d.app.ui.losses, func() []string { return []string{"2 answers that you gave"} })
			d.press("q")
		}},
		{"source", over, func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("v")
		}},
		{"copy", over, func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("y", "down")
		}},
		{"spec", over, func(d *driver) { d.press("U").typed("ChargeCard if $.a >") }},
		{"edit", over, func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("e", "down", "end").typed(",")
		}},
		{"intervene", over, func(d *driver) { d.press("c", "esc", "X", "down") }},
	}
}

// someActions stand for all of them in pictures that would change with every new action.
func someActions() []keys.Action {
	return append((&runner{}).runBindings().Actions(), keys.AddBreak, keys.ListBreaks, keys.NextTimer, keys.ClockMode, keys.Quit, keys.Help)
}

// branched has a run with two branches: in the second one the card service refused at once.
func branched(d *driver) *driver {
	stagesUntil(d, "ResultPath", "ChargeCard")
	if err := d.app.ui.session.Interventions().AnswerOtherwise(2, engine.Outcome{Error: "Card.Refused", Cause: "stolen"}); err != nil {
		d.t.Fatal(err)
	}
	d.app.ui.sync()
	return d.press("s")
}

// stagesUntil steps stage by stage until a stage of a state has run.
func stagesUntil(d *driver, stage, state string) {
	for range 100 {
		m := d.app.ui.selection
		if m.Visit != nil && m.Visit.State.Name == state && m.StageName() == stage {
			return
		}
		d.press("i")
	}
	d.t.Fatalf("%s of %s never runs", stage, state)
}

const paneWidth, paneHeight = 120, 34

// sizeOf has the sizes of the pictures that are compared on another screen, since they are arranged otherwise there.
// The situations of package tui have the sizes of usual terminals.
var sizeOf = map[string][2]int{
	"stage": {40, 10}, "question": {40, 10}, "looking": {40, 10}, "spec": {40, 10}, "edit": {40, 10},
	"palette": {40, 10}, "source": {40, 10}, "time-whole": {40, 10},
}

// TestPictures compares the screen with the files of testdata; -update writes them.
func TestPictures(t *testing.T) {
	for _, p := range pictures() {
		t.Run(p.name, func(t *testing.T) {
			size, ok := sizeOf[p.name]
			if !ok {
				size = [2]int{paneWidth, paneHeight}
			}
			d := drive(t, order(t), size[0], size[1], Options{})
			p.reach(d)
			golden(t, p.name, p.shows(d))
		})
	}
}

// TestASCIIPictures are the pictures of the events and of the time axis in ASCII.
func TestASCIIPictures(t *testing.T) {
	for _, p := range pictures() {
		if p.name != "folded" && p.name != "opened" && p.name != "time-retry" {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			d := drive(t, order(t), paneWidth, paneHeight, Options{ASCII: true})
			p.reach(d)
			golden(t, "ascii-"+p.name, p.shows(d))
		})
	}
}

// TestDiffPicture is a line that changed in part.
func TestDiffPicture(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","ResultPath":"$.note","End":true}}}`,
		`{"a":1,"b":2,"c":3,"d":4,"e":{"x":1},"f":6,"note":"the parcel left London on Monday","z":null}`,
		script{"T": {engine.Outcome{Output: value.Must(`"the parcel left Leeds on Monday"`), After: time.Second}}})
	d := drive(t, s, 80, 24, Options{Title: "note"}).press("i", "i", "i", "i", "i")
	golden(t, "diff", only(view.Data)(d))
	golden(t, "diff-styles-80x24", d.app.painted().Styles())
	if !strings.Contains(d.press("Z").frame(), `"x": 1`) {
		t.Error("Z does not unfold what is unchanged")
	}
}
