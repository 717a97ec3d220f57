package suites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui/program"
)

// Setup is a run of suites that is repeated whenever their files change.
type Setup struct {
	Streams *command.Streams
	// Names are the command line's, and Options choose cases of the suites that they mean.
	Names   []string
	Options suiterun.Options
	// Definition is the file of the definition for suites that name none.
	Definition string
	// Settings returns the settings of all cases, which are read again for each round.
	Settings func() (suiterun.Settings, error)
	// Failed has the cases that failed when they were last run.
	Failed *suiterun.Failed
	// Redact keeps values out of reports, and out of the changes that a review writes.
	Redact *suiterun.Redactions
	// Report are the options of the reports.
	Report suiterun.TextOptions

	// Prepare returns the run of chosen cases, which sends their outcomes and whose error is that its end was asked for. Its own error
	// is a reason not to run.
	Prepare func(chosen [][]*suite.Case, machines map[*suite.Suite]*suiterun.Machine) (Run, error)
	// NoCase returns the error about suites of whose cases none is chosen.
	NoCase func([]*suite.Suite) error
	// Remember saves the cases that failed, and writes a warning where it cannot; nil: nothing is saved.
	Remember func(w io.Writer, failed *suiterun.Failed)
	// Debug opens a case that failed in the debugger.
	Debug func(*suite.Outcome)
}

// Run runs chosen cases.
type Run func(ctx context.Context, sink suite.Sink, options suiterun.Options) error

// Suites runs the suites, and again whenever files change, until the user quits.
func Suites(ctx context.Context, setup Setup) error {
	watcher, err := files.New()
	if err != nil {
		return command.OneLine(err)
	}
	defer watcher.Close()
	w := &watching{Setup: setup, watcher: watcher}
	ended := command.Listen(ctx)
	defer ended.Stop()
	in, isFile := setup.Streams.In.(*os.File)
	out, isFileToo := setup.Streams.Out.(*os.File)
	if !isFile || !isFileToo || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return w.plainly(ended)
	}
	return w.onScreen(ended, in, out)
}

// plainly watches without keys: where there is no terminal.
func (w *watching) plainly(ended *command.Ending) error {
	var change *files.Change
	for {
		r, err := w.round(ended, change, ofChanged, nil)
		if err != nil {
			return err
		}
		if r != nil && !r.stopped {
			text := r.text
			if line := r.changed(); line != "" {
				text = w.paint(report.Quiet, line) + "\n" + text
			}
			if _, err := io.WriteString(w.Streams.Out, text); err != nil {
				return command.WrapWrite(err)
			}
		}
		if change, err = w.watcher.Next(ended); ended.Err() != nil {
			return command.EndedOf(ended, "")
		} else if err != nil {
			return command.OneLine(err)
		}
	}
}

// onScreen watches with keys: reports are lines of the terminal, with the state and the keys below the last one.
func (w *watching) onScreen(ended *command.Ending, in, out *os.File) error {
	ctx, stop := context.WithCancel(ended)
	defer stop()
	w.Report.Keys = true
	terminal, leave := ended.Terminal(in, out)
	defer leave()
	m := newScreen(ctx, w)
	shown := program.NewBelow(
		&m.Below,
		program.Options{Terminal: terminal, ASCII: w.Report.Look.ASCII, NoColor: !w.Report.Look.Colour},
	)
	go func() {
		for ctx.Err() == nil {
			change, err := w.watcher.Next(ctx)
			if ctx.Err() != nil {
				return
			}
			m.Post(func() { m.changed(change, err) })
			if err != nil {
				return
			}
		}
	}()
	err := shown.Run(ctx)
	close(m.gone)
	stop()
	m.over.Wait()
	switch {
	case ended.Err() != nil:
		return command.EndedOf(ended, "")
	case errors.Is(err, program.ErrInterrupted):
		return command.Interrupted("")
	}
	return err
}

// paint returns a text in the colour of a tone where there are colours.
func (w *watching) paint(tone report.Tone, text string) string {
	if !w.Report.Look.Colour {
		return text
	}
	return report.Terminal(tone, text)
}

// changed returns a line with the files that have changed; empty: none.
func (r *round) changed() string {
	if len(r.about) == 0 {
		return ""
	}
	text := wording.Line(r.about[0]) + " changed"
	if more := len(r.about) - 1; more > 0 {
		text = fmt.Sprintf("%s and %s changed", wording.Line(r.about[0]), wording.Count(more, "other file"))
	}
	return text
}
