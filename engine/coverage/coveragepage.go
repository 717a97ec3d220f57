package coverage

import (
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"asldb/internal/wording"
)

// coverageColumns are the columns of the table of definitions behind the name and the share of all items.
var coverageColumns = []struct {
	title string
	kinds []Kind
}{
	{"states", []Kind{Entered}},
	{"rules", []Kind{Rule, Default}},
	{"conditions", []Kind{ConditionTrue, ConditionFalse}},
	{"retriers", []Kind{Retried, Exhausted}},
	{"catchers, uncaught errors", []Kind{Caught, Uncaught}},
	{"branches", []Kind{Branch}},
	{"timeouts", []Kind{TimedOut, HeartbeatMissed}},
	{"Maps", []Kind{MapSome, MapNone, MapFailed, MapTolerated}},
}

// CoverageGraph returns the graph of a definition in Mermaid's language, with the marks of its coverage; or the reason why there is none.
type CoverageGraph func(*Definition) (mermaid string, err error)

// The bounds of Mermaid on the pages of code hosts: longer texts, and graphs of more edges, are shown as an error.
const (
	maxMermaid      = 50_000
	maxMermaidEdges = 500
)

// CoverageMarkdown writes a profile for pages of code hosts: a table of the definitions; of each the items that no run went through, and
// its graph. The signs of o are not used.
func CoverageMarkdown(w io.Writer, p *Profile, o CoverageOptions, graph CoverageGraph) error {
	var b strings.Builder
	share := p.Share()
	fmt.Fprintf(&b, "### Coverage: %d %% (%d of %d)", share.Percent(), share.Covered, share.Total)
	if share.Percent() < o.Minimum {
		fmt.Fprintf(&b, ", below %d %%", o.Minimum)
	}
	b.WriteString("\n")
	if len(p.Definitions) > 0 {
		coverageTable(&b, p)
	}
	for i := range p.Definitions {
		d := &p.Definitions[i]
		missingList(&b, d, o.Max)
		if err := graphBlock(&b, d, graph); err != nil {
			fmt.Fprintf(&b, "\n%s: no graph, %s\n", wording.Markdown(coverageName(d)), wording.Markdown(err.Error()))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// coverageTable writes a row for each definition, with the columns that have items.
func coverageTable(b *strings.Builder, p *Profile) {
	columns := coverageColumns[:0:0]
	for _, column := range coverageColumns {
		for i := range p.Definitions {
			if p.Definitions[i].Share(column.kinds...).Total > 0 {
				columns = append(columns, column)
				break
			}
		}
	}
	b.WriteString("\n| definition | coverage |")
	for _, column := range columns {
		fmt.Fprintf(b, " %s |", column.title)
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(columns)) + "\n")
	for i := range p.Definitions {
		d := &p.Definitions[i]
		fmt.Fprintf(b, "| %s | %d %% |", wording.Markdown(coverageName(d)), d.Share().Percent())
		for _, column := range columns {
			if s := d.Share(column.kinds...); s.Total > 0 {
				fmt.Fprintf(b, " %d/%d |", s.Covered, s.Total)
			} else {
				b.WriteString(" |")
			}
		}
		b.WriteString("\n")
	}
}

// missingList writes the items that no run went through, at most limit of them (0: all).
func missingList(b *strings.Builder, d *Definition, limit int) {
	missing := d.Missing()
	if len(missing) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s, not covered:\n\n", wording.Markdown(coverageName(d)))
	for i := range missing {
		if limit > 0 && i == limit {
			fmt.Fprintf(b, "- and %d more\n", len(missing)-i)
			return
		}
		item := &missing[i]
		fmt.Fprintf(b, "- %s %s: %s\n", wording.Markdown(place(d.File, item)), wording.Markdown(StateName(item.State)), wording.Markdown(item.Describe()))
	}
}

// graphBlock writes the graph of a definition, folded up.
func graphBlock(b *strings.Builder, d *Definition, graph CoverageGraph) error {
	mermaid, err := graph(d)
	if err != nil {
		return err
	}
	if len(mermaid) > maxMermaid || strings.Count(mermaid, " -->")+strings.Count(mermaid, " -.->") > maxMermaidEdges {
		return errors.New("it is too large for a page: asldb graph --coverage draws it")
	}
	fmt.Fprintf(b, "\n<details><summary>Graph of %s</summary>\n\n%s\n</details>\n", html.EscapeString(wording.Line(coverageName(d))), wording.Fenced("", "mermaid", mermaid))
	return nil
}
