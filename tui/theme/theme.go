// Package theme says what the styles of the screen look like. It has its own renderer, so that
// nothing hangs on Lip Gloss's global one, and no style carries a meaning that the text does not
// carry too.
package theme

import (
	"io"
	"strings"

	"asldb.dev/asldb/tui/canvas"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// The styles of the screen.
const (
	Plain canvas.Style = iota
	Dim                // what can be overlooked
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
	Current // the state or the stage that the run stands at
	Bar     // the status line
	BarGood
	BarBad
	BarWarn
	BarInfo
	Hint // the keys' help
	HintKey
	styleCount
)

// Options choose a theme.
type Options struct {
	// Light is for light backgrounds.
	Light bool
	// NoColor leaves out every colour; bold and reverse video stay.
	NoColor bool
	// Profile bounds the colours; the zero Profile is true colour.
	Profile termenv.Profile
}

// Theme is a look for every style.
type Theme struct{ looks [256]look }

type look struct{ before, after string }

// New returns the theme that the options ask for.
func New(o Options) *Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(o.Profile)
	renderer.SetHasDarkBackground(!o.Light)
	t := &Theme{}
	for style := range styleCount {
		if o.NoColor || o.Profile == termenv.Ascii {
			t.looks[style] = attributes(style, false)
			t.looks[style|canvas.Reverse] = attributes(style, true)
			continue
		}
		s := styleOf(renderer, style)
		t.looks[style] = lookOf(s)
		t.looks[style|canvas.Reverse] = lookOf(s.Reverse(true))
	}
	return t
}

// Look returns what to write before and after cells of the style.
func (t *Theme) Look(style canvas.Style) (before, after string) {
	l := &t.looks[style]
	return l.before, l.after
}

// lookOf takes the escape sequences out of a rendered sample.
func lookOf(s lipgloss.Style) look {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return look{before, after}
}

// attributes is the look without colours. It is written by hand, because Lip Gloss without colours
// leaves out bold and reverse video as well, and the selection lives on the latter.
func attributes(style canvas.Style, reverse bool) look {
	var codes []string
	switch style {
	case Strong, Title, Current, BorderFocus, AddedPart, RemovedPart, Bad, HintKey:
		codes = append(codes, "1")
	case Dim, Border:
		codes = append(codes, "2")
	case Bar, BarGood, BarBad, BarWarn, BarInfo:
		codes = append(codes, "7")
		reverse = false
	}
	if reverse {
		codes = append(codes, "7")
	}
	if len(codes) == 0 {
		return look{}
	}
	return look{"\x1b[" + strings.Join(codes, ";") + "m", "\x1b[0m"}
}

// styleOf is the palette: quiet colours of one family, readable on both backgrounds.
func styleOf(r *lipgloss.Renderer, style canvas.Style) lipgloss.Style {
	s := r.NewStyle()
	color := func(light, dark string) lipgloss.AdaptiveColor {
		return lipgloss.AdaptiveColor{Light: light, Dark: dark}
	}
	bar := color("#dfe3ea", "#2b303b")
	switch style {
	case Dim:
		return s.Foreground(color("#6b7280", "#7f8794"))
	case Strong:
		return s.Bold(true)
	case Title:
		return s.Bold(true).Foreground(color("#1f4e79", "#8fbce6"))
	case Border:
		return s.Foreground(color("#a3aab5", "#4b5261"))
	case BorderFocus:
		return s.Foreground(color("#1f6fb2", "#6aa9e0"))
	case Key:
		return s.Foreground(color("#1f5f8b", "#8fb8de"))
	case Text:
		return s.Foreground(color("#3f6b2a", "#a9c68b"))
	case Number:
		return s.Foreground(color("#8a4b08", "#dcae7b"))
	case Word:
		return s.Foreground(color("#7a3e9d", "#c39be0"))
	case Added:
		return s.Foreground(color("#1c6b34", "#8fd19e"))
	case Removed:
		return s.Foreground(color("#a1282b", "#e79a9c"))
	case AddedPart:
		return s.Bold(true).Foreground(color("#0d4f23", "#d6f5dc")).Background(color("#c9ecd0", "#255c34"))
	case RemovedPart:
		return s.Bold(true).Foreground(color("#7d1518", "#fbdcdd")).Background(color("#f6cfd0", "#6e2b2e"))
	case Changed, Warn:
		return s.Foreground(color("#8a5a00", "#e3c078"))
	case Good:
		return s.Foreground(color("#1c6b34", "#8fd19e"))
	case Bad:
		return s.Bold(true).Foreground(color("#a1282b", "#ee8f92"))
	case Current:
		return s.Bold(true).Foreground(color("#0b3d66", "#cfe6ff"))
	case Bar:
		return s.Background(bar)
	case BarGood:
		return s.Bold(true).Foreground(color("#ffffff", "#12251a")).Background(color("#1c6b34", "#8fd19e"))
	case BarBad:
		return s.Bold(true).Foreground(color("#ffffff", "#2b1011")).Background(color("#a1282b", "#ee8f92"))
	case BarWarn:
		return s.Bold(true).Foreground(color("#ffffff", "#2a2109")).Background(color("#8a5a00", "#e3c078"))
	case BarInfo:
		return s.Bold(true).Foreground(color("#ffffff", "#0f2233")).Background(color("#1f5f8b", "#8fbce6"))
	case Hint:
		return s.Foreground(color("#6b7280", "#7f8794"))
	case HintKey:
		return s.Bold(true).Foreground(color("#1f4e79", "#b6d4f0"))
	}
	return s
}
