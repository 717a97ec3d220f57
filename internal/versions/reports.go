// This part of the package writes comparisons of two versions of a definition: for people, as JSON, as Markdown and as JUnit.

package versions

import (
	"fmt"
	"io"
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
		lines = append(lines, fmt.Sprintf("%s not run in the old version as recorded: another definition may have run", wording.CountOf(n, "execution does", "executions do")))
	}
	if n := r.Open(); n > 0 {
		lines = append(lines, fmt.Sprintf("in %s what follows the difference cannot be judged: the outcome may differ", wording.Count(n, "execution")))
	}
	for _, renamed := range r.Renamed {
		lines = append(lines, fmt.Sprintf("%s of %s has its old name here, %s", renamed.New, r.New, renamed.Old))
	}
	if n := r.Noisy(); n > 0 {
		lines = append(lines, fmt.Sprintf("in %s the old version differs from itself (random numbers, times): those places were not compared", wording.Count(n, "execution")))
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

// placed is the place of a group's difference, and that the rest is not judged, as they follow its title.
func placed(g *Group) (text string) {
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

// Text writes the comparison for people.
func Text(w io.Writer, r *Result) error {
	var out strings.Builder
	last := Verdict(0)
	for _, g := range r.Groups() {
		if g.Verdict != last {
			fmt.Fprintf(&out, "%s (%d)\n", g.Verdict, r.Count(g.Verdict))
			last = g.Verdict
		}
		fmt.Fprintf(&out, "  %5d  %s%s\n", len(g.Executions), wording.Line(g.Title()), wording.Line(placed(g)))
		for _, line := range example(g) {
			fmt.Fprintf(&out, "         %s\n", wording.Line(line))
		}
	}
	if last != 0 {
		out.WriteByte('\n')
	}
	for _, line := range Notes(r) {
		out.WriteString("note: " + wording.Line(line) + "\n")
	}
	out.WriteString(wording.Line(Counts(r)) + "\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// Markdown writes the comparison for pages of code hosts.
func Markdown(w io.Writer, r *Result) error {
	var out strings.Builder
	fmt.Fprintf(&out, "### %s → %s\n\n%s\n", wording.Markdown(r.Old), wording.Markdown(r.New), wording.Markdown(Counts(r)))
	if groups := r.Groups(); len(groups) > 0 {
		out.WriteString("\n| executions | verdict | first difference | place | example |\n|---:|---|---|---|---|\n")
		for _, g := range groups {
			place := strings.TrimLeft(placed(g), ",; ")
			fmt.Fprintf(&out, "| %d | %s | %s | %s | %s |\n",
				len(g.Executions), g.Verdict, wording.Markdown(g.Title()), wording.Markdown(place), cell(example(g)))
		}
	}
	if lines := Notes(r); len(lines) > 0 {
		out.WriteByte('\n')
		for _, line := range lines {
			out.WriteString("- " + wording.Markdown(line) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func cell(lines []string) string {
	for i := range lines {
		lines[i] = wording.Markdown(lines[i])
	}
	return strings.TrimPrefix(strings.Join(lines, "<br>"), "for example ")
}

// JSON writes the comparison as one document.
func JSON(w io.Writer, r *Result) error {
	var document, counts value.ObjectBuilder
	document.Set("old", value.String(r.Old))
	document.Set("new", value.String(r.New))
	document.Set("executions", value.Int(int64(len(r.Judged))))
	for _, v := range Verdicts() {
		counts.Set(v.Key(), value.Int(int64(r.Count(v))))
	}
	document.Set("verdicts", counts.Object())
	groups := []value.Value{}
	for _, g := range r.Groups() {
		groups = append(groups, groupValue(g))
	}
	document.Set("groups", value.NewArray(groups))
	document.Set("notAsRecorded", value.Int(int64(r.Unfaithful())))
	document.Set("noisy", value.Int(int64(r.Noisy())))
	skipped := []value.Value{}
	for _, s := range r.Skipped {
		skipped = append(skipped, value.ObjectOf(value.Member{Key: "file", Value: value.String(s.File)}, value.Member{Key: "reason", Value: value.String(s.Reason)}))
	}
	document.Set("skipped", value.NewArray(skipped))
	left := make([]value.Value, len(r.LeftOut))
	for i, name := range r.LeftOut {
		left[i] = value.String(name)
	}
	document.Set("leftOut", value.NewArray(left))
	_, err := w.Write(wording.JSON(append([]byte(value.Pretty(document.Object())), '\n')))
	return err
}

func groupValue(g *Group) value.Value {
	var b value.ObjectBuilder
	text := func(key, s string) {
		if s != "" {
			b.Set(key, value.String(s))
		}
	}
	j := g.Example()
	text("verdict", g.Verdict.Key())
	b.Set("count", value.Int(int64(len(g.Executions))))
	text("title", g.Title())
	text("place", g.Place())
	text("task", j.Task)
	text("reason", j.Reason)
	if j.First != nil && g.Verdict != Unjudged {
		b.Set("first", differenceValue(j.First))
	}
	if j.Turn != nil && j.Turn != j.First && g.Verdict == Path {
		b.Set("turn", differenceValue(j.Turn))
	}
	if g.Verdict == Outcome && j.Output != nil {
		b.Set("output", differenceValue(j.Output))
	}
	text("old", j.Old)
	text("new", j.New)
	names := make([]value.Value, len(g.Executions))
	for i, each := range g.Executions {
		names[i] = value.String(each.Name())
	}
	b.Set("examples", value.NewArray(names))
	return b.Object()
}

func differenceValue(d *Difference) value.Value {
	var b value.ObjectBuilder
	text := func(key, s string) {
		if s != "" {
			b.Set(key, value.String(s))
		}
	}
	text("state", d.State)
	text("member", d.Member)
	text("path", d.Path)
	if d.Was != nil {
		b.Set("was", d.Was)
	}
	if d.Is != nil {
		b.Set("is", d.Is)
	}
	text("wasTo", d.WasTo)
	text("wasVia", d.WasVia)
	text("isTo", d.IsTo)
	text("via", d.Via)
	text("place", d.Place)
	return b.Object()
}

// JUnit writes the comparison in JUnit's XML: a testcase for each execution. What the comparison fails on is a failure; any other
// execution that cannot be judged is skipped.
func JUnit(w io.Writer, r *Result, on FailOn) error {
	failing := r.Failing(on)
	s := &report.Suite{Name: wording.Line(r.Old + " → " + r.New)}
	for i := range r.Judged {
		j := &r.Judged[i]
		c := report.Case{Name: wording.Line(j.Name()), Class: "asldb.compare"}
		if j.Verdict != Same {
			g := &Group{Verdict: j.Verdict, Executions: []*Judged{j}}
			p := &report.Problem{Message: wording.Line(j.Verdict.String() + ": " + g.Title() + placed(g)), Type: j.Verdict.Key(), Text: wording.Text(strings.Join(example(g), "\n"))}
			switch {
			case failing[i]:
				c.Failure = p
			case j.Verdict == Unjudged:
				c.Skipped = &report.Problem{Message: p.Message}
			default:
				c.Out = p.Message
			}
		}
		s.Add(c)
	}
	return (&report.Report{Name: "asldb compare", Suites: []*report.Suite{s}}).Write(w)
}
