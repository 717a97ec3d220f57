package canvas

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func TestEveryStyleClosesWhatItOpens(t *testing.T) {
	for name, o := range map[string]Options{
		"dark": {}, "light": {Light: true}, "no colour": {NoColor: true}, "256 colours": {Profile: termenv.ANSI256}, "16 colours": {Profile: termenv.ANSI},
	} {
		theme := NewTheme(o)
		for style := range styleCount {
			for _, s := range []Style{style, style | Reverse} {
				before, after := theme.Sequences(s)
				if (before == "") != (after == "") {
					t.Errorf("%s: style %d opens with %q and closes with %q", name, s, before, after)
				}
			}
		}
		if before, _ := theme.Sequences(Plain | Reverse); !strings.Contains(before, "7") {
			t.Errorf("%s: the selection is not in reverse video: %q", name, before)
		}
	}
}

// TestTheSelectionHasOneBackground: in reverse video no style has its own colour.
func TestTheSelectionHasOneBackground(t *testing.T) {
	theme := NewTheme(Options{})
	for style := range styleCount {
		if before, _ := theme.Sequences(style | Reverse); before != "\x1b[7m" && before != "\x1b[1;7m" {
			t.Errorf("style %d in reverse video is %q", style, before)
		}
	}
}

func TestNoColorHasNoColor(t *testing.T) {
	theme := NewTheme(Options{NoColor: true})
	for style := range styleCount {
		for _, s := range []Style{style, style | Reverse} {
			before, _ := theme.Sequences(s)
			for code := range strings.SplitSeq(strings.Trim(before, "\x1b[m"), ";") {
				if code != "" && code != "1" && code != "2" && code != "7" {
					t.Errorf("style %d has the code %s", s, code)
				}
			}
		}
	}
}

func TestDarkAndLightDiffer(t *testing.T) {
	dark, _ := NewTheme(Options{}).Sequences(Key)
	light, _ := NewTheme(Options{Light: true}).Sequences(Key)
	if dark == light {
		t.Errorf("a member's name looks the same on both backgrounds: %q", dark)
	}
}
