package widget

import "testing"

func TestUndoAndRedo(t *testing.T) {
	var e Editor
	want := func(text string) {
		t.Helper()
		if got := e.Value(); got != text {
			t.Fatalf("the text is %q, want %q", got, text)
		}
	}
	if e.Undo() || e.Redo() {
		t.Error("nothing has been done yet")
	}
	e.Set("{\n}")
	e.Key("right")
	for _, r := range "abc" {
		e.Insert(string(r))
	}
	want("{abc\n}")
	e.Key("backspace")
	e.Insert("\n\"pasted\"\n")
	want("{ab\n\"pasted\"\n\n}")
	for _, text := range []string{"{ab\n}", "{abc\n}", "{\n}", ""} { // typed text is undone as a whole
		if !e.Key("ctrl+z") {
			t.Fatal("nothing to undo")
		}
		want(text)
	}
	if e.Key("ctrl+z") {
		t.Error("there is nothing more to undo")
	}
	e.Redo()
	e.Redo()
	want("{abc\n}")
	version := e.Version()
	e.Insert("x")
	if e.Redo() || e.Version() == version {
		t.Error("another change ends what can be redone")
	}
	e.Undo()
	want("{abc\n}")
	for range 3 * maxUndo {
		e.Insert("\n")
		e.Insert("ab")
	}
	for e.Undo() {
	}
	if len(e.done) != 0 || e.Len() < 2 {
		t.Error("old changes are not forgotten")
	}
}

func TestReplaceIsUndoneAtOnce(t *testing.T) {
	var e Editor
	e.Set("a\nbcd")
	e.Key("ctrl+end")
	e.Key("left")
	if e.Before() != "a\nbc" || e.After(9) != "d\n" {
		t.Errorf("before the cursor: %q, after it: %q", e.Before(), e.After(9))
	}
	e.Replace(2, "xyz")
	if e.Value() != "a\nxyzd" || e.Before() != "a\nxyz" {
		t.Errorf("%q, %q", e.Value(), e.Before())
	}
	e.Undo()
	if e.Value() != "a\nbcd" {
		t.Errorf("undone: %q", e.Value())
	}
}
