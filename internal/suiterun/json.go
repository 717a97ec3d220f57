package suiterun

import (
	"io"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/suite"
)

// JSON returns a report of one JSON object a line: begin, suite, case, coverage and end.
func JSON(w io.Writer) suite.Sink { return &jsonLines{w} }

type jsonLines struct{ w io.Writer }

type (
	jsonBegin struct {
		Event string `json:"event"`
		suite.Began
	}
	jsonSuite struct {
		Event      string `json:"event"`
		File       string `json:"file"`
		Definition string `json:"definition"`
	}
	jsonCase struct {
		Event string `json:"event"`
		File  string `json:"file"`
		Name  string `json:"name"`
		jsonPlace
		Outcome  string        `json:"outcome"`
		Reason   string        `json:"reason,omitempty"`
		Path     []string      `json:"path,omitempty"`
		States   int           `json:"states"`
		Virtual  value.Value   `json:"virtualSeconds"`
		Wall     value.Value   `json:"wallSeconds"`
		Findings []jsonFinding `json:"findings,omitempty"`
		Noticed  []string      `json:"noticed,omitempty"`
		Debug    string        `json:"debug,omitempty"`
		jsonOfCase
	}
	// jsonOfCase has what the suite says about a case, and its runs where it was repeated.
	jsonOfCase struct {
		Tags       []string      `json:"tags,omitempty"`
		Properties *value.Object `json:"properties,omitempty"`
		Runs       int           `json:"runs,omitempty"`
		FailedRuns int           `json:"failedRuns,omitempty"`
		Seed       int64         `json:"seed,omitempty"`
	}
	jsonPlace struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
	jsonFinding struct {
		report.JSONFinding
		Expectation string             `json:"expectation"`
		Place       string             `json:"place,omitempty"`
		Definition  *report.Place      `json:"definition,omitempty"`
		Seq         int                `json:"seq,omitempty"`
		Differences []value.Difference `json:"differences"`
		Because     []string           `json:"because,omitempty"`
	}
	jsonCoverage struct {
		Event   string `json:"event"`
		Covered int    `json:"covered"`
		Items   int    `json:"items"`
		Percent int    `json:"percent"`
		Minimum int    `json:"minimum"`
	}
	jsonEnd struct {
		Event     string      `json:"event"`
		Passed    int         `json:"passed"`
		Failed    int         `json:"failed"`
		Errors    int         `json:"errors"`
		Skipped   int         `json:"skipped"`
		New       int         `json:"new"`
		Unchecked int         `json:"unchecked"`
		Virtual   value.Value `json:"virtualSeconds"`
		Wall      value.Value `json:"wallSeconds"`
	}
)

// Send implements [result.Sink].
func (j *jsonLines) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.Began:
		return report.JSONLine(j.w, jsonBegin{"begin", e})
	case suite.SuiteBegan:
		return report.JSONLine(j.w, jsonSuite{"suite", e.Suite.File, e.Suite.Definition})
	case suite.CaseEnded:
		c := e.Case
		return report.JSONLine(j.w, jsonCase{
			"case", c.Suite.File, c.Name, placeIn(c.At), c.Kind.String(), c.Reason, c.Path, c.States,
			value.Float(c.Virtual.Seconds()), value.Float(c.Wall.Seconds()),
			value.Each(c.Findings, func(f suite.Finding) jsonFinding { return jsonOf(c, &f) }),
			c.Noticed, c.Debug, jsonOfCase{c.Tags, propertiesOf(c), c.Runs, c.FailedRuns, c.Seed},
		})
	case suite.SuiteEnded:
	case suite.Covered:
		share := e.Profile.Share()
		return report.JSONLine(j.w, jsonCoverage{"coverage", share.Covered, share.Total, share.Percent(), e.Minimum})
	case suite.Ended:
		s := &e.Summary
		return report.JSONLine(j.w, jsonEnd{
			"end", s.Passed, s.Failed, s.Wrong, s.Skipped, s.New, s.Unchecked,
			value.Float(s.Virtual.Seconds()), value.Float(s.Wall.Seconds()),
		})
	}
	return nil
}

func propertiesOf(c *suite.Outcome) *value.Object {
	if len(c.Properties) == 0 {
		return nil
	}
	var b value.ObjectBuilder
	for _, p := range c.Properties {
		b.Set(p.Name, value.String(p.Value))
	}
	return b.Object()
}

func placeIn(p source.Position) jsonPlace { return jsonPlace{p.Line, p.Col} }

func jsonOf(c *suite.Outcome, f *suite.Finding) jsonFinding {
	found := partOf(c, f, nil)
	one := jsonFinding{
		found.JSON(), f.Expectation, f.Place.String(), nil, f.Event + 1, value.NotNil(f.Differences), f.Because,
	}
	if f.Place.File != "" {
		one.Definition = &f.Place.Place
	}
	return one
}
