package suites

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"

	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/work"
	"asldb/tui/program"
	"asldb/tui/view/pages"
)

// screen has the lines of test --watch below the terminal's: reports are printed above them.
type screen struct {
	program.Below
	w       *watching
	ctx     context.Context
	help    bool
	leaving bool
	covered bool // by another view: no round begins meanwhile, since no report could be printed

	// A round runs in a separate goroutine, one at a time; over waits for it, and stop ends it.
	running bool
	stop    context.CancelFunc
	over    sync.WaitGroup
	gone    chan struct{} // the program is over
	// waiting is the change for the next round, where again is set; nil: everything.
	again    bool
	waiting  *files.Change
	progress *atomic.Pointer[string]

	// summary, bad and pending are as the last round left them.
	summary suite.Summary
	bad     []*suite.Outcome
	pending []pages.Change
	note    string
}

func newScreen(ctx context.Context, w *watching) *screen {
	m := &screen{w: w, ctx: ctx, progress: &atomic.Pointer[string]{}, gone: make(chan struct{})}
	m.Below = program.Below{
		Lines: m.lines,
		Key:   m.press,
		Width: cmp.Or(w.Report.Look.Width, 80),
		Begun: func() { m.start(nil, ofChanged) },
	}
	return m
}

// start starts a round.
func (m *screen) start(change *files.Change, which reach) {
	ctx, stop := context.WithCancel(m.ctx)
	m.running, m.stop, m.again, m.waiting = true, stop, false, nil
	m.progress.Store(nil)
	m.w.Report.Look.Width = m.Width
	m.tick()
	end := make(chan func(), 1)
	m.over.Go(func() {
		defer stop()
		var r *round
		var err error
		if broken := work.Catch(func() {
			r, err = m.w.round(ctx, change, which, func(line string) { m.progress.Store(&line) })
		}); broken != nil {
			err = broken
		}
		end <- func() { m.ended(r, err) }
	})
	m.Go(func(context.Context) func() { return <-end })
}

// tick looks at the progress again a little later.
func (m *screen) tick() {
	m.After(100*time.Millisecond, func(time.Time) {
		if m.running {
			m.tick()
		}
	})
}

// end ends the watching.
func (m *screen) end(err error) {
	m.leaving = true
	m.End(err)
}

// changed starts a round about a change, or ends the one that runs, to start one about both. err ends the watching.
func (m *screen) changed(change *files.Change, err error) {
	switch {
	case err != nil:
		m.end(command.OneLine(err))
		return
	case !m.running && !m.covered:
		m.start(change, ofChanged)
		return
	case m.again && m.waiting != nil:
		both := &files.Change{Structure: change.Structure || m.waiting.Structure, Lost: change.Lost || m.waiting.Lost}
		both.Files = append(slices.Clone(m.waiting.Files), change.Files...)
		slices.Sort(both.Files)
		both.Files = slices.Compact(both.Files)
		change = both
	}
	if m.again, m.waiting = true, change; m.running {
		m.stop()
	}
}

// ended prints the report of a round.
func (m *screen) ended(r *round, err error) {
	m.running = false
	if err != nil {
		m.end(err)
		return
	}
	m.summary, m.bad, m.pending = m.w.summary(), m.w.cases(isBad), m.w.pending()
	if r != nil && !r.stopped {
		text := ""
		if line := r.changed(); line != "" {
			text = m.w.paint(report.Quiet, line) + "\n"
		}
		m.Println(cleared(text+strings.TrimRight(r.text, "\n")+"\n", m.Width))
	}
	m.next()
}

// next starts the round that waits.
func (m *screen) next() {
	if m.again {
		m.start(m.waiting, ofChanged)
	}
}

// cleared returns a text of whose lines those that are longer than the terminal's clear the rest of their last row, where lines of the
// screen were. They are not broken, so that a command can be copied.
func cleared(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if n := ansi.StringWidth(line); n > width && width > 0 && n%width != 0 {
			lines[i] += ansi.EraseLineRight
		}
	}
	return strings.Join(lines, "\n")
}

