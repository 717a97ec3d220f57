package suiterun

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"asldb/engine/coverage"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/suite"
)

// Share returns the cases of a shard out of the chosen ones: those whose index in the order of the files it has. The
// head has a digest of all cases and of their definitions.
func Share(
	chosen [][]*suite.Case, machines map[*suite.Suite]*Machine, s report.Shard,
) ([][]*suite.Case, *report.ShardHead) {
	var mine [][]*suite.Case
	var inputs []string
	at := 0
	for _, cases := range chosen {
		var own []*suite.Case
		inputs = append(inputs, machines[cases[0].Suite].Definition.Machine.Source.Digest())
		for _, c := range cases {
			if s.Has(at) {
				own = append(own, c)
			}
			at++
			inputs = append(inputs, c.String())
		}
		if len(own) > 0 {
			mine = append(mine, own)
		}
	}
	return mine, s.Head(inputs...)
}

// ofShard is what the JSON of a shard says.
type ofShard struct {
	name   string
	began  jsonBegin
	cases  []*suite.Outcome // each with its suite
	scopes []suite.Scope
	ended  *jsonEnd
}

// MergedRun is the run that shards are of.
type MergedRun struct {
	events  []suite.Event
	scopes  []suite.Scope
	summary suite.Summary
}

// IsShard reports whether a text is the JSON of a run of cases.
func IsShard(data []byte) bool {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	var begin jsonBegin
	return value.Unmarshal(first, &begin) == nil && begin.Event == "begin"
}

// MergeShards puts the JSON of all shards of a run together.
func MergeShards(list []report.ShardFile) (*MergedRun, error) {
	shards := make([]*ofShard, len(list))
	heads := make([]*report.ShardHead, len(list))
	for i, file := range list {
		var err error
		if shards[i], err = readShard(file); err != nil {
			return nil, err
		}
		heads[i] = shards[i].began.ShardHead
	}
	order, err := report.InOrder(list, heads)
	if err != nil {
		return nil, err
	}
	return merge(value.Each(order, func(i int) *ofShard { return shards[i] }))
}

// merge puts shards in their order together.
func merge(shards []*ofShard) (*MergedRun, error) {
	m, total := &MergedRun{}, 0
	began := suite.Began{Seed: shards[0].began.Seed}
	for k, s := range shards {
		total += len(s.cases)
		m.summary.Wall += time.Duration(s.ended.Wall)
		if s.began.Seed != began.Seed {
			return nil, fmt.Errorf("%s and %s have other seeds of --shuffle", shards[0].name, s.name)
		}
		if len(s.scopes) != len(shards[0].scopes) {
			return nil, fmt.Errorf("%s and %s have the coverage of other projects", shards[0].name, s.name)
		}
		for i, one := range s.scopes {
			if k == 0 {
				all := suite.Scope{Project: one.Project, Bars: one.Bars, Profile: &coverage.Profile{}}
				m.scopes = append(m.scopes, all)
			}
			for d := range one.Profile.Definitions {
				m.scopes[i].Profile.AddOrReplace(&one.Profile.Definitions[d])
			}
		}
	}
	wall := m.summary.Wall
	var of *suite.SuiteOutcome
	for i := range total {
		s := shards[i%len(shards)]
		if i/len(shards) >= len(s.cases) {
			return nil, fmt.Errorf("%s has too few cases: %d of %d", s.name, len(s.cases), total)
		}
		c := s.cases[i/len(shards)]
		if of == nil || c.Suite.File != of.File {
			m.end(of)
			began.Suites++
			of = &suite.SuiteOutcome{File: c.Suite.File, Definition: c.Suite.Definition}
			m.events = append(m.events, suite.SuiteBegan{Suite: of})
		}
		c.Suite = of
		of.Summary.Add(c)
		m.summary.Add(c)
		m.events = append(m.events, suite.CaseEnded{Case: c})
	}
	m.end(of)
	began.Cases, m.summary.Wall = total, wall
	m.events = append([]suite.Event{began}, m.events...)
	if len(m.scopes) > 0 {
		m.events = append(m.events, *suite.CoveredBy(m.scopes, false))
	}
	m.events = append(m.events, suite.Ended{Summary: m.summary})
	return m, nil
}

// end ends a suite, if there is one.
func (m *MergedRun) end(of *suite.SuiteOutcome) {
	if of != nil {
		m.events = append(m.events, suite.SuiteEnded{Suite: of})
	}
}

// Failed reports whether a case has failed, or its snapshot is new.
func (m *MergedRun) Failed() bool { return m.summary.Failed+m.summary.Wrong+m.summary.New > 0 }

