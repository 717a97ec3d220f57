package suites

import (
	"errors"
	"fmt"
	"os"

	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/tui/view/pages"
)

// The forms of a report that other commands do not have.
const (
	formTAP     = "tap"
	formStryker = "stryker" // about mutants
)

// formsOfTest are the forms of reports about cases and mutants.
func formsOfTest(own ...string) []string {
	return report.FormsOf(report.OfDoc|report.OfFindings|report.OfData, own...)
}

// checkForms refuses a form that what is run does not have.
func checkForms(r *command.Reports, mutants bool) error {
	switch {
	case mutants && r.Has(formTAP):
		return errors.New("a report of mutants has no form tap")
	case !mutants && r.Has(formStryker):
		return errors.New("the form stryker is for --mutate")
	}
	return nil
}

// caseReports are the reports about cases: text, TAP and JSON are written while they run, the others at the end.
type caseReports struct {
	*command.Sinks
	live      []suite.Sink
	collected *suiterun.Collected
	rest      []command.Target
}

// openReports begins the reports that the flags ask for.
func (f *testFlags) openReports(s *command.Streams, machines map[*suite.Suite]*suiterun.Machine) (*caseReports, error) {
	sinks, err := f.reports.Open(s)
	if err != nil {
		return nil, err
	}
	r := &caseReports{Sinks: sinks, collected: &suiterun.Collected{
		Machines: map[string]*suiterun.Machine{}, Graph: pages.Covered,
	}}
	for of, machine := range machines {
		r.collected.Machines[of.Name] = machine
	}
	for _, t := range sinks.Targets {
		switch t.Form {
		case report.TextForm:
			r.live = append(r.live, suiterun.Text(t.To, f.textOptions(s, t.File != "")))
		case formTAP:
			r.live = append(r.live, suiterun.TAP(t.To))
		case report.JSONForm:
			r.live = append(r.live, suiterun.JSON(t.To))
		default:
			r.rest = append(r.rest, t)
		}
	}
	return r, nil
}

// Send implements [suite.Sink].
func (r *caseReports) Send(event suite.Event) error {
	err := suiterun.All(append(r.live, r.collected)...).Send(event)
	if _, ended := event.(suite.Ended); !ended {
		return err
	}
	answer := r.collected.Answer()
	for _, t := range r.rest {
		err = errors.Join(err, answer.Write(t.To, t.Form, t.Look))
		if t.Form == "github" {
			err = errors.Join(err, jobSummary(answer, t.Look))
		}
	}
	return err
}

// jobSummary adds the report to the page of the job on GitHub, where there is one.
func jobSummary(answer *report.Answer, look report.Look) error {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	file, err := files.Append(name, 0o600)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return errors.Join(answer.Write(file, "markdown", look), file.Close())
}

// textOptions are the options of the text report: in a terminal it has colours, and shows how far the run is.
func (f *testFlags) textOptions(s *command.Streams, isFile bool) suiterun.TextOptions {
	look := f.reports.Look(s)
	if isFile || !command.OnTerminal(s.Out) {
		look.Width, look.Colour = 0, false
		return suiterun.TextOptions{Look: look, Failed: f.onlyFailed, Slowest: f.durations}
	}
	o := suiterun.TextOptions{Look: look, Failed: f.onlyFailed, Slowest: f.durations}
	status := command.NewStatusLine(s.Out)
	o.Progress = func(line string) {
		if line == "" {
			status.Clear()
		} else {
			status.Update(line)
		}
	}
	return o
}
