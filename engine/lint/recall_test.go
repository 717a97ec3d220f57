package lint

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// failure is a row of testdata/failures.tsv: a recorded execution that failed.
type failure struct{ visible, pointer, why string }

// The words of the column "visible".
const (
	inText    = "text"
	withInput = "input"
	notSeen   = "no"
)

func failures(t *testing.T) map[string]failure {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "failures.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]failure)
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 || fields[3] == "" || fields[1] != inText && fields[1] != withInput && fields[1] != notSeen {
			t.Fatalf("not case, visible, pointer and reason: %q", line)
		}
		list[fields[0]] = failure{fields[1], fields[2], fields[3]}
	}
	return list
}

// TestRecall counts the recorded failures that the findings foretell: those that the text of the definition shows, and
// those that it shows together with the input.
func TestRecall(t *testing.T) {
	table := failures(t)
	total, found := make(map[string]int), make(map[string]int)
	for _, c := range runs.LoadAWS(t) {
		status := ""
		if c.Kind != "validation" && c.Expect != nil {
			status = textIn(c.Expect.Get("status"))
		}
		if status != "FAILED" && status != "TIMED_OUT" && status != "ABORTED" {
			continue
		}
		f, judged := table[c.Name]
		if !judged {
			t.Errorf("%s is not in the table", c.Name)
			continue
		}
		delete(table, c.Name)
		total[f.visible]++
		o := Options{}
		if f.visible == withInput {
			o.Flow = flow.Options{Input: c.Input}
		}
		_, problems := find(string(c.Definition), o)
		seen := false
		for _, d := range problems {
			seen = seen || f.visible != notSeen && strings.HasPrefix(d.Pointer, f.pointer)
		}
		if seen {
			found[f.visible]++
		} else if f.visible != notSeen {
			t.Logf("missed: %s (%s): %s", c.Name, f.visible, f.why)
		}
	}
	for name := range table {
		t.Errorf("%s is in the table, and is not a recorded failure", name)
	}
	t.Logf("recorded failures: %d of %d that the text shows are found, %d of %d that it shows with the input; %d cannot be seen",
		found[inText], total[inText], found[withInput], total[withInput], total[notSeen])
	if found[inText]*100 < total[inText]*85 || found[withInput]*100 < total[withInput]*85 {
		t.Error("less than 85 %")
	}
}

func textIn(v value.Value) string {
	s, _ := v.(value.String)
	return string(s)
}

// left returns the names of the states that a recorded execution left.
func left(c *runs.Case) map[string]bool {
	names := make(map[string]bool)
	history, _ := c.Object.Get("history").(*value.Array)
	for _, event := range history.All() {
		if e, ok := event.(*value.Object); ok {
			if details, ok := e.Get("stateExitedEventDetails").(*value.Object); ok {
				names[textIn(details.Get("name"))] = true
			}
		}
	}
	return names
}

// certain are the rules whose findings say that the state fails whenever it runs.
var certain = map[string]bool{
	rules.Discarded: true, rules.NeverProvided: true, rules.WrongValue: true, rules.Unassigned: true, rules.CallFails: true,
}

// TestSuccesses: no finding says that a state must fail which was left in a recorded execution that succeeded, with its
// input or without.
func TestSuccesses(t *testing.T) {
	checked := 0
	for _, c := range runs.LoadAWS(t) {
		if c.Kind == "validation" || c.Kind == "test-state" || c.Expect == nil || textIn(c.Expect.Get("status")) != "SUCCEEDED" {
			continue
		}
		machine, _ := asl.Parse(&source.File{Name: "t.json", Data: c.Definition})
		if machine == nil {
			continue
		}
		checked++
		names := left(c)
		for _, o := range []flow.Options{{}, {Input: c.Input}} {
			for _, d := range Check(machine, Options{Flow: o}) {
				if !certain[d.Rule] {
					continue
				}
				for s := range machine.All() {
					if _, inner, of := strings.Cut(d.Pointer, s.Pointer+"/"); of && !strings.Contains(inner, "/States/") && names[s.Name] {
						t.Errorf("%s: %s was left: %s", c.Name, s.Name, d.Message)
					}
				}
			}
		}
	}
	t.Logf("%d executions that succeeded, none had to fail", checked)
	if checked < 150 {
		t.Errorf("only %d were checked", checked)
	}
}
