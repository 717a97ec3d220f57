package suites

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/tty"
	"asldb/internal/wording"
	"asldb/internal/work"
	"asldb/tui/program"
)

// screen is the screen of test --watch: a [tea.Model]. Reports are printed above it.
type screen struct {
	w        *watching
	ctx      context.Context
	terminal *tty.Terminal
	suspends tty.Suspensions
	width    int
	help     bool
	leaving  bool
	err      error // for which the watching ends

	// A round runs in a goroutine of its own, one at a time; over waits for it, and stop ends it.
	running bool
	stop    context.CancelFunc
	over    sync.WaitGroup
	// waiting is the change for the next round, where again is set; nil: everything.
	again    bool
	waiting  *files.Change
	progress *atomic.Pointer[string]

	// summary, bad and pending are as the last round left them.
	summary      suite.Summary
	bad, pending []*suite.Outcome
	note         string
}

type (
	// changedMsg: files have changed, or the watching has failed.
	changedMsg struct {
		change *files.Change
		err    error
	}
	// endedMsg: a round has ended.
	endedMsg struct {
		round *round
		err   error
	}
	// backMsg: another screen has ended.
	backMsg struct{ note string }
	// suspendMsg: a signal asks the program to stop.
	suspendMsg struct{}
	// tickMsg: the progress may be another.
	tickMsg struct{}
)

// Init implements [tea.Model].
func (m *screen) Init() tea.Cmd {
	return m.start(nil, ofChanged)
}

// start starts a round.
func (m *screen) start(change *files.Change, r reach) tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	m.running, m.stop, m.again, m.waiting, m.note = true, stop, false, nil, ""
	m.progress.Store(nil)
	m.w.Look.Width = m.width
	end := make(chan endedMsg, 1)
	m.over.Go(func() {
		defer stop()
		var msg endedMsg
		if broken := work.Catch(func() {
			msg.round, msg.err = m.w.round(ctx, change, r, func(line string) { m.progress.Store(&line) })
		}); broken != nil {
			msg.err = broken
		}
		end <- msg
	})
	return tea.Batch(tick(), func() tea.Msg { return <-end })
}

// tick looks at the progress again a little later.
func tick() tea.Cmd {
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

// Update implements [tea.Model].
func (m *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width = msg.Width
	case tea.KeyMsg:
		return m, m.press(msg.String())
	case changedMsg:
		if msg.err != nil {
			return m, m.fail(command.OneLine(msg.err))
		}
		return m, m.changed(msg.change)
	case endedMsg:
		return m, m.ended(msg)
	case backMsg:
		m.note = msg.note
	case suspendMsg:
		return m, m.suspend()
	case tickMsg:
		if m.running {
			return m, tick()
		}
	}
	return m, nil
}

// fail ends the watching with an error.
func (m *screen) fail(err error) tea.Cmd {
	m.err, m.leaving = err, true
	return tea.Quit
}

// changed starts a round about a change, or ends the one that runs, to start one about both.
func (m *screen) changed(change *files.Change) tea.Cmd {
	if !m.running {
		return m.start(change, ofChanged)
	}
	if m.again && m.waiting != nil {
		both := &files.Change{Structure: change.Structure || m.waiting.Structure, Lost: change.Lost || m.waiting.Lost}
		both.Files = append(slices.Clone(m.waiting.Files), change.Files...)
		slices.Sort(both.Files)
		both.Files = slices.Compact(both.Files)
		change = both
	}
	m.again, m.waiting = true, change
	m.stop()
	return nil
}

// ended prints the report of a round.
func (m *screen) ended(msg endedMsg) tea.Cmd {
	m.running = false
	if msg.err != nil {
		return m.fail(msg.err)
	}
	m.summary, m.bad, m.pending = m.w.summary(), m.w.cases(isBad), m.w.cases(m.w.pending)
	var text string
	if msg.round != nil && !msg.round.stopped {
		if line := msg.round.changed(); line != "" {
			text = m.w.paint(report.Quiet, line) + "\n"
		}
		text += strings.TrimRight(msg.round.text, "\n") + "\n"
	}
	var list []tea.Cmd
	if text != "" {
		list = append(list, tea.Println(cleared(text, m.width)))
	}
	if m.again {
		list = append(list, m.start(m.waiting, ofChanged))
	}
	return tea.Sequence(list...)
}

// cleared returns a text of whose lines those that are longer than the terminal's clear the rest of their last row, where lines of the
// screen stood. They are not broken, so that a command can be copied.
func cleared(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if n := ansi.StringWidth(line); n > width && width > 0 && n%width != 0 {
			lines[i] += ansi.EraseLineRight
		}
	}
	return strings.Join(lines, "\n")
}

