package versions

import (
	"fmt"
	"strconv"
	"strings"

	"asldb/internal/report"
	"asldb/internal/wording"
)

// share says how many of all executions: "3 of 200 executions (1.5 %)".
func share(n, all int) string {
	return fmt.Sprintf("%d of %s (%s)", n, wording.Count(all, "execution"), percent(n, all))
}

// percent is a share; one that is too small for its digits is not called none.
func percent(n, all int) string {
	if n > 0 && 1000*n < all {
		return "under 0.1 %"
	}
	return strings.Replace(fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1))), ".0 %", " %", 1)
}

// about says in words of a reviewer what n executions with a verdict do.
func (v Verdict) about(n int) string {
	one, many := "is", "are"
	rest := " the same"
	switch v {
	case Outcome:
		one, many, rest = "ends", "end", " differently"
	case Path:
		one, many, rest = "goes", "go", " another way"
	case Payload:
		one, many, rest = "has", "have", " other data on the way"
	case Unjudged:
		return "cannot be judged"
	case Same:
	}
	if n == 1 {
		return one + rest
	}
	return many + rest
}

// page is the comparison as the comment on a pull request: the share of the executions for each change with an example,
// then all that could not be judged and why.
func page(r *Result) *report.Doc {
	d := &report.Doc{Title: report.T(r.Old + " → " + r.New)}
	all := len(r.Judged)
	var parts []any
	for _, v := range Verdicts() {
		n := r.Count(v)
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("%d (%s)", n, percent(n, all))
		if len(parts) == 0 {
			text = fmt.Sprintf("%d of %s (%s)", n, wording.Count(all, "recorded execution"), percent(n, all))
		} else {
			parts = append(parts, ", ")
		}
		parts = append(parts, report.In(report.Strong, text+" "+v.about(n)))
	}
	d.Add(report.Para{Text: report.T(append(parts, ".")...)})
	changes := &report.Table{Columns: []report.Column{
		{
			Name:  "executions",
			Right: true,
		}, {Name: "share", Right: true}, {Name: "they"}, {Name: "change", Wrap: true}, {Name: "at"},
		{Name: "for example", Wrap: true},
	}}
	unjudged := &report.Table{Columns: []report.Column{
		{
			Name:  "executions",
			Right: true,
		}, {Name: "share", Right: true}, {Name: "reason", Wrap: true}, {Name: "at"}, {Name: "for example"},
	}}
	examples := report.Details{Summary: report.T("The values of the examples")}
	for _, g := range r.Groups() {
		n := len(g.Executions)
		count, part := report.T(strconv.Itoa(n)), report.T(percent(n, all))
		if g.Verdict == Unjudged {
			unjudged.Add(count, part, report.T(g.Title()), report.T(g.Place()), report.T(g.Example().Name()))
			continue
		}
		changes.Add(count, part, report.T(g.Verdict.about(2)), report.T(g.Title()), report.T(g.Place()),
			report.T(g.Example().Name(), ending(g)))
		if lines := example(g); len(lines) > 1 { // the table has the first
			examples.Blocks = append(examples.Blocks, exampleOf(g, lines)...)
		}
	}
	d.Add(changes, examples)
	if rest := rests(r); len(unjudged.Rows) > 0 || len(rest) > 0 {
		d.Add(report.Heading{Level: 1, Text: report.T("Not judged")}, unjudged)
		for _, line := range rest {
			d.Add(report.Para{Level: 1, Text: report.T(line)})
		}
		d.Add(report.Para{
			Text: report.T("Results for these tasks in ", report.As(report.Source, "--fixtures FILE"), " answer that."),
		})
	}
	for _, line := range Notes(r) {
		d.Add(report.Para{Level: 1, Text: report.T("note: " + line)})
	}
	return d
}

// exampleOf are the difference and the values of one execution.
func exampleOf(g *Group, all []string) []report.Block {
	blocks := []report.Block{report.Para{Text: report.T(report.In(report.Strong, g.Title()), groupPlace(g))}}
	var lines []string
	for _, line := range all {
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "+ ") {
			lines = append(lines, line)
			continue
		}
		if len(lines) > 0 {
			blocks, lines = append(blocks, report.Code{Language: "diff", Lines: lines}), nil
		}
		blocks = append(blocks, report.Para{Text: report.T(line)})
	}
	if len(lines) > 0 {
		blocks = append(blocks, report.Code{Language: "diff", Lines: lines})
	}
	return blocks
}

// rests are the reasons why what follows a difference cannot be judged, with the number of the executions.
func rests(r *Result) (lines []string) {
	counts := map[string]int{}
	var order []string
	for i := range r.Judged {
		if _, why := r.Judged[i].Rest(); why != "" {
			if counts[why]++; counts[why] == 1 {
				order = append(order, why)
			}
		}
	}
	for _, why := range order {
		lines = append(lines, "in "+share(counts[why], len(r.Judged))+" what follows the difference: "+why)
	}
	return lines
}

// changedAt is the place of a group's difference in the new version, the whole file where it is not known.
func changedAt(g *Group, file string) report.Place {
	text := g.Place()
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		if line, err := strconv.Atoi(text[i+1:]); err == nil {
			return report.Place{File: text[:i], Line: line}
		}
	}
	return report.Place{File: file}
}
