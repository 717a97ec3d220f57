package canvas

// Box is a set of line-drawing characters. Left and Right join a horizontal line to a side.
type Box struct {
	TopLeft, TopRight, BottomLeft, BottomRight string
	Horizontal, Vertical, Left, Right          string
}

// Glyphs are the signs of the screen, each one cell wide. What a sign means is never told by colour
// alone, so they all differ from each other.
type Glyphs struct {
	Current, Active, Visited, Failed, Retried, Caught string // what became of a state
	Breakpoint, BreakpointOff                         string
	Added, Removed, Changed, Same                     string // what became of a line of data
	Pointer                                           string // stands before the selected line
	Descends, To, Catches                             string // "▸" in a path; "→" a transition; "⇢" a catcher's
	Choice, Parallel, Map, End                        string // what kind of state
	Waiting, Pending                                  string // a timer; a stage that has not run yet
	Dash, Ellipsis                                    string
	ScrollThumb, ScrollTrack                          string
	Box, HeavyBox                                     Box
}

// Unicode returns the usual glyphs.
func Unicode() *Glyphs {
	return &Glyphs{
		Current: "▶", Active: "▷", Visited: "✓", Failed: "✗", Retried: "↻", Caught: "↷",
		Breakpoint: "●", BreakpointOff: "○",
		Added: "+", Removed: "-", Changed: "~", Same: "=",
		Pointer: "▸", Descends: "▸", To: "→", Catches: "⇢",
		Choice: "◇", Parallel: "∥", Map: "∗", End: "◉",
		Waiting: "◷", Pending: "·", Dash: "─", Ellipsis: "…",
		ScrollThumb: "█", ScrollTrack: "│",
		Box:      Box{"╭", "╮", "╰", "╯", "─", "│", "├", "┤"},
		HeavyBox: Box{"┏", "┓", "┗", "┛", "━", "┃", "┣", "┫"},
	}
}

// ASCII returns glyphs for terminals and fonts that have nothing else.
func ASCII() *Glyphs {
	return &Glyphs{
		Current: ">", Active: ")", Visited: "v", Failed: "x", Retried: "r", Caught: "c",
		Breakpoint: "*", BreakpointOff: "o",
		Added: "+", Removed: "-", Changed: "~", Same: "=",
		Pointer: ">", Descends: ">", To: ">", Catches: "!",
		Choice: "?", Parallel: "|", Map: "#", End: "@",
		Waiting: "w", Pending: ".", Dash: "-", Ellipsis: "~",
		ScrollThumb: "#", ScrollTrack: "|",
		Box:      Box{"+", "+", "+", "+", "-", "|", "+", "+"},
		HeavyBox: Box{"#", "#", "#", "#", "=", "#", "#", "#"},
	}
}
