package recordings

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"asldb/internal/cli/command"
	"asldb/internal/fetch"
	"asldb/internal/visible"
)

// progress writes a line for each execution, and on a terminal how far the fetch has come.
type progress struct {
	s     *command.Streams
	width int // of the terminal; 0 where there is none
	shown bool
	// total is the number of executions that were asked for; done and failed count those and the ones that they started.
	total, done, failed, skipped int
	err                          error // of a write
}

func newProgress(s *command.Streams) *progress {
	p := &progress{s: s}
	if file, ok := s.Err.(*os.File); ok && term.IsTerminal(file.Fd()) {
		p.width = 80
		if width, _, err := term.GetSize(file.Fd()); err == nil && width > 1 {
			p.width = width
		}
	}
	return p
}

// show writes the line on the terminal that is replaced by the next one.
func (p *progress) show(text string) {
	if p.width > 0 {
		p.shown = true
		fmt.Fprint(p.s.Err, "\r\x1b[K"+ansi.Truncate(visible.Line(text), p.width-1, ""))
	}
}

func (p *progress) clear() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.s.Err, "\r\x1b[K")
	}
}

func (p *progress) found(n int) { p.show(command.Counted(n, "execution") + " found") }

func (p *progress) events(arn fetch.ARN, events int) {
	p.show(fmt.Sprintf("%d of %d fetched; %s: %s", p.done, max(p.total, p.done+1), arn.Name, command.Counted(events, "event")))
}

// saved writes the line of an execution.
func (p *progress) saved(x fetch.Saved) {
	p.clear()
	if x.Err != nil {
		p.failed++
		fmt.Fprintf(p.s.Err, "%s: %s\n", visible.Line(x.ARN.Name), visible.Text(x.Err.Error()))
		return
	}
	p.done++
	note := ""
	if x.Skipped {
		p.skipped++
		note = ", fetched before"
	}
	if err := p.s.Print(fmt.Sprintf("%s  %s, %s%s\n", visible.Line(x.File), x.Status, command.Counted(x.Events, "event"), note)); err != nil {
		p.err = err
	}
	if x.Withheld != nil {
		fmt.Fprintf(p.s.Err, "%s: no definition: %s\n", visible.Line(x.ARN.Name), visible.Text(x.Withheld.Error()))
	}
}

// end returns the error of the command. err is that which ended the fetch.
func (p *progress) end(err error) error {
	switch {
	case err != nil && p.total > 1:
		return fmt.Errorf("%w\n%d of %d executions are in the folder", err, p.done, max(p.total, p.done))
	case err != nil:
		return err
	case p.err != nil:
		return p.err
	case p.failed > 0:
		return command.Exit(command.StatusFailed, fmt.Errorf("%s could not be fetched", command.Counted(p.failed, "execution")))
	case p.total == 0:
		return command.Exit(command.StatusFailed, errors.New("there is no execution that fits"))
	}
	return nil
}

// Shown fetches one execution, and shows on a terminal how far that has come.
func Shown(s *command.Streams, fetch func(progress func(events int)) (*fetch.Execution, error)) (*fetch.Execution, error) {
	p := newProgress(s)
	defer p.clear()
	p.show("fetching the execution")
	return fetch(func(events int) { p.show("fetching the execution: " + command.Counted(events, "event")) })
}
