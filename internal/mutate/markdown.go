package mutate

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// Markdown writes the report for pages of code hosts: a table of the definitions, and each mutant that was not killed with its diff.
func Markdown(w io.Writer, r *Report) error {
	var b strings.Builder
	s := r.Summary()
	fmt.Fprintf(&b, "## asldb: mutants\n\n%s: %s. Score: %d %%", wording.Count(s.Total(), "mutant"), counts(&s), s.Score())
	if s.Score() < r.Minimum {
		fmt.Fprintf(&b, ", below %d %%", r.Minimum)
	}
	b.WriteString("\n\n| definition | cases | killed | survived | not covered | invalid | score |\n|---|---|---|---|---|---|---|\n")
	for _, result := range r.Results {
		var of Summary
		of.Add(result)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d %% |\n", wording.Markdown(result.File), result.Cases, of.Killed+of.TimedOut, of.Survived, of.NotCovered, of.Invalid, of.Score())
	}
	for _, result := range r.Results {
		for i := range result.Outcomes {
			o := &result.Outcomes[i]
			if o.Status != Survived && o.Status != NotCovered {
				continue
			}
			fmt.Fprintf(&b, "\n### %s: %s: %s\n\n%s\n", o.Status, wording.Markdown(o.Name()), wording.Markdown(o.Description), wording.Markdown(place(o)))
			if len(o.Diff) > 0 {
				if !o.Text {
					b.WriteString("\nIn the definition as JSON:\n")
				}
				b.WriteString("\n" + wording.Fenced("", "diff", string(o.Diff)))
			}
			for _, line := range details(o) {
				fmt.Fprintf(&b, "\n%s\n", wording.Markdown(line))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// number returns the text of a number, as schemas want it.
func number(n int) string { return strconv.Itoa(n) }