// press handles a key. A note stays until then.
func (m *screen) press(key string) {
	m.note = ""
	switch key {
	case "ctrl+c":
		m.end(program.ErrInterrupted)
	case "q":
		m.end(nil)
	case "?":
		m.help = !m.help
	case "ctrl+z":
		m.Suspend(func(reason string) { m.note = reason })
	default:
		if !m.running {
			m.act(key)
		}
	}
}

// act handles a key while no round runs.
func (m *screen) act(key string) {
	switch {
	case key == "enter":
		m.start(nil, ofAll)
	case key == "f":
		m.start(&files.Change{}, ofFailed)
	case key == "u" && len(m.pending) == 0:
		m.note = "There is no change to review."
	case key == "u":
		r := &pages.Review{Changes: m.pending, Propose: m.w.propose, Reject: m.w.reject}
		m.cover(r, func(error) { m.pending, m.note = m.w.pending(), r.Summary() })
	case key == "d" && len(m.bad) == 0:
		m.note = "No case has failed."
	case key == "d" && len(m.bad) == 1:
		m.debug(m.bad[0])
	case key == "d":
		c := program.NewChoice(
			"Debug which case?",
			value.Each(m.bad, func(c *suite.Outcome) string { return c.Suite.File + ": " + c.Name }),
		)
		m.cover(c, func(err error) {
			if err == nil {
				m.debug(m.bad[c.Chosen])
			}
		})
	}
}

// cover shows a page over the view, until the end of the page.
func (m *screen) cover(page program.Page, ended func(error)) {
	m.covered = true
	m.Cover(page, func(err error) {
		m.covered = false
		ended(err)
		m.next()
	})
}

// debug opens a failed case in the debugger, over the view. Its lines for standard error come above the view.
func (m *screen) debug(chosen *suite.Outcome) {
	m.covered = true
	s := m.w.Streams
	desk := program.On(m.Layer, m.gone, m.stop)
	desk.Back = "the suites"
	s.Screen = desk
	release := s.Hold()
	m.over.Add(1)
	m.Go(func(context.Context) func() {
		defer m.over.Done()
		m.w.Debug(chosen)
		s.Screen = nil
		said := release()
		return func() {
			if m.covered = false; said != "" {
				m.Println(strings.TrimRight(said, "\n"))
			}
			m.next()
		}
	})
}

// help is the help of the keys.
var help = []string{
	"Enter  run all cases, and look for new suites",
	"f      run the cases that failed",
	"u      review snapshots and expectations that differ, one by one",
	"d      debug a failed case at its first difference",
	"q      quit, with status 0 also where cases fail (Ctrl+C: 130)",
	"A save runs the suites that it concerns.",
}

// lines are the help, the note, the state and the keys.
func (m *screen) lines() (lines []report.Span) {
	if m.leaving {
		return nil
	}
	if m.help {
		lines = value.Each(help, func(text string) report.Span { return report.Span{Text: text} })
	}
	if m.note != "" {
		lines = append(lines, report.Span{Text: m.note})
	}
	named := []string{"Enter all"}
	if len(m.bad) > 0 {
		named = append(named, "f failed", "d debug")
	}
	if len(m.pending) > 0 {
		named = append(named, "u review")
	}
	keys := strings.Join(append(named, "? help", "q quit"), m.w.Report.Look.Dot())
	return append(lines, m.state(), report.In(report.Quiet, keys))
}

// state is the line above the keys.
func (m *screen) state() report.Span {
	if m.running {
		if progress := m.progress.Load(); progress != nil && *progress != "" {
			return report.Span{Text: "Running: " + *progress}
		}
		return report.Span{Text: "Running"}
	}
	if m.w.wrong != "" {
		return report.In(report.Bad, "Watching"+m.w.Report.Look.Dot()+"a file is wrong")
	}
	tone := report.Good
	if m.summary.Failed+m.summary.Wrong > 0 {
		tone = report.Bad
	}
	return report.In(tone, "Watching"+m.w.Report.Look.Dot()+suiterun.Counts(&m.summary))
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
