package recordings

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
	"asldb/internal/executions"
)

// onScreen replays what was written to a terminal, and returns its lines.
func onScreen(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if at := strings.LastIndex(line, "\r\x1b[K"); at >= 0 {
			line = line[at+len("\r\x1b[K"):]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// The progress of a fetch is one line that is replaced; the lines of executions stay above it.
func TestProgressOfAFetch(t *testing.T) {
	var out, errs bytes.Buffer
	line := command.StatusLineOf(&errs, func() int { return 40 }, time.Now)
	p := &progress{s: &command.Streams{Out: &out, Err: &errs}, line: line, total: 3}
	arn := executions.ARN{Name: "4f1a"}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { p.found(1) }, "1 execution found"},
		{func() { p.found(3) }, "3 executions found"},
		{func() { p.events(arn, 1) }, "0 of 3 fetched; 4f1a: 1 event"},
		{func() { p.events(arn, 1000) }, "0 of 3 fetched; 4f1a: 1,000 events"},
		{func() {
			p.saved(executions.Saved{ARN: arn, File: "h/4f1a.history.json", Status: "FAILED", Events: 1000})
		}, ""},
		{func() { p.events(executions.ARN{Name: strings.Repeat("x", 50)}, 7) }, "1 of 3 fetched; " + strings.Repeat("x", 23)},
		{func() {
			p.saved(executions.Saved{ARN: executions.ARN{Name: "gone"}, Err: errors.New("it ended more than 90 days ago")})
		}, "gone: it ended more than 90 days ago\n"},
		{func() { p.events(executions.ARN{Name: "\x1b[2J"}, 7) }, "gone: it ended more than 90 days ago\n1 of 3 fetched; <U+001B>[2J: 7 events"},
		{func() { p.line.Clear() }, "gone: it ended more than 90 days ago\n"},
	} {
		step.do()
		if got := onScreen(errs.String()); got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}
	if got := out.String(); got != "h/4f1a.history.json  FAILED, 1,000 events\n" {
		t.Error(got)
	}
	var exit *command.ExitError
	if err := p.end(nil); !errors.As(err, &exit) || exit.Status != command.StatusFailed || !strings.Contains(err.Error(), "1 execution could not be fetched") {
		t.Error(err)
	}
}

// Where there is no terminal, the line is not written.
func TestProgressWithoutATerminal(t *testing.T) {
	var out, errs bytes.Buffer
	p := newProgress(&command.Streams{Out: &out, Err: &errs})
	p.found(3)
	p.events(executions.ARN{Name: "a"}, 1)
	p.line.Clear()
	if errs.Len() > 0 {
		t.Errorf("%q", errs.String())
	}
	if x, err := shown(p.s, func(progress func(int)) (*executions.Execution, error) {
		progress(5)
		return &executions.Execution{}, nil
	}); err != nil || x == nil || errs.Len() > 0 {
		t.Errorf("%v, %q", err, errs.String())
	}
}
