package suiterun

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// TAP returns a report in version 13 of the Test Anything Protocol, the newest that all readers know: a test for each
// case.
func TAP(w io.Writer) suite.Sink { return &tap{w: bufio.NewWriter(w)} }

type tap struct {
	w *bufio.Writer
	n int // cases so far
}

// Send implements [result.Sink].
func (t *tap) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.Began:
		fmt.Fprintf(t.w, "TAP version 13\n1..%d\n", e.Cases)
	case suite.CaseEnded:
		t.n++
		t.one(e.Case)
	case suite.Ended:
		fmt.Fprintf(t.w, "# %s\n", tapText(Counts(&e.Summary)))
		return t.w.Flush()
	case suite.SuiteBegan, suite.SuiteEnded, suite.Covered:
	}
	return nil
}

// tapText escapes a description: a backslash, and # which begins a directive.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(wording.Line(text))
}

func (t *tap) one(c *suite.Outcome) {
	state, directive := "ok", ""
	switch c.Kind {
	case suite.Skipped:
		directive = " # SKIP " + wording.Line(c.Reason)
	case suite.New:
		directive = " # SKIP the snapshot is new: --update keeps it"
	case suite.Unchecked:
		directive = " # SKIP no expectation"
	case suite.OutcomeFailed, suite.Wrong:
		state = "not ok"
	case suite.Passed:
	}
	fmt.Fprintf(t.w, "%s %d - %s%s\n", state, t.n, tapText(c.Suite.File+": "+c.Name), directive)
	if !c.Kind.Bad() {
		return
	}
	// The diagnostic is YAML; JSON is YAML, so that every text is quoted as JSON has it.
	quoted := func(text string) string { return string(wording.JSON(value.AppendQuoted(nil, text))) }
	fmt.Fprintf(t.w, "  ---\n  message: %s\n  at: {file: %s, line: %d}\n", quoted(headline(c)), quoted(c.Suite.File), c.At.Line)
	if len(c.Findings) > 0 && len(c.Findings[0].Differences) > 0 {
		wanted, found := form.Pair(&c.Findings[0].Differences[0])
		fmt.Fprintf(t.w, "  wanted: %s\n  found: %s\n", quoted(wanted), quoted(found))
	}
	fmt.Fprintf(t.w, "  details: %s\n  ...\n", quoted(strings.Join(body(c), "\n")))
}

// place is "file:line".
func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }
