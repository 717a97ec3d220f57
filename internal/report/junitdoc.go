// Package report has the forms of reports: the colours of a terminal, JUnit's XML and the annotations of GitHub Actions.
//
// This part writes reports of tests in JUnit's XML, in the form that Jenkins, GitLab and other readers share.
package report

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Report is a whole report.
type Report struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	Counts
	// Time is in seconds, as those of suites and cases; empty: none is said.
	Time   string   `xml:"time,attr,omitempty"`
	Suites []*Suite `xml:"testsuite"`
}

// Counts are the numbers of cases. [Suite.Add] and [Report.Write] fill them in.
type Counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

// Suite is a list of cases. Its texts go out as they are: they are to have no control characters.
type Suite struct {
	Name string `xml:"name,attr"`
	Counts
	Time string `xml:"time,attr,omitempty"`
	// Timestamp is the time of the start, without a zone.
	Timestamp  string      `xml:"timestamp,attr,omitempty"`
	File       string      `xml:"file,attr,omitempty"`
	Properties *Properties `xml:"properties,omitempty"`
	Cases      []Case      `xml:"testcase"`
	Out        string      `xml:"system-out,omitempty"`
}

// Case is one test. It has passed where Failure, Error and Skipped are nil.
type Case struct {
	Name  string `xml:"name,attr"`
	Class string `xml:"classname,attr"`
	Time  string `xml:"time,attr,omitempty"`
	File  string `xml:"file,attr,omitempty"`
	// Line is from 1; 0: none is known.
	Line       int         `xml:"line,attr,omitempty"`
	Properties *Properties `xml:"properties,omitempty"`
	Failure    *Problem    `xml:"failure,omitempty"`
	Error      *Problem    `xml:"error,omitempty"`
	Skipped    *Problem    `xml:"skipped,omitempty"`
	Out        string      `xml:"system-out,omitempty"`
}

// Properties are names with values.
type Properties struct {
	List []Property `xml:"property"`
}

// Property is a name with its value.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Problem is a failure, an error, or the reason why a case is skipped.
type Problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Set adds a property to a list, which may be nil.
func (p *Properties) Set(name, value string) *Properties {
	if p == nil {
		p = &Properties{}
	}
	p.List = append(p.List, Property{name, value})
	return p
}

// Add adds a case.
func (s *Suite) Add(c Case) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// Write writes the report with the counts of its suites.
func (r *Report) Write(w io.Writer) error {
	r.Counts = Counts{}
	for _, s := range r.Suites {
		r.Tests += s.Tests
		r.Failures += s.Failures
		r.Errors += s.Errors
		r.Skipped += s.Skipped
	}
	text, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
