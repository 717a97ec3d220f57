package canvas

import (
	"math"
	"strconv"
	"testing"

	"github.com/muesli/termenv"
)

// luminance is the relative luminance of a colour, as WCAG 2 defines it.
func luminance(t *testing.T, c Color) float64 {
	t.Helper()
	rgb, err := strconv.ParseUint(string(c[1:]), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	channel := func(v uint64) float64 {
		x := float64(v&0xff) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(rgb>>16) + 0.7152*channel(rgb>>8) + 0.0722*channel(rgb)
}

func contrast(t *testing.T, a, b Color) float64 {
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// enough is the contrast that WCAG 2 asks of text (level AA).
const enough = 4.5

// TestContrast: every role is readable on its own background, or on those that terminals commonly have.
func TestContrast(t *testing.T) {
	if got := contrast(t, "#000000", "#ffffff"); math.Abs(got-21) > 0.001 {
		t.Fatalf("black on white has a contrast of %v, want 21", got)
	}
	for _, r := range palette() {
		for name, v := range map[string]struct {
			colors      Colors
			backgrounds []Color
		}{
			"light": {r.light, []Color{"#ffffff", "#fafafa", "#f5f5f5"}},
			"dark":  {r.dark, []Color{"#000000", "#1e1e1e", "#282c34"}},
		} {
			if v.colors.Text == "" {
				continue // the terminal's own
			}
			backgrounds := v.backgrounds
			if v.colors.Background != "" {
				backgrounds = []Color{v.colors.Background}
			}
			for _, background := range backgrounds {
				if got := contrast(t, v.colors.Text, background); got < enough {
					t.Errorf("%s, %s: %s on %s has a contrast of %.2f, want at least %v", r.name, name, v.colors.Text, background, got, enough)
				}
			}
		}
	}
}

// TestContrastWithFewerColours measures the colours on terminals with 256 and with 16, which have xterm's values: text needs the
// contrast of WCAG 2's level AA, lines need 3. On 16 colours the backgrounds are white and black.
func TestContrastWithFewerColours(t *testing.T) {
	rgb := func(c Color) Color {
		n, err := strconv.Atoi(string(c))
		if err != nil || n < 0 || n > 255 {
			t.Fatalf("%q is not the number of a colour", c)
		}
		return Color(termenv.ConvertToRGB(termenv.ANSI256Color(n)).Hex())
	}
	for _, test := range []struct {
		name        string
		profile     termenv.Profile
		light, dark []Color
	}{
		{"256 colours", termenv.ANSI256, []Color{"#ffffff", "#fafafa"}, []Color{"#000000", "#1e1e1e"}},
		{"16 colours", termenv.ANSI, []Color{"#ffffff"}, []Color{"#000000"}},
	} {
		for i, r := range palette() {
			style := Style(i)
			for _, light := range []bool{true, false} {
				colors, backgrounds, least := r.colors(style, Options{Light: light, Profile: test.profile}), test.dark, enough
				if light {
					backgrounds = test.light
				}
				if colors.Text == "" && r.dark.Text == "" {
					continue
				}
				if colors.Background != "" {
					backgrounds = []Color{rgb(colors.Background)}
				}
				if style == Border || style == BorderFocus {
					least = 3
				}
				for _, background := range backgrounds {
					if got := contrast(t, rgb(colors.Text), background); got < least {
						t.Errorf("%s, %s, light %v: %s on %s has a contrast of %.2f, want at least %v", test.name, r.name, light, rgb(colors.Text), background, got, least)
					}
				}
				if before, _ := NewTheme(Options{Light: light, Profile: test.profile}).Sequences(style); before == "" {
					t.Errorf("%s: %s has no look", test.name, r.name)
				}
			}
		}
	}
}

func TestEveryRoleHasANameOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for style, r := range palette() {
		if r.name == "" || seen[r.name] {
			t.Errorf("style %d is called %q", style, r.name)
		}
		seen[r.name] = true
	}
}

func TestColorsCanBeReplaced(t *testing.T) {
	before, _ := NewTheme(Options{Colors: map[Style]Colors{Added: {Text: "#010203"}}}).Sequences(Added)
	if want := "\x1b[38;2;1;2;3m"; before != want {
		t.Errorf("the colour begins with %q, want %q", before, want)
	}
	for color, want := range map[Color]bool{"#12ab9F": true, "0": true, "255": true, "256": false, "#12345": false, "red": false, "": false, "#gggggg": false} {
		if color.Valid() != want {
			t.Errorf("%q: valid is %v", color, !want)
		}
	}
}
