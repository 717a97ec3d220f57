package lens_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/tuitest"
	"asldb/tui/view"
	"asldb/tui/view/lens"
)

// shipping loses the customer in the catcher of Enrich, which has no ResultPath; Ship reads its address.
const shipping = `{"StartAt":"Load","States":{
"Load":{"Type":"Choice","Choices":[{"Variable":"$.never","IsPresent":true,"Next":"Never"}],"Default":"Enrich"},
"Enrich":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:enrich","Next":"Ship",
"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Ship"}]},
"Ship":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:ship","Parameters":{"to.$":"$.customer.email"},"End":true},
"Never":{"Type":"Pass","Next":"Ship"}}}`

var machine = runs.Machine(shipping)

// context is the screen around the view.
type context struct {
	t      testing.TB
	table  *keys.Map
	canvas *canvas.Canvas
	spots  widget.Spots
	view   *lens.View
	closed bool
	said   string
	copied string
	did    keys.Action
	gone   int
	path   string
}

func (c *context) Keys() *keys.Map                 { return c.table }
func (c *context) Say(_ canvas.Style, text string) { c.said = text }
func (c *context) Open(d view.View)                { c.closed = d == nil }
func (c *context) Do(a keys.Action, _ string)      { c.did = a }
func (c *context) Disabled(keys.Action) string     { return "" }
func (c *context) Copy(text string)                { c.copied = text }

// open opens the view of a path in the data of an event.
func open(t *testing.T, log *runlog.Log, i int, text string, g *canvas.Glyphs) *context {
	t.Helper()
	c := &context{t: t, table: keys.Default(), canvas: canvas.New(100, 36, g), gone: -1}
	view, err := lens.New(c, lens.Run{
		Lens: &provenance.Lens{Log: log}, Definition: machine.Definition(), Glyphs: g,
		Go: func(event int, at string) { c.gone, c.path = event, at },
	}, i, text)
	if err != nil {
		t.Fatal(err)
	}
	c.view = view
	return c
}

func (c *context) frame() string {
	w, h := c.canvas.Size()
	c.canvas.Clear()
	c.spots.Reset()
	c.view.Draw(c.spots.Frame(c.canvas.Area(canvas.Rect{W: w, H: h}), true))
	return c.canvas.String()
}

func (c *context) press(names ...string) *context {
	for _, name := range names {
		c.view.Handle(keys.Press{Name: name, Action: c.table.Lookup(name)})
	}
	return c
}

func (c *context) sees(texts ...string) *context {
	c.t.Helper()
	frame := c.frame()
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			c.t.Errorf("the view lacks %q:\n%s", text, frame)
		}
	}
	return c
}

// failed returns the log of a run in which Ship did not find the address, and the index of that event.
func failed(t *testing.T) (log *runlog.Log, event int) {
	t.Helper()
	log = runs.Run(machine, `{"id":1,"customer":{"email":"a@b.c"}}`,
		runs.InTurn(engine.Outcome{Error: "Down", Cause: "no answer"}))
	for i := range log.Len() {
		if log.At(i).Type == engine.StageFailed {
			return log, i
		}
	}
	t.Fatal("no stage failed")
	return nil, 0
}

// Of a path that is missing, the state that lost it says by which field, and the list names the loss and the remedy.
func TestLoss(t *testing.T) {
	log, event := failed(t)
	c := open(t, log, event, "$.customer.email", canvas.Unicode())
	c.sees("Lost: $.customer.email is missing", "× Enrich", "lost here: ResultPath", "- Ship", "┃ $.customer.email",
		"Enrich lost it: ", "Output replaced the whole input", "line 4", "lost: id, customer",
		`keep it with "ResultPath": "$.error"`, "3 of 4 states on the way")
	c.press("enter")
	if !c.closed || log.At(c.gone).Visit.State.Name != "Enrich" {
		t.Errorf("Enter goes to event %d", c.gone)
	}
	c.press("N").sees("▸").press("N")
	if c.said != "The way ends here." {
		t.Errorf("before the first step it says %q", c.said)
	}
	if c.press("?"); !strings.HasPrefix(c.said, "y copy the path; ") || !strings.Contains(c.said, "n N walk") {
		t.Errorf("? says %q", c.said)
	}
	c.press("n", "n").press("enter")
	if c.path != "$.customer.email" || log.At(c.gone).Visit == nil {
		t.Errorf("the last place of the value is %s of event %d", c.path, c.gone+1)
	}
}

// The way of a value leads to its uses, and back.
func TestForwardAndBack(t *testing.T) {
	log, _ := failed(t)
	c := open(t, log, 0, "$.id", canvas.Unicode())
	c.sees("Where it comes from: $.id = 1", "input", "> where it goes")
	c.press(">").sees("Where it goes: $.id = 1", "sent to the task", "drops it", "< where it comes from")
	c.press("<").sees("Where it comes from")
	if c.press("y"); c.copied != "$.id" {
		t.Errorf("copied %q", c.copied)
	}
	c.press("v")
	if c.did != keys.Source || !c.closed {
		t.Error("the key of the definition does not lead there")
	}
	for _, name := range []string{"H", "esc", "q"} {
		if c.closed = false; !c.press(name).closed {
			t.Errorf("%s does not leave", name)
		}
	}
}

// Every state is drawn where all have boxes, otherwise those that ran; a key shows all.
func TestStatesThatRan(t *testing.T) {
	log, event := failed(t)
	c := open(t, log, event, "$.customer.email", canvas.Unicode())
	c.canvas.Resize(80, 20)
	if frame := c.frame(); strings.Contains(frame, "Never") || !strings.Contains(frame, "States that ran") {
		t.Errorf("a state that did not run takes space:\n%s", frame)
	}
	c.press("z").sees("Never", "states that ran")
}

