// Package conformance compares runs with recordings of AWS.
package checks

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// The aspects in which a case can agree.
const (
	result    = "outcome"
	cause     = "cause"
	recording = "history"
	diagnosis = "diagnosis"
)

// verdict is the result of one aspect of one case: empty where it agrees.
type verdict struct{ aspect, difference string }

// disagreements lists the recorded cases that do not agree yet: case, aspect, reason; measured the measured ones.
const (
	disagreements = "testdata/disagreements.tsv"
	measured      = "testdata/measured.tsv"
)

// Every recorded case agrees with AWS, except those that the list names with a reason (case, aspect, reason); a listed
// one that agrees must be taken off the list.
func TestAgreesWithAWS(t *testing.T) {
	agrees(t, runs.LoadAWS(t), disagreements)
}

// So does every measured case.
func TestAgreesAsMeasured(t *testing.T) {
	agrees(t, runs.LoadFrom(t, runs.Measured), measured)
}

func agrees(t *testing.T, cases []*runs.Case, list string) {
	t.Helper()
	known := readDisagreements(t, list)
	counts := newTally()
	for _, c := range cases {
		if c.Kind == "validation" && c.Object.Get("sureness") == nil {
			continue // internal/report compares the recorded replies
		}
		verdicts := examine(c)
		for _, v := range verdicts {
			counts.add(c, v)
			key := c.Name + "\t" + v.aspect
			_, listed := known[key]
			delete(known, key)
			switch {
			case v.difference != "" && !listed:
				t.Errorf("%s: %s: %s", c.Name, v.aspect, v.difference)
			case v.difference == "" && listed:
				t.Errorf("%s: %s agrees now: take it off the list", c.Name, v.aspect)
			}
		}
	}
	for key := range known {
		t.Errorf("the list has %q, which is not a case", key)
	}
	counts.log(t)
}

func readDisagreements(t *testing.T, name string) map[string]string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	known := make(map[string]string)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 || fields[2] == "" {
			t.Fatalf("%s: %q does not have a case, an aspect and a reason", name, line)
		}
		known[fields[0]+"\t"+fields[1]] = fields[2]
	}
	return known
}

// examine runs a case and says for each aspect that it has whether it agrees.
func examine(c *runs.Case) []verdict {
	switch c.Kind {
	case "execution", "express-sync":
		return examineExecution(c)
	case "test-state":
		return examineTestState(c)
	case "validation":
		return examineValidation(c)
	}
	return nil
}

func examineExecution(c *runs.Case) []verdict {
	s, stop, err := runCase(c)
	if err == nil && stop.Err != nil {
		err = stop.Err
	}
	var missing *runs.MissingError
	if err != nil && !errors.As(err, &missing) {
		return all(c, err.Error())
	}
	if missing != nil {
		return all(c, missing.Error())
	}
	verdicts := []verdict{{result, outcomeDifference(c, s)}}
	if hasCause(c) {
		verdicts = append(verdicts, verdict{cause, causeDifference(c, s)})
	}
	if recorded := recordedHistory(c); recorded != nil {
		verdicts = append(verdicts, verdict{recording, historyDifference(c, recorded, s)})
	}
	return verdicts
}

// all gives every aspect that a case has the same difference.
func all(c *runs.Case, difference string) []verdict {
	verdicts := []verdict{{result, difference}}
	if hasCause(c) {
		verdicts = append(verdicts, verdict{cause, difference})
	}
	if recordedHistory(c) != nil {
		verdicts = append(verdicts, verdict{recording, difference})
	}
	return verdicts
}

