package checks

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// Every row of testdata/answers.tsv (expression, input, answer, evidence) has its answer in a run as Step Functions
// runs it.
func TestAnswers(t *testing.T) {
	data, err := os.ReadFile("testdata/answers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	evidence := map[string]int{}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 {
			t.Fatalf("line %d: %d fields, not an expression, an input, an answer and the evidence", i+1, len(fields))
		}
		evidence[fields[3]]++
		c := answerCase(t, fields[0], fields[1], fields[2])
		for _, v := range examine(c) {
			if v.difference != "" {
				t.Errorf("line %d: %s: %s: %s", i+1, fields[0], v.aspect, v.difference)
			}
		}
	}
	for mark := range evidence {
		if !strings.Contains(" recorded measured documented reported ", " "+mark+" ") {
			t.Errorf("%q is not evidence", mark)
		}
	}
	t.Log(evidence)
}

// answerCase makes a case of a row: a Pass state that evaluates the expression alone.
func answerCase(t *testing.T, expression, input, answer string) *runs.Case {
	t.Helper()
	state, text := `"Parameters":{"value.$":%s}`, value.Compact(value.String(expression))
	if strings.HasPrefix(expression, "{%") {
		state = `"QueryLanguage":"JSONata","Output":{"value":%s}`
	}
	c := &runs.Case{
		Name: expression, Kind: "execution", Input: value.Must(input), Object: value.ObjectOf(),
		Definition: fmt.Appendf(nil, `{"StartAt":"S","States":{"S":{"Type":"Pass",`+state+`,"End":true}}}`, text),
		RecordedAt: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), // any day: no answer depends on it
	}
	word, rest, _ := strings.Cut(answer, " ")
	member := func(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }
	switch word {
	case "refused":
		c.Kind = "validation"
		c.Expect = value.ObjectOf(member("status", value.String("FAIL")),
			member("messages", value.ArrayOf(value.String(rest))))
	case "fails":
		name, cause, _ := strings.Cut(rest, ": ")
		part := value.ArrayOf(value.String(strings.ReplaceAll(cause, `\n`, "\n")))
		c.Expect = value.ObjectOf(member("status", value.String("FAILED")), member("error", value.String(name)),
			member("causeContains", part))
	default:
		output := value.ObjectOf(member("value", value.Must(answer)))
		c.Expect = value.ObjectOf(member("status", value.String("SUCCEEDED")), member("output", output))
	}
	return c
}

// Each section of the references has tests that are there, or the reason why it has none.
func TestReferencesAreHeld(t *testing.T) {
	data, err := os.ReadFile("testdata/references.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) == 4 && fields[2] == "-" && fields[3] != "" {
			continue
		}
		if len(fields) != 3 {
			t.Errorf("%q has neither tests nor a reason", line)
			continue
		}
		for _, one := range strings.Fields(fields[2]) {
			folder, name, _ := strings.Cut(one, ":")
			if !slices.Contains(testsIn(t, folder, false), name) {
				t.Errorf("%s %s: there is no test %s in %s", fields[0], fields[1], name, folder)
			}
		}
	}
}
