// Defines the colours of the screen's styles. It has its own renderer, so that
// nothing depends on Lip Gloss's global one, and no style has a meaning that the text does not
// have too.

package canvas

import (
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// The styles of the screen.
const (
	Plain Style = iota
	Dim         // minor text
	Strong
	Title
	Border
	BorderFocus
	Key    // a member's name
	Text   // a string
	Number // a number
	Word   // true, false, null
	Added
	Removed
	AddedPart // the changed part within a line
	RemovedPart
	Changed
	Good
	Bad
	Warn
	Current // the state or the stage that the run is at
	Bar     // the status line
	BarGood
	BarBad
	BarWarn
	BarInfo
	Hint // the keys' help
	HintKey
	Task      // the name of a Task state
	Choice    // of a Choice state
	Container // of a Parallel or Map state
	Way       // the way of a value, and nothing else
	styleCount
)

// Options choose a theme.
type Options struct {
	// Light is for light backgrounds.
	Light bool
	// NoColor leaves out every colour; bold and reverse video stay.
	NoColor bool
	// Colors replace the palette's; a Color that is empty leaves it.
	Colors map[Style]Colors
	// Profile bounds the colours; the zero Profile is true colour.
	Profile termenv.Profile
}

// Theme has the escape sequences of every style.
type Theme struct{ codes [256]styleCodes }

type styleCodes struct{ before, after string }

// NewTheme returns the theme that the options ask for.
func NewTheme(o Options) *Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(o.Profile)
	t, roles := &Theme{}, palette()
	for style := range styleCount {
		if o.NoColor || o.Profile == termenv.Ascii {
			t.codes[style] = attributes(style, false)
			t.codes[style|Reverse] = attributes(style, true)
			continue
		}
		t.codes[style] = codesOf(roles[style].style(renderer, roles[style].colors(style, o)))
		// The selection has one background, whatever it is on.
		t.codes[style|Reverse] = codesOf(renderer.NewStyle().Bold(roles[style].bold).Reverse(true))
	}
	return t
}

// Sequences returns the sequences before and after cells of the style.
func (t *Theme) Sequences(style Style) (before, after string) {
	l := &t.codes[style]
	return l.before, l.after
}

// codesOf takes the escape sequences out of a rendered sample.
func codesOf(s lipgloss.Style) styleCodes {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return styleCodes{before, after}
}

// attributes returns the escape sequences without colours. They are written here, because Lip Gloss without colours
// leaves out bold and reverse video as well, and the selection needs the latter.
func attributes(style Style, reverse bool) styleCodes {
	var codes []string
	switch style {
	case Strong, Container, Title, Current, BorderFocus, AddedPart, RemovedPart, Bad, HintKey, Way:
		codes = append(codes, "1")
	case Dim, Border:
		codes = append(codes, "2")
	case Bar, BarGood, BarBad, BarWarn, BarInfo:
		codes = append(codes, "7")
		reverse = false
	default:
	}
	if reverse {
		codes = append(codes, "7")
	}
	if len(codes) == 0 {
		return styleCodes{}
	}
	return styleCodes{"\x1b[" + strings.Join(codes, ";") + "m", "\x1b[0m"}
}

// colors returns the colours of a style: the options', else the palette's as the terminal shows them.
func (r *role) colors(style Style, o Options) Colors {
	colors, given := r.dark, o.Colors[style]
	if o.Light {
		colors = r.light
	}
	colors = colors.shown(style, o.Light, o.Profile)
	if given.Text != "" {
		colors.Text = given.Text
	}
	if given.Background != "" {
		colors.Background = given.Background
	}
	return colors
}

func (r *role) style(renderer *lipgloss.Renderer, colors Colors) lipgloss.Style {
	s := renderer.NewStyle()
	if r.bold {
		s = s.Bold(true)
	}
	if colors.Text != "" {
		s = s.Foreground(lipgloss.Color(colors.Text))
	}
	if colors.Background != "" {
		s = s.Background(lipgloss.Color(colors.Background))
	}
	return s
}

// Color is "#rrggbb", the number of one of the terminal's 256 colours, or empty: the terminal's own.
type Color string

// Valid reports whether the text is a colour.
func (c Color) Valid() bool {
	if len(c) == 7 && c[0] == '#' {
		_, err := strconv.ParseUint(string(c[1:]), 16, 32)
		return err == nil
	}
	_, err := strconv.ParseUint(string(c), 10, 8)
	return err == nil
}

