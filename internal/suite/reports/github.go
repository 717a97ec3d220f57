package reports

import (
	"fmt"
	"io"
	"strings"

	"asldb/internal/suite/result"
)

// GitHub returns the annotations of GitHub Actions (workflow commands): an error for each finding at its place in the suite. summary
// receives a report in Markdown for the page of the job (GITHUB_STEP_SUMMARY); nil: there is none.
func GitHub(w io.Writer, summary io.Writer) result.Sink {
	annotations := &github{w}
	if summary == nil {
		return annotations
	}
	return All(annotations, Markdown(summary))
}

type github struct{ w io.Writer }

// Send implements [result.Sink].
func (g *github) Send(event result.Event) error {
	e, ok := event.(result.CaseEnded)
	if !ok {
		return nil
	}
	c := e.Case
	switch {
	case c.Kind == result.New:
		return g.annotate("warning", c, c.At.Line, "the snapshot is new: --update keeps it")
	case !c.Kind.Bad():
		return nil
	case len(c.Findings) == 0:
		return g.annotate("error", c, c.At.Line, c.Reason)
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		if err := g.annotate("error", c, f.At.Line, title(f)+"\n"+strings.Join(differences(f), "\n")); err != nil {
			return err
		}
	}
	return nil
}

// annotate writes one command: the characters that would end a message or a property are escaped as GitHub's toolkit does it.
func (g *github) annotate(level string, c *result.Case, line int, message string) error {
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	_, err := fmt.Fprintf(g.w, "::%s file=%s,line=%d,title=%s::%s\n", level, property.Replace(shownName(c.Suite.File)), line,
		property.Replace(shownName(c.Name)), text.Replace(shownText(message)))
	return err
}
