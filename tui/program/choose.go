package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"asldb/internal/tty"
	"asldb/internal/wording"
	"asldb/tui/part/widget"
)

// ErrNone is returned where the user leaves the list without a choice.
var ErrNone = errors.New("nothing was chosen")

// ErrChoiceInterrupted is returned where the user interrupts the program with Ctrl+C.
var ErrChoiceInterrupted = errors.New("interrupted")

// One shows the lines below a title, and returns the number of the one that the user chooses. What the user types narrows the
// list to the lines that have the letters in this order. The terminal is put back as it was.
func One(ctx context.Context, terminal *tty.Terminal, title string, lines []string) (int, error) {
	last, err := New(NewChoice(title, lines), terminal, tea.WithAltScreen()).Run(ctx)
	switch {
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case err != nil:
		return 0, err
	}
	return last.(*List).Chosen()
}

// List is the model of the list.
type List struct {
	title  string
	lines  []string
	filter string
	shown  []int // the numbers of the lines that fit the filter, the best first
	at     int   // the place of the cursor in shown
	top    int   // the first that the screen shows
	chosen int
	err    error

	width, height int
}

// NewChoice returns a list with the cursor on its first line.
func NewChoice(title string, lines []string) *List {
	l := &List{title: title, lines: lines, err: ErrNone, width: 80, height: 24}
	l.narrow()
	return l
}

// Chosen returns the number of the line that was chosen; the error is [ErrNone] or [ErrInterrupted] where none was.
func (l *List) Chosen() (int, error) { return l.chosen, l.err }

// Init implements [tea.Model].
func (l *List) Init() tea.Cmd { return nil }

// Update implements [tea.Model].
func (l *List) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		l.width, l.height = msg.Width, msg.Height
	case tea.KeyMsg:
		return l, l.press(msg)
	}
	l.scroll()
	return l, nil
}

// press handles a key.
func (l *List) press(key tea.KeyMsg) tea.Cmd {
	switch key.String() {
	case "ctrl+c":
		l.err = ErrChoiceInterrupted
		return tea.Quit
	case "esc":
		return tea.Quit
	case "enter":
		if len(l.shown) > 0 {
			l.chosen, l.err = l.shown[l.at], nil
			return tea.Quit
		}
	case "up", "ctrl+p", "shift+tab":
		l.move(-1)
	case "down", "ctrl+n", "tab":
		l.move(1)
	case "pgup":
		l.move(-l.rows())
	case "pgdown":
		l.move(l.rows())
	case "home":
		l.move(-len(l.shown))
	case "end":
		l.move(len(l.shown))
	case "backspace":
		if runes := []rune(l.filter); len(runes) > 0 {
			l.filter = string(runes[:len(runes)-1])
			l.narrow()
		}
	case "ctrl+u":
		l.filter = ""
		l.narrow()
	default:
		if key.Type == tea.KeyRunes || key.Type == tea.KeySpace {
			l.filter += wording.Line(string(key.Runes))
			l.narrow()
		}
	}
	l.scroll()
	return nil
}

func (l *List) move(by int) { l.at = max(0, min(l.at+by, len(l.shown)-1)) }

// narrow finds the lines that fit the filter.
func (l *List) narrow() {
	l.shown, l.at, l.top = l.shown[:0], 0, 0
	scores := make(map[int]int)
	for i, line := range l.lines {
		if score, _, ok := widget.Match(l.filter, line); ok {
			scores[i] = score
			l.shown = append(l.shown, i)
		}
	}
	slices.SortStableFunc(l.shown, func(a, b int) int { return scores[b] - scores[a] })
}

// frame is the number of rows around the lines: the title, an empty one, the filter and the keys.
const frame = 4

// rows is the number of lines that fit on the screen.
func (l *List) rows() int { return max(1, l.height-frame) }

// scroll keeps the cursor on the screen.
func (l *List) scroll() { l.top = max(l.at-l.rows()+1, min(l.top, l.at)) }

// View implements [tea.Model].
func (l *List) View() string {
	var out strings.Builder
	write := func(text string) { out.WriteString(ansi.Truncate(text, l.width, "") + "\n") }
	write(wording.Line(l.title))
	write("")
	for i := l.top; i < min(l.top+l.rows(), len(l.shown)); i++ {
		mark := "  "
		if i == l.at {
			mark = "> "
		}
		write(mark + wording.Line(l.lines[l.shown[i]]))
	}
	for range l.rows() - min(l.rows(), len(l.shown)-l.top) {
		write("")
	}
	if l.filter == "" {
		write(fmt.Sprintf("%d of %d", min(l.at+1, len(l.shown)), len(l.shown)))
	} else {
		write(fmt.Sprintf("%d of %d with: %s", min(l.at+1, len(l.shown)), len(l.shown), l.filter))
	}
	out.WriteString(ansi.Truncate("Up/Down move, Enter opens, Esc leaves; type to filter", l.width, ""))
	return out.String()
}
