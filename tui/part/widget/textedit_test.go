package widget

import (
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEditing(t *testing.T) {
	for _, test := range []struct {
		presses, want string // presses are separated by /; text other than a key is inserted. | is the cursor
	}{
		{"ab/left/c", "ac|b"},
		{"ab\n/cd/up/x", "abx|\ncd"},
		{"abc\n/d/up/right/x", "abx|c\nd"},
		{"ab\n/c/home/backspace", "ab|c"},
		{"ab\n/c/up/end/delete", "ab|c"},
		{"one two_2/ctrl+w", "one |"},
		{"one\r\ntwo\rthree", "one\ntwo\nthree|"},
		{"a\tb\x00\x1b", "a\tb|"},
		{"one/ctrl+u", "|"},
		{"one/home/right/ctrl+k", "o|"},
		{"one two/home/alt+f/x", "onex| two"},
		{"a\nb\nc/ctrl+home/x/ctrl+end/y", "xa\nb\ncy|"},
		{"backspace/delete/up/down/left", "|"},
		{"ab\n/cd/up/backspace", "a|\ncd"},
	} {
		var e Editor
		for press := range strings.SplitSeq(test.presses, "/") {
			if !e.Key(press) {
				e.Insert(press)
			}
		}
		row, col := e.Cursor()
		var lines []string
		for i := range e.Len() {
			line := string(e.Line(i))
			if i == row {
				line = string(e.Line(i)[:col]) + "|" + string(e.Line(i)[col:])
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "\n"); got != test.want {
			t.Errorf("%q gives %q, want %q", test.presses, got, test.want)
		}
	}
}

// Whatever the keys, the cursor stays in the text.
func TestAnyKeys(t *testing.T) {
	names := []string{
		"left", "right", "up", "down", "home", "end", "alt+b", "alt+f", "ctrl+home", "ctrl+end", "backspace", "delete", "ctrl+u", "ctrl+k", "ctrl+w", "alt+d", "?",
	}
	rapid.Check(t, func(t *rapid.T) {
		var e Editor
		for range rapid.IntRange(1, 60).Draw(t, "keys") {
			if rapid.Bool().Draw(t, "type") {
				e.Insert(rapid.SampledFrom([]string{"a", "é ", "x\ny", "\n", "word _1", ""}).Draw(t, "text"))
			} else {
				e.Key(rapid.SampledFrom(names).Draw(t, "key"))
			}
			row, col := e.Cursor()
			if row < 0 || row >= e.Len() || col < 0 || col > len(e.Line(row)) {
				t.Fatalf("the cursor is at %d, %d of %q", row, col, e.Value())
			}
			if got := strings.Count(e.Value(), "\n") + 1; got != e.Len() {
				t.Fatalf("%d lines, and the text has %d", e.Len(), got)
			}
		}
	})
}

// A document on one line arrives in small pieces where the terminal sends no brackets around a paste.
func TestALongLine(t *testing.T) {
	var e Editor
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1000 {
		e.Insert(strings.Repeat("x", 256))
	}
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 1<<30 { // one copy of the line for each piece is 512 MB
		t.Errorf("256 kB in a thousand pieces allocated %d bytes", made)
	}
	if n := len(e.Value()); n != 256_000 {
		t.Errorf("the text has %d bytes", n)
	}
}