// press handles a key.
func (m *screen) press(key string) tea.Cmd {
	switch key {
	case "ctrl+c":
		m.leaving = true
		return tea.Interrupt
	case "q":
		m.leaving = true
		return tea.Quit
	case "?":
		m.help = !m.help
		return nil
	case "ctrl+z":
		return m.suspend()
	}
	if m.running {
		return nil
	}
	switch key {
	case "enter":
		return m.start(nil, ofAll)
	case "f":
		return m.start(&files.Change{}, ofFailed)
	case "u":
		if len(m.pending) == 0 {
			m.note = "No snapshot is new or has changed."
			return nil
		}
		return m.aside(m.review)
	case "d":
		if len(m.bad) == 0 {
			m.note = "No case has failed."
			return nil
		}
		return m.aside(m.debug)
	}
	return nil
}

// suspend stops the program where a shell can continue it.
func (m *screen) suspend() tea.Cmd {
	if !tty.CanSuspend() {
		m.note = "No shell has started asldb that could let it go on: it is not stopped."
		return nil
	}
	return m.aside(func(*os.File, *os.File) (string, error) { return "", tty.Suspend() })
}

// aside gives the terminal to f, which returns a note for afterwards.
func (m *screen) aside(f func(in, out *os.File) (string, error)) tea.Cmd {
	note := ""
	return program.StandAside(&m.suspends, func() error {
		return m.terminal.Lend(func(in, out *os.File) (err error) {
			note, err = f(in, out)
			return err
		})
	}, func(err error) tea.Msg {
		if err != nil {
			note = wording.Line(err.Error())
		}
		return backMsg{note}
	})
}

// debug opens a failed case in the debugger: the only one, or the one that the user chooses.
func (m *screen) debug(in, out *os.File) (string, error) {
	chosen := m.bad[0]
	if len(m.bad) > 1 {
		lines := value.Each(m.bad, func(c *suite.Outcome) string { return c.Suite.File + ": " + c.Name })
		i, err := program.One(m.ctx, tty.Open(in, out), "Debug which case?", lines)
		switch {
		case errors.Is(err, program.ErrNone), errors.Is(err, program.ErrChoiceInterrupted):
			return "", nil
		case err != nil:
			return "", err
		}
		chosen = m.bad[i]
	}
	m.w.Debug(chosen)
	return "", nil
}

// review shows the new and changed snapshots one by one.
func (m *screen) review(in, out *os.File) (string, error) {
	r := newReview(m.pending, m.w)
	err := r.run(m.ctx, tty.Open(in, out))
	m.pending = m.w.cases(m.w.pending)
	return r.summary(), err
}

// help is the help of the keys.
var help = []string{
	"Enter  run all cases, and look for new suites",
	"f      run the cases that failed",
	"u      review new and changed snapshots one by one",
	"d      debug a failed case at its first difference",
	"q      quit, with status 0 also where cases fail (Ctrl+C: 130)",
	"A save runs the suites that it concerns.",
}

// View implements [tea.Model].
func (m *screen) View() string {
	if m.leaving {
		return ""
	}
	dot := " · "
	if m.w.Look.ASCII {
		dot = " - "
	}
	var lines []string
	if m.help {
		lines = append(lines, help...)
	}
	if m.note != "" {
		lines = append(lines, m.note)
	}
	lines = append(lines, m.state(dot))
	keys := []string{"Enter all"}
	if len(m.bad) > 0 {
		keys = append(keys, "f failed", "d debug")
	}
	if len(m.pending) > 0 {
		keys = append(keys, "u snapshots")
	}
	lines = append(lines, m.w.paint(report.Quiet, strings.Join(append(keys, "? help", "q quit"), dot)))
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, m.width, "")
	}
	return strings.Join(lines, "\n")
}

// state is the line above the keys.
func (m *screen) state(dot string) string {
	if m.running {
		if line := m.progress.Load(); line != nil && *line != "" {
			return "Running: " + *line
		}
		return "Running"
	}
	if m.w.wrong != "" {
		return m.w.paint(report.Bad, "Watching"+dot+"a file is wrong")
	}
	tone := report.Good
	if m.summary.Failed+m.summary.Wrong > 0 {
		tone = report.Bad
	}
	return m.w.paint(tone, "Watching"+dot+suiterun.Counts(&m.summary))
}

// shortName is the name of a file as the user would write it.
func shortName(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	if real, err := filepath.EvalSymlinks(here); err == nil {
		here = real
	}
	short, err := filepath.Rel(here, name)
	if err != nil || len(short) > len(name) {
		return name
	}
	return short
}
