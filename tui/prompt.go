package tui

import (
	"strings"

	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// completion is a way to go on with what was typed.
type completion struct {
	text   string // what the whole line becomes
	shown  string
	about  string
	reason string // why it cannot be done now, or ""
}

// prompt asks for one line of text, in the bottom line.
type prompt struct {
	label string
	// about says in the lines above what may be typed; it may be empty.
	about string
	input widget.Line
	// fallback is what is meant when nothing is typed; empty means that nothing is done then.
	fallback string
	done     func(u *ui, text string)
	// complete returns how the text may go on; nil where nothing can be said about that.
	complete func(u *ui, text string) []completion
	history  *history

	// offered is what Tab goes through; chosen is the one in the line, and typed what stood there before.
	offered []completion
	chosen  int
	typed   string
}

func newPrompt(label, fallback string, done func(*ui, string)) *prompt {
	return &prompt{label: label, input: widget.NewLine(), fallback: fallback, done: done, history: &history{}}
}

// askFor asks in the bottom line for the argument of an action and carries it out with that. fallback is what is
// meant when nothing is typed, and about says what may be typed; both may be empty.
func (u *ui) askFor(a keys.Action, label, fallback, about string) {
	arg := u.keys.Binding(a).Arg
	p := newPrompt(label, fallback, func(u *ui, text string) { u.do(a, text) })
	p.about, p.history = about, u.histories.of(arg.String())
	p.complete = func(u *ui, text string) []completion { return u.completeArgument(arg, text) }
	u.dialog = p
}

// askForCommand opens the prompt for commands.
func (u *ui) askForCommand(text string) {
	p := newPrompt(":", "", (*ui).command)
	p.history, p.complete = u.histories.of(":"), (*ui).completeCommand
	p.set(text)
	u.dialog = p
}

// command carries out a command line.
func (u *ui) command(line string) {
	a, argument, err := u.keys.Command(line)
	if err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.do(a, argument)
}

func (p *prompt) set(text string) { p.input.Set(text) }

// suggest puts a text in that goes when something is typed.
func (p *prompt) suggest(text string) { p.input.Suggest(text) }

func (p *prompt) handle(u *ui, k keys.Press) {
	switch k.Name {
	case "esc":
		u.dialog = nil
	case "enter":
		u.dialog = nil
		text := p.input.Value() // blanks at the ends may belong to a name
		if strings.TrimSpace(text) == "" {
			text = p.fallback
		}
		if text != "" {
			p.history.add(text)
			p.done(u, text)
		}
	case "tab":
		p.cycle(u, 1)
	case "shift+tab":
		p.cycle(u, -1)
	case "up", "ctrl+p":
		p.recall(p.history.older(p.input.Value()))
	case "down", "ctrl+n":
		p.recall(p.history.newer())
	default:
		if k.Name == "backspace" && p.label == ":" && p.input.Value() == "" {
			u.dialog = nil // as in other programs with such a line
			return
		}
		p.input.Press(k)
		p.offered = nil
	}
}

func (p *prompt) recall(text string, ok bool) {
	if ok {
		p.set(text)
		p.offered = nil
	}
}

// cycle puts the next of the completions into the line; behind the last one comes what was typed.
func (p *prompt) cycle(u *ui, by int) {
	if p.complete == nil {
		return
	}
	if p.offered == nil {
		p.typed = p.input.Value()
		p.offered, p.chosen = p.complete(u, p.typed), -1
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
		p.set(p.typed)
		return
	}
	p.set(p.offered[p.chosen].text)
}

func (p *prompt) writes() {}

// maxOffered is how many completions are on the screen at once.
const maxOffered = 8

func (p *prompt) draw(u *ui, area canvas.Area) {
	y := area.H() - 1
	row := area.Row(y)
	row.Blank(theme.Plain)
	x := 1
	if p.label == ":" {
		x = row.Text(1, 0, theme.Strong, p.label)
	} else {
		x = row.Text(1, 0, theme.Strong, canvas.Fit(p.label, max(row.W()/2, 8), row.Glyphs().Ellipsis)) + 1
	}
	p.input.Draw(row.Area(canvas.Rect{X: x, W: row.W() - x - 1, H: 1}), true)
	y = p.drawOffered(u, area, y)
	if p.about == "" {
		return
	}
	lines := canvas.Wrap(p.about, area.W()-2)
	for i, line := range lines {
		row := area.Row(y - len(lines) + i)
		row.Blank(theme.Plain)
		row.Text(1, 0, theme.Dim, line)
	}
}

// drawOffered paints the completions above line bottom and returns the line of the first.
func (p *prompt) drawOffered(u *ui, area canvas.Area, bottom int) int {
	list, chosen := p.offered, p.chosen
	if list == nil {
		if chosen = -1; p.complete == nil {
			return bottom
		}
		list = p.complete(u, p.input.Value())
	}
	rows := min(len(list), maxOffered, max(bottom-3, 0))
	top := max(0, min(chosen-rows/2, len(list)-rows))
	column := 0
	for _, c := range list[top : top+rows] {
		column = max(column, min(canvas.Width(c.shown), area.W()*2/5))
	}
	for i, c := range list[top : top+rows] {
		row := area.Row(bottom - rows + i)
		row.Blank(theme.Plain)
		drawCompletion(row, c, column)
		if top+i == chosen {
			row.Text(0, 0, theme.Current, row.Glyphs().Pointer)
			row.Mark(0)
		}
	}
	if more := len(list) - rows; more > 0 && rows > 0 {
		area.Right(area.W()-1, bottom-1, theme.Dim, " "+explain.Plural(more, "more", "more"))
	}
	return bottom - rows
}

// drawCompletion paints one completion, its text in column cells; what cannot be done now is dim and says why.
func drawCompletion(row canvas.Area, c completion, column int) {
	style, about := theme.Plain, c.about
	if c.reason != "" {
		style, about = theme.Dim, "("+c.reason+")  "+about
	}
	row.Text(1, 0, style, canvas.FitMiddle(c.shown, column, row.Glyphs().Ellipsis))
	row.Fit(1+column+2, 0, row.W()-column-4, theme.Dim, about)
}
