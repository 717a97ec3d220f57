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

// textScreen is the part of the screen that the view of a text uses.
type textScreen interface {
	view.Opener
	view.Messages
	view.Table
	view.Clipboard
	view.Editor
}

// View shows the text of the definition with a state, one of its fields and its values marked, and the warnings about
// it.
type View struct {
	view.Modal
	*listing.View
	screen textScreen
	name   string
	needle string
}

// NewText returns the view of a text that has a name, with the marks around it.
func NewText(screen textScreen, name string, text *listing.Text, marks listing.Marks) *View {
	v := &View{screen: screen, View: listing.NewView(text), name: name}
	v.Show(marks, true)
	return v
}

// Handle implements [view.View].
func (v *View) Handle(k keys.Press) bool {
	by, moved := widget.PageMove(k.Action, max(v.Rows()-1, 1))
	switch {
	case moved:
		v.Move(by, 0)
	case k.Action == keys.Left || k.Action == keys.ScrollLeft:
		v.Move(0, -scrollStep)
	case k.Action == keys.Right || k.Action == keys.ScrollRight:
		v.Move(0, scrollStep)
	case k.Action == keys.Find:
		p := dialog.NewPrompt(v.screen, "Find", v.needle, func(text string) { v.find(text, 1) })
		p.Back = v
		v.screen.Open(&finding{p, v})
	case k.Action == keys.FindNext:
		v.find(v.needle, 1)
	case k.Action == keys.FindPrevious:
		v.find(v.needle, -1)
	case k.Action == keys.AddWatch: // w for warning: nothing is watched in a text
		if !v.NextProblem() {
			v.screen.Say(canvas.Plain, "there are no warnings about the definition")
		}
	case k.Action == keys.EditData: // the text is the one to edit
		file, at := v.Origin(v.Cursor())
		v.screen.OpenFile(file.Name, at.Line, at.Col)
	case k.Action == keys.Copy:
		v.screen.Copy(strings.TrimSpace(v.Line(v.Cursor())))
		v.screen.Say(canvas.Plain, "copied line "+strconv.Itoa(v.Number(v.Cursor())))
	default:
		v.screen.Open(nil)
	}
	return true
}

// scrollStep is by how many characters a key moves the text to the side.
const scrollStep = 8

// find goes to the next line with the text, downwards or upwards and round at the end.
func (v *View) find(text string, by int) {
	v.needle = text
	if text == "" {
		v.screen.Say(canvas.Warn, v.screen.Keys().Key(keys.Find)+" finds a text first")
		return
	}
	if _, ok := v.Find(text, by); !ok {
		v.screen.Say(canvas.Warn, "\""+text+"\" is not in the text")
	}
}

// Draw implements [view.View].
func (v *View) Draw(f widget.Frame) {
	area := f.Area
	inner := widget.Window(area, area.W(), area.H(), v.title(), v.foot(area.W()))
	v.View.Draw(inner, true)
}

// PlainLines implements [view.PlainDialog].
func (v *View) PlainLines() (lines []string, stays bool) {
	return append(append([]string{v.title() + "."}, v.View.PlainLines()...),
		"e opens your editor here, esc closes the text."), true
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

func (v *View) foot(width int) string {
	foot := "line " + strconv.Itoa(v.Number(v.Cursor())) + " of " + strconv.Itoa(v.Number(v.Len()-1)) + "; " + v.screen.Keys().Key(keys.Find) + " finds"
	if n := len(v.Marks().Problems); n > 0 {
		foot += "; " + v.screen.Keys().Key(keys.AddWatch) + " next of " + wording.Count(n, "warning")
	}
	if more := foot + "; " + v.screen.Keys().Key(keys.EditData) + " opens your editor"; canvas.Width(more)+6 <= width {
		return more
	}
	return foot
}

// finding asks for the text to find and goes back to the view.
type finding struct {
	*dialog.Prompt
	view *View
}

// Draw implements [view.View].
func (p *finding) Draw(f widget.Frame) {
	p.view.Draw(f)
	p.Prompt.Draw(f)
}
