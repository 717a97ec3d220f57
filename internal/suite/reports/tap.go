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

// TAP returns a report in version 13 of the Test Anything Protocol, the newest that all readers know: a test for each case.
func TAP(w io.Writer) result.Sink { return &tap{w: bufio.NewWriter(w)} }

type tap struct {
	w *bufio.Writer
	n int // cases so far
}

// Send implements [result.Sink].
func (t *tap) Send(event result.Event) error {
	switch e := event.(type) {
	case result.Began:
		fmt.Fprintf(t.w, "TAP version 13\n1..%d\n", e.Cases)
	case result.CaseEnded:
		t.n++
		t.one(e.Case)
	case result.Ended:
		fmt.Fprintf(t.w, "# %s\n", tapText(Counts(&e.Summary)))
		return t.w.Flush()
	case result.SuiteBegan, result.SuiteEnded, result.Covered:
	}
	return nil
}

// tapText escapes a description: a backslash, and # which begins a directive.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(visible.Line(text))
}

func (t *tap) one(c *result.Case) {
	state, directive := "ok", ""
	switch c.Kind {
	case result.Skipped:
		directive = " # SKIP " + visible.Line(c.Reason)
	case result.New:
		directive = " # SKIP the snapshot is new: --update keeps it"
	case result.Unchecked:
		directive = " # SKIP no expectation"
	case result.Failed, result.Wrong:
		state = "not ok"
	case result.Passed:
	}
	fmt.Fprintf(t.w, "%s %d - %s%s\n", state, t.n, tapText(c.Suite.File+": "+c.Name), directive)
	if !c.Kind.Bad() {
		return
	}
	// The diagnostic is YAML; JSON is YAML, so that every text is quoted as JSON has it.
	quoted := func(text string) string { return string(visible.JSON(value.AppendQuoted(nil, text))) }
	fmt.Fprintf(t.w, "  ---\n  message: %s\n  at: {file: %s, line: %d}\n", quoted(headline(c)), quoted(c.Suite.File), c.At.Line)
	if len(c.Findings) > 0 && len(c.Findings[0].Differences) > 0 {
		wanted, found := form.Pair(&c.Findings[0].Differences[0])
		fmt.Fprintf(t.w, "  wanted: %s\n  found: %s\n", quoted(wanted), quoted(found))
	}
	fmt.Fprintf(t.w, "  details: %s\n  ...\n", quoted(strings.Join(body(c), "\n")))
}

// place is "file:line".
func place(file string, line int) string { return visible.Line(file) + ":" + strconv.Itoa(line) }
