// This part of the package shows the text of a definition over the panes.

package states

import (
	"strconv"
	"strings"

	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/listing"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// View shows the text of the definition with a state, one of its fields and its values marked, and the warnings about
// it.
type View struct {
	*listing.View
	name   string
	needle string
}

// NewText returns the view of a text that has a name, with the marks around it.
func NewText(name string, text *listing.Text, marks listing.Marks) *View {
	v := &View{View: listing.NewView(text), name: name}
	v.Show(marks, true)
	return v
}

// Handle implements [view.Dialog].
func (v *View) Handle(c view.Context, k keys.Press) {
	by, moved := widget.PageMove(k.Action, max(v.Rows()-1, 1))
	switch {
	case moved:
		v.Move(by, 0)
	case k.Action == keys.Left || k.Action == keys.ScrollLeft:
		v.Move(0, -scrollStep)
	case k.Action == keys.Right || k.Action == keys.ScrollRight:
		v.Move(0, scrollStep)
	case k.Action == keys.Find:
		p := dialog.NewPrompt("Find", v.needle, func(text string) { v.find(c, text, 1) })
		p.Back = v
		c.Open(&finding{p, v})
	case k.Action == keys.FindNext:
		v.find(c, v.needle, 1)
	case k.Action == keys.FindPrevious:
		v.find(c, v.needle, -1)
	case k.Action == keys.AddWatch: // w for warning: nothing is watched in a text
		if !v.NextProblem() {
			c.Say(canvas.Plain, "there are no warnings about the definition")
		}
	case k.Action == keys.EditData: // the text is the one to edit
		file, at := v.Origin(v.Cursor())
		c.OpenFile(file.Name, at.Line, at.Col)
	case k.Action == keys.Copy:
		c.Copy(strings.TrimSpace(v.Line(v.Cursor())))
		c.Say(canvas.Plain, "copied line "+strconv.Itoa(v.Number(v.Cursor())))
	default:
		c.Open(nil)
	}
}

// scrollStep is by how many characters a key moves the text to the side.
const scrollStep = 8

// find goes to the next line with the text, downwards or upwards and round at the end.
func (v *View) find(c view.Context, text string, by int) {
	v.needle = text
	if text == "" {
		c.Say(canvas.Warn, c.Keys().Key(keys.Find)+" finds a text first")
		return
	}
	if _, ok := v.Find(text, by); !ok {
		c.Say(canvas.Warn, "\""+text+"\" is not in the text")
	}
}

// Draw implements [view.Dialog].
func (v *View) Draw(c view.Context, f widget.Frame) {
	area := f.Area
	inner := widget.Window(area, area.W(), area.H(), v.title(), v.foot(c, area.W()))
	v.View.Draw(inner, true)
}

func (v *View) title() string {
	title := v.name
	marks := v.Marks()
	if marks.State == nil {
		return title
	}
	title += ": " + marks.State.Name
	if place := marks.State.Place(marks.Field); place.Pointer != marks.State.Pointer {
		title += "/" + strings.TrimPrefix(strings.TrimPrefix(place.Pointer, marks.State.Pointer), "/")
	}
	return title
}

func (v *View) foot(c view.Context, width int) string {
	foot := "line " + strconv.Itoa(v.Number(v.Cursor())) + " of " + strconv.Itoa(v.Number(v.Len()-1)) + "; " + c.Keys().Key(keys.Find) + " finds"
	if n := len(v.Marks().Problems); n > 0 {
		foot += "; " + c.Keys().Key(keys.AddWatch) + " next of " + wording.Count(n, "warning")
	}
	if more := foot + "; " + c.Keys().Key(keys.EditData) + " opens your editor"; canvas.Width(more)+6 <= width {
		return more
	}
	return foot
}

// finding asks for the text to find and goes back to the view.
type finding struct {
	*dialog.Prompt
	view *View
}

// Draw implements [view.Dialog].
func (p *finding) Draw(c view.Context, f widget.Frame) {
	p.view.Draw(c, f)
	p.Prompt.Draw(c, f)
}
