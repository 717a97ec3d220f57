package suites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/cli/signals"
	"asldb/internal/suite/reports"
	suiterun "asldb/internal/suite/runner"
	"asldb/internal/suite/watch"
	"asldb/internal/tty"
	"asldb/internal/visible"
)

// excluded are the flags that --watch excludes: they are about one run of all cases.
var excluded = []string{"list", "update", "cases-of", "report", "json", "coverage", "coverage-conditions", "coverage-out", "min"}

// watchSuites runs the suites, and again whenever files change, until the user quits.
func (f *testFlags) watchSuites(cmd *cobra.Command, s *command.Streams, names []string, options suiterun.Options) error {
	for _, name := range excluded {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--watch excludes --%s", name)
		}
	}
	redact, err := f.redactions()
	if err != nil {
		return err
	}
	if _, err := f.settings(); err != nil {
		return err
	}
	remembered, err := f.remembered()
	if err != nil {
		return err
	}
	watcher, err := watch.New()
	if err != nil {
		return command.OneLine(err)
	}
	defer watcher.Close()
	w := &watching{flags: f, s: s, names: names, options: options, redact: redact, watcher: watcher, failed: remembered, look: f.textOptions(s, false)}
	ended := signals.Listen(cmd.Context())
	defer ended.Stop()
	in, isFile := s.In.(*os.File)
	out, isFileToo := s.Out.(*os.File)
	if !isFile || !isFileToo || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return w.plainly(ended)
	}
	return w.onScreen(ended, tty.Open(in, out))
}

// plainly watches without keys: where there is no terminal.
func (w *watching) plainly(ended *signals.Ending) error {
	var change *watch.Change
	for {
		r, err := w.round(ended, change, ofChanged, nil)
		if err != nil {
			return err
		}
		if r != nil && !r.stopped {
			text := r.text
			if line := r.changed(); line != "" {
				text = w.paint(reports.Quiet, line) + "\n" + text
			}
			if _, err := io.WriteString(w.s.Out, text); err != nil {
				return command.WrapWrite(err)
			}
		}
		if change, err = w.watcher.Next(ended); ended.Err() != nil {
			return signals.EndedOf(ended, "")
		} else if err != nil {
			return command.OneLine(err)
		}
	}
}

// onScreen watches with keys: reports are lines of the terminal, with the state and the keys below the last one.
func (w *watching) onScreen(ended *signals.Ending, terminal *tty.Terminal) error {
	ctx, stop := context.WithCancel(ended)
	defer stop()
	terminal.Lending = ended.Lend
	w.look.Keys = true
	screen := &watchScreen{w: w, ctx: ctx, terminal: terminal, width: 80, progress: &atomic.Pointer[string]{}}
	ended.SetScreen(terminal)
	defer ended.SetScreen(nil)
	program := tea.NewProgram(screen, tea.WithInput(terminal.Input()), tea.WithOutput(terminal.Output()), tea.WithContext(ctx), tea.WithoutSignalHandler())
	go func() {
		for {
			change, err := w.watcher.Next(ctx)
			if ctx.Err() != nil {
				return
			}
			program.Send(changedMsg{change, err})
			if err != nil {
				return
			}
		}
	}()
	screen.suspends.Listen(func() { program.Send(suspendMsg{}) })
	_, err := program.Run()
	screen.suspends.Stop()
	stop()
	screen.over.Wait()
	switch {
	case ended.Err() != nil:
		return signals.EndedOf(ended, "")
	case screen.err != nil:
		return screen.err
	case errors.Is(err, tea.ErrInterrupted):
		return command.Interrupted("")
	}
	return err
}

// paint returns a text in the colour of a tone where there are colours.
func (w *watching) paint(tone reports.Tone, text string) string {
	if w.look.Paint == nil || text == "" {
		return text
	}
	return w.look.Paint(tone, text)
}

// changed says in one line which files have changed; empty: none.
func (r *round) changed() string {
	if len(r.about) == 0 {
		return ""
	}
	text := visible.Line(r.about[0]) + " changed"
	if more := len(r.about) - 1; more > 0 {
		text = fmt.Sprintf("%s and %s changed", visible.Line(r.about[0]), command.Counted(more, "other file"))
	}
	return text
}