// Colors are the colours of one role.
type Colors struct{ Text, Background Color }

// role is a row of the palette.
type role struct {
	name        string
	bold        bool
	light, dark Colors
}

// palette holds the colours of the styles: quiet colours of one family. Each is readable on its background, or on the
// background of a light or a dark terminal where it has none; a test measures that.
func palette() [styleCount]role {
	return [styleCount]role{
		Plain:       {name: "plain"},
		Dim:         {"dim", false, Colors{Text: "#5f6673"}, Colors{Text: "#8d95a3"}},
		Strong:      {name: "strong", bold: true},
		Title:       {"title", true, Colors{Text: "#1f4e79"}, Colors{Text: "#8fbce6"}},
		Border:      {"border", false, Colors{Text: "#636a77"}, Colors{Text: "#8b93a1"}},
		BorderFocus: {"border-focus", false, Colors{Text: "#1f6fb2"}, Colors{Text: "#6aa9e0"}},
		Key:         {"key", false, Colors{Text: "#1f5f8b"}, Colors{Text: "#8fb8de"}},
		Text:        {"text", false, Colors{Text: "#3f6b2a"}, Colors{Text: "#a9c68b"}},
		Number:      {"number", false, Colors{Text: "#8a4b08"}, Colors{Text: "#dcae7b"}},
		Word:        {"word", false, Colors{Text: "#0b6670"}, Colors{Text: "#86cbd3"}},
		Added:       {"added", false, Colors{Text: "#1c6b34"}, Colors{Text: "#8fd19e"}},
		Removed:     {"removed", false, Colors{Text: "#a1282b"}, Colors{Text: "#e79a9c"}},
		AddedPart:   {"added-part", true, Colors{"#0d4f23", "#c9ecd0"}, Colors{"#d6f5dc", "#255c34"}},
		RemovedPart: {"removed-part", true, Colors{"#7d1518", "#f6cfd0"}, Colors{"#fbdcdd", "#6e2b2e"}},
		Changed:     {"changed", false, Colors{Text: "#805300"}, Colors{Text: "#e3c078"}},
		Good:        {"good", false, Colors{Text: "#1c6b34"}, Colors{Text: "#8fd19e"}},
		Bad:         {"bad", true, Colors{Text: "#a1282b"}, Colors{Text: "#ee8f92"}},
		Warn:        {"warn", false, Colors{Text: "#805300"}, Colors{Text: "#e3c078"}},
		Current:     {"current", true, Colors{Text: "#0b3d66"}, Colors{Text: "#cfe6ff"}},
		Bar:         {"bar", false, Colors{"#1f2430", "#dfe3ea"}, Colors{"#d7dce5", "#2b303b"}},
		BarGood:     {"bar-good", true, Colors{"#ffffff", "#1c6b34"}, Colors{"#12251a", "#8fd19e"}},
		BarBad:      {"bar-bad", true, Colors{"#ffffff", "#a1282b"}, Colors{"#2b1011", "#ee8f92"}},
		BarWarn:     {"bar-warn", true, Colors{"#ffffff", "#805300"}, Colors{"#2a2109", "#e3c078"}},
		BarInfo:     {"bar-info", true, Colors{"#ffffff", "#1f5f8b"}, Colors{"#0f2233", "#8fbce6"}},
		Hint:        {"hint", false, Colors{Text: "#5f6673"}, Colors{Text: "#8d95a3"}},
		HintKey:     {"hint-key", true, Colors{Text: "#1f4e79"}, Colors{Text: "#b6d4f0"}},
		Task:        {"task", false, Colors{Text: "#1f5f8b"}, Colors{Text: "#9cc4ee"}},
		Choice:      {"choice", false, Colors{Text: "#0b6660"}, Colors{Text: "#74d0c6"}},
		Container:   {name: "container", bold: true},
		Way:         {"way", true, Colors{Text: "#8a2bb8"}, Colors{Text: "#d79bff"}},
	}
}

// Roles yields the names under which a configuration can give colours, in the order of the palette.
func Roles() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, r := range palette() {
			if !yield(r.name) {
				return
			}
		}
	}
}

// RoleNamed returns the style that has the name; ok is false where none has.
func RoleNamed(name string) (style Style, ok bool) {
	i := slices.Index(slices.Collect(Roles()), name)
	return Style(max(i, 0)), i >= 0
}
