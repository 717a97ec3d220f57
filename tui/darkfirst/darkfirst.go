// Package darkfirst keeps Bubble Tea from asking the terminal for its background at the initialisation: a terminal that
// never answers would hold up the first frame for five seconds.
//
// Packages are initialised in the order of their import paths where dependencies allow it. This package needs only the
// standard library, and Bubble Tea needs golang.org/x/sys/unix, so that this package comes first with any path before
// that one's. Until [Restore] is called, TERM names a multiplexer, which is asked nothing.
package darkfirst

import "os"

// term is the value of TERM at the start; known: it was set.
var term, known = os.LookupEnv("TERM")

func init() {
	if known {
		os.Setenv("TERM", "tmux-"+term)
	}
}

// Restore gives TERM its value. A package that imports Bubble Tea calls it when it is initialised.
func Restore() {
	if known {
		os.Setenv("TERM", term)
	}
}
