package dialog

import (
	"cmp"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/services"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// EditFacts are the facts about the data that their editor needs.
type EditFacts struct {
	Thread engine.ThreadID
	// Stage is the one that gave the data, Where its state.
	Stage engine.Stage
	Where string
	Data  value.Value
	// Events is how many had happened: the text is about that moment.
	Events int
	// Call is the operation whose parameters the data are; nil for other data. Tab completes their names.
	Call *services.Call
	// Limit is the greatest size in bytes; 0 for none.
	Limit int
	// Title is the title; empty: the title of the data of Where after Stage. Again opens the editor again, with the
	// text that was left.
	Title string
	Again keys.Action
	// Optional lets an empty text mean the data as they are.
	Optional bool
	// Take replaces the data by the value of the text; unchanged is true where the two are equal.
	Take func(v value.Value, unchanged bool) error
}

// Edit changes the data that the next stage of a thread reads.
type Edit struct {
	view.Modal
	EditFacts
	screen editing
	text   jsonText
	fault  string
	offer  offer
}

// offer are the completions at the cursor.
type offer struct {
	list []view.Completion
	// typed is the number of characters before the cursor that they replace.
	typed int
	// cycling: Tab has put one of them into the text, the chosen one.
	cycling bool
	chosen  int
}

// NewEdit returns an editor with the data.
func NewEdit(screen editing, facts EditFacts) *Edit {
	d := &Edit{EditFacts: facts, screen: screen}
	if d.Again == keys.None {
		d.Again = keys.EditData
	}
	d.text.Set(value.Pretty(facts.Data))
	return d
}

// Text returns the text.
func (d *Edit) Text() string { return d.text.Value() }

// SetText replaces the text.
func (d *Edit) SetText(text string) { d.text.Set(text) }

// Changed reports whether the text differs from the data's.
func (d *Edit) Changed() bool { return d.text.Value() != value.Pretty(d.Data) }

func (d *Edit) take() {
	if d.Optional && strings.TrimSpace(d.text.Value()) == "" {
		d.text.Set(value.Pretty(d.Data))
	}
	v, err := d.text.read()
	if err == nil {
		err = d.Take(v, value.Equal(v, d.Data))
	}
	if err != nil {
		d.fault = err.Error()
	}
}

// Handle implements [view.View].
func (d *Edit) Handle(k keys.Press) bool {
	d.fault = ""
	if (k.Name == "tab" || k.Name == "shift+tab") && d.complete(k.Name == "tab") {
		return true
	}
	d.offer = offer{}
	switch k.Name {
	case "esc":
		d.screen.Open(nil)
		if d.Changed() {
			d.screen.Say(canvas.Warn,
				"Nothing was changed; "+d.screen.Keys().Key(d.Again)+" brings back what you typed.")
		}
	case "ctrl+s":
		d.take()
	case "ctrl+x":
		d.screen.EditOutside(d.text.Value(), func(text string, err error) { d.text.take(d.screen, text, err) })
	case "enter":
		d.text.write("\n")
	case "tab":
		d.text.write("  ")
	case "pgup", "pgdown":
		for range 10 {
			d.text.Key(map[string]string{"pgup": "up", "pgdown": "down"}[k.Name])
		}
	default:
		d.text.press(k)
	}
	return true
}

// offered returns the completions at the cursor: those that Tab cycles through, or new ones where it has moved.
func (d *Edit) offered() *offer {
	if d.Call == nil || d.offer.cycling || d.text.isLong() {
		return &d.offer
	}
	d.offer = offer{chosen: -1}
	if before := d.text.Before(); len(before) <= completedBytes {
		d.offer.list, d.offer.typed = parameterCompletions(d.Call, before, d.text.After(completedLines))
	}
	return &d.offer
}

// completedBytes is the length up to which the text before the cursor is read at each key for completions.
const completedBytes = 32 << 10

// completedLines is how many lines behind the cursor are read for members that are there already.
const completedLines = 400

// complete puts the next of the completions into the text, or the one before; false where there is none.
func (d *Edit) complete(next bool) bool {
	o := d.offered()
	n := len(o.list)
	if n == 0 {
		return false
	}
	replaced := o.typed
	if o.cycling {
		replaced = len([]rune(o.list[o.chosen].Text))
	}
	switch {
	case next:
		o.chosen = (o.chosen + 1) % n
	case o.chosen < 0:
		o.chosen = n - 1
	default:
		o.chosen = (o.chosen - 1 + n) % n
	}
	o.cycling = true
	d.text.Replace(replaced, o.list[o.chosen].Text)
	return true
}

// extra is how many rows the completions take.
func (d *Edit) extra() int {
	if d.Call == nil {
		return 0
	}
	return maxParameters
}

// maxParameters is how many completions are on the screen at once.
const maxParameters = 6

// drawOffered paints the completions into the rows above line bottom and returns the first of these.
func (d *Edit) drawOffered(area canvas.Area, bottom int) int {
	o := d.offered()
	rows := min(len(o.list), maxParameters, max(bottom-4, 0))
	top := max(0, min(o.chosen-rows/2, len(o.list)-rows))
	column := 0
	for _, c := range o.list[top : top+rows] {
		column = max(column, min(canvas.Width(c.Shown), area.W()/2))
	}
	for i, c := range o.list[top : top+rows] {
		row := area.Area(canvas.Rect{X: 2, Y: bottom - rows + i, W: area.W() - 3, H: 1})
		drawCompletion(row, c, column)
		if top+i == o.chosen {
			row.Text(0, 0, canvas.Current, row.Glyphs().Pointer)
			row.Mark(0)
		}
	}
	if more := len(o.list) - rows; more > 0 && rows > 0 {
		area.Right(area.W()-2, bottom-1, canvas.Dim, " "+strconv.Itoa(more)+" more")
	}
	return bottom - rows
}

// frame is the number of cells beside a title in the border.
const frame = 6

func (d *Edit) title(area canvas.Area) string {
	if d.Title != "" {
		return canvas.FitMiddle(d.Title, max(min(editWidth, area.W())-frame, 8), area.Glyphs().Ellipsis)
	}
	about := cmp.Or(d.Where, "the execution")
	room := min(editWidth, area.W()) - frame - len("Edit the data of  after ") - len(d.Stage.String())
	return "Edit the data of " + canvas.FitMiddle(about, max(room, 8), area.Glyphs().Ellipsis) + " after " + d.Stage.String()
}

// editWidth is the greatest width of the editor, its frame included.
const editWidth = 110

// Draw implements [view.View].
func (d *Edit) Draw(f widget.Frame) {
	area := f.Area
	inner := widget.Window(area, editWidth, max(min(d.text.Len()+6+d.extra(), area.H()-1), 9), d.title(area), "")
	h := inner.H()
	rows := max(d.drawOffered(inner, h-2), 1)
	d.text.draw(inner.Area(canvas.Rect{X: 1, W: inner.W() - 2, H: rows}), true)
	widget.Scrollbar(inner.Area(canvas.Rect{W: inner.W(), H: rows}), d.text.top, d.text.Len())
	remark, style := d.text.remark(area.Glyphs(), d.Limit)
	if d.fault != "" {
		remark, style = area.Glyphs().Failed+" "+d.fault, canvas.Bad
	}
	inner.Fit(1, h-2, inner.W()-2, style, remark)
	hint := "ctrl+s applies it  esc leaves it  ctrl+z undo  ctrl+y redo  ctrl+x in your $EDITOR"
	short := "ctrl+s take  esc leave  ctrl+z undo  ctrl+x $EDITOR"
	if d.Call != nil {
		hint, short = "tab completes  "+hint, "tab complete  "+short
	}
	if inner.W() < canvas.Width(hint)+2 {
		hint = short
	}
	inner.Fit(1, h-1, inner.W()-2, canvas.Hint, hint)
}

// Writes implements [view.Writer].
func (*Edit) Writes() bool { return true }
