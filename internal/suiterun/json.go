package suiterun

import (
	"io"
	"time"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// JSON returns a report of one JSON object a line: begin, suite, case, coverage and end.
func JSON(w io.Writer) suite.Sink { return &jsonLines{w} }

type jsonLines struct{ w io.Writer }

// Send implements [result.Sink].
func (j *jsonLines) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.Began:
		members := []value.Member{value.M("event", value.String("begin")), jsonNumber("suites", e.Suites), jsonNumber("cases", e.Cases)}
		if e.Seed != 0 {
			members = append(members, value.M("seed", value.Int(e.Seed)))
		}
		return j.write(members)
	case suite.SuiteBegan:
		return j.write([]value.Member{
			value.M("event", value.String("suite")), value.M("file", value.String(e.Suite.File)), value.M("definition", value.String(e.Suite.Definition)),
		})
	case suite.CaseEnded:
		return j.write(caseMembers(e.Case))
	case suite.SuiteEnded:
	case suite.Covered:
		share := e.Profile.Share()
		return j.write([]value.Member{
			value.M("event", value.String("coverage")), jsonNumber("covered", share.Covered), jsonNumber("items", share.Total), jsonNumber("percent", share.Percent()), jsonNumber("minimum", e.Minimum),
		})
	case suite.Ended:
		s := &e.Summary
		return j.write([]value.Member{
			value.M("event", value.String("end")), jsonNumber("passed", s.Passed), jsonNumber("failed", s.Failed), jsonNumber("errors", s.Wrong), jsonNumber("skipped", s.Skipped),
			jsonNumber("new", s.New), jsonNumber("unchecked", s.Unchecked), inSeconds("virtualSeconds", s.Virtual), inSeconds("wallSeconds", s.Wall),
		})
	}
	return nil
}

func jsonNumber(key string, n int) value.Member { return value.M(key, value.Int(int64(n))) }

func inSeconds(key string, d time.Duration) value.Member {
	return value.M(key, value.Float(d.Seconds()))
}

func (j *jsonLines) write(members []value.Member) error {
	_, err := j.w.Write(append(wording.JSON(value.Append(nil, value.NewObject(members))), '\n'))
	return err
}

func at(p source.Position) []value.Member {
	return []value.Member{jsonNumber("line", p.Line), jsonNumber("column", p.Col)}
}

func caseMembers(c *suite.Outcome) []value.Member {
	members := []value.Member{
		value.M("event", value.String("case")), value.M("file", value.String(c.Suite.File)), value.M("name", value.String(c.Name)),
	}
	members = append(members, at(c.At)...)
	members = append(members, value.M("outcome", value.String(c.Kind.String())))
	if c.Reason != "" {
		members = append(members, value.M("reason", value.String(c.Reason)))
	}
	if len(c.Path) > 0 {
		names := value.Each(c.Path, func(name string) value.Value { return value.String(name) })
		members = append(members, value.M("path", value.NewArray(names)))
	}
	members = append(members, jsonNumber("states", c.States), inSeconds("virtualSeconds", c.Virtual), inSeconds("wallSeconds", c.Wall))
	if len(c.Findings) > 0 {
		var findings []value.Value
		for i := range c.Findings {
			findings = append(findings, findingValue(&c.Findings[i]))
		}
		members = append(members, value.M("findings", value.NewArray(findings)))
	}
	if c.Debug != "" {
		members = append(members, value.M("debug", value.String(c.Debug)))
	}
	return members
}

func findingValue(f *suite.Finding) value.Value {
	members := append([]value.Member{value.M("expectation", value.String(f.Expectation))}, at(f.At)...)
	if f.Place != "" {
		members = append(members, value.M("place", value.String(f.Place)))
	}
	if f.Event >= 0 {
		members = append(members, jsonNumber("seq", f.Event+1))
	}
	differences := make([]value.Value, 0, len(f.Differences))
	for i := range f.Differences {
		d := &f.Differences[i]
		var parts []value.Member
		if d.Path != "" {
			parts = append(parts, value.M("path", value.String(d.Path)))
		}
		if d.Wanted != nil {
			parts = append(parts, value.M("wanted", d.Wanted))
		}
		if d.Found != nil {
			parts = append(parts, value.M("found", d.Found))
		}
		if d.Reason != "" {
			parts = append(parts, value.M("reason", value.String(d.Reason)))
		}
		if d.From != "" {
			parts = append(parts, value.M("from", value.String(d.From)))
		}
		differences = append(differences, value.NewObject(parts))
	}
	members = append(members, value.M("differences", value.NewArray(differences)))
	if len(f.Because) > 0 {
		lines := value.Each(f.Because, func(line string) value.Value { return value.String(line) })
		members = append(members, value.M("because", value.NewArray(lines)))
	}
	return value.NewObject(members)
}
