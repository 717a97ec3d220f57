package explore

import (
	"slices"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/value"
	"asldb/internal/report"
)

// The JSON form of a result. Indexes count from 0, numbers of runs from 1.
type (
	document struct {
		Version    int            `json:"version"`
		Definition string         `json:"definition"`
		Seed       int64          `json:"seed"`
		Tasks      int            `json:"tasks"`
		Errors     int            `json:"errors"`
		Runs       runCounts      `json:"runs"`
		Bases      []baseRow      `json:"bases"`
		Matrix     []matrixRow    `json:"matrix"`
		Others     []runRow       `json:"others"`
		Findings   []findRow      `json:"findings"`
		Coverage   coverage.Share `json:"coverage"`
		Notes      []string       `json:"notes"`
	}
	runCounts struct {
		Planned  int    `json:"planned"`
		Done     int    `json:"done"`
		Distinct int    `json:"distinct"`
		Stopped  string `json:"stopped,omitempty"`
	}
	baseRow struct {
		Name        string `json:"name,omitempty"`
		Placeholder bool   `json:"placeholder"`
		Run         runRow `json:"run"`
	}
	matrixRow struct {
		Task   string  `json:"task"`
		Place  string  `json:"place"`
		Kind   string  `json:"kind"`
		Error  string  `json:"error"`
		Where  string  `json:"iterations"`
		Base   string  `json:"base,omitempty"`
		Once   *runRow `json:"once"`
		Always *runRow `json:"always"`
	}
	runRow struct {
		Number    int       `json:"run"`
		Changes   string    `json:"changes,omitempty"`
		Reached   bool      `json:"reached"`
		Handling  []stepRow `json:"handling,omitempty"`
		Status    string    `json:"status"`
		Error     string    `json:"error,omitempty"`
		Cause     string    `json:"cause,omitempty"`
		Event     int       `json:"event"`
		Events    int       `json:"events"`
		States    int       `json:"states"`
		VirtualMS int64     `json:"virtualMilliseconds"`
		Findings  []int     `json:"findings,omitempty"`
	}
	stepRow struct {
		Kind  string `json:"kind"`
		State string `json:"state"`
		Index *int   `json:"index,omitempty"`
		Count int    `json:"count"`
		Next  string `json:"next,omitempty"`
	}
	findRow struct {
		report.JSONFinding
		Class     string   `json:"class"`
		State     string   `json:"state"`
		States    []string `json:"states,omitempty"`
		Place     string   `json:"place"`
		Field     string   `json:"field,omitempty"`
		Errors    []string `json:"errors,omitempty"`
		Lost      []string `json:"lost,omitempty"`
		Invariant string   `json:"invariant,omitempty"`
		Event     int      `json:"event"`
		Run       *runRow  `json:"run,omitempty"`
		Count     int      `json:"runs"`
		Case      *Case    `json:"case,omitempty"`
	}
)

// numbers are the places of the findings.
func numbers(r *Result) map[*Finding]int {
	list := map[*Finding]int{}
	for i, f := range r.Findings {
		for _, one := range f.all() {
			list[one] = i
		}
	}
	return list
}

type jsonWriter struct {
	r      *Result
	number map[*Finding]int
}

func (j *jsonWriter) document() document {
	r := j.r
	return document{
		Version: 1, Definition: r.Definition, Seed: r.Seed, Tasks: r.Tasks, Errors: r.Errors,
		Runs:   runCounts{Planned: r.Planned, Done: r.Done, Distinct: r.Distinct, Stopped: r.Stopped.String()},
		Bases:  value.Each(r.Bases, func(b *Base) baseRow { return baseRow{b.Name, b.Placeholder, *j.run(b.Run)} }),
		Matrix: value.Each(r.Rows, j.row), Others: value.Each(r.Others, func(run *Run) runRow { return *j.run(run) }),
		Findings: value.Each(r.Findings, j.finding), Coverage: r.Coverage.Share(), Notes: value.NotNil(r.Notes),
	}
}

func (j *jsonWriter) row(row *Row) matrixRow {
	return matrixRow{row.State.Path(), place(row.State), row.Kind.String(), row.Error, row.Where.String(),
		row.Base.Name, j.run(row.Once), j.run(row.Always)}
}

func (j *jsonWriter) finding(f *Finding) findRow {
	found := findingOf(f)
	row := findRow{
		JSONFinding: found.JSON(), Class: f.Class.String(), State: f.State.Path(), Place: shown(f.At), Field: f.Field, Errors: f.Errors,
		Lost: f.Lost, Invariant: f.Invariant, Event: f.Event, Run: j.run(f.Run), Count: f.Count, Case: f.Case,
	}
	if states := f.States(); len(states) > 1 {
		row.States = value.Each(states, (*asl.State).Path)
	}
	return row
}

func (j *jsonWriter) run(run *Run) *runRow {
	if run == nil {
		return nil
	}
	row := &runRow{
		Number: run.Number, Reached: run.Reached, Status: run.Status.String(), Error: run.Error, Cause: run.Cause, Event: run.Event,
		Events: run.Events, States: run.States, VirtualMS: run.Virtual.Milliseconds(),
	}
	if len(run.Changes) > 0 {
		row.Changes = run.Describe()
	}
	for _, s := range run.Handling {
		step := stepRow{Kind: s.Kind.String(), State: s.State.Path(), Count: s.Count, Next: s.Next}
		if s.Kind == Retried || s.Kind == Caught {
			step.Index = &s.Index
		}
		row.Handling = append(row.Handling, step)
	}
	for _, f := range j.r.FindingsOf(run) {
		if n := j.number[f]; !slices.Contains(row.Findings, n) {
			row.Findings = append(row.Findings, n)
		}
	}
	return row
}
