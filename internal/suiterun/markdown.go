package suiterun

import (
	"fmt"
	"io"
	"strings"

	"asldb/internal/suite"
	"asldb/internal/wording"
)

// Markdown returns a report for pages of code hosts: a table of the suites, and the findings of each case that failed.
func Markdown(w io.Writer) suite.Sink { return &markdown{w: w} }

type markdown struct {
	w      io.Writer
	suites []*suite.SuiteOutcome
	bad    []*suite.Outcome
	cover  *suite.Covered
}

// Send implements [result.Sink].
func (m *markdown) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.CaseEnded:
		if e.Case.Kind.Bad() {
			m.bad = append(m.bad, e.Case)
		}
	case suite.SuiteEnded:
		m.suites = append(m.suites, e.Suite)
	case suite.Covered:
		m.cover = &e
	case suite.Ended:
		_, err := io.WriteString(m.w, m.page(&e.Summary))
		return err
	case suite.Began, suite.SuiteBegan:
	}
	return nil
}

func (m *markdown) page(s *suite.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## asldb: %s\n\n%s, %s of virtual time\n\n| suite | passed | failed | other | virtual time |\n|---|---|---|---|---|\n",
		map[bool]string{true: "passed", false: "failed"}[s.Failed+s.Wrong == 0], Counts(s), virtual(s.Virtual))
	for _, suite := range m.suites {
		of := &suite.Summary
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s |\n", wording.Markdown(suite.File), of.Passed, of.Failed+of.Wrong, of.Skipped+of.New+of.Unchecked, virtual(of.Virtual))
	}
	if m.cover != nil {
		share := m.cover.Profile.Share()
		fmt.Fprintf(&b, "\nCoverage: %d %% (%d of %d)", share.Percent(), share.Covered, share.Total)
		if share.Percent() < m.cover.Minimum {
			fmt.Fprintf(&b, ", below %d %%", m.cover.Minimum)
		}
		b.WriteByte('\n')
	}
	for _, c := range m.bad {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n%s", wording.Markdown(c.Name), wording.Markdown(place(c.Suite.File, c.At.Line)), wording.Fenced("", "", strings.Join(body(c), "\n")))
	}
	return b.String()
}
