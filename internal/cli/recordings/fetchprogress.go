package recordings

import (
	"errors"
	"fmt"

	"asldb/internal/cli/command"
	"asldb/internal/executions"
	"asldb/internal/wording"
)

// progress writes a line for each execution, and on a terminal how far the fetch has come.
type progress struct {
	s    *command.Streams
	line *command.StatusLine
	// total is the number of executions that were asked for; done and failed count those and the ones that they started.
	total, done, failed int
	err                 error // of a write
	// keep takes the files in place of the lines; it may be nil.
	keep func(file string)
}

func newProgress(s *command.Streams) *progress {
	return &progress{s: s, line: command.NewStatusLine(s.Err)}
}

func (p *progress) found(n int) { p.line.Show(wording.Count(n, "execution") + " found") }

func (p *progress) events(arn executions.ARN, events int) {
	p.line.Show(fmt.Sprintf("%d of %d fetched; %s: %s", p.done, max(p.total, p.done+1), arn.Name, wording.Count(events, "event")))
}

// warn writes what is left out or tried again.
func (p *progress) warn(err error) {
	p.line.Clear()
	fmt.Fprintf(p.s.Err, "warning: %s\n", wording.Line(err.Error()))
}

// saved writes the line of an execution.
func (p *progress) saved(x executions.Saved) {
	p.line.Clear()
	if x.Err != nil {
		p.failed++
		fmt.Fprintf(p.s.Err, "%s: %s\n", wording.Line(x.ARN.Name), wording.Text(x.Err.Error()))
		return
	}
	p.done++
	note := ""
	if x.Skipped {
		note = ", fetched before"
	}
	if p.keep != nil {
		p.keep(x.File)
		return
	}
	if err := p.s.Print(fmt.Sprintf("%s  %s, %s%s\n", wording.Line(x.File), x.Status, wording.Count(x.Events, "event"), note)); err != nil {
		p.err = err
	}
	if x.Withheld != nil {
		fmt.Fprintf(p.s.Err, "%s: no definition: %s\n", wording.Line(x.ARN.Name), wording.Text(x.Withheld.Error()))
	}
}

// end returns the error of the command. err is the one that ended the fetch.
func (p *progress) end(err error) error {
	switch {
	case err != nil && p.total > 1:
		return fmt.Errorf("%w\n%d of %d executions are in the folder", err, p.done, max(p.total, p.done))
	case err != nil:
		return err
	case p.err != nil:
		return p.err
	case p.failed > 0:
		return command.Exit(command.StatusFailed, fmt.Errorf("%s could not be fetched", wording.Count(p.failed, "execution")))
	case p.total == 0:
		return command.Exit(command.StatusFailed, errors.New("there is no execution that fits"))
	}
	return nil
}

// shown fetches one execution, and shows on a terminal how far that has come.
func shown(s *command.Streams, fetch func(progress func(events int)) (*executions.Execution, error)) (*executions.Execution, error) {
	p := newProgress(s)
	defer p.line.Clear()
	p.line.Show("fetching the execution")
	return fetch(func(events int) { p.line.Show("fetching the execution: " + wording.Count(events, "event")) })
}