func runCase(c *runs.Case) (*debug.Session, debug.Stop, error) {
	src := &source.File{Name: c.Name, Data: c.Definition}
	definition, diagnostics := asl.Parse(src)
	if definition == nil {
		return nil, debug.Stop{}, errors.New("refused: " + diagnostics[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		return nil, debug.Stop{}, err
	}
	s := debug.New(machine, debug.Options{
		Input: c.Input, Start: c.RecordedAt, Seed: 1, Context: c.Context, Source: c.Tasks(),
		Limits: engine.ServiceLimits(),
	})
	if c.Expect.Get("status") == value.String("ABORTED") {
		// Somebody stopped it while it waited.
		s.SetClock(debug.Clock{Mode: debug.ClockByHand})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			return s, debug.Stop{}, err
		}
		return s, s.Interventions().Abort("", ""), nil
	}
	stop, err := s.Do(debug.Command{Kind: debug.Continue})
	return s, stop, err
}

// outcomeDifference says how an execution ended otherwise than on AWS.
func outcomeDifference(c *runs.Case, s *debug.Session) string {
	want, _ := c.Expect.Get("status").(value.String)
	if got := s.Status().String(); got != string(want) {
		return fmt.Sprintf("status %s (%v), recorded %s", got, s.Failure(), value.Preview(c.Expect, 200))
	}
	if output := c.Expect.Get("output"); output != nil && !c.Same("/expect/output", output, s.Output()) {
		return fmt.Sprintf("output %s, recorded %s", value.Preview(s.Output(), 300), value.Preview(output, 300))
	}
	name, _ := c.Expect.Get("error").(value.String)
	if s.Failure() != nil && want == "FAILED" && s.Failure().Name != string(name) {
		return fmt.Sprintf("error %v, recorded %s", s.Failure(), value.Preview(c.Expect, 300))
	}
	return ""
}

// hasCause reports whether the cause of a case is known, or parts of it.
func hasCause(c *runs.Case) bool {
	return (c.Expect.Get("cause") != nil || c.Expect.Get("causeContains") != nil) && c.Object.Get("causeUnknown") == nil
}

func causeDifference(c *runs.Case, s *debug.Session) string {
	got := ""
	if s.Failure() != nil {
		got = s.Failure().Cause
	}
	if parts, ok := c.Expect.Get("causeContains").(*value.Array); ok {
		for _, part := range parts.All() {
			if !strings.Contains(got, string(part.(value.String))) {
				return fmt.Sprintf("cause\n\t     %q\n\tlacks %q", got, part)
			}
		}
	}
	want, ok := c.Expect.Get("cause").(value.String)
	if !ok || c.SameText("/expect/cause", string(want), got) {
		return surenessDifference(s)
	}
	return fmt.Sprintf("cause\n\t     %q\n\twant %q", got, want)
}

// surenessDifference holds the mark of a cause that agrees with the recorded one.
func surenessDifference(s *debug.Session) string {
	if s.Failure() == nil {
		return ""
	}
	if mark, ok := s.Failure().Sureness(); ok && !mark.Settled() {
		return fmt.Sprintf("the cause %q was recorded, and is marked %s", s.Failure().Cause, mark)
	}
	return ""
}

// recordedHistory returns the history of a case whose events are all known, with their order.
func recordedHistory(c *runs.Case) []history.Event {
	document := c.Document()
	if document == nil || c.Has("history-partial") {
		return nil
	}
	executions, err := history.Read(history.File{Name: c.Name, Data: value.Append(nil, document)})
	if err != nil {
		panic(err)
	}
	return executions[0].Events
}

func historyDifference(c *runs.Case, recorded []history.Event, s *debug.Session) string {
	if d := history.Compare(recorded, history.Of(s.Log().All()), sameAs(c, recorded)); d != nil {
		return d.String()
	}
	return ""
}

// sameAs compares the members of events as the case's other values are compared.
func sameAs(c *runs.Case, recorded []history.Event) history.Same {
	return func(at int, member string, want, got value.Value) bool {
		if want == nil || got == nil {
			return want == nil && got == nil
		}
		return c.Same(c.Pointer(recorded, at, member), want, got)
	}
}

// tally counts the verdicts by kind and by tag.
type tally struct{ passed, total map[string]int }

func newTally() *tally { return &tally{passed: map[string]int{}, total: map[string]int{}} }

func (n *tally) add(c *runs.Case, v verdict) {
	language := "jsonpath"
	if c.Has("jsonata") {
		language = "jsonata"
	}
	rows := []string{"all " + language, "kind " + c.Kind + " " + language}
	if language == "jsonpath" {
		for _, tag := range c.Tags {
			rows = append(rows, "tag "+tag)
		}
	}
	for _, row := range rows {
		key := v.aspect + "\t" + row
		n.total[key]++
		if v.difference == "" {
			n.passed[key]++
		}
	}
}

func (n *tally) log(t *testing.T) {
	keys := make([]string, 0, len(n.total))
	for key := range n.total {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, cmp.Compare)
	var b strings.Builder
	for _, key := range keys {
		aspect, row, _ := strings.Cut(key, "\t")
		fmt.Fprintf(&b, "\n%-14s %-42s %4d/%d", aspect, row, n.passed[key], n.total[key])
	}
	t.Log(b.String())
}
