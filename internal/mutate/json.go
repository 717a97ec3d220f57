package mutate

import (
	"io"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/report"
)

type jsonReport struct {
	Version     int              `json:"version"`
	Score       int              `json:"score"`
	Killed      int              `json:"killed"`
	TimedOut    int              `json:"timedOut"`
	Survived    int              `json:"survived"`
	NotCovered  int              `json:"notCovered"`
	Invalid     int              `json:"invalid"`
	Definitions []jsonDefinition `json:"definitions"`
}

type jsonDefinition struct {
	File     string       `json:"file"`
	Resource string       `json:"resource,omitempty"`
	Suites   []string     `json:"suites"`
	Cases    int          `json:"cases"`
	All      int          `json:"all"`
	Mutants  []jsonMutant `json:"mutants"`
}

type jsonMutant struct {
	report.JSONFinding
	Number      int    `json:"number"`
	Status      string `json:"status"`
	Kind        string `json:"kind"`
	State       string `json:"state,omitempty"`
	Description string `json:"description"`
	Cases       int    `json:"cases"`
	KilledBy    string `json:"killedBy,omitempty"`
	Expectation string `json:"expectation,omitempty"`
	Missing     string `json:"missing,omitempty"`
	Reason      string `json:"reason,omitempty"`
	Case        string `json:"case,omitempty"`
	Command     string `json:"command,omitempty"`
	// Accept is the command that writes Expected into the case.
	Accept   string       `json:"accept,omitempty"`
	Expected *Expectation `json:"expected,omitempty"`
	Diff     string       `json:"diff,omitempty"`
	InText   bool         `json:"inText,omitempty"`
}

// data is the report as one object, with all mutants.
func data(r *Report) jsonReport {
	s := r.Summary()
	return jsonReport{
		Version: 1, Score: s.Score(), Killed: s.Killed, TimedOut: s.TimedOut, Survived: s.Survived,
		NotCovered: s.NotCovered, Invalid: s.Invalid,
		Definitions: value.Each(r.Results, func(d *Result) jsonDefinition {
			return jsonDefinition{d.File, d.Resource, d.Suites, d.Cases, d.All, value.Each(d.Outcomes, jsonOf)}
		}),
	}
}

func jsonOf(o Outcome) jsonMutant {
	found := findingOf(&o, nil)
	m := jsonMutant{
		JSONFinding: found.JSON(), Number: o.Number, Status: o.Status.String(), Kind: o.Kind.String(),
		Description: o.Description,
		Cases:       o.Cases, Expectation: o.Expectation,
		Missing: o.Missing, Reason: o.Reason, Command: o.Command(), Accept: o.Accept(), Expected: o.Expected,
		Diff: string(o.Diff), InText: o.Text,
	}
	if o.State != nil {
		m.State = o.State.Path()
	}
	if o.Killer != nil {
		m.KilledBy = o.Killer.Suite.Name + ":" + o.Killer.Name
	}
	if o.Case != nil {
		m.Case = o.Case.Suite.Name + ":" + o.Case.Name
	}
	return m
}

// The report schema of the mutation testing elements, version 2.
type (
	elements struct {
		Schema     string                 `json:"$schema"`
		Version    string                 `json:"schemaVersion"`
		Thresholds thresholds             `json:"thresholds"`
		Files      map[string]elementFile `json:"files"`
	}
	thresholds struct {
		High int `json:"high"`
		Low  int `json:"low"`
	}
	elementFile struct {
		Language string    `json:"language"`
		Source   string    `json:"source"`
		Mutants  []element `json:"mutants"`
	}
	element struct {
		ID       string   `json:"id"`
		Name     string   `json:"mutatorName"`
		Location location `json:"location"`
		Status   string   `json:"status"`
		Reason   string   `json:"statusReason,omitempty"`
		Text     string   `json:"description,omitempty"`
		KilledBy []string `json:"killedBy,omitempty"`
	}
	location struct {
		Start point `json:"start"`
		End   point `json:"end"`
	}
	point struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
)

// Elements writes the report in the schema of the mutation testing elements, which their viewers show.
func Elements(w io.Writer, r *Report) error {
	out := elements{
		Schema:  "https://git.io/mutation-testing-schema",
		Version: "2", Thresholds: thresholds{High: 80, Low: 60}, Files: map[string]elementFile{},
	}
	for n, result := range r.Results {
		for i := range result.Outcomes {
			o := &result.Outcomes[i]
			file := out.Files[o.File.Name]
			if file.Language == "" {
				file.Source, file.Language = string(o.File.Data), "json"
				if strings.HasSuffix(o.File.Name, "yaml") || strings.HasSuffix(o.File.Name, "yml") {
					file.Language = "yaml"
				}
			}
			e := element{
				ID: strconv.Itoa(n+1) + "." + strconv.Itoa(o.Number), Name: o.Kind.String(), Status: elementStatus(o.Status),
				Text: o.Name() + ": " + o.Description, Reason: o.Missing + o.Reason,
				Location: location{point{o.At.Line, o.At.Col}, point{o.At.Line, o.At.Col + 1}},
			}
			if o.Killer != nil {
				e.KilledBy, e.Reason = []string{o.Killer.Suite.Name + ":" + o.Killer.Name}, o.Expectation
			}
			file.Mutants = append(file.Mutants, e)
			out.Files[o.File.Name] = file
		}
	}
	return report.JSON(w, out)
}

// elementStatus returns the schema's word of a status.
func elementStatus(s Status) string {
	switch s {
	case Survived:
		return "Survived"
	case NotCovered:
		return "NoCoverage"
	case TimedOut:
		return "Timeout"
	case Invalid:
		return "CompileError"
	case Killed:
	}
	return "Killed"
}
