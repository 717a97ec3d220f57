package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/internal/testkit"
)

// mistakes are changes of a text that make errors, one at each place that the expression matches.
var mistakes = []struct {
	name  string
	at    *regexp.Regexp
	write string
}{
	{"a misspelt Next", regexp.MustCompile(`("Next"\s*:\s*"\w[^"]{3,})"`), `${1}x"`},
	{"a Next that is like no name", regexp.MustCompile(`"Next"\s*:\s*"[^"]+"`), `"Next": "Zzyqqxw0"`},
	{"a misspelt field", regexp.MustCompile(`"Next"(\s*:)`), `"Nxet"$1`},
	{"an unknown field", regexp.MustCompile(`("Type"\s*:\s*"Task")`), `"Zzyqqxw0": 1, $1`},
	{"an unknown type", regexp.MustCompile(`"Type"\s*:\s*"(?:Pass|Task|Choice)"`), `"Type": "Zzyqqxw0"`},
	{"no Resource", regexp.MustCompile(`"Resource"(\s*:)`), `"Zzyqqxw0"$1`},
	{"no StartAt", regexp.MustCompile(`("StartAt"\s*:\s*)"[^"]+"`), `$1"Zzyqqxw0"`},
	{"a malformed path", regexp.MustCompile(`("(?:Variable|InputPath|ResultPath|OutputPath|ItemsPath)"\s*:\s*)"[^"]+"`), `$1"$[?"`},
	{"a number for a name", regexp.MustCompile(`"Next"\s*:\s*"[^"]+"`), `"Next": 7`},
	{"no Choices", regexp.MustCompile(`"Choices"(\s*:)`), `"Zzyqqxw0"$1`},
	{"a misspelt Catch", regexp.MustCompile(`"Catch"(\s*:)`), `"Cacth"$1`},
}

// warnings returns the pointers of the warnings about a text, each with their texts.
func warnings(text string) (list map[string]string, wrong bool) {
	list = make(map[string]string)
	_, problems := find(text, Options{})
	for _, d := range problems {
		wrong = wrong || d.Severity == source.Error
		if d.Severity == source.Warning {
			list[d.Pointer] += d.Format() // a read that finds nothing on all ways may find something on an unknown one
		}
	}
	return list, wrong
}

// An error does not hide the warnings about other states, and brings no new ones: the definitions that are in use have
// few, and none of them may come from what an error leaves unknown.
func TestErrorsAddNoWarnings(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "examples", "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	texts, kept, hidden := 0, 0, 0
	for i, name := range append(names, more...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, wrong := warnings(string(data))
		if wrong || len(data) > 60_000 {
			continue
		}
		for j, m := range mistakes {
			places := m.at.FindAllStringSubmatchIndex(string(data), -1)
			if len(places) == 0 {
				continue
			}
			at := places[(i+j)%len(places)]
			text := string(data[:at[0]]) + string(m.at.ExpandString(nil, m.write, string(data), at)) + string(data[at[1]:])
			after, wrong := warnings(text)
			if !wrong {
				continue
			}
			texts++
			for key, shown := range after {
				if before[key] == "" && !strings.Contains(shown, "Zzyqqxw0") {
					t.Errorf("%s: %s brings a warning\n%s", filepath.Base(name), m.name, shown)
				}
			}
			for key := range before {
				if after[key] == "" {
					hidden++
				} else {
					kept++
				}
			}
		}
	}
	if kept < 4*hidden || texts < 1000 {
		t.Errorf("of %d texts, %d warnings are kept and %d hidden", texts, kept, hidden)
	}
	t.Logf("%d texts with an error: %d warnings of other states are kept, %d are hidden", texts, kept, hidden)
}

// An error hides no finding in other states that does not depend on it.
func TestErrorsHideNoWarnings(t *testing.T) {
	const rest = `"B": {"Type": "Pass", "Result": {"b": 1}, "Next": "Check"},
		"Check": {"Type": "Choice", "Default": "Done", "Choices": [{"Variable": "$.q", "IsNull": true, "Next": "Done"}]},
		"Other": {"Type": "Pass", "Parameters": {"a.$": "$v", "b.$": "$$.Execution.Nam"}, "Next": "Check"},
		"Done": {"Type": "Succeed"}`
	for _, c := range []struct{ name, states, want string }{
		{"no error", `"A": {"Type": "Choice", "Default": "B", "Choices": [{"Variable": "$.a", "IsNull": true, "Next": "Other"}]}`,
			"/States/Check/Choices/0/Variable, /States/Other/Parameters/a.$, /States/Other/Parameters/b.$"},
		{"a misspelt Next", `"A": {"Type": "Choice", "Default": "B", "Choices": [{"Variable": "$.a", "IsNull": true, "Next": "Othre"}]}`,
			"/States/Check/Choices/0/Variable, /States/Other/Parameters/a.$, /States/Other/Parameters/b.$"},
		{"an unknown field", `"A": {"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "Foo": 1, "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Other"}]}`,
			"/States/Check/Choices/0/Variable, /States/Other/Parameters/a.$, /States/Other/Parameters/b.$"},
		{"an unknown Next", `"A": {"Type": "Choice", "Default": "B", "Choices": [{"Variable": "$.a", "IsNull": true, "Next": "Other"}, {"Variable": "$.c", "IsNull": true, "Next": "Zzz"}]}`,
			"/States/Check/Choices/0/Variable, /States/Other/Parameters/b.$"},
	} {
		found, _ := warnings(machine(c.states + ", " + rest))
		var got []string
		for key := range found {
			got = append(got, key)
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, strings.Join(got, ", "), c.want)
		}
	}
}

// A part of a Choice rule that isn't an object is one error, at its place, and the other parts are looked at.
func TestMalformedParts(t *testing.T) {
	const start, end = `{"StartAt":"C","States":{"D":{"Type":"Succeed"},"C":{"Type":"Choice","Default":"D","Choices":[`, `]}}}`
	parts := []string{`5`, `null`, `"x"`, `[]`, `{}`, `{"Variable":7}`, `{"Not":5}`, `{"And":5}`, `{"And":[[]]}`}
	for _, part := range parts {
		for _, rule := range []string{
			`{"Next":"D","Not":` + part + `}`, `{"Next":"D","And":[` + part + `,{"Variable":"$.a","IsPresent":true}]}`,
		} {
			_, problems := find(start+rule+end, Options{Hints: true})
			if !slices.ContainsFunc(problems, func(d source.Diagnostic) bool {
				return d.Severity == source.Error && strings.HasPrefix(d.Pointer, "/States/C/Choices/0")
			}) {
				t.Errorf("%s: %v", rule, problems)
			}
		}
	}
}
