package suites

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/suite/reports"
	"asldb/internal/suite/result"
)

// sinks returns the reports that the flags ask for, and a function that closes their files.
func (f *testFlags) sinks(s *command.Streams) ([]result.Sink, func() error, error) {
	forms := f.reports
	if f.json {
		forms = append(forms, "json")
	}
	if len(forms) == 0 {
		forms = []string{"text"}
	}
	var files []io.Closer
	closing := func() error {
		var err error
		for _, file := range files {
			err = errors.Join(err, file.Close())
		}
		return err
	}
	var sinks []result.Sink
	for _, text := range forms {
		form, name, _ := strings.Cut(text, "=")
		w, isFile := s.Out, false
		if name != "" && name != launch.Stdin {
			file, err := os.Create(name)
			if err != nil {
				return nil, nil, errors.Join(command.OneLine(fmt.Errorf("--report: %w", err)), closing())
			}
			files = append(files, file)
			w, isFile = file, true
		}
		sink, err := f.sink(s, form, w, isFile)
		if err != nil {
			return nil, nil, errors.Join(err, closing())
		}
		sinks = append(sinks, sink)
	}
	return sinks, closing, nil
}

// testForms are the forms of reports.
const testForms = "text, junit, tap, json, github, html or markdown"

func (f *testFlags) sink(s *command.Streams, form string, w io.Writer, isFile bool) (result.Sink, error) {
	switch form {
	case command.FormatText:
		return reports.Text(w, f.textOptions(s, isFile)), nil
	case "junit":
		return reports.JUnit(w), nil
	case "tap":
		return reports.TAP(w), nil
	case command.FormatJSON:
		return reports.JSON(w), nil
	case "github":
		return gitHubReport(w)
	case "html":
		return reports.HTML(w), nil
	case "markdown":
		return reports.Markdown(w), nil
	}
	return nil, fmt.Errorf("--report is %s, and this is %q", testForms, command.Clip(form, command.MaxQuoted))
}

// gitHubReport adds to the page of the job, where there is one.
func gitHubReport(w io.Writer) (result.Sink, error) {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return reports.GitHub(w, nil), nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return reports.GitHub(w, file), nil // it is closed with the process, at its end
}

// textOptions are those of the text report: in a terminal it has colours, and shows how far the run is.
func (f *testFlags) textOptions(s *command.Streams, isFile bool) reports.TextOptions {
	o := reports.TextOptions{ASCII: f.ascii, Failed: f.onlyFailed}
	if isFile || !onTerminal(s.Out) {
		return o
	}
	last := time.Time{}
	o.Progress = func(line string) {
		switch {
		case line == "":
			fmt.Fprint(s.Out, "\r\x1b[K")
		case time.Since(last) > 100*time.Millisecond:
			last = time.Now()
			fmt.Fprint(s.Out, "\r\x1b[K"+line)
		}
	}
	if !f.noColor && os.Getenv("NO_COLOR") == "" {
		o.Paint = paintTone
	}
	return o
}

// paintTone writes a text in one of the 16 colours, whose shades are those that the user has chosen for the terminal.
func paintTone(tone reports.Tone, text string) string {
	code := ""
	switch tone {
	case reports.Good:
		code = "32"
	case reports.Bad:
		code = "31"
	case reports.Caution:
		code = "33"
	case reports.Quiet:
		code = "2"
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// onTerminal reports whether a command writes to a terminal.
func onTerminal(w io.Writer) bool {
	out, ok := w.(*os.File)
	return ok && term.IsTerminal(out.Fd())
}
