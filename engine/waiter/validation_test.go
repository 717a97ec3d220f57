package waiter

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// TestSmithysValidation compares with the problems that Smithy's own tests expect: the same number, each of the same
// event, severity, waiter, acceptor and place in its expression.
func TestSmithysValidation(t *testing.T) {
	dir := testkit.Dir(t, "waiters")
	files, err := filepath.Glob(filepath.Join(dir, "smithy-validation", "*.smithy"))
	if err != nil || len(files) != 14 {
		t.Fatalf("%d models, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".smithy")
		t.Run(name, func(t *testing.T) {
			f := &source.File{Name: name + ".smithy", Data: testkit.Read(t, file)}
			m, problems := Read(f)
			if m == nil {
				t.Fatal(problems[0].Format())
			}
			var expected []string
			for line := range strings.SplitSeq(strings.TrimSpace(
				string(testkit.Read(t, strings.TrimSuffix(file, ".smithy")+".errors"))), "\n") {
				if line != "" {
					expected = append(expected, line)
				}
			}
			if len(problems) != len(expected) {
				t.Errorf("%d problems, want %d", len(problems), len(expected))
			}
			for _, line := range expected {
				found := false
				for _, p := range problems {
					found = found || fits(f, p, line)
				}
				if !found {
					t.Errorf("not found: %s", line)
				}
			}
			if t.Failed() {
				for _, p := range problems {
					t.Logf("%s", p.Format())
				}
			}
		})
	}
}

var (
	expectedProblem = regexp.MustCompile(`^\[(\w+)\] smithy.example#A: (.*) \| (\S+)$`)
	whichAcceptor   = regexp.MustCompile(`Waiter .(\w+)., acceptor (\d+)`)
	whereInPath     = regexp.MustCompile(`\(1:(\d+)\)`)
)

// fits reports whether a problem is the one that a line of Smithy's expects.
func fits(f *source.File, p source.Diagnostic, line string) bool {
	parts := expectedProblem.FindStringSubmatch(line)
	if p.Severity.String() != strings.ToLower(parts[1]) || !strings.HasPrefix(p.Rule, parts[3]) {
		return false
	}
	if which := whichAcceptor.FindStringSubmatch(parts[2]); which != nil &&
		!strings.HasPrefix(p.Message, fmt.Sprintf("acceptor %s of %s", which[2], which[1])) {
		return false
	}
	if where := whereInPath.FindStringSubmatch(parts[2]); where != nil {
		column, _ := strconv.Atoi(where[1])
		literal := strings.LastIndexByte(string(f.Data[:p.Span.Start.Offset]), '"')
		return p.Span.Start.Offset-literal == column
	}
	return true
}

// TestProblems are the rules that those models do not break, and the places of the errors.
func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, old, text, want string }{
		{"two names", `"JobDone": {`, `"jobdone": {"acceptors": [{"state": "success", "matcher": {"success": true}}]}, "JobDone": {`,
			"model.json:6:9: error: the name of a waiter must match ^[A-Z]+[A-Za-z0-9]*$, in UpperCamelCase, not \"jobdone\" [TraitValue]\n" +
				"model.json:6:89: error: the waiter JobDone conflicts with jobdone of GetJob: names must be unique without regard to case [UniqueWaiterNames]"},
		{"no output", `, "output": {"target": "x#Out"}`, ``,
			"model.json:8:56: error: acceptor 0 of JobDone looks at the output of GetJob, which has none [WaitableTrait]"},
		{"empty", `"JobDone": {`, `"Empty": {"tags": ["a", "", 1], "acceptors": [{"state": "success", "matcher": {"success": true}}]}, "JobDone": {"tags": "a",`,
			"error: a tag is a string that is not empty, not \"\" [TraitValue]\nerror: a tag is a string that is not empty, not 1 [TraitValue]\nerror: tags is a list of strings, not a string [TraitValue]"},
		{"misspelt", `"comparator": "stringEquals", "expected": "DONE"`,
			`"comparator": "stringEqual", "expect": "DONE"`,
			"model.json:8:89: error: comparator is one of stringEquals, booleanEquals, allStringEquals, anyStringEquals, not \"stringEqual\" [TraitValue]\n" +
				"model.json:8:104: warning: output has no member \"expect\"; it has path, comparator, expected [TraitValue.UnknownMember.smithy.waiters#PathMatcher.expect]"},
		{"description", `"JobDone": {`, `"JobDone": {"description": "a job", "minDely": 3,`,
			"model.json:6:21: warning: a waiter has no member \"description\"; it has documentation, acceptors, minDelay, maxDelay, deprecated, tags [TraitValue.UnknownMember.smithy.waiters#Waiter.description]\n" +
				"model.json:6:45: warning: a waiter has no member \"minDely\"; it has documentation, acceptors, minDelay, maxDelay, deprecated, tags [TraitValue.UnknownMember.smithy.waiters#Waiter.minDely]\n" +
				`did you mean "minDelay"?`},
		{"of an acceptor", `"state": "success"`, `"state": "success", "note": "x"`,
			"warning: an acceptor has no member \"note\"; it has state, matcher, message [TraitValue.UnknownMember.smithy.waiters#Acceptor.note]"},
		{"a new matcher", `{"errorType": "x#NoSuchJob"}`, `{"anyType": "x#NoSuchJob"}`,
			"model.json:10:44: error: a matcher has no member \"anyType\"; it has output, inputOutput, success, errorType [TraitValue.UnknownMember.smithy.waiters#Matcher.anyType]"},
		{"zero", `"minDelay": 2`, `"minDelay": 0`,
			"model.json:12:23: error: minDelay is a whole number of seconds from 1, not 0 [TraitValue]"},
		{"syntax", `"path": "Status", "comparator": "stringEquals", "expected": "DONE"`,
			`"path": "Sta..tus", "comparator": "stringEquals", "expected": "DONE"`,
			"model.json:8:70: error: acceptor 0 of JobDone: invalid JMESPath"},
		{"two matchers", `{"errorType": "x#NoSuchJob"}`, `{"errorType": "x#NoSuchJob", "success": true}`,
			"model.json:10:43: error: a matcher is an object with exactly one of output, inputOutput, success, errorType [TraitValue]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(jobModel, c.old, c.text, 1)
			f := &source.File{Name: "model.json", Data: []byte(text)}
			_, problems := Read(f)
			shown := value.Each(problems, source.Diagnostic.Format)
			all := strings.Join(shown, "\n")
			for line := range strings.SplitSeq(c.want, "\n") {
				if !strings.Contains(all, line) {
					t.Errorf("want\n%s\ngot\n%s", line, all)
				}
			}
		})
	}
}

func TestForeignTexts(t *testing.T) {
	for _, text := range []string{"", "[]", "{}", `{"smithy": "2.0"}`, `{"smithy": "2.0", "shapes": []}`,
		`{"StartAt": "A"}`} {
		f := &source.File{Name: "x.json", Data: []byte(text)}
		if m, problems := Read(f); m != nil || len(problems) == 0 || problems[0].Format() == "" {
			t.Errorf("%s is taken for a model", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("m.json", jobModel)
	f.Add("m.smithy", timedService)
	f.Fuzz(func(t *testing.T, name, text string) {
		file := &source.File{Name: name, Data: []byte(text)}
		m, problems := Read(file)
		for _, p := range problems {
			_ = p.Format()
		}
		if m == nil {
			return
		}
		_ = m.Hints()
		for _, w := range m.Waiters {
			if w.Usable(problems) {
				_, _ = m.Program(w, 1)
			}
		}
	})
}
