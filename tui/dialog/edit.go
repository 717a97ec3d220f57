package dialog

import (
	"asldb/engine"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
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
	// Limit is the greatest size in bytes; 0 for none.
	Limit int
	// Take replaces the data by the value of the text; unchanged is true where the two are equal.
	Take func(v value.Value, unchanged bool) error
}

// Edit changes the data that the next stage of a thread reads.
type Edit struct {
	EditFacts
	text  jsonText
	fault string
}

// NewEdit returns an editor with the data.
func NewEdit(facts EditFacts) *Edit {
	d := &Edit{EditFacts: facts}
	d.text.Set(value.Pretty(facts.Data))
	return d
}

// Text returns the text.
func (d *Edit) Text() string { return d.text.Value() }

// SetText replaces the text.
func (d *Edit) SetText(text string) { d.text.Set(text) }

// Changed reports whether the text is another one than that of the data.
func (d *Edit) Changed() bool { return d.text.Value() != value.Pretty(d.Data) }

func (d *Edit) take() {
	v, err := d.text.read()
	if err == nil {
		err = d.Take(v, value.Equal(v, d.Data))
	}
	if err != nil {
		d.fault = err.Error()
	}
}

// Handle implements [pane.Dialog].
func (d *Edit) Handle(c pane.Context, k keys.Press) {
	d.fault = ""
	switch k.Name {
	case "esc":
		c.Open(nil)
		if d.Changed() {
			c.Say(theme.Warn, "Nothing was changed; "+c.Keys().Key(keys.EditData)+" brings back what you typed.")
		}
	case "ctrl+s":
		d.take()
	case "ctrl+x":
		c.EditOutside(d.text.Value(), func(text string, err error) { d.text.take(c, text, err) })
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
}

func (d *Edit) title(area canvas.Area) string {
	const frame = 6
	about := d.Where
	if about == "" {
		about = "the execution"
	}
	room := min(editWidth, area.W()) - frame - len("Edit the data of  after ") - len(d.Stage.String())
	return "Edit the data of " + canvas.FitMiddle(about, max(room, 8), area.Glyphs().Ellipsis) + " after " + d.Stage.String()
}

// editWidth is the greatest width of the editor, its frame included.
const editWidth = 110

// Draw implements [pane.Dialog].
func (d *Edit) Draw(_ pane.Context, area canvas.Area) {
	inner := widget.Window(area, editWidth, max(min(d.text.Len()+6, area.H()-1), 9), d.title(area), "")
	h := inner.H()
	d.text.draw(inner.Area(canvas.Rect{X: 1, W: inner.W() - 2, H: max(h-2, 1)}), true)
	widget.Scrollbar(inner.Area(canvas.Rect{W: inner.W(), H: max(h-2, 1)}), d.text.top, d.text.Len())
	remark, style := d.text.remark(area.Glyphs(), d.Limit)
	if d.fault != "" {
		remark, style = area.Glyphs().Failed+" "+d.fault, theme.Bad
	}
	inner.Fit(1, h-2, inner.W()-2, style, remark)
	hint := "ctrl+s applies it  esc leaves it  ctrl+z undo  ctrl+y redo  ctrl+x in your $EDITOR"
	if inner.W() < canvas.Width(hint)+2 {
		hint = "ctrl+s take  esc leave  ctrl+z undo  ctrl+x $EDITOR"
	}
	inner.Fit(1, h-1, inner.W()-2, theme.Hint, hint)
}

// Mode implements [pane.Dialog].
func (*Edit) Mode() pane.Mode { return pane.Writing }
