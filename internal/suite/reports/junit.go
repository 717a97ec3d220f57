package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"asldb/internal/suite/result"
	"asldb/internal/visible"
)

// JUnit returns a report in JUnit's XML, as Jenkins, GitLab and others read it: a testsuite for each suite, a testcase for each case.
// The times are those of the wall clock; the virtual ones are properties. A case that is new or has no expectation is skipped.
func JUnit(w io.Writer) result.Sink { return &junit{w: w} }

type junit struct {
	w      io.Writer
	suites []junitSuite
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	File       string          `xml:"file,attr"`
	Properties junitProperties `xml:"properties"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitCase struct {
	Name       string          `xml:"name,attr"`
	Class      string          `xml:"classname,attr"`
	Time       string          `xml:"time,attr"`
	File       string          `xml:"file,attr"`
	Line       int             `xml:"line,attr"`
	Properties junitProperties `xml:"properties"`
	Failure    *junitProblem   `xml:"failure,omitempty"`
	Error      *junitProblem   `xml:"error,omitempty"`
	Skipped    *junitProblem   `xml:"skipped,omitempty"`
	Out        string          `xml:"system-out,omitempty"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

// Send implements [result.Sink].
func (j *junit) Send(event result.Event) error {
	switch e := event.(type) {
	case result.SuiteBegan:
		s := junitSuite{Name: visible.Line(e.Suite.File), File: visible.Line(e.Suite.File)}
		if !e.Suite.Started.IsZero() {
			s.Timestamp = e.Suite.Started.UTC().Format("2006-01-02T15:04:05")
		}
		if e.Suite.Definition != "" {
			s.Properties.List = []junitProperty{{"definition", visible.Line(e.Suite.Definition)}}
		}
		j.suites = append(j.suites, s)
	case result.CaseEnded:
		s := &j.suites[len(j.suites)-1]
		s.Cases = append(s.Cases, junitCaseOf(e.Case))
	case result.SuiteEnded:
		s, sum := &j.suites[len(j.suites)-1], &e.Suite.Summary
		s.Tests, s.Failures, s.Errors, s.Skipped = sum.Total(), sum.Failed, sum.Wrong, sum.Skipped+sum.New+sum.Unchecked
		s.Time = seconds(sum.Wall)
		s.Properties.List = append(s.Properties.List, junitProperty{"virtual-seconds", seconds(sum.Virtual)})
	case result.Ended:
		return j.write(&e.Summary)
	case result.Began, result.Covered:
	}
	return nil
}

func (j *junit) write(s *result.Summary) error {
	all := junitSuites{
		Name: "asldb", Tests: s.Total(), Failures: s.Failed, Errors: s.Wrong, Skipped: s.Skipped + s.New + s.Unchecked, Time: seconds(s.Wall), Suites: j.suites,
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "%s%s\n", xml.Header, text)
	return err
}

func junitCaseOf(c *result.Case) junitCase {
	file := visible.Line(c.Suite.File)
	out := junitCase{
		Name: visible.Line(c.Name), Class: className(file), Time: seconds(c.Wall), File: file, Line: c.At.Line,
		Properties: junitProperties{[]junitProperty{{"virtual-seconds", seconds(c.Virtual)}, {"states", fmt.Sprint(c.States)}}},
	}
	if len(c.Path) > 0 {
		out.Out = "path: " + states(c)
	}
	problem := &junitProblem{Message: headline(c), Text: strings.Join(body(c), "\n")}
	switch c.Kind {
	case result.Passed:
	case result.Failed:
		problem.Type = "expectation"
		out.Failure = problem
	case result.Wrong:
		problem.Type = "error"
		out.Error = problem
	case result.Skipped:
		out.Skipped = &junitProblem{Message: visible.Line(c.Reason)}
	case result.New:
		out.Skipped = &junitProblem{Message: "the snapshot is new: --update keeps it"}
	case result.Unchecked:
		out.Skipped = &junitProblem{Message: "no expectation"}
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
