// Package darkfirst tells Lip Gloss that the background is dark, before Bubble Tea's initialisation
// asks the terminal about it: a terminal that never answers would hold up the first frame for five
// seconds. Packages are initialised in the order of their import paths where dependencies allow it,
// and this one's sorts before Bubble Tea's. A test in a pseudo-terminal guards that.
package darkfirst

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