// Reached reports whether the coverage reaches its bars.
func (m *MergedRun) Reached() bool { return suite.Reached(m.scopes) }

// Answer is the report of the run.
func (m *MergedRun) Answer() *report.Answer {
	c := &Collected{}
	_ = m.send(c) // it only keeps them
	a := c.Answer()
	own := func(sink func(io.Writer, report.Look) suite.Sink) func(io.Writer, report.Look) error {
		return func(w io.Writer, l report.Look) error { return m.send(sink(w, l)) }
	}
	a.Own = map[string]func(io.Writer, report.Look) error{
		report.TextForm: own(func(w io.Writer, l report.Look) suite.Sink { return Text(w, TextOptions{Look: l}) }),
		report.JSONForm: own(func(w io.Writer, _ report.Look) suite.Sink { return JSON(w) }),
		"tap":           own(func(w io.Writer, _ report.Look) suite.Sink { return TAP(w) }),
	}
	return a
}

func (m *MergedRun) send(to suite.Sink) error {
	for _, e := range m.events {
		if err := to.Send(e); err != nil {
			return err
		}
	}
	return nil
}

// readShard reads the JSON of a shard.
func readShard(file report.ShardFile) (*ofShard, error) {
	s, n := &ofShard{name: file.Name}, 0
	var of *suite.SuiteOutcome
	for line := range bytes.Lines(file.Data) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := s.line(line, &of); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file.Name, n, err)
		}
	}
	switch {
	case s.began.ShardHead == nil:
		return nil, fmt.Errorf("%s has the whole run: --shard K/N of asldb test makes a shard", file.Name)
	case s.ended == nil:
		return nil, fmt.Errorf("%s has no end: the run of this shard was interrupted", file.Name)
	}
	return s, nil
}

// line reads a line; of is the suite that the cases belong to.
func (s *ofShard) line(line []byte, of **suite.SuiteOutcome) error {
	parsed, err := value.Parse(line, value.Limits{})
	if err != nil {
		return err
	}
	object, _ := parsed.(*value.Object)
	switch object.Text("event") {
	case "begin":
		return value.Unmarshal(line, &s.began)
	case "suite":
		var read jsonSuite
		err := value.Unmarshal(line, &read)
		*of = &suite.SuiteOutcome{File: read.File, Definition: read.Definition}
		return err
	case "case":
		var read jsonCase
		if err := value.Unmarshal(line, &read); err != nil {
			return err
		}
		if *of == nil || read.File != (*of).File || suite.KindNamed(read.Outcome) == 0 {
			return errors.New("it does not belong to the suite before it")
		}
		s.cases = append(s.cases, read.outcome(*of))
		return nil
	case "coverage":
		var read jsonCoverage
		err := value.Unmarshal(line, &read)
		for _, one := range read.Scopes {
			scope := suite.Scope{Project: one.Project}
			var wrong, bad error
			scope.Profile, wrong = coverage.Read(one.Profile)
			if one.Bars != "" {
				scope.Bars, bad = coverage.ParseBars(one.Bars)
			}
			err = cmp.Or(err, wrong, bad)
			s.scopes = append(s.scopes, scope)
		}
		return err
	case "end":
		return value.Unmarshal(line, &s.ended)
	}
	return errors.New("asldb test writes no such line")
}

// outcome returns the outcome that the line of a case was made of.
func (c *jsonCase) outcome(of *suite.SuiteOutcome) *suite.Outcome {
	o := &suite.Outcome{
		Suite: of, Name: c.Name, At: source.Position{Line: c.Line, Col: c.Column}, Row: c.Row,
		Kind: suite.KindNamed(c.Outcome), Reason: c.Reason, Path: c.Path, States: c.States,
		Virtual: time.Duration(c.Virtual), Wall: time.Duration(c.Wall), Noticed: c.Noticed, Debug: c.Debug,
		Tags: c.Tags, Properties: c.Properties, Runs: c.Runs, FailedRuns: c.FailedRuns, Seed: c.Seed,
	}
	for _, f := range c.Findings {
		one := suite.Finding{
			Expectation: f.Expectation, At: source.Position{Line: f.Line, Col: f.Col}, Event: f.Seq - 1,
			Differences: f.Differences, Because: f.Because,
		}
		if f.Definition != nil {
			one.Place.Place = *f.Definition
			at := report.Place{File: filepath.Base(f.Definition.File), Line: f.Definition.Line}.String()
			one.Place.Part = strings.TrimPrefix(f.Place, at+" ")
		}
		o.Findings = append(o.Findings, one)
	}
	return o
}
