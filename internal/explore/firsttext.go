package explore

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// firstCase is one case of a first suite.
type firstCase struct {
	name, body string
	base       *Base
	run        *Run
	path       []string // the states of the top thread
	states     []string // the expectations on states
	uncaught   bool     // a task always fails, and the execution with it: it can be a row of a table
}

// expectOn adds an expectation on a state; not of one in a branch or iteration, where others may do otherwise.
func (c *firstCase) expectOn(state *asl.State, text string) {
	if state.Scope.Kind == asl.TopScope && len(c.states) < maxStates {
		c.states = append(c.states, value.Quote(state.Path())+": {"+text+"}")
	}
}

// title is the name with the end of a run that does not succeed.
func (c *firstCase) title() string {
	end := suiterun.EndOf(c.run.Status, c.run.Error)
	switch {
	case !c.run.Status.Done():
		return "does not end"
	case end == "":
		return c.name
	case c.name == "succeeds":
		return end
	case c.alone():
		return c.name + ", and so does the execution"
	}
	return c.name + ", " + end
}

// alone reports whether the fault of a task ends the execution with its own error.
func (c *firstCase) alone() bool {
	r := c.run
	return len(r.Changes) == 1 && r.Changes[0].isFault() && r.Status == engine.Failed &&
		r.Error == r.Changes[0].Error && len(r.Handling) > 0 && r.Handling[len(r.Handling)-1].Kind == Unhandled
}

// expect writes the expectations.
func (c *firstCase) expect(snapshots bool) string {
	switch {
	case !c.run.Status.Done():
		return "    skip: \"its run does not end\"\n    expect: {}\n"
	case snapshots:
		return "    snapshot: true\n"
	}
	text := "    expect:\n" + suiterun.Expected(c.run.Status, c.run.Error, c.path)
	if len(c.states) > 0 {
		text += "      states: {" + strings.Join(c.states, ", ") + "}\n"
	}
	return text
}

// comment says why a run ends with an error of the service itself.
func (c *firstCase) comment() string {
	if c.run.Status != engine.Failed || c.run.Cause == "" || !strings.HasPrefix(c.run.Error, "States.") {
		return ""
	}
	return "  # " + c.run.Error + ": " + firstLine(c.run.Cause) + "\n"
}

// suite writes the suite.
func (w *firstWriter) suite(name string) (*suiterun.Suite, error) {
	rows := slices.DeleteFunc(slices.Clone(w.cases), func(c *firstCase) bool { return !c.uncaught })
	cases := w.cases
	if len(rows) > 1 {
		cases = slices.DeleteFunc(slices.Clone(cases), func(c *firstCase) bool { return c.uncaught })
	} else {
		rows = nil
	}
	text := w.text(name, cases, w.options.Snapshots) + w.table(rows)
	definition := w.exploration.options.Machine.Definition
	first := &suiterun.Suite{Text: []byte(text), Cases: len(w.cases), Unreached: w.unreached}
	first.Coverage = w.covered.Definition(definition.Name(), definition.Resource, "")
	_, err := suite.Load(name, first.Text)
	return first, err
}

// text writes a suite with cases.
func (w *firstWriter) text(name string, cases []*firstCase, snapshots bool) string {
	var b strings.Builder
	b.WriteString("# The input has the members that the states read, and each task has a result of the right shape: " +
		"replace the values by real ones.\n" +
		"# The cases below expect the path and the status that the run had when they were written.\n")
	b.WriteString(w.result.head(name) + "cases:\n")
	names := map[string]int{}
	for _, c := range cases {
		title := c.title()
		if names[title]++; names[title] > 1 {
			title += fmt.Sprintf(" (%d)", names[title])
		}
		b.WriteString(c.comment() + "  " + value.Quote(title) + ":\n" + c.body + c.expect(snapshots))
	}
	return b.String()
}

// table writes cases of errors that nothing handles, or no longer, as one.
func (w *firstWriter) table(rows []*firstCase) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("  \"{{task}} fails with {{error}}, and so does the execution\":\n    table:\n")
	for _, c := range rows {
		change := c.run.Changes[0]
		fmt.Fprintf(&b, "      - {task: %s, error: %s, last: %s}\n",
			value.Quote(key(change.State)), suite.Quote(change.Error), value.Quote(c.path[len(c.path)-1]))
	}
	b.WriteString("    tasks:\n      \"{{task}}\":\n        - error: \"{{error}}\"\n          repeat: forever\n")
	if w.options.Snapshots {
		return b.String() + "    snapshot: true\n"
	}
	return b.String() + "    expect: {status: FAILED, error: \"{{error}}\", path: [\"...\", \"{{last}}\"]}\n"
}
