package jsonata

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/testkit"
)

// suiteCase is one case of the official suite.
type suiteCase struct {
	Expr      string                     `json:"expr"`
	ExprFile  string                     `json:"expr-file"`
	Dataset   *string                    `json:"dataset"`
	Data      json.RawMessage            `json:"data"`
	Bindings  map[string]json.RawMessage `json:"bindings"`
	Depth     int                        `json:"depth"`
	Result    json.RawMessage            `json:"result"`
	Undefined bool                       `json:"undefinedResult"`
	Code      string                     `json:"code"`
	Token     string                     `json:"token"`
	Unordered bool                       `json:"unordered"`
	Error     *struct {
		Code    string `json:"code"`
		Token   string `json:"token"`
		Message string `json:"message"`
	} `json:"error"`
}

type indexEntry struct {
	ID       string `json:"id"`
	Group    string `json:"group"`
	Relevant bool   `json:"step_functions_relevant"`
}

// loneHalf finds escapes of half a surrogate pair, which Go's decoder would lose; JSONata has the same escape.
var loneHalf = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}([^\\]|$)`)

func loadCases(t *testing.T, dir string) (map[string]suiteCase, []indexEntry) {
	t.Helper()
	var index struct {
		Cases []indexEntry `json:"cases"`
	}
	if err := json.Unmarshal(testkit.Read(t, dir, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	cases := map[string]suiteCase{}
	files, err := filepath.Glob(filepath.Join(dir, "test-suite", "groups", "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		data = loneHalf.ReplaceAllFunc(data, func(m []byte) []byte { return append([]byte(`\`), m...) })
		name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
		var many []suiteCase
		if json.Unmarshal(data, &many) == nil {
			for i, c := range many {
				cases[fmt.Sprintf("%s#%d", name, i)] = c.load(t, file)
			}
			continue
		}
		var one suiteCase
		if err := json.Unmarshal(data, &one); err != nil {
			t.Fatal(file, err)
		}
		cases[name] = one.load(t, file)
	}
	return cases, index.Cases
}

func (c suiteCase) load(t *testing.T, file string) suiteCase {
	if c.ExprFile != "" {
		c.Expr = string(testkit.Read(t, filepath.Dir(file), c.ExprFile))
	}
	return c
}

// run evaluates the case and returns a description of its failure, "" for none.
func (c suiteCase) run(dir string, options Options) string {
	var input value.Value
	var err error
	switch {
	case len(c.Data) > 0 && string(c.Data) != "null" || len(c.Data) > 0 && c.Dataset == nil:
		input, err = value.Parse(c.Data, value.Limits{})
	case c.Dataset != nil:
		var data []byte
		if data, err = os.ReadFile(filepath.Join(dir, "test-suite", "datasets", *c.Dataset+".json")); err == nil {
			input, err = value.Parse(data, value.Limits{})
		}
	}
	if err != nil {
		return err.Error()
	}
	if c.Depth > 0 {
		options.Limits.Depth = c.Depth
		options.Limits.Steps = 12_000_000 // in the place of the suite's time limit
	}
	bindings := func(name string) value.Value {
		raw, ok := c.Bindings[name]
		if !ok {
			return nil
		}
		v, _ := value.Parse(raw, value.Limits{})
		return v
	}
	x, err := Compile(c.Expr, options)
	var got value.Value
	if err == nil {
		got, err = x.Eval(input, bindings, testEnv())
	}
	return c.judge(got, err)
}

func (c suiteCase) judge(got value.Value, err error) string {
	code, token, message := c.Code, c.Token, ""
	if c.Error != nil {
		code, token, message = c.Error.Code, c.Error.Token, c.Error.Message
	}
	if code != "" {
		var e *Error
		if !errors.As(err, &e) {
			return fmt.Sprintf("want error %s, got %s, %v", code, value.Preview(got, 200), err)
		}
		if e.Code != code || token != "" && e.Token != token || message != "" && e.Message != message {
			return fmt.Sprintf("want error %s %q %q, got %s %q %q", code, token, message, e.Code, e.Token, e.Message)
		}
		return ""
	}
	if err != nil {
		var fe *FunctionError
		if errors.As(err, &fe) && c.Undefined {
			return ""
		}
		return "error " + err.Error()
	}
	if c.Undefined || len(c.Result) == 0 {
		if got != nil {
			return "want nothing, got " + value.Preview(got, 200)
		}
		return ""
	}
	want, err := value.Parse(c.Result, value.Limits{})
	if err != nil {
		return err.Error()
	}
	if c.Unordered {
		got, want = sorted(got), sorted(want)
	}
	if got == nil || !value.Equal(got, want) {
		return "want " + value.Preview(want, 300) + ", got " + value.Preview(got, 300)
	}
	return ""
}

func sorted(v value.Value) value.Value {
	a, ok := v.(*value.Array)
	if !ok {
		return v
	}
	items := make([]value.Value, 0, a.Len())
	for _, item := range a.All() {
		items = append(items, item)
	}
	slices.SortFunc(items, func(a, b value.Value) int { return strings.Compare(value.Compact(a), value.Compact(b)) })
	return value.NewArray(items)
}

// readDisagreements reads testdata/disagreements.tsv: mode, case, reason.
func readDisagreements(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	data, err := os.ReadFile(filepath.Join("testdata", "disagreements.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		cells := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		if len(cells) != 3 || cells[2] == "" {
			t.Fatalf("not mode, case and reason: %q", line)
		}
		known[cells[0]+" "+cells[1]] = true
	}
	return known
}

// The official suite: in the version of Step Functions the cases that apply to it, and all of it with
// everything switched on.
func TestSuite(t *testing.T) {
	dir := testkit.Dir(t, "jsonata")
	cases, index := loadCases(t, dir)
	known := readDisagreements(t)
	modes := []struct {
		name    string
		options Options
		applies func(indexEntry) bool
		atLeast float64
	}{
		{"2.0.6", StepFunctions(), func(e indexEntry) bool { return e.Relevant }, 0.995},
		{"2.2", Options{Extended: true, Eval: true}, func(indexEntry) bool { return true }, 0.98},
	}
	for _, mode := range modes {
		passed, total := 0, 0
		for _, entry := range index {
			if !mode.applies(entry) {
				continue
			}
			c, ok := cases[entry.ID]
			if !ok {
				t.Fatalf("the case %s is in the index only", entry.ID)
			}
			total++
			wrong := c.run(dir, mode.options)
			if wrong == "" {
				passed++
			}
			switch listed := known[mode.name+" "+entry.ID]; {
			case wrong != "" && !listed:
				t.Errorf("%s %s: %s\n\t%.300s", mode.name, entry.ID, wrong, c.Expr)
			case wrong == "" && listed:
				t.Errorf("%s %s passes; take it off the list of disagreements", mode.name, entry.ID)
			}
		}
		t.Logf("JSONata %s: %d of %d cases", mode.name, passed, total)
		if float64(passed) < mode.atLeast*float64(total) {
			t.Errorf("JSONata %s: %d of %d cases, want %.1f %%", mode.name, passed, total, 100*mode.atLeast)
		}
	}
}
