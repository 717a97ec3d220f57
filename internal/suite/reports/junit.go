package reports

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"asldb/internal/junit"
	"asldb/internal/suite/result"
	"asldb/internal/visible"
)

// JUnit returns a report in JUnit's XML, as Jenkins, GitLab and others read it: a testsuite for each suite, a testcase for each case.
// The times are those of the wall clock; the virtual ones are properties. A case that is new or has no expectation is skipped.
func JUnit(w io.Writer) result.Sink { return &junitSink{w: w} }

type junitSink struct {
	w      io.Writer
	suites []*junit.Suite
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

// Send implements [result.Sink].
func (j *junitSink) Send(event result.Event) error {
	switch e := event.(type) {
	case result.SuiteBegan:
		s := &junit.Suite{Name: visible.Line(e.Suite.File), File: visible.Line(e.Suite.File)}
		if !e.Suite.Started.IsZero() {
			s.Timestamp = e.Suite.Started.UTC().Format("2006-01-02T15:04:05")
		}
		if e.Suite.Definition != "" {
			s.Properties = s.Properties.Set("definition", visible.Line(e.Suite.Definition))
		}
		j.suites = append(j.suites, s)
	case result.CaseEnded:
		j.suites[len(j.suites)-1].Add(junitCaseOf(e.Case))
	case result.SuiteEnded:
		s, sum := j.suites[len(j.suites)-1], &e.Suite.Summary
		s.Time = seconds(sum.Wall)
		s.Properties = s.Properties.Set("virtual-seconds", seconds(sum.Virtual))
	case result.Ended:
		return (&junit.Report{Name: "asldb", Time: seconds(e.Summary.Wall), Suites: j.suites}).Write(j.w)
	case result.Began, result.Covered:
	}
	return nil
}

func junitCaseOf(c *result.Case) junit.Case {
	file := visible.Line(c.Suite.File)
	var properties *junit.Properties
	out := junit.Case{
		Name: visible.Line(c.Name), Class: className(file), Time: seconds(c.Wall), File: file, Line: c.At.Line,
		Properties: properties.Set("virtual-seconds", seconds(c.Virtual)).Set("states", fmt.Sprint(c.States)),
	}
	if len(c.Path) > 0 {
		out.Out = "path: " + states(c)
	}
	problem := &junit.Problem{Message: headline(c), Text: strings.Join(body(c), "\n")}
	switch c.Kind {
	case result.Passed:
	case result.Failed:
		problem.Type = "expectation"
		out.Failure = problem
	case result.Wrong:
		problem.Type = "error"
		out.Error = problem
	case result.Skipped:
		out.Skipped = &junit.Problem{Message: visible.Line(c.Reason)}
	case result.New:
		out.Skipped = &junit.Problem{Message: "the snapshot is new: --update keeps it"}
	case result.Unchecked:
		out.Skipped = &junit.Problem{Message: "no expectation"}
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
