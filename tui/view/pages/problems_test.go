package pages_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/tui/program"
	"asldb/tui/tuitest"
	"asldb/tui/view/pages"
)

const broken = `{
  "StartAt": "First",
  "States": {
    "Fist": {"Type": "Pass", "Next": "Second"},
    "Second": {"Type": "Pass",
      "Nxt": "Third", "Comment": 7},
    "Third": {"Type": "Succeed"}
  }
}
`

// faulty reads a definition that has errors; nil where it has none.
func faulty(t *testing.T, text string) *pages.Faulty {
	t.Helper()
	file := &source.File{Name: "orders/order.asl.json", Data: []byte(text)}
	root, malformed := source.Read(file, nil)
	if malformed != nil {
		return &pages.Faulty{File: file, Problems: source.Own(file, []source.Diagnostic{*malformed})}
	}
	definition, list := asl.ParseTree(file, root)
	if definition != nil {
		return nil
	}
	definition, _ = asl.Examine(file, root, rules.AWS)
	return &pages.Faulty{File: file, Definition: definition, Problems: list}
}

type problemsScreen struct {
	*sheetScreen
	text  string // of the file now
	fault error  // of the next reading
}

func openProblems(t *testing.T, text string, w, h int, o program.Options) *problemsScreen {
	s := &problemsScreen{text: text}
	page := pages.NewProblems(faulty(t, text), func() (*pages.Faulty, error) {
		if s.fault != nil {
			return nil, s.fault
		}
		return faulty(t, s.text), nil
	}, nil)
	s.sheetScreen = onPage(t, page, w, h, o)
	return s
}

// n and N go from problem to problem, also between two on one line; each is shown with its place, its kind and its suggestion.
func TestProblems(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		s := openProblems(t, broken, size.w, size.h, program.Options{NoColor: true})
		s.Sees("order.asl.json", "3 errors: it cannot run", "1 of 3 problems, line 2, column 14", `there is no state "First"`, `did you mean "Fist"?`, "[start-at-not-found]", "n next", "e edit", "r read again")
		s.Press("n").Sees("2 of 3 problems, line 6", `no field "Nxt"`, `did you mean "Next"?`).Press("n").Sees("3 of 3 problems, line 6", `"Comment"`)
		s.Press("n").Sees("1 of 3").Press("N").Sees("3 of 3").Press("home", "down", "pgdown", "right", "left", "?").Sees("Keys", "the next problem").Press("x")
	}
	s := openProblems(t, broken, 40, 10, program.Options{ASCII: true})
	if text := s.Sees("StartAt", "1 of 3, 2:14").Sheet.Text(); strings.IndexFunc(text, func(r rune) bool { return r > 126 }) >= 0 {
		t.Errorf("signs beyond ASCII:\n%s", text)
	}
}

// A click goes to a line and to its problem, and presses the hints; the wheel scrolls.
func TestProblemsMouse(t *testing.T) {
	s := openProblems(t, broken, 100, 24, program.Options{NoColor: true})
	s.Mouse(`"Nxt": "Third"`, 0).Sees("2 of 3 problems, line 6").Mouse("next", 0).Sees("3 of 3").Mouse("next", 0).Sees("1 of 3")
	s.Mouse(`"Third": {`, 0).Sees("1 of 3").Mouse("StartAt", 30).Mouse("StartAt", -30)
	s.Sees("order.asl.json", "1 of 3").Mouse("quit", 0)
	if over, err := s.Sheet.Over(); !over || !errors.Is(err, pages.ErrLeft) {
		t.Error(over, err)
	}
}

// The file is read again: what is left is shown from there on, and without errors the screen ends.
func TestReadingAgain(t *testing.T) {
	s := openProblems(t, broken, 80, 24, program.Options{})
	s.Press("n")
	s.text = strings.Replace(broken, "Nxt", "Next", 1)
	s.Press("f4").Sees("2 errors", "2 of 2 problems, line 6", `"Comment"`)
	s.text = strings.Replace(s.text, `, "Comment": 7`, "", 1)
	s.Press("f4").Sees("1 error:", "1 of 1 problem, line 2")
	s.fault = errors.New("the file is gone")
	s.Press("f4").Sees("the file is gone", "1 error:")
	s.fault, s.text = nil, `{"StartAt": `
	s.Press("f4").Sees("1 error:", "malformed-json")
	s.text = strings.Replace(strings.Replace(broken, "First", "Fist", 1), `"Nxt": "Third", "Comment": 7`, `"Next": "Third"`, 1)
	s.Press("f4")
	if over, err := s.Sheet.Over(); !over || err != nil {
		t.Error(over, err)
	}
}

// A change of the file is enough.
func TestAChange(t *testing.T) {
	changes, text := 0, broken
	page := pages.NewProblems(faulty(t, broken), func() (*pages.Faulty, error) { return faulty(t, text), nil }, func(_ context.Context, files []string) error {
		if changes++; changes > 2 || len(files) != 1 || files[0] != "orders/order.asl.json" {
			return errors.New("no more")
		}
		text = strings.Replace(text, []string{"Nxt", "First"}[changes-1], []string{"Next", "Fist"}[changes-1], 1)
		return nil
	})
	s := onPage(t, page, 80, 24, program.Options{})
	s.Sees("1 error:", `"Comment"`)
	if changes != 3 {
		t.Errorf("%d waits", changes)
	}
}

// A problem in another file shows that file.
func TestAnotherFile(t *testing.T) {
	f := faulty(t, broken)
	included := &source.File{Name: "parts/retry.json", Data: []byte("{\n\"a\": 1}\n")}
	f.Problems = append(f.Problems, source.Diagnostic{Severity: source.Error, File: included, Rule: "wrong-type", Message: "a is wrong", Span: source.Span{Start: source.Position{Offset: 3, Line: 2, Col: 1}, End: source.Position{Offset: 6, Line: 2, Col: 4}}})
	s := onPage(t, pages.NewProblems(f, nil, nil), 80, 24, program.Options{})
	s.Press("N").Sees("retry.json", `"a": 1`, "a is wrong", "4 of 4").Press("n").Sees("order.asl.json", "1 of 4")
}

func TestLeaving(t *testing.T) {
	for _, key := range []string{"q", "esc"} {
		s := openProblems(t, broken, 80, 24, program.Options{}).Press("e").Sees("an editor needs a terminal").Press(key)
		if over, err := s.Sheet.Over(); !over || !errors.Is(err, pages.ErrLeft) {
			t.Errorf("%s: %v, %v", key, over, err)
		}
	}
	s := onPage(t, pages.NewProblems(&pages.Faulty{File: &source.File{Name: "x"}}, nil, nil), 80, 24, program.Options{})
	s.Press("n").Sees("0 errors")
}

func TestProblemsRandomKeys(t *testing.T) {
	tuitest.RandomKeys(t, func() tea.Model {
		read := func() (*pages.Faulty, error) { return faulty(t, broken), nil }
		return program.NewSheet(pages.NewProblems(faulty(t, broken), read, nil), program.Options{})
	})
}
