package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"asldb/internal/wording"
)

// The elements of JUnit's XML, in the form that Jenkins, GitLab and other readers share.
type (
	junitReport struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Time   string        `xml:"time,attr,omitempty"`
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Time       string           `xml:"time,attr,omitempty"`
		Timestamp  string           `xml:"timestamp,attr,omitempty"` // without a zone
		File       string           `xml:"file,attr,omitempty"`
		Properties *junitProperties `xml:"properties,omitempty"`
		Cases      []junitCase      `xml:"testcase"`
		Out        string           `xml:"system-out,omitempty"`
	}
	junitCase struct {
		Name       string           `xml:"name,attr"`
		Class      string           `xml:"classname,attr"`
		Time       string           `xml:"time,attr,omitempty"`
		File       string           `xml:"file,attr,omitempty"`
		Line       int              `xml:"line,attr,omitempty"`
		Properties *junitProperties `xml:"properties,omitempty"`
		Failure    *junitProblem    `xml:"failure,omitempty"`
		Error      *junitProblem    `xml:"error,omitempty"`
		Skipped    *junitProblem    `xml:"skipped,omitempty"`
		Out        string           `xml:"system-out,omitempty"`
	}
	junitProperties struct {
		List []Property `xml:"property"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes findings in JUnit's XML: a testsuite for each group, a testcase for each case and for each problem that
// fails. Other problems are output of their suite. name is the one of the whole.
func JUnit(w io.Writer, name string, list []Finding) error {
	all := &junitReport{Name: wording.Line(name)}
	of := map[*Group]*junitSuite{}
	took := time.Duration(0)
	for i := range list {
		f := &list[i]
		s := of[f.Group]
		if s == nil {
			s = junitSuiteOf(f.Group)
			of[f.Group] = s
			all.Suites = append(all.Suites, s)
			if f.Group != nil {
				took += f.Group.Took
			}
		}
		s.add(f)
	}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	all.Time = junitTime(took, took > 0)
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// junitTime is a time in seconds; nothing where no time was taken.
func junitTime(d time.Duration, taken bool) string {
	if !taken {
		return ""
	}
	return fmt.Sprintf("%.6f", d.Seconds())
}

func junitSuiteOf(g *Group) *junitSuite {
	if g == nil {
		return &junitSuite{Name: "asldb"}
	}
	s := &junitSuite{
		Name: wording.Line(g.Name), File: wording.Line(filepath.ToSlash(g.File)), Time: junitTime(g.Took, g.Took > 0), Properties: junitList(g.Properties), Out: wording.Text(g.Out),
	}
	if !g.Began.IsZero() {
		s.Timestamp = g.Began.UTC().Format("2006-01-02T15:04:05")
	}
	return s
}

func junitList(list []Property) *junitProperties {
	if len(list) == 0 {
		return nil
	}
	out := &junitProperties{}
	for _, p := range list {
		out.List = append(out.List, Property{wording.Line(p.Name), wording.Line(p.Value)})
	}
	return out
}

// add adds a finding.
func (s *junitSuite) add(f *Finding) {
	if f.Subject == "" && (f.Severity == Warning || f.Severity == Hint) && !f.Fails {
		s.Out = strings.TrimPrefix(s.Out+"\n"+visibleLines(f.More), "\n")
		return
	}
	c := junitCase{
		Name: wording.Line(f.Subject), Class: wording.Line(s.Name), Time: junitTime(f.Took, f.Group != nil && f.Group.Took > 0), File: wording.Line(filepath.ToSlash(f.Place.File)),
		Line: f.Place.Line, Properties: junitList(f.Properties), Out: wording.Text(f.Out),
	}
	if f.Group != nil {
		c.Class = wording.Line(cmp.Or(f.Group.Class, f.Group.Name))
	}
	if c.Name == "" {
		c.Name = wording.Line(f.Rule)
		if f.Place.Line > 0 {
			c.Name += fmt.Sprintf(" at %d:%d", f.Place.Line, f.Place.Col)
		}
	}
	problem := &junitProblem{Message: wording.Line(f.Text), Type: wording.Line(cmp.Or(f.Type, f.kind())), Text: visibleLines(f.More)}
	s.Tests++
	switch {
	case f.Severity == Error || f.Fails:
		c.Failure = problem
		s.Failures++
	case f.Severity == Broken:
		c.Error = problem
		s.Errors++
	case f.Severity == Skipped || f.Severity == Warning: // a case that has no verdict
		c.Skipped = &junitProblem{Message: problem.Message}
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}
