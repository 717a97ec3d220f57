package suiterun

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"strconv"
	"time"

	"asldb/engine/coverage"
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
		Row      int           `json:"row,omitempty"`
		Outcome  string        `json:"outcome"`
		Reason   string        `json:"reason,omitempty"`
		Path     []string      `json:"path,omitempty"`
		States   int           `json:"states"`
		Virtual  seconds       `json:"virtualSeconds"`
		Wall     seconds       `json:"wallSeconds"`
		Findings []jsonFinding `json:"findings,omitempty"`
		Noticed  []string      `json:"noticed,omitempty"`
		Debug    string        `json:"debug,omitempty"`
		jsonOfCase
	}
	// jsonOfCase has what the suite says about a case, and its runs where it was repeated.
	jsonOfCase struct {
		Tags       []string   `json:"tags,omitempty"`
		Properties properties `json:"properties,omitempty"`
		Runs       int        `json:"runs,omitempty"`
		FailedRuns int        `json:"failedRuns,omitempty"`
		Seed       int64      `json:"seed,omitempty"`
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
		Event   string      `json:"event"`
		Covered int         `json:"covered"`
		Items   int         `json:"items"`
		Percent int         `json:"percent"`
		Minimum int         `json:"minimum"`
		Scopes  []jsonScope `json:"scopes,omitempty"`
	}
	jsonScope struct {
		Project string          `json:"project,omitempty"`
		Bars    string          `json:"min,omitempty"`
		Profile json.RawMessage `json:"profile"`
	}
	jsonEnd struct {
		Event     string  `json:"event"`
		Passed    int     `json:"passed"`
		Failed    int     `json:"failed"`
		Errors    int     `json:"errors"`
		Skipped   int     `json:"skipped"`
		New       int     `json:"new"`
		Unchecked int     `json:"unchecked"`
		Virtual   seconds `json:"virtualSeconds"`
		Wall      seconds `json:"wallSeconds"`
	}
)

// seconds is a time in JSON.
type seconds time.Duration

// MarshalJSON and UnmarshalJSON write and read the number of seconds.
func (s seconds) MarshalJSON() ([]byte, error) {
	return value.Append(nil, value.Float(time.Duration(s).Seconds())), nil
}

func (s *seconds) UnmarshalJSON(text []byte) error {
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.Abs(f) > math.MaxInt64/1e9 {
		return errors.New("a time is a number of seconds")
	}
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', 9, 64)) // it is a number
	*s = seconds(exact.Mul(exact, big.NewRat(1e9, 1)).Num().Int64())
	return nil
}

// properties are the properties of a case, as one object in JSON.
type properties []report.Property

// MarshalJSON and UnmarshalJSON write and read the object.
func (p properties) MarshalJSON() ([]byte, error) {
	var b value.ObjectBuilder
	for _, each := range p {
		b.Set(each.Name, value.String(each.Value))
	}
	return value.Append(nil, b.Object()), nil
}

func (p *properties) UnmarshalJSON(text []byte) error {
	read, err := value.Parse(text, value.Limits{})
	object, ok := read.(*value.Object)
	if err != nil || !ok {
		return errors.New("properties are an object")
	}
	for name, v := range object.All() {
		word, ok := v.(value.String)
		if !ok {
			return errors.New("a property is a text")
		}
		*p = append(*p, report.Property{Name: name, Value: string(word)})
	}
	return nil
}

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
			"case", c.Suite.File, c.Name, placeIn(c.At), c.Row, c.Kind.String(), c.Reason, c.Path, c.States,
			seconds(c.Virtual), seconds(c.Wall),
			value.Each(c.Findings, func(f suite.Finding) jsonFinding { return jsonOf(c, &f) }),
			c.Noticed, c.Debug, jsonOfCase{c.Tags, c.Properties, c.Runs, c.FailedRuns, c.Seed},
		})
	case suite.SuiteEnded:
	case suite.Covered:
		share := e.Profile.Share()
		line := jsonCoverage{"coverage", share.Covered, share.Total, share.Percent(), e.Minimum, nil}
		for _, one := range e.Scopes {
			var profile bytes.Buffer
			if err := one.Profile.Write(&profile); err != nil {
				return err
			}
			line.Scopes = append(line.Scopes, jsonScope{one.Project, coverage.BarsText(one.Bars), profile.Bytes()})
		}
		return report.JSONLine(j.w, line)
	case suite.Ended:
		s := &e.Summary
		return report.JSONLine(j.w, jsonEnd{
			"end", s.Passed, s.Failed, s.Wrong, s.Skipped, s.New, s.Unchecked,
			seconds(s.Virtual), seconds(s.Wall),
		})
	}
	return nil
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
