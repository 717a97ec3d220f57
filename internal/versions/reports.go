package versions

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// maxValue bounds values in a line, in characters.
const maxValue = 100

// Counts is the line of all verdicts: "200 executions: 3 outcome differs, 197 same".
func Counts(r *Result) string {
	var parts []string
	for _, v := range Verdicts() {
		if n := r.Count(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return wording.Count(len(r.Judged), "execution") + ": " + strings.Join(parts, ", ")
}

// Notes are lines about the comparison as a whole.
func Notes(r *Result) []string {
	var lines []string
	if n := r.Unfaithful(); n > 0 {
		lines = append(
			lines,
			fmt.Sprintf("%s not run in the old version as recorded: another definition may have run",
				wording.CountOf(n, "execution does", "executions do")),
		)
	}
	if n := r.Open(); n > 0 {
		lines = append(
			lines,
			fmt.Sprintf("in %s what follows the difference cannot be judged: the outcome may differ",
				wording.Count(n, "execution")),
		)
	}
	for _, renamed := range r.Renamed {
		lines = append(lines, fmt.Sprintf("%s of %s has its old name here, %s", renamed.New, r.New, renamed.Old))
	}
	if n := r.Noisy(); n > 0 {
		lines = append(
			lines,
			fmt.Sprintf(
				"in %s the old version differs from itself (random numbers, times): those places were not compared",
				wording.Count(n, "execution"),
			),
		)
	}
	if len(r.LeftOut) > 0 {
		lines = append(lines, "left out, as executions that tasks and Map Runs started: "+strings.Join(r.LeftOut, ", "))
	}
	for i, s := range r.Skipped {
		if i == 5 {
			lines = append(lines, fmt.Sprintf("%s more skipped", wording.Count(len(r.Skipped)-i, "file")))
			break
		}
		reason, _, _ := strings.Cut(s.Reason, "\n")
		if !strings.HasPrefix(reason, s.File+":") {
			reason = s.File + ": " + reason
		}
		lines = append(lines, "skipped: "+reason)
	}
	return lines
}

// groupPlace is the place of a group's difference, and that the rest is not judged, as they follow its title.
func groupPlace(g *Group) (text string) {
	if place := g.Place(); place != "" {
		text = ", " + place
	}
	if rest, _ := g.Example().Rest(); rest != "" {
		text += "; " + rest
	}
	return text
}

// ending says how the example ends, where that differs.
func ending(g *Group) string {
	j := g.Example()
	if g.Verdict != Outcome {
		return ""
	}
	if j.Old != j.New {
		return ": " + j.Old + " → " + j.New
	}
	return ""
}

// example are the lines below the title of a group.
func example(g *Group) []string {
	j := g.Example()
	lines := []string{"for example " + j.Name() + ending(g)}
	if j.First != nil && g.Verdict != Unjudged {
		lines = append(lines, j.First.Lines(maxValue)...)
	}
	if t := j.Turn; t != nil && t != j.First && g.Verdict == Path {
		lines = append(lines, "then "+t.Title()+", "+t.Place)
	}
	if _, why := j.Rest(); why != "" {
		lines = append(lines, "then "+why)
	}
	if o := j.Output; o != nil && g.Verdict == Outcome && !o.Repeats(j.First) {
		lines = append(lines, "then "+o.Title())
		lines = append(lines, o.Lines(maxValue)...)
	}
	return lines
}

// Answer is the report of a comparison, which fails for what on names.
func Answer(r *Result, on FailOn) *report.Answer {
	return &report.Answer{
		Name:     "asldb compare",
		Doc:      func(l report.Look) *report.Doc { return doc(r, l) },
		Findings: func() []report.Finding { return findings(r, on) },
		Data:     func() any { return data(r, on) },
	}
}

// doc has the groups below their verdicts, each with an example.
func doc(r *Result, l report.Look) *report.Doc {
	if l.Page {
		return page(r)
	}
	d := &report.Doc{}
	last := Verdict(0)
	for _, g := range r.Groups() {
		if g.Verdict != last {
			d.Add(report.Heading{
				Level: 1,
				Text:  report.T(report.In(toneOf(g.Verdict), fmt.Sprintf("%s (%d)", g.Verdict, r.Count(g.Verdict)))),
			})
			last = g.Verdict
		}
		d.Add(report.Para{
			Label: report.T(fmt.Sprintf("  %6d", len(g.Executions))),
			Text:  report.T(report.In(report.Strong, g.Title()), groupPlace(g)),
		})
		for _, line := range example(g) {
			tone := report.Tone(0)
			switch {
			case strings.HasPrefix(line, "- "):
				tone = report.Good
			case strings.HasPrefix(line, "+ "):
				tone = report.Bad
			}
			d.Add(report.Para{Level: 1, Text: report.T(report.In(tone, line))})
		}
	}
	d.Add(report.Gap{})
	for _, line := range Notes(r) {
		d.Add(report.Para{Text: report.T("note: " + line)})
	}
	d.Add(report.Para{Text: report.T(Counts(r))})
	return d
}

// toneOf returns the tone of a verdict.
func toneOf(v Verdict) report.Tone {
	switch v {
	case Outcome:
		return report.Bad
	case Path, Payload, Unjudged:
		return report.Caution
	case Same:
	}
	return report.Good
}

// findings has a case for each execution. What the comparison fails on is a failure; any other execution that cannot be judged has no
// verdict.
func findings(r *Result, on FailOn) []report.Finding {
	failing := r.Failing(on)
	group := &report.Group{Name: r.Old + " → " + r.New, Class: "asldb.compare", File: r.New, Files: []string{r.New}}
	list := make([]report.Finding, 0, len(r.Judged))
	of := map[*Judged]*Group{}
	for _, g := range r.Groups() {
		for _, j := range g.Executions {
			of[j] = g
		}
	}
	for i := range r.Judged {
		j := &r.Judged[i]
		f := report.Finding{Severity: report.Passed, Subject: j.Name(), Group: group}
		if j.Verdict != Same {
			g := &Group{Verdict: j.Verdict, Executions: []*Judged{j}}
			f.Rule, f.Text, f.More = j.Verdict.Key(), j.Verdict.String()+": "+g.Title()+groupPlace(g), example(g)
			f.Place, f.Digest = changedAt(g, r.New), report.Digest(j.Verdict.Key(), g.Title())
			f.About = &report.Rule{Summary: "Recorded executions " + j.Verdict.about(2) + "."}
			same := of[j]
			f.Again = same.Example() != j
			f.Related = []report.Related{{Text: "in " + share(len(same.Executions), len(r.Judged))}}
			switch {
			case failing[i]:
				f.Severity = report.Error
			case j.Verdict == Unjudged:
				f.Severity = report.Warning
			default:
				f.Severity, f.Out = report.Hint, f.Text
			}
		}
		list = append(list, f)
	}
	return list
}

// The JSON document of a comparison.
type (
	jsonReport struct {
		Old           string      `json:"old"`
		New           string      `json:"new"`
		Executions    int         `json:"executions"`
		Verdicts      value.Value `json:"verdicts"`
		Groups        []jsonGroup `json:"groups"`
		NotAsRecorded int         `json:"notAsRecorded"`
		Noisy         int         `json:"noisy"`
		Skipped       []Skip      `json:"skipped"`
		LeftOut       []string    `json:"leftOut"`
		*report.ShardHead
		Merge *jsonShard `json:"merge,omitempty"`
	}
	jsonGroup struct {
		report.JSONFinding
		Verdict  string      `json:"verdict,omitempty"`
		Count    int         `json:"count"`
		Title    string      `json:"title,omitempty"`
		Place    string      `json:"place,omitempty"`
		Task     string      `json:"task,omitempty"`
		Reason   string      `json:"reason,omitempty"`
		First    *Difference `json:"first,omitempty"`
		Turn     *Difference `json:"turn,omitempty"`
		Output   *Difference `json:"output,omitempty"`
		Old      string      `json:"old,omitempty"`
		New      string      `json:"new,omitempty"`
		Examples []string    `json:"examples"`
	}
)

// data is the comparison as one document.
func data(r *Result, on FailOn) jsonReport {
	var counts value.ObjectBuilder
	for _, v := range Verdicts() {
		counts.Set(v.Key(), value.Int(int64(r.Count(v))))
	}
	found := findings(r, on)
	groups := value.Each(r.Groups(), func(g *Group) jsonGroup {
		i := slices.IndexFunc(r.Judged, func(j Judged) bool { return j.Name() == g.Example().Name() })
		return groupData(g, &found[i])
	})
	return jsonReport{
		Old: r.Old, New: r.New, Executions: len(r.Judged), Verdicts: counts.Object(),
		Groups: groups, NotAsRecorded: r.Unfaithful(), Noisy: r.Noisy(),
		Skipped: value.NotNil(r.Skipped), LeftOut: value.NotNil(r.LeftOut),
		ShardHead: r.Head, Merge: shardOf(r, on),
	}
}

func groupData(g *Group, found *report.Finding) jsonGroup {
	j := g.Example()
	one := jsonGroup{
		JSONFinding: found.JSON(),
		Verdict:     g.Verdict.Key(), Count: len(g.Executions), Title: g.Title(), Place: g.Place(), Task: j.Task,
		Reason: j.Reason, Old: j.Old, New: j.New, Examples: value.Each(g.Executions, (*Judged).Name),
	}
	if g.Verdict != Unjudged {
		one.First = j.First
	}
	if j.Turn != j.First && g.Verdict == Path {
		one.Turn = j.Turn
	}
	if g.Verdict == Outcome {
		one.Output = j.Output
	}
	return one
}
