package suiterun

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// JUnit returns a report in JUnit's XML, as Jenkins, GitLab and others read it: a testsuite for each suite, a testcase for each case.
// The times are those of the wall clock; the virtual ones are properties. A case that is new or has no expectation is skipped.
func JUnit(w io.Writer) suite.Sink { return &junitSink{w: w} }

type junitSink struct {
	w      io.Writer
	suites []*report.Suite
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

// Send implements [result.Sink].
func (j *junitSink) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.SuiteBegan:
		s := &report.Suite{Name: wording.Line(e.Suite.File), File: wording.Line(e.Suite.File)}
		if !e.Suite.Started.IsZero() {
			s.Timestamp = e.Suite.Started.UTC().Format("2006-01-02T15:04:05")
		}
		if e.Suite.Definition != "" {
			s.Properties = s.Properties.Set("definition", wording.Line(e.Suite.Definition))
		}
		j.suites = append(j.suites, s)
	case suite.CaseEnded:
		j.suites[len(j.suites)-1].Add(junitCaseOf(e.Case))
	case suite.SuiteEnded:
		s, sum := j.suites[len(j.suites)-1], &e.Suite.Summary
		s.Time = seconds(sum.Wall)
		s.Properties = s.Properties.Set("virtual-seconds", seconds(sum.Virtual))
	case suite.Ended:
		return (&report.Report{Name: "asldb", Time: seconds(e.Summary.Wall), Suites: j.suites}).Write(j.w)
	case suite.Began, suite.Covered:
	}
	return nil
}

func junitCaseOf(c *suite.Outcome) report.Case {
	file := wording.Line(c.Suite.File)
	var properties *report.Properties
	out := report.Case{
		Name: wording.Line(c.Name), Class: className(file), Time: seconds(c.Wall), File: file, Line: c.At.Line,
		Properties: properties.Set("virtual-seconds", seconds(c.Virtual)).Set("states", fmt.Sprint(c.States)),
	}
	if len(c.Path) > 0 {
		out.Out = "path: " + states(c)
	}
	problem := &report.Problem{Message: headline(c), Text: strings.Join(body(c), "\n")}
	switch c.Kind {
	case suite.Passed:
	case suite.OutcomeFailed:
		problem.Type = "expectation"
		out.Failure = problem
	case suite.Wrong:
		problem.Type = "error"
		out.Error = problem
	case suite.Skipped:
		out.Skipped = &report.Problem{Message: wording.Line(c.Reason)}
	case suite.New:
		out.Skipped = &report.Problem{Message: "the snapshot is new: --update keeps it"}
	case suite.Unchecked:
		out.Skipped = &report.Problem{Message: "no expectation"}
	}
	return out
}

// className is a suite's file with dots, as the classes of Java have them: "tests.order".
func className(file string) string {
	name := path.Clean(filepath.ToSlash(file))
	for _, ending := range []string{".yaml", ".yml", ".json"} {
		name = strings.TrimSuffix(name, ending)
	}
	name = strings.Trim(strings.TrimSuffix(name, ".test"), "./")
	return strings.ReplaceAll(strings.ReplaceAll(name, ".", "_"), "/", ".")
}