// The list is above the states on a narrow screen, and every size is drawn.
func TestSizes(t *testing.T) {
	log, event := failed(t)
	for _, g := range []*canvas.Glyphs{canvas.Unicode(), canvas.ASCII()} {
		c := open(t, log, event, "$.customer.email", g)
		for _, size := range [][2]int{{40, 10}, {59, 16}, {60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			c.canvas.Resize(size[0], size[1])
			c.press("home").sees("Ship").press("end", "pgup", "pgdown").sees("Enrich")
		}
	}
}

// A click chooses a step.
func TestClick(t *testing.T) {
	log, event := failed(t)
	c := open(t, log, event, "$.customer.email", canvas.Unicode())
	c.frame()
	c.spots.Click(70, 1)
	c.press("enter")
	if c.gone != event {
		t.Errorf("a click at the first step leads to event %d", c.gone)
	}
}

// Without colours the parts of the states are told by signs, in Unicode and in ASCII.
func TestSigns(t *testing.T) {
	log := runs.Run(machine, `{"customer":{"email":"a@b.c"}}`, runs.InTurn(
		engine.Outcome{Output: value.Must(`{"customer":{"email":"x"}}`)},
		engine.Outcome{Output: value.Must(`{"sent":true}`)},
	))
	for _, test := range []struct {
		glyphs *canvas.Glyphs
		want   []string
	}{
		{canvas.Unicode(), []string{"■ Ship", "made: $.sent"}},
		{canvas.ASCII(), []string{"$ Ship", "made: $.sent"}},
	} {
		open(t, log, log.Len()-1, "$.sent", test.glyphs).sees(test.want...)
	}
}

// The lines of the way have its colour, lines after the loss a loss's.
func TestLinesHaveColours(t *testing.T) {
	log, event := failed(t)
	c := open(t, log, event, "$.customer.email", canvas.Unicode())
	letter := func(style canvas.Style) string { return string('a' + rune(style-1)%26) }
	frame, styles, got := strings.Split(c.frame(), "\n"), strings.Split(c.canvas.Styles(), "\n"), ""
	for y, row := range frame {
		for x, char := range []rune(row) {
			if strings.ContainsRune("▼◀", char) {
				got += string(styles[y][x])
			}
		}
	}
	// They lead to Never, to Enrich, and to Ship, where the way of the catcher joins the other.
	if want := letter(canvas.Dim) + letter(canvas.Way) + letter(canvas.Bad); got != want {
		t.Errorf("the arrows have the styles %q, want %q", got, want)
	}
}

// A literal is told by its field alone.
func TestLiteral(t *testing.T) {
	m := runs.Machine(`{"StartAt":"P","States":{"P":{"Type":"Pass","Result":{"n":1},"End":true}}}`)
	log := runs.Run(m, `{}`, runs.Echo)
	c := &context{t: t, table: keys.Default(), canvas: canvas.New(100, 30, canvas.Unicode())}
	run := lens.Run{Lens: &provenance.Lens{Log: log}, Definition: m.Definition(), Glyphs: canvas.Unicode()}
	view, err := lens.New(c, run, log.Len()-1, "$.n")
	if err != nil {
		t.Fatal(err)
	}
	c.view = view
	c.sees("Result", ", a literal")
	tuitest.Conforms(t, view)
	if frame := c.frame(); strings.Contains(frame, "Result: Result") {
		t.Errorf("the field is told twice:\n%s", frame)
	}
}

// A long search runs in slices: the view shows what is known, takes keys, and has the whole way in the end. The same
// question is answered at once then.
func TestSearchInSlices(t *testing.T) {
	m := runs.Machine(`{"StartAt":"Add","States":{
		"Add":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)"},"ResultPath":"$.counted","Next":"More"},
		"More":{"Type":"Choice","Choices":[{"Variable":"$.counted.n","NumericGreaterThan":1500,"Next":"Done"}],"Default":"Again"},
		"Again":{"Type":"Pass","Parameters":{"id.$":"$.id","n.$":"$.counted.n"},"Next":"Add"},
		"Done":{"Type":"Succeed"}}}`)
	log := runs.Run(m, `{"id":"o-7","n":0}`, runs.Echo)
	var sliced *lens.View
	run := lens.Run{
		Lens: &provenance.Lens{Log: log}, Definition: m.Definition(), Glyphs: canvas.Unicode(), Found: &lens.Found{},
		Slices: func(v *lens.View) { sliced = v },
	}
	open := func() *context {
		c := &context{t: t, table: keys.Default(), canvas: canvas.New(100, 30, canvas.Unicode())}
		view, err := lens.New(c, run, log.Len()-1, "$.id")
		if err != nil {
			t.Fatal(err)
		}
		c.view = view
		return c
	}
	c := open().sees(`Where it comes from: $.id = "o-7"`, "searching, at event ", "Again")
	if sliced != c.view {
		t.Fatal("the search is over in a slice")
	}
	for sliced.Advance() {
		c.sees("searching, at event ")
	}
	c.sees("1,500 times", "input  $.id", "2 steps")
	sliced = nil
	if open().sees("1,500 times", "2 steps"); sliced != nil {
		t.Error("the same question is searched for again")
	}
	c.press(">").sees("Where it goes: $.id", "searching, at event ")
	sliced.Stop()
	if sliced.Advance() {
		t.Error("a search that was stopped continues")
	}
}
