package canvas_test

import (
	"reflect"
	"testing"

	"asldb/internal/testkit"
	"asldb/tui/part/canvas"
)

// TestFontsHaveTheSigns: every sign is in the fonts that were measured and takes one cell.
func TestFontsHaveTheSigns(t *testing.T) {
	for name, glyphs := range map[string]*canvas.Glyphs{"Unicode": canvas.Unicode(), "ASCII": canvas.ASCII()} {
		left, right := glyphs.More()
		checkFonts(t, name+" More", left+right)
		checkStrings(t, name, reflect.ValueOf(*glyphs))
		checkStrings(t, name+" Bars", reflect.ValueOf(glyphs.Bars()))
	}
	for _, missing := range "∥✗↻↷⇢∗⚠◷" {
		if _, ok := testkit.FontsOf(missing); ok {
			t.Errorf("%q is not in every font", missing)
		}
	}
}

func checkStrings(t *testing.T, name string, fields reflect.Value) {
	for i := range fields.NumField() {
		if f := fields.Field(i); f.Kind() == reflect.Struct {
			checkStrings(t, name+" "+fields.Type().Field(i).Name, f)
		} else {
			checkFonts(t, name+" "+fields.Type().Field(i).Name, f.String())
		}
	}
}

func checkFonts(t *testing.T, name, signs string) {
	t.Helper()
	for _, r := range signs {
		fonts, ok := testkit.FontsOf(r)
		if !ok || !fonts.JetBrains || !fonts.Cascadia || !fonts.DejaVu {
			t.Errorf("%s: %q (%U) is not in every font: %+v, known: %v", name, r, r, fonts, ok)
		}
		if w := canvas.Width(string(r)); w != 1 {
			t.Errorf("%s: %q takes %d cells", name, r, w)
		}
	}
}

// TestFontsOfText: letters of ASCII are everywhere, other text is not in the table.
func TestFontsOfText(t *testing.T) {
	if fonts, ok := testkit.FontsOf('a'); !ok || !fonts.WGL4 {
		t.Error("a letter of ASCII is in no font")
	}
	if _, ok := testkit.FontsOf('語'); ok {
		t.Error("a character of text is a sign")
	}
}
