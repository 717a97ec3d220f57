package suites

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// reportForm is a form of reports: a value of --report, with the function that makes or writes one.
type reportForm[F any] struct {
	name   string
	report F
}

// formNames returns the names of forms.
func formNames[F any](forms []reportForm[F]) []string {
	list := make([]string, len(forms))
	for i := range forms {
		list[i] = forms[i].name
	}
	return list
}

// reportTarget is one --report: its form and its file, which is empty for standard output.
type reportTarget[F any] struct {
	form *reportForm[F]
	file string
}

// reportTargets returns the reports that the flags ask for, in the known forms. The error is about the flags.
func reportTargets[F any](f *testFlags, known []reportForm[F]) ([]reportTarget[F], error) {
	forms := f.reports
	if f.json {
		forms = append(forms, command.FormatJSON)
	}
	if len(forms) == 0 {
		forms = []string{command.FormatText}
	}
	var targets []reportTarget[F]
	for _, text := range forms {
		form, name, _ := strings.Cut(text, "=")
		at := slices.IndexFunc(known, func(k reportForm[F]) bool { return k.name == form })
		if at < 0 {
			return nil, fmt.Errorf("--report is %s, not %q", command.OrList(formNames(known)), command.Clip(form, command.MaxQuoted))
		}
		if name == files.Stdin {
			name = ""
		}
		for _, other := range targets {
			if name != "" && filepath.Clean(name) == filepath.Clean(other.file) {
				return nil, command.OneLine(fmt.Errorf("--report: two reports go to %s", name))
			}
		}
		targets = append(targets, reportTarget[F]{&known[at], name})
	}
	return targets, nil
}

// reportFiles are the files of reports, begun before the first case runs.
type reportFiles []*files.Pending

// begin begins to write a file.
func (r *reportFiles) begin(flag, name string) (io.Writer, error) {
	file, err := files.Begin(name, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	*r = append(*r, file)
	return file, nil
}

// commit gives all files their names.
func (r *reportFiles) commit() (err error) {
	for _, file := range *r {
		err = errors.Join(err, file.Commit())
	}
	return err
}

// drop leaves the files as they were; after commit it does nothing.
func (r *reportFiles) drop() {
	for _, file := range *r {
		file.Drop()
	}
}

// openReports begins the files of reports, and returns a writer for each report.
func openReports[F any](s *command.Streams, opened *reportFiles, targets []reportTarget[F]) (writers []io.Writer, err error) {
	writers = make([]io.Writer, len(targets))
	for i, target := range targets {
		if writers[i] = s.Out; target.file != "" {
			if writers[i], err = opened.begin("report", target.file); err != nil {
				return nil, err
			}
		}
	}
	return writers, nil
}

// sinks begins the reports that the flags ask for.
func (f *testFlags) sinks(s *command.Streams, opened *reportFiles) ([]suite.Sink, error) {
	targets, err := reportTargets(f, testForms)
	if err != nil {
		return nil, err
	}
	writers, err := openReports(s, opened, targets)
	if err != nil {
		return nil, err
	}
	sinks := make([]suite.Sink, len(targets))
	for i, target := range targets {
		if sinks[i], err = target.form.report(f, s, writers[i], target.file != ""); err != nil {
			return nil, err
		}
	}
	return sinks, nil
}

// sinkOf makes a report to w; isFile is set where that is not standard output.
type sinkOf func(f *testFlags, s *command.Streams, w io.Writer, isFile bool) (suite.Sink, error)

// testForms are the forms of reports about cases.
var testForms = []reportForm[sinkOf]{
	{command.FormatText, func(f *testFlags, s *command.Streams, w io.Writer, isFile bool) (suite.Sink, error) {
		return suiterun.Text(w, f.textOptions(s, isFile)), nil
	}},
	{"junit", alike(suiterun.JUnit)},
	{"tap", alike(suiterun.TAP)},
	{command.FormatJSON, alike(suiterun.JSON)},
	{"github", func(_ *testFlags, _ *command.Streams, w io.Writer, _ bool) (suite.Sink, error) {
		return gitHubReport(w)
	}},
	{"html", alike(suiterun.HTML)},
	{"markdown", alike(suiterun.Markdown)},
}

// alike makes a report that is the same with all flags, in a file and on standard output.
func alike(report func(io.Writer) suite.Sink) sinkOf {
	return func(_ *testFlags, _ *command.Streams, w io.Writer, _ bool) (suite.Sink, error) {
		return report(w), nil
	}
}

// gitHubReport adds to the page of the job, where there is one.
func gitHubReport(w io.Writer) (suite.Sink, error) {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return suiterun.GitHub(w, command.SourceRoot(), nil), nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return suiterun.GitHub(w, command.SourceRoot(), file), nil // it is closed with the process, at its end
}

// textOptions are those of the text report: in a terminal it has colours, and shows how far the run is.
func (f *testFlags) textOptions(s *command.Streams, isFile bool) suiterun.TextOptions {
	o := suiterun.TextOptions{ASCII: f.ascii, Failed: f.onlyFailed}
	if isFile || !command.OnTerminal(s.Out) {
		return o
	}
	o.Width = command.WidthOf(s.Out)
	status := command.NewStatusLine(s.Out)
	o.Progress = func(line string) {
		if line == "" {
			status.Clear()
		} else {
			status.Update(line)
		}
	}
	o.Paint = command.Painter(s.Out, f.noColor)
	return o
}

// completeReport offers the forms of reports, and no file behind one: shells would replace the form.
func completeReport(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var fitting []string
	for _, form := range formNames(testForms) {
		if strings.HasPrefix(form, begun) {
			fitting = append(fitting, form)
		}
	}
	return fitting, cobra.ShellCompDirectiveNoFileComp
}
