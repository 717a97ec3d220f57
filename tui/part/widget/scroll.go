package widget

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Scroll is the selected line of a list, a tree or a text, and the lines that are on the screen.
type Scroll struct {
	// Cursor is the selected line.
	Cursor      int
	top, height int  // the first line on the screen, and their number, when it was last drawn
	reveal      bool // the next frame has the cursor in its upper third, or begins with the first line
}

// Top returns the first line on the screen, and Height how many were there when they were last drawn.
func (s *Scroll) Top() int { return s.top }

// Height returns the number described at [Scroll.Top].
func (s *Scroll) Height() int { return max(s.height, 1) }

// Page is by how many lines the keys for pages move: one stays on the screen.
func (s *Scroll) Page() int { return max(s.height-1, 1) }

// Step moves the cursor by lines, of n.
func (s *Scroll) Step(by, n int) { s.Cursor = max(0, min(s.Cursor+by, n-1)) }

// Key moves the cursor for an action, among n lines; false where the action moves nothing.
func (s *Scroll) Key(a keys.Action, n int) bool {
	by, ok := PageMove(a, s.Page())
	if ok {
		s.Step(by, n)
	}
	return ok
}

// Reveal lets the next frame have the cursor in its upper third, with the lines below it.
func (s *Scroll) Reveal() { s.reveal = true }

// Begin lets a line be the first on the screen, as far as the cursor is in view then.
func (s *Scroll) Begin(line int) { s.top = line }

// Line returns the line on row y of the screen, of n; -1 where there is none.
func (s *Scroll) Line(y, n int) int {
	if line := s.top + y; y >= 0 && y < s.height && line < n {
		return line
	}
	return -1
}

// Home selects the first line.
func (s *Scroll) Home() { s.Cursor, s.top = 0, 0 }

// Fit returns the first of n lines on a screen of h lines, so that the cursor is on it and no line is empty while there
// are more.
func (s *Scroll) Fit(h, n int) (top int) { return s.fit(h, n, s.Cursor, s.Cursor) }

// fit is Fit where the lines from first to last are brought into view.
func (s *Scroll) fit(h, n, first, last int) (top int) {
	s.height = max(h, 1)
	if s.reveal {
		if s.reveal, s.top = false, 0; first >= s.height*2/3 {
			s.top = first - s.height/3
		}
	}
	s.top = min(max(s.top, last-s.height+1), first)
	s.top = max(0, min(s.top, n-s.height))
	return s.top
}

// Pager scrolls lines among which none is selected.
type Pager struct{ top, height, total int }

// Top returns the first line on the screen.
func (p *Pager) Top() int { return p.top }

// Key scrolls for an action; false where the action moves nothing.
func (p *Pager) Key(a keys.Action) bool {
	by, ok := PageMove(a, max(p.height-1, 1))
	if ok {
		p.Scroll(by)
	}
	return ok
}

// Scroll scrolls by lines.
func (p *Pager) Scroll(by int) { p.top = max(0, min(p.top+by, p.total-p.height)) }

// GoTo lets a line be the first on the screen, as far as those after it fill that.
func (p *Pager) GoTo(line int) { p.top = max(line, 0) }

// Draw paints the lines of n that are on the screen, each by paint, and a scroll bar.
func (p *Pager) Draw(f Frame, n int, paint func(row canvas.Area, i int)) {
	p.height, p.total = max(f.H(), 1), n
	p.Scroll(0)
	for y := 0; y < f.H() && p.top+y < n; y++ {
		paint(f.Row(y), p.top+y)
	}
	Scrollbar(f.Area, p.top, n)
	f.Mouse(nil, p.Scroll)
}
