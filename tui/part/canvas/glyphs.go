package canvas

import "strings"

// Box is a set of line-drawing characters. Left and Right join a horizontal line to a side.
type Box struct {
	TopLeft, TopRight, BottomLeft, BottomRight string
	Horizontal, Vertical, Left, Right, Top     string
}

// Glyphs are the signs of the screen. No sign depends on colour alone, so the signs of one set all
// differ from each other, but for the line that is also a minus in ASCII. Each is one cell wide; in ASCII the ones used
// only in running text may be two: To, Catches and Ellipsis.
type Glyphs struct {
	Current, Active, Visited, Failed, Retried, Caught string // the status of a state
	Breakpoint, BreakpointOff, Bookmark               string
	Added, Removed, Changed                           string // the change of a line of data
	Pointer                                           string // is before the selected line
	Descends, To, Catches                             string // "›" in a path; "→" a transition; "»" a catcher's
	Choice, Parallel, Map, End                        string // the kind of state
	Waiting, Pending                                  string // a timer; a stage that has not run yet
	Dash, Ellipsis                                    string
	ScrollThumb                                       string
	Folded, Unfolded, Aborted                         string // a visit; one that was stopped from outside
	Filled, Empty                                     string // of a bar, and of coverage: whole, partly, never
	Warning                                           string
	Origin                                            string // the state in which a value was made
	Box, HeavyBox                                     Box
}

// Divide puts parts into a line, with a sign between them.
func (g *Glyphs) Divide(parts ...string) string {
	if g.Ellipsis == ".." {
		return strings.Join(parts, " - ")
	}
	return strings.Join(parts, " · ")
}

// Bars are the signs of the time axis. They are only there, and differ from each other.
type Bars struct {
	// The parts of a bar: Tried is an attempt that failed, Inside a Parallel or Map that waits for its threads.
	Work, Wait, Tried, Delay, Inside string

	Instant, Many string // a visit of no duration; several visits in one cell
	Future, Now   string
	Break, Tick   string // a stretch that is left out; a mark on the axis
}

// Bars returns the signs of the time axis.
func (g *Glyphs) Bars() Bars {
	if g.Ellipsis == ".." {
		return Bars{Work: "=", Wait: "-", Tried: "x", Delay: ".", Inside: "~", Instant: "|", Many: "%", Future: ",", Now: ":", Break: "/", Tick: "'"}
	}
	return Bars{Work: "█", Wait: "┄", Tried: "▒", Delay: "░", Inside: "═", Instant: "│", Many: "▓", Future: "·", Now: "╎", Break: "╱", Tick: "╵"}
}

// Levels returns the signs of a histogram, from the lowest bar to the highest.
func (g *Glyphs) Levels() []string {
	if g.Ellipsis == ".." {
		return []string{".", ":", "-", "=", "+", "*", "#"}
	}
	return []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"}
}

// More returns the signs in a border behind which there is more to the left, and to the right.
func (g *Glyphs) More() (left, right string) {
	if g.Ellipsis == ".." {
		return "<", ">"
	}
	return "‹", "›"
}

// Unicode returns the usual glyphs.
func Unicode() *Glyphs {
	return &Glyphs{
		Current: "▶", Active: "▷", Visited: "✓", Failed: "×", Retried: "«", Caught: "»",
		Breakpoint: "●", BreakpointOff: "○", Bookmark: "¶",
		Added: "+", Removed: "-", Changed: "~",
		Pointer: "▸", Descends: "›", To: "→", Catches: "»",
		Choice: "◇", Parallel: "≡", Map: "*", End: "◉",
		Waiting: "◔", Pending: "·", Dash: "─", Ellipsis: "…",
		ScrollThumb: "█",
		Folded:      "▹", Unfolded: "▿", Aborted: "◌",
		Filled: "▪", Empty: "▫", Warning: "!", Origin: "■",
		Box:      Box{"╭", "╮", "╰", "╯", "─", "│", "├", "┤", "┬"},
		HeavyBox: Box{"┏", "┓", "┗", "┛", "━", "┃", "┣", "┫", "┳"},
	}
}

// ASCII returns glyphs for terminals and fonts that have nothing else. None can be taken for a part of JSON, since they
// are drawn beside it.
func ASCII() *Glyphs {
	return &Glyphs{
		Current: "@", Active: ")", Visited: "v", Failed: "!", Retried: "r", Caught: "c",
		Breakpoint: "*", BreakpointOff: "o", Bookmark: "M",
		Added: "+", Removed: "-", Changed: "~",
		Pointer: ">", Descends: ":", To: "->", Catches: "~>",
		Choice: "?", Parallel: "&", Map: "#", End: ";",
		Waiting: "w", Pending: ".", Dash: "-", Ellipsis: "..",
		ScrollThumb: "%",
		Folded:      "/", Unfolded: "_", Aborted: "X",
		Filled: "H", Empty: ",", Warning: "^", Origin: "$",
		Box:      Box{"+", "+", "+", "+", "-", "|", "+", "+", "+"},
		HeavyBox: Box{"+", "+", "+", "+", "=", "|", "+", "+", "+"},
	}
}

// Words returns ASCII glyphs for text that is written as lines. No sign before a line is a letter, which could be taken
// for a key, so that it can be recognised and left out; explanations have words in place of their signs.
func Words() *Glyphs {
	g := ASCII()
	g.Visited, g.Retried, g.Caught, g.Waiting = wordsVisited, "(", "<", "`"
	return g
}

// wordsVisited is the sign by which the glyphs of [Words] are known.
const wordsVisited = "="

// InWords reports whether explanations have words in place of signs.
func (g *Glyphs) InWords() bool { return g.Visited == wordsVisited }

// Unframed returns ASCII glyphs without the lines around panes and windows, for rows that are written as lines.
func Unframed() *Glyphs {
	g := ASCII()
	g.Box = Box{" ", " ", " ", " ", " ", " ", " ", " ", " "}
	g.HeavyBox = g.Box
	return g
}
