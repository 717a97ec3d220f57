package reports

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/suite/result"
	"asldb/internal/visible"
)

// TAP returns a report in version 14 of the Test Anything Protocol: a subtest for each suite.
func TAP(w io.Writer) result.Sink { return &tap{w: bufio.NewWriter(w)} }

type tap struct {
	w      *bufio.Writer
	suites int
	suite  []*result.Case
}

// Send implements [result.Sink].
func (t *tap) Send(event result.Event) error {
	switch e := event.(type) {
	case result.Began:
		fmt.Fprintf(t.w, "TAP version 14\n1..%d\n", e.Suites)
	case result.SuiteBegan:
		t.suite = nil
	case result.CaseEnded:
		t.suite = append(t.suite, e.Case)
	case result.SuiteEnded:
		t.suites++
		fmt.Fprintf(t.w, "# Subtest: %s\n    1..%d\n", tapText(e.Suite.File), len(t.suite))
		for i, c := range t.suite {
			t.one(i+1, c)
		}
		fmt.Fprintf(t.w, "%s %d - %s\n", okay(e.Suite.Summary.Failed+e.Suite.Summary.Wrong == 0), t.suites, tapText(e.Suite.File))
	case result.Ended:
		fmt.Fprintf(t.w, "# %s\n", tapText(Counts(&e.Summary)))
		return t.w.Flush()
	case result.Covered:
	}
	return nil
}

func okay(ok bool) string {
	if ok {
		return "ok"
	}
	return "not ok"
}

// tapText escapes a description: a backslash, and # which begins a directive.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(visible.Line(text))
}

func (t *tap) one(n int, c *result.Case) {
	directive := ""
	switch c.Kind {
	case result.Skipped:
		directive = " # SKIP " + visible.Line(c.Reason)
	case result.New:
		directive = " # SKIP the snapshot is new: --update keeps it"
	case result.Unchecked:
		directive = " # SKIP no expectation"
	case result.Passed, result.Failed, result.Wrong:
	}
	fmt.Fprintf(t.w, "    %s %d - %s%s\n", okay(!c.Kind.Bad()), n, tapText(c.Name), directive)
	if !c.Kind.Bad() {
		return
	}
	// The diagnostic is YAML; JSON is YAML, so that every text is quoted as JSON has it.
	quoted := func(text string) string { return string(visible.JSON(value.AppendQuoted(nil, text))) }
	fmt.Fprintf(t.w, "      ---\n      message: %s\n      at: {file: %s, line: %d}\n", quoted(headline(c)), quoted(c.Suite.File), c.At.Line)
	if len(c.Findings) > 0 && len(c.Findings[0].Differences) > 0 {
		d := &c.Findings[0].Differences[0]
		fmt.Fprintf(t.w, "      wanted: %s\n      found: %s\n", quoted(shown(d.Wanted)), quoted(shown(d.Found)))
	}
	fmt.Fprintf(t.w, "      details: %s\n", quoted(strings.Join(body(c), "\n")))
	fmt.Fprintf(t.w, "      ...\n")
}

// place is "file:line".
func place(file string, line int) string { return visible.Line(file) + ":" + strconv.Itoa(line) }
