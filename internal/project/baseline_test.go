package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// problem is a warning in the state S at a line.
func problem(message string, line int) source.Diagnostic {
	return source.Diagnostic{
		Rule: "discarded-data", Severity: source.Warning, Message: message,
		Pointer: "/States/P/Branches/1/States/S/Parameters/x.$",
		Span:    source.Span{Start: source.Position{Line: line, Col: 1}},
	}
}

// wrong is problem as an error.
func wrong(rule string) source.Diagnostic { return source.Diagnostic{Rule: rule, Message: "wrong"} }

func machine(given, name string, problems ...source.Diagnostic) Machine {
	return Machine{Given: given, Name: name, Problems: problems, Whole: true}
}

// count returns how many problems of a machine are known.
func count(b *Baseline, m Machine) (n int) {
	for _, known := range b.Known(m) {
		if known {
			n++
		}
	}
	return n
}

func baselineTexts(entries []Entry) string {
	lines := value.Each(entries, Entry.String)
	return strings.Join(lines, "; ")
}

func newBaseline(t *testing.T, machines ...Machine) *Baseline {
	t.Helper()
	b, err := New("known.json")
	if err != nil {
		t.Fatal(err)
	}
	b.Update(machines)
	return b
}

// A problem is known at other lines, with other lines in its message, and in the same number; not in another state or
// machine.
func TestKnown(t *testing.T) {
	b := newBaseline(t, machine("a.json", "M", problem("used at line 4", 3), problem("used at line 4", 5),
		problem("other", 9)))
	moved := problem("used at line 40", 30)
	elsewhere := problem("other", 9)
	elsewhere.Pointer = "/States/S"
	for _, c := range []struct {
		name string
		m    Machine
		want int
	}{
		{"moved", machine("a.json", "M", moved, problem("other", 1)), 2},
		{"three times", machine("a.json", "M", moved, moved, moved), 2},
		{"in another state", machine("a.json", "M", elsewhere), 0},
		{"in another machine", machine("a.json", "N", moved), 0},
		{"in another file", machine("b.json", "M", moved), 0},
		{"of standard input", machine("<stdin>", "M", moved), 0},
	} {
		if got := count(b, c.m); got != c.want {
			t.Errorf("%s: %d are known, want %d", c.name, got, c.want)
		}
	}
}

// A definition that cannot be read is never known.
func TestEssential(t *testing.T) {
	m := machine("a.json", "", wrong(source.RuleMalformed))
	if b := newBaseline(t, m); b.Len() != 0 || count(b, m) != 0 {
		t.Errorf("%d problems are known", b.Len())
	}
}

func TestFixed(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a.json", "b.json", "t.yaml"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := problem("x", 1)
	known := []Machine{
		machine("a.json", "", x, x), machine("b.json", "", x), machine("gone.json", "", x), machine("<stdin>", "", x),
		machine("t.yaml", "M", x), machine("t.yaml", "N", x),
	}
	const gone = "gone.json, P/Branches[1]/S: x [discarded-data]"
	part := machine("t.yaml", "M")
	part.Whole = false
	for _, c := range []struct {
		name     string
		machines []Machine
		want     string
	}{
		{"nothing checked", nil, gone},
		{"one of two", []Machine{machine("a.json", "", x)}, "a.json, P/Branches[1]/S: x [discarded-data]; " + gone},
		{"both", []Machine{machine("a.json", "")}, "a.json, P/Branches[1]/S: x [discarded-data] (2 times); " + gone},
		{"a new error", []Machine{machine("a.json", "", wrong("unknown-field"))}, gone},
		{"unreadable", []Machine{machine("a.json", "", wrong(source.RuleMalformed))}, gone},
		{"one machine of a template", []Machine{part}, gone + "; t.yaml (M), P/Branches[1]/S: x [discarded-data]"},
		{"a template without a machine", []Machine{machine("t.yaml", "N", x)}, gone +
			"; t.yaml (M), P/Branches[1]/S: x [discarded-data]"},
		{"a template with a new error", []Machine{machine("t.yaml", "N", x, wrong("unknown-field")),
			machine("t.yaml", "M", x)}, gone},
	} {
		if got := baselineTexts(newBaseline(t, known...).Fixed(c.machines)); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestUpdate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("b.json", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x, y := problem("x", 1), problem("y", 1)
	b := newBaseline(t, machine("a.json", "", x, x), machine("b.json", "", x), machine("gone.json", "", x))
	if added, removed := b.Update([]Machine{machine("a.json", "", x, y)}); added != 1 || removed != 2 || b.Len() != 3 {
		t.Errorf("%d added, %d removed, %d known: want 1, 2, 3", added, removed, b.Len())
	}
	if added, removed := b.Update([]Machine{machine("b.json", "", wrong(source.RuleMalformed))}); added != 0 ||
		removed != 2 || b.Len() != 1 {
		t.Errorf("an unreadable file: %d added, %d removed, %d known: want 0, 2, 1", added, removed, b.Len())
	}
}

// The text of a baseline is read as the same one.
func TestText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "known.json")
	b, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	b.Update([]Machine{machine("a b.json", "M", problem("a \"quoted\"\u202e message", 1), problem("twice", 1),
		problem("twice", 2)), machine("<stdin>", "", problem("x", 1))})
	if err := os.WriteFile(name, b.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := LoadBaseline(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(read.Text()) != string(b.Text()) || read.Len() != 4 {
		t.Errorf("%s\nbecame\n%s", b.Text(), read.Text())
	}
}

func TestLoadErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                               "1:2: error: ",
		`[]`:                              "1:1: error: a baseline must be an object, but is an array",
		`{"verson":1}`:                    "1:2: error: a baseline has no key \"verson\"",
		`{"version": 2, "problems": []}`:  "1:1: error: a baseline must have \"version\": 1",
		`{"version": 1}`:                  "1:1: error: a baseline must have \"problems\", an array",
		`{"version": 1, "problems": [3]}`: "1:29: error: an entry of \"problems\" must be an object, but is a number",
		`{"version": 1, "problems": [{"rule": "r", "message": "m"}]}`:                         "1:29: error: an entry of \"problems\" must have the key \"file\"",
		`{"version": 1, "problems": [{"file": 1, "rule":"r", "message": "m"}]}`:               "1:38: error: \"file\" must be a string, but is a number",
		`{"version": 1, "problems": [{"file": "a", "rule":"r", "message": "m", "count": 0}]}`: "1:80: error: \"count\" must be a number from 1, but is 0",
	} {
		name := filepath.Join(t.TempDir(), "known.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := LoadBaseline(name)
		var found *BaselineError
		if !errors.As(err, &found) || !strings.Contains(err.Error(), "known.json:"+want) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
	if _, err := LoadBaseline("nofile.json"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
