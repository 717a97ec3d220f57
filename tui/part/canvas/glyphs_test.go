package canvas_test

import (
	"reflect"
	"strings"
	"testing"

	"asldb/tui/part/canvas"
)

// A sign means one thing: the signs of a set differ, but for the line that ASCII draws with a minus.
func TestGlyphsDiffer(t *testing.T) {
	for name, glyphs := range map[string]*canvas.Glyphs{"Unicode": canvas.Unicode(), "ASCII": canvas.ASCII()} {
		seen := map[string]string{}
		fields := reflect.ValueOf(*glyphs)
		for i := range fields.NumField() {
			field := fields.Type().Field(i).Name
			if field == "Box" || field == "HeavyBox" || (name == "ASCII" && field == "Dash") {
				continue
			}
			sign := fields.Field(i).String()
			if other, taken := seen[sign]; taken && field != "Catches" { // a caught state, and the way that its error went
				t.Errorf("%s: %q is both %s and %s", name, sign, other, field)
			}
			seen[sign] = field
			if w := canvas.Width(sign); w != 1 && (w != 2 || (field != "To" && field != "Catches" && field != "Ellipsis")) {
				t.Errorf("%s: %s takes %d cells", name, field, w)
			}
		}
		for _, box := range []canvas.Box{glyphs.Box, glyphs.HeavyBox} {
			for _, side := range []string{box.Horizontal, box.Vertical} {
				if field, taken := seen[side]; taken && (name != "ASCII" || field != "Removed") && field != "Dash" {
					t.Errorf("%s: %q is both a frame and %s", name, side, field)
				}
			}
		}
	}
}

func TestBarsDiffer(t *testing.T) {
	for name, glyphs := range map[string]*canvas.Glyphs{"Unicode": canvas.Unicode(), "ASCII": canvas.ASCII()} {
		seen := map[string]string{}
		bars := reflect.ValueOf(glyphs.Bars())
		for i := range bars.NumField() {
			field, sign := bars.Type().Field(i).Name, bars.Field(i).String()
			if other, taken := seen[sign]; taken || canvas.Width(sign) != 1 {
				t.Errorf("%s: %q is %s and %s", name, sign, field, other)
			}
			seen[sign] = field
			if name == "ASCII" && (sign[0] < ' ' || sign[0] > '~') {
				t.Errorf("%s is %q", field, sign)
			}
		}
	}
}

// The pointer is before lines of JSON, and isn't a character of JSON.
func TestThePointerIsNoJSON(t *testing.T) {
	for _, glyphs := range []*canvas.Glyphs{canvas.Unicode(), canvas.ASCII()} {
		if strings.Contains(`{}[]",:-+.0123456789`, glyphs.Pointer) {
			t.Errorf("the pointer is %q", glyphs.Pointer)
		}
	}
}
