package dialog

import (
	"strconv"
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Prompt asks for one line of text, in the bottom line.
type Prompt struct {
	view.Modal
	screen view.Opener
	label  string
	// About describes the possible inputs in the lines above; it may be empty.
	About string
	// Back is the dialog that is shown again afterwards; it may be nil.
	Back  view.View
	input widget.Line
	// fallback is used for an empty input; where it is empty, too, an empty input does nothing.
	fallback string
	// Done takes the text.
	Done func(text string)
	// Complete returns the completions of the text; nil where there are none.
	Complete func(text string) []view.Completion
	// History has the earlier inputs.
	History *view.History

	// offered are the completions that Tab cycles through; chosen is the one in the line, and typed the text before
	// them.
	offered []view.Completion
	chosen  int
	typed   string
}

// NewPrompt returns a prompt with a label. fallback is the text where nothing is typed; empty means that nothing is done then.
func NewPrompt(screen view.Opener, label, fallback string, done func(text string)) *Prompt {
	return &Prompt{
		screen:   screen,
		label:    label,
		input:    widget.NewLine(),
		fallback: fallback,
		Done:     done,
		History:  &view.History{},
	}
}

// Set puts a text in.
func (p *Prompt) Set(text string) { p.input.Set(text) }

// Text returns the text in the line.
func (p *Prompt) Text() string { return p.input.Value() }

// Suggest puts a text in that typing replaces.
func (p *Prompt) Suggest(text string) { p.input.Suggest(text) }

// Handle implements [view.View].
func (p *Prompt) Handle(k keys.Press) bool {
	switch k.Name {
	case "esc":
		p.screen.Open(p.Back)
	case "enter":
		p.screen.Open(p.Back)
		text := p.input.Value() // blanks at the ends may belong to a name
		if strings.TrimSpace(text) == "" {
			text = p.fallback
		}
		if text != "" {
			p.History.Add(text)
			p.Done(text)
		}
	case "tab":
		p.cycle(1)
	case "shift+tab":
		p.cycle(-1)
	case "up", "ctrl+p":
		p.recall(p.History.Older(p.input.Value()))
	case "down", "ctrl+n":
		p.recall(p.History.Newer())
	default:
		if k.Name == "backspace" && p.label == ":" && p.input.Value() == "" {
			p.screen.Open(p.Back) // as in other programs with such a line
			return true
		}
		p.input.Press(k)
		p.offered = nil
	}
	return true
}

func (p *Prompt) recall(text string, ok bool) {
	if ok {
		p.Set(text)
		p.offered = nil
	}
}

// cycle puts the next of the completions into the line; after the last one comes the typed text.
func (p *Prompt) cycle(by int) {
	if p.Complete == nil {
		return
	}
	if p.offered == nil {
		p.typed = p.input.Value()
		p.offered, p.chosen = p.Complete(p.typed), -1
		if by < 0 {
			p.chosen = len(p.offered)
		}
	}
	if len(p.offered) == 0 {
		p.offered = nil
		return
	}
	n := len(p.offered) + 1
	p.chosen = ((p.chosen+by)%n + n) % n
	if p.chosen == len(p.offered) {
		p.Set(p.typed)
		return
	}
	p.Set(p.offered[p.chosen].Text)
}

// Writes implements [view.Writer].
func (*Prompt) Writes() bool { return true }

// maxOffered is how many completions are on the screen at once.
const maxOffered = 8

// Draw implements [view.View].
func (p *Prompt) Draw(f widget.Frame) {
	area := f.Area
	y := area.H() - 1
	row := area.Row(y)
	row.Blank(canvas.Plain)
	x := 1
	if p.label == ":" {
		x = row.Text(1, 0, canvas.Strong, p.label)
	} else {
		x = row.Text(1, 0, canvas.Strong, canvas.Fit(p.label, max(row.W()/2, 8), row.Glyphs().Ellipsis)) + 1
	}
	p.input.Draw(row.Area(canvas.Rect{X: x, W: row.W() - x - 1, H: 1}), true)
	y = p.drawOffered(area, y)
	if p.About == "" {
		return
	}
	lines := canvas.Wrap(p.About, area.W()-2)
	for i, line := range lines {
		row := area.Row(y - len(lines) + i)
		row.Blank(canvas.Plain)
		row.Text(1, 0, canvas.Dim, line)
	}
}

// drawOffered paints the completions above line bottom and returns the line of the first.
func (p *Prompt) drawOffered(area canvas.Area, bottom int) int {
	list, chosen := p.offered, p.chosen
	if list == nil {
		if chosen = -1; p.Complete == nil {
			return bottom
		}
		list = p.Complete(p.input.Value())
	}
	rows := min(len(list), maxOffered, max(bottom-3, 0))
	top := max(0, min(chosen-rows/2, len(list)-rows))
	column := 0
	for _, c := range list[top : top+rows] {
		column = max(column, min(canvas.Width(c.Shown), area.W()*2/5))
	}
	for i, c := range list[top : top+rows] {
		row := area.Row(bottom - rows + i)
		row.Blank(canvas.Plain)
		drawCompletion(row, c, column)
		if top+i == chosen {
			row.Text(0, 0, canvas.Current, row.Glyphs().Pointer)
			row.Mark(0)
		}
	}
	if more := len(list) - rows; more > 0 && rows > 0 {
		area.Right(area.W()-1, bottom-1, canvas.Dim, " "+strconv.Itoa(more)+" more")
	}
	return bottom - rows
}

// drawCompletion paints one completion, its text in column cells; a disabled one is dim and says why.
func drawCompletion(row canvas.Area, c view.Completion, column int) {
	style, about := canvas.Plain, c.About
	if c.Reason != "" {
		style, about = canvas.Dim, "("+c.Reason+")  "+about
	}
	row.Text(1, 0, style, canvas.FitMiddle(c.Shown, column, row.Glyphs().Ellipsis))
	row.Fit(1+column+2, 0, row.W()-column-4, canvas.Dim, about)
}
