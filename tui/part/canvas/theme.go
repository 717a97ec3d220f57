// Defines the looks of the screen's styles. It has its own renderer, so that
// nothing hangs on Lip Gloss's global one, and no style carries a meaning that the text does not
// carry too.

package canvas

import (
	"io"
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
	Current // the state or the stage that the run stands at
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
	// Colors replace those of the palette; a Color that is empty leaves it.
	Colors map[Style]Colors
	// Profile bounds the colours; the zero Profile is true colour.
	Profile termenv.Profile
}

// Theme is a look for every style.
type Theme struct{ looks [256]styleCodes }

type styleCodes struct{ before, after string }

// NewTheme returns the theme that the options ask for.
func NewTheme(o Options) *Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(o.Profile)
	t, roles := &Theme{}, palette()
	for style := range styleCount {
		if o.NoColor || o.Profile == termenv.Ascii {
			t.looks[style] = attributes(style, false)
			t.looks[style|Reverse] = attributes(style, true)
			continue
		}
		t.looks[style] = lookOf(roles[style].style(renderer, roles[style].colors(style, o)))
		// The selection has one background, whatever it lies on.
		t.looks[style|Reverse] = lookOf(renderer.NewStyle().Bold(roles[style].bold).Reverse(true))
	}
	return t
}

// Look returns the sequences before and after cells of the style.
func (t *Theme) Look(style Style) (before, after string) {
	l := &t.looks[style]
	return l.before, l.after
}

// lookOf takes the escape sequences out of a rendered sample.
func lookOf(s lipgloss.Style) styleCodes {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return styleCodes{before, after}
}

// attributes is the look without colours. It is written here, because Lip Gloss without colours
// leaves out bold and reverse video as well, and the selection lives on the latter.
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

// colors returns the colours of a style: those of the options, else those of the palette as the terminal shows them.
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
