package suiterun

import (
	"io"
	"strings"

	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/suite"
)

// GitHub returns the annotations of GitHub Actions (workflow commands): an error for each finding at its place in the suite. Files in
// folder are named from there. summary receives a report in Markdown for the page of the job (GITHUB_STEP_SUMMARY); nil: there is none.
func GitHub(w io.Writer, folder string, summary io.Writer) suite.Sink {
	annotations := &github{w, folder}
	if summary == nil {
		return annotations
	}
	return All(annotations, Markdown(summary))
}

type github struct {
	w      io.Writer
	folder string
}

// Send implements [result.Sink].
func (g *github) Send(event suite.Event) error {
	e, ok := event.(suite.CaseEnded)
	if !ok {
		return nil
	}
	c := e.Case
	switch {
	case c.Kind == suite.New:
		return g.annotate(report.Warning, c, c.At.Line, "the snapshot is new: --update keeps it")
	case !c.Kind.Bad():
		return nil
	case len(c.Findings) == 0:
		return g.annotate(report.Error, c, c.At.Line, c.Reason)
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		if err := g.annotate(report.Error, c, f.At.Line, title(f)+"\n"+strings.Join(differences(f), "\n")); err != nil {
			return err
		}
	}
	return nil
}

// annotate writes one annotation.
func (g *github) annotate(level report.Level, c *suite.Outcome, line int, message string) error {
	a := report.Annotation{Level: level, File: files.Relative(g.folder, c.Suite.File), Line: line, Title: c.Name, Message: message}
	_, err := io.WriteString(g.w, a.String())
	return err
}
