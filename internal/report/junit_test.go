package report_test

import (
	"encoding/xml"
	"errors"
	"reflect"
	"strings"
	"testing"

	"asldb/internal/report"
)

func sample() *report.Report {
	s := &report.Suite{Name: "a<b", Time: "0.5", Timestamp: "2026-01-02T03:04:05", File: "a.yaml", Out: "two\nlines"}
	s.Properties = s.Properties.Set("definition", "o.json").Set("seconds", "1")
	s.Add(report.Case{Name: "passes", Class: "c", Time: "0.1", File: "a.yaml", Line: 3, Out: "path"})
	s.Add(report.Case{Name: "fails", Class: "c", Failure: &report.Problem{Message: `"x" & y`, Type: "expectation", Text: "- 1\n+ 2"}})
	s.Add(report.Case{Name: "is wrong", Class: "c", Error: &report.Problem{Message: "m", Type: "error"}})
	s.Add(report.Case{Name: "waits", Class: "c", Skipped: &report.Problem{Message: "later"}})
	other := &report.Suite{Name: "other"}
	other.Add(report.Case{Name: "passes", Class: "d"})
	return &report.Report{Name: "asldb", Suites: []*report.Suite{s, other}}
}

func TestWrite(t *testing.T) {
	var out strings.Builder
	want := sample()
	for range 2 { // the counts are those of the suites, however often it is written
		out.Reset()
		if err := want.Write(&out); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<testsuites name="asldb" tests="5" failures="1" errors="1" skipped="1">` + "\n",
		`  <testsuite name="a&lt;b" tests="4" failures="1" errors="1" skipped="1" time="0.5" timestamp="2026-01-02T03:04:05" file="a.yaml">` + "\n    <properties>\n",
		`    <testcase name="passes" classname="c" time="0.1" file="a.yaml" line="3">` + "\n      <system-out>path</system-out>\n",
		`<failure message="&#34;x&#34; &amp; y" type="expectation">- 1&#xA;+ 2</failure>`,
		`<skipped message="later"></skipped>`,
		`  <testsuite name="other" tests="1" failures="0" errors="0" skipped="0">` + "\n" + `    <testcase name="passes" classname="d"></testcase>` + "\n",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("there is no\n%s\nin\n%s", line, out.String())
		}
	}
	var read report.Report
	if err := xml.Unmarshal([]byte(out.String()), &read); err != nil {
		t.Fatal(err)
	}
	want.XMLName = read.XMLName
	if !reflect.DeepEqual(&read, want) {
		t.Errorf("got %+v, want %+v", read, *want)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestUnwritable(t *testing.T) {
	if err := sample().Write(broken{}); err == nil || err.Error() != "full" {
		t.Error(err)
	}
}
