package screen

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
)

// picture is a moment of a run that is worth looking at.
type picture struct {
	name  string
	reach func(d *driver)
}

func pictures() []picture {
	return []picture{
		{"start", func(*driver) {}},
		{"stage", func(d *driver) { stagesUntil(d, "ResultPath", "ChargeCard") }},
		{"choice", func(d *driver) { stagesUntil(d, "Choices", "PaymentDue") }},
		{"retry", func(d *driver) { d.press("t", "t", "t", "c", "a", "c", "a", "c") }},
		{"question", func(d *driver) { d.press("c") }},
		{"parallel", func(d *driver) { d.press("c", "esc") }},
		{"looking", func(d *driver) {
			stagesUntil(d, "Choices", "PaymentDue")
			d.press("3", "up", "up", " ", "down", "down", "down", "down")
		}},
		{"folded", func(d *driver) { d.press("c", "esc", "3", "up", "up", "left") }},
		{"opened", func(d *driver) { d.press("c", "esc", "3", "home", "down", "down", "down", " ", "down", "down") }},
		{"time", func(d *driver) { d.press("c", "esc", "T") }},
		{"time-retry", func(d *driver) { d.press("t", "t", "t", "c", "a", "c", "a", "c", "T", "left", "+") }},
		{"time-whole", func(d *driver) { d.press("c", "esc", "T", " ", "z") }},
		{"breakpoints", func(d *driver) { d.press("b", "E", "2", "down", "b", "B", "down", " ") }},
		{"palette", func(d *driver) {
			d.app.ui.keys = keys.Default().Only(someActions())
			d.app.ui.dialog = dialog.NewPalette(d.app.ui.context())
			d.typed("st").press("down")
		}},
		{"prompt", func(d *driver) {
			d.app.ui.keys = keys.Default().Only(someActions())
			d.app.ui.prompts.askForCommand("")
			d.typed("br").press("tab").typed("Pay").press("tab").typed(" if $.c").press("tab").typed(".")
		}},
		{"messages", func(d *driver) { d.press("b", "E", "t", "m") }},
		{"quit", func(d *driver) {
			d.app.ui.losses = append(d.app.ui.losses, func() []string { return []string{"2 answers that you gave"} })
			d.press("q")
		}},
		{"back", func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("O", "I", "I")
		}},
		{"branches", func(d *driver) { branched(d).press("L") }},
		{"compared", func(d *driver) { branched(d).press("L", "up", "d", "down") }},
		{"came-from", func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.app.ui.data.Find("ch_3PqL", 1)
			d.press("H", "down")
		}},
		{"source", func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("v")
		}},
		{"side", func(d *driver) {
			stagesUntil(d, "ResultSelector", "ChargeCard")
			d.press("d")
		}},
		{"copy", func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("y", "down")
		}},
		{"watches", func(d *driver) {
			d.app.ui.do(keys.AddWatch, "$.payment")
			d.app.ui.do(keys.AddWatch, "$.validation.total * 2")
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.app.ui.layout.focus(pane.Side)
		}},
		{"spec", func(d *driver) { d.press("U").typed("ChargeCard if $.a >") }},
		{"edit", func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("e", "down", "end").typed(",")
		}},
		{"intervene", func(d *driver) { d.press("c", "esc", "X", "down") }},
		{"help", func(d *driver) {
			d.app.ui.keys = keys.Default().Only(someActions())
			d.app.ui.dialog = &dialog.Help{}
		}},
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

// TestPictures compares the screen at several sizes with the files of testdata; -update writes them.
func TestPictures(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 34}, {200, 50}} {
		for _, p := range pictures() {
			name := p.name + "-" + strconv.Itoa(size[0]) + "x" + strconv.Itoa(size[1])
			t.Run(name, func(t *testing.T) {
				d := drive(t, order(t), size[0], size[1], Options{})
				p.reach(d)
				golden(t, name, d.frame())
			})
		}
	}
}

// TestASCIIPicture is the same screen in ASCII.
func TestASCIIPicture(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 34}, {200, 50}} {
		d := drive(t, order(t), size[0], size[1], Options{ASCII: true})
		stagesUntil(d, "ResultPath", "ChargeCard")
		golden(t, "ascii-"+strconv.Itoa(size[0])+"x"+strconv.Itoa(size[1]), d.frame())
	}
}

// TestASCIIEvents are the pictures of the events and of the time axis in ASCII.
func TestASCIIEvents(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 34}, {200, 50}} {
		for _, p := range pictures() {
			if p.name != "folded" && p.name != "opened" && p.name != "time" && p.name != "time-retry" {
				continue
			}
			name := "ascii-" + p.name + "-" + strconv.Itoa(size[0]) + "x" + strconv.Itoa(size[1])
			t.Run(name, func(t *testing.T) {
				d := drive(t, order(t), size[0], size[1], Options{ASCII: true})
				p.reach(d)
				golden(t, name, d.frame())
			})
		}
	}
}

// TestStyles is the layer of styles of one picture: each letter is a style of the theme.
func TestStyles(t *testing.T) {
	d := drive(t, order(t), 80, 24, Options{})
	stagesUntil(d, "ResultPath", "ChargeCard")
	d.frame()
	golden(t, "styles-80x24", d.app.ui.layout.canvas.Styles())
}

// TestFailurePicture is the end of a run that nobody caught.
func TestFailurePicture(t *testing.T) {
	s := session(t, `{"StartAt":"Ship","States":{
		"Ship":{"Type":"Task","Resource":"arn:aws:lambda:eu-central-1:1:function:ship","Parameters":{"to.$":"$.order.address.city"},"End":true}}}`,
		`{"order":{"id":"o-1","addr":{"city":"Bath"},"total":3}}`, nil)
	d := drive(t, s, 80, 24, Options{Title: "ship"}).press("c")
	golden(t, "failed-80x24", d.frame())
}

// TestDiffPicture is a line that changed in part.
func TestDiffPicture(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","ResultPath":"$.note","End":true}}}`,
		`{"a":1,"b":2,"c":3,"d":4,"e":{"x":1},"f":6,"note":"the parcel left London on Monday","z":null}`,
		script{"T": {engine.Outcome{Output: value.Must(`"the parcel left Leeds on Monday"`), After: time.Second}}})
	d := drive(t, s, 80, 24, Options{Title: "note"}).press("i", "i", "i", "i", "i")
	golden(t, "diff-80x24", d.frame())
	golden(t, "diff-styles-80x24", d.app.ui.layout.canvas.Styles())
	if !strings.Contains(d.press("Z").frame(), `"x": 1`) {
		t.Error("Z does not unfold what is unchanged")
	}
}
