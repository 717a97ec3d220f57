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

	"asldb/internal/arguments"
	"asldb/internal/cli/command"
	"asldb/internal/suite/reports"
	"asldb/internal/suite/result"
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
			return nil, fmt.Errorf("--report is %s, not %q", orList(formNames(known)), command.Clip(form, command.MaxQuoted))
		}
		if name == arguments.Stdin {
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

// orList writes a list of words: "a, b or c".
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// reportFiles are the files of reports, opened before the first case runs.
type reportFiles struct {
	files   []*os.File
	created []string
}

// open opens the file called name for writing. Its content stays until begin.
func (r *reportFiles) open(name string) (*os.File, error) {
	_, missing := os.Stat(name)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, command.OneLine(fmt.Errorf("--report: %w", err))
	}
	r.files = append(r.files, file)
	if missing != nil {
		r.created = append(r.created, name)
	}
	return file, nil
}

// begin empties the files.
func (r *reportFiles) begin() error {
	for _, file := range r.files {
		if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
			continue // a pipe or a device
		}
		if err := file.Truncate(0); err != nil {
			return command.OneLine(fmt.Errorf("--report: %w", err))
		}
	}
	return nil
}

// close closes the files.
func (r *reportFiles) close() error {
	var err error
	for _, file := range r.files {
		err = errors.Join(err, file.Close())
	}
	return err
}

// drop closes the files and removes those that were not there.
func (r *reportFiles) drop() {
	_ = r.close() // nothing was written
	for _, name := range r.created {
		_ = os.Remove(name)
	}
}

// openReports opens the files of reports, and returns a writer for each report. With an error no file has changed.
func openReports[F any](s *command.Streams, opened *reportFiles, targets []reportTarget[F]) ([]io.Writer, error) {
	writers := make([]io.Writer, len(targets))
	for i, target := range targets {
		if target.file == "" {
			writers[i] = s.Out
			continue
		}
		file, err := opened.open(target.file)
		if err != nil {
			opened.drop()
			return nil, err
		}
		writers[i] = file
	}
	return writers, nil
}

// sinks opens the reports that the flags ask for, and returns a function that closes their files. With an error no file has changed.
func (f *testFlags) sinks(s *command.Streams) ([]result.Sink, func() error, error) {
	targets, err := reportTargets(f, testForms)
	if err != nil {
		return nil, nil, err
	}
	opened := &reportFiles{}
	writers, err := openReports(s, opened, targets)
	if err != nil {
		return nil, nil, err
	}
	sinks := make([]result.Sink, len(targets))
	for i, target := range targets {
		if sinks[i], err = target.form.report(f, s, writers[i], target.file != ""); err != nil {
			break
		}
	}
	if err == nil && f.out != "" {
		err = checkWritable(f.out)
	}
	if err == nil {
		err = opened.begin()
	}
	if err != nil {
		opened.drop()
		return nil, nil, err
	}
	return sinks, opened.close, nil
}

// checkWritable returns the error with which ReplaceFile could not begin to write a file.
func checkWritable(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return command.OneLine(fmt.Errorf("cannot write %s: it is a directory", name))
	}
	temp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return command.OneLine(fmt.Errorf("cannot write %s: %w", name, err))
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// sinkOf makes a report to w; isFile is set where that is not standard output.
type sinkOf func(f *testFlags, s *command.Streams, w io.Writer, isFile bool) (result.Sink, error)

// testForms are the forms of reports about cases.
var testForms = []reportForm[sinkOf]{
	{command.FormatText, func(f *testFlags, s *command.Streams, w io.Writer, isFile bool) (result.Sink, error) {
		return reports.Text(w, f.textOptions(s, isFile)), nil
	}},
	{"junit", alike(reports.JUnit)},
	{"tap", alike(reports.TAP)},
	{command.FormatJSON, alike(reports.JSON)},
	{"github", func(_ *testFlags, _ *command.Streams, w io.Writer, _ bool) (result.Sink, error) {
		return gitHubReport(w)
	}},
	{"html", alike(reports.HTML)},
	{"markdown", alike(reports.Markdown)},
}

// alike makes a report that is the same with all flags, in a file and on standard output.
func alike(report func(io.Writer) result.Sink) sinkOf {
	return func(_ *testFlags, _ *command.Streams, w io.Writer, _ bool) (result.Sink, error) {
		return report(w), nil
	}
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
