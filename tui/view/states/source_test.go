package states

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/listing"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

const text = "\ufeff{\r\n\t\"StartAt\": \"A\",\n\t\"States\": {\n\t\t\"A\": {\"Type\": \"Pass\", \"ResultPath\": \"$.a\", \"Next\": \"B\"},\n\t\t\"B\": {\"Type\": \"Succeed\"}\n\t}\n}\n"

// screen is the screen around the view.
type screen struct {
	textScreen
	open   view.View
	said   string
	copied string
	opened string
}

func (s *screen) Keys() *keys.Map              { return keys.Default() }
func (s *screen) Say(_ canvas.Style, t string) { s.said = t }
func (s *screen) Open(d view.View)             { s.open = d }
func (s *screen) OpenFile(name string, line, col int) {
	s.opened = name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
}
func (s *screen) Copy(t string) { s.copied = t }
func (s *screen) press(names ...string) *screen {
	for _, name := range names {
		k := keys.Press{Name: name, Action: s.Keys().Lookup(name)}
		if len(name) == 1 {
			k.Text = name
		}
		s.open.Handle(k)
	}
	return s
}

func (s *screen) frame(w, h int) string {
	c := canvas.New(w, h, canvas.ASCII())
	s.open.Draw(new(widget.Spots).Frame(c.Area(canvas.Rect{W: w, H: h}), true))
	return c.String()
}

func open(t *testing.T, field string) (*screen, *View) {
	t.Helper()
	file := &source.File{Name: "a.json", Data: []byte(text)}
	def, _ := asl.Parse(file)
	if def == nil {
		t.Fatal("the definition does not parse")
	}
	problem := source.Diagnostic{Rule: "a-rule", Message: "something is lost", Suggestion: "Do otherwise."}
	problem.Span.Start = source.Position{Line: 4, Col: 30}
	s := &screen{}
	v := NewText(s, file.Name, listing.New(file, def), listing.Marks{State: def.Lookup("A"), Field: field, Problems: []source.Diagnostic{problem}, Now: -1})
	s.open = v
	return s, v
}

// TestMark: the field of the state is in view and named, with the warning of its line.
func TestMark(t *testing.T) {
	s, v := open(t, "ResultPath")
	for _, size := range [][2]int{{80, 20}, {40, 9}} {
		frame := s.frame(size[0], size[1])
		for _, want := range []string{"a.json: A/ResultPath", "something is lost"} {
			if !strings.Contains(frame, want) {
				t.Errorf("%q is not on the screen:\n%s", want, frame)
			}
		}
	}
	if v.Cursor() != 3 {
		t.Errorf("the cursor is on line %d", v.Cursor()+1)
	}
	_, v = open(t, "")
	if v.Cursor() != 3 {
		t.Errorf("without a field the cursor is on line %d", v.Cursor()+1)
	}
}

func TestKeys(t *testing.T) {
	s, v := open(t, "ResultPath")
	s.frame(40, 12)
	s.press("home", "right", "left", "down", "down")
	if s.press("y"); v.Cursor() != 2 || s.copied != `"States": {` {
		t.Errorf("line %d, copied %q", v.Cursor()+1, s.copied)
	}
	if s.press("e"); s.opened != "a.json:3:2" {
		t.Errorf("e opens %q", s.opened)
	}
	if s.press("w"); v.Cursor() != 3 {
		t.Errorf("w goes to line %d", v.Cursor()+1)
	}
	s.press("n")
	if !strings.Contains(s.said, "finds a text first") {
		t.Errorf("said: %q", s.said)
	}
	s.press("/")
	if frame := s.frame(60, 12); !strings.Contains(frame, "Find") {
		t.Errorf("no line for the text:\n%s", frame)
	}
	s.press("s", "u", "c", "c", "enter")
	if s.open != v || v.Cursor() != 4 {
		t.Errorf("found on line %d", v.Cursor()+1)
	}
	s.press("n", "N")
	if v.Cursor() != 4 {
		t.Errorf("found on line %d", v.Cursor()+1)
	}
	if s.press("/", "z", "z", "enter"); !strings.Contains(s.said, "is not in the text") {
		t.Errorf("said: %q", s.said)
	}
	s.press("esc")
	if s.open != nil {
		t.Error("esc does not close the view")
	}
	plain := NewText(s, "b.json", listing.New(&source.File{Name: "b.json", Data: []byte("x")}, nil), listing.Marks{})
	s.open = plain
	if s.press("w"); !strings.Contains(s.said, "no warnings") {
		t.Errorf("said: %q", s.said)
	}
}
