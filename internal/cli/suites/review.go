package suites

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/tty"
	"asldb/internal/wording"
	"asldb/tui/program"
)

// review shows the snapshots of cases one by one, for the user to accept or reject: a [tea.Model]. An accepted one is written at once.
type review struct {
	cases []*suite.Outcome
	ascii bool
	paint report.Painter
	// accept writes a snapshot, reject notes that it is not wanted.
	accept func(*suite.Outcome) error
	reject func(*suite.Outcome)

	at, top            int
	accepted, rejected int
	note               string
	width, height      int
}

func newReview(cases []*suite.Outcome, w *watching) *review {
	return &review{cases: cases, ascii: w.Look.ASCII, paint: w.paint, width: 80, height: 24, reject: w.reject, accept: func(c *suite.Outcome) error {
		return suiterun.Accept(c.Suite.File, c.Name, c.Snapshot)
	}}
}

// run shows the snapshots on the terminal until the last one, or until the user leaves.
func (r *review) run(ctx context.Context, terminal *tty.Terminal) error {
	_, err := program.New(r, terminal, tea.WithAltScreen()).Run(ctx)
	return err
}

// summary returns how many snapshots were accepted and rejected.
func (r *review) summary() string {
	left := len(r.cases) - r.accepted - r.rejected
	return fmt.Sprintf("%s: %d accepted, %d rejected, %d left", wording.Count(len(r.cases), "snapshot"), r.accepted, r.rejected, left)
}

// Init implements [tea.Model].
func (r *review) Init() tea.Cmd { return nil }

// Update implements [tea.Model].
func (r *review) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.width, r.height = msg.Width, msg.Height
		r.scroll(0)
	case tea.KeyMsg:
		return r, r.press(msg.String())
	}
	return r, nil
}

func (r *review) press(key string) tea.Cmd {
	r.note = ""
	switch key {
	case "a":
		return r.take()
	case "r":
		r.reject(r.cases[r.at])
		r.rejected++
		return r.next()
	case "s", " ":
		return r.next()
	case "up", "k":
		r.scroll(-1)
	case "down", "j":
		r.scroll(1)
	case "pgup":
		r.scroll(-r.rows())
	case "pgdown":
		r.scroll(r.rows())
	case "home":
		r.scroll(-len(r.lines()))
	case "end":
		r.scroll(len(r.lines()))
	case "q", "esc", "ctrl+c":
		return tea.Quit
	}
	return nil
}

// take accepts the snapshot. One that cannot be written stays.
func (r *review) take() tea.Cmd {
	if err := r.accept(r.cases[r.at]); err != nil {
		r.note = wording.Line(err.Error())
		return nil
	}
	r.cases[r.at].Snapshot = nil
	r.accepted++
	return r.next()
}

// next goes to the next snapshot; after the last one the review ends.
func (r *review) next() tea.Cmd {
	if r.at+1 == len(r.cases) {
		return tea.Quit
	}
	r.at, r.top = r.at+1, 0
	return nil
}

// reviewFrame is the number of rows around the lines: the title, an empty one, the note, and the keys.
const reviewFrame = 4

func (r *review) rows() int { return max(1, r.height-reviewFrame) }

func (r *review) scroll(by int) {
	r.top = max(0, min(r.top+by, len(r.lines())-r.rows()))
}

// lines are those of the snapshot: the whole of a new one, and the differences of one that has changed.
func (r *review) lines() []string {
	c := r.cases[r.at]
	var lines []string
	for i := range c.Findings {
		if c.Findings[i].Expectation != suite.SnapshotExpectation {
			continue
		}
		for _, line := range suiterun.Differences(&c.Findings[i]) {
			lines = append(lines, r.toned(line))
		}
	}
	if len(lines) > 0 || c.Snapshot == nil {
		return lines
	}
	for line := range strings.Lines(string(suiterun.TextOf(c.Snapshot))) {
		lines = append(lines, wording.Line(strings.TrimRight(line, "\n")))
	}
	return lines
}

// toned paints a line of a difference.
func (r *review) toned(line string) string {
	switch trimmed := strings.TrimLeft(line, " "); {
	case strings.HasPrefix(trimmed, "+ "):
		return r.paint(report.Bad, line)
	case strings.Contains(line, "- "):
		return r.paint(report.Good, line)
	}
	return line
}

// View implements [tea.Model].
func (r *review) View() string {
	c := r.cases[r.at]
	dot, kind := " · ", "new"
	if r.ascii {
		dot = " - "
	}
	if slices.ContainsFunc(c.Findings, func(f suite.Finding) bool { return f.Expectation == suite.SnapshotExpectation }) {
		kind = "changed: - accepted, + found"
	}
	title := fmt.Sprintf("Snapshot %d of %d%s%s%s%s%s%s", r.at+1, len(r.cases), dot, wording.Line(c.Suite.File), dot, wording.Line(c.Name), dot, kind)
	lines := r.lines()
	view := []string{title, ""}
	last := min(r.top+r.rows(), len(lines))
	view = append(view, lines[r.top:last]...)
	for range r.rows() - (last - r.top) {
		view = append(view, "")
	}
	note := r.note
	if note == "" && len(lines) > r.rows() {
		note = fmt.Sprintf("lines %d to %d of %d: Up, Down, PgUp, PgDn scroll", r.top+1, last, len(lines))
	}
	view = append(view, note, strings.Join([]string{"a accept", "r reject", "s skip", "q leave"}, dot))
	for i, line := range view {
		view[i] = ansi.Truncate(line, r.width, "")
	}
	return strings.Join(view, "\n")
}
