package widget

import (
	"iter"
	"slices"
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Rows are the rows of a [List]. Only those on the screen are asked for, so there may be very many.
type Rows[T any] interface {
	Len() int
	At(i int) T
}

// Slice are the rows in a slice.
type Slice[T any] []T

// Len implements [Rows].
func (s Slice[T]) Len() int { return len(s) }

// At implements [Rows].
func (s Slice[T]) At(i int) T { return s[i] }

// Count are rows that are known by their numbers.
type Count int

// Len implements [Rows].
func (n Count) Len() int { return int(n) }

// At implements [Rows].
func (Count) At(i int) int { return i }

// List is a list with a selected row. All lists of the program are one of these: keys, filter, search, mouse and wheel
// are the same in each. A click selects a row, and a click at the selected one opens it.
type List[T any] struct {
	Scroll
	// Rows are all rows. The owner may replace them at any time: the cursor stays at its place, or at its row with
	// [List.Show].
	Rows Rows[T]
	// Paint paints a row. marks are the characters of its text that fit the filter.
	Paint func(line canvas.Area, row T, marks []int)
	// Text is the text of a row for the search and the filter; nil: it has none.
	Text func(row T) string
	// Fits reports how well a row fits a filter; nil: by [Match] of its text. Rows that fit equally well keep their
	// order.
	Fits func(row T, filter string) (score int, marks []int, ok bool)
	// Lines is the number of lines of a row; nil: each has one. Lists with it are short: it is asked for all rows.
	Lines func(row T) int
	// Skips reports whether a row cannot be selected: a heading, or a line about the row above it; nil: all can.
	Skips func(row T) bool
	// Mark marks the selected row where the list has the keys; nil: all of its first line.
	Mark func(line canvas.Area, row T)
	// Empty is shown where there is no row, Hint in the last line, below an empty one. Both may be empty.
	Empty, Hint string
	// Resting: the selected row has its sign also where the list has not the keys.
	Resting bool
	// Moved is called when a key or the mouse has selected another row, Open when the selected one is clicked. Both may
	// be nil.
	Moved, Open func()

	filter Line
	typed  bool    // the filter has been made
	shown  []int   // the rows that fit the filter, the best first; nil: there is no filter
	marks  [][]int // of the rows in shown
	lines  []int   // the row of each line on the screen
}

// Len returns the number of rows that the filter shows.
func (l *List[T]) Len() int {
	switch {
	case l.Rows == nil:
		return 0
	case l.shown != nil:
		return len(l.shown)
	}
	return l.Rows.Len()
}

// At returns row i of those that the filter shows.
func (l *List[T]) At(i int) T { return l.Rows.At(l.Index(i)) }

// Index returns the place among all rows of row i of those that the filter shows.
func (l *List[T]) Index(i int) int {
	if l.shown != nil {
		return l.shown[i]
	}
	return i
}

// Selected returns the selected row; ok is false where there is none.
func (l *List[T]) Selected() (row T, ok bool) {
	if l.Cursor < 0 || l.Cursor >= l.Len() {
		return row, false
	}
	row = l.At(l.Cursor)
	return row, !l.skips(l.Cursor)
}

func (l *List[T]) skips(i int) bool { return l.Skips != nil && l.Skips(l.At(i)) }

// Move selects the row by rows further; those that cannot be selected do not count. Where none can be, it scrolls.
func (l *List[T]) Move(by int) {
	before, n := l.Cursor, l.Len()
	if l.Skips == nil {
		l.Step(by, n)
	} else {
		step := 1
		if by < 0 {
			step = -1
		}
		for i := l.Cursor + step; i >= 0 && i < n && by != 0; i += step {
			if !l.skips(i) {
				l.Cursor, by = i, by-step
			}
		}
		if _, ok := l.Selected(); !ok {
			l.top += by
		}
	}
	if l.Cursor != before && l.Moved != nil {
		l.Moved()
	}
}

// Press selects another row for an action; false where the action moves nothing.
func (l *List[T]) Press(a keys.Action) bool {
	by, ok := PageMove(a, l.Page())
	if ok {
		l.Move(by)
	}
	return ok
}

// Show replaces the rows. The cursor stays at the row that is the same, else at its place.
func (l *List[T]) Show(rows Rows[T], same func(a, b T) bool) {
	was, ok := l.Selected()
	l.Rows = rows
	l.narrow()
	for i := 0; ok && i < l.Len(); i++ {
		if same(was, l.At(i)) {
			l.Cursor = i
			return
		}
	}
	l.settle()
}

// Select selects row i, or the first row that can be selected where that cannot.
func (l *List[T]) Select(i int) {
	l.Cursor = i
	l.settle()
}

// settle puts the cursor on a row that can be selected.
func (l *List[T]) settle() {
	l.Step(0, l.Len())
	if l.Skips != nil && l.Cursor < l.Len() && l.skips(l.Cursor) {
		for i := range l.Len() {
			if !l.skips(i) {
				l.Cursor = i
				return
			}
		}
	}
}

// Filter returns the text of the filter.
func (l *List[T]) Filter() string {
	if !l.typed {
		return ""
	}
	return l.filter.Value()
}

// SetFilter shows the rows that fit a text, the best first, and selects the first.
func (l *List[T]) SetFilter(text string) {
	if !l.typed {
		l.filter, l.typed = NewLine(), true
	}
	l.filter.Set(text)
	l.Home()
	l.narrow()
}

// Type edits the filter, and reports whether it has changed.
func (l *List[T]) Type(k keys.Press) (changed bool) {
	before := l.Filter()
	if !l.typed {
		l.filter, l.typed = NewLine(), true
	}
	if l.filter.Press(k); l.filter.Value() == before {
		return false
	}
	l.Home()
	l.narrow()
	return true
}

// DrawFilter paints the text of the filter with its cursor.
func (l *List[T]) DrawFilter(area canvas.Area) {
	if !l.typed {
		l.filter, l.typed = NewLine(), true
	}
	l.filter.Draw(area, true)
}

// narrow finds the rows that fit the filter.
func (l *List[T]) narrow() {
	text := l.Filter()
	if l.shown, l.marks = nil, nil; text == "" || l.Rows == nil {
		return
	}
	type fit struct {
		row, score int
		marks      []int
	}
	fits := l.Fits
	if fits == nil {
		fits = func(row T, filter string) (int, []int, bool) { return Match(filter, l.Text(row)) }
	}
	var list []fit
	for i := range l.Rows.Len() {
		if score, marks, ok := fits(l.Rows.At(i), text); ok {
			list = append(list, fit{i, score, marks})
		}
	}
	slices.SortStableFunc(list, func(a, b fit) int { return b.score - a.score })
	l.shown, l.marks = make([]int, len(list)), make([][]int, len(list))
	for i, f := range list {
		l.shown[i], l.marks[i] = f.row, f.marks
	}
}

// Find selects the next row that contains a text; wrapped reports whether it is beyond an end of the list.
func (l *List[T]) Find(text string, by int) (wrapped, ok bool) {
	fits := func(i int) bool { return !l.skips(i) && ContainsFold(l.Text(l.At(i)), text) }
	at, wrapped, ok := FindFrom(l.Cursor, l.Len(), by, fits)
	if ok {
		l.Cursor = at
	}
	return wrapped, ok
}

// Words yields the words of the rows.
func (l *List[T]) Words() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range l.Len() {
			if l.skips(i) {
				continue
			}
			for word := range strings.FieldsSeq(l.Text(l.At(i))) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

// AtLine returns the row on line y of the list as it was last drawn; ok is false where there is none that can be
// selected.
func (l *List[T]) AtLine(y int) (row T, ok bool) {
	if y < 0 || y >= len(l.lines) || l.skips(l.lines[y]) {
		return row, false
	}
	return l.At(l.lines[y]), true
}

// Click selects the row on line y, or opens it where it is selected already.
func (l *List[T]) Click(_, y int) {
	if _, ok := l.AtLine(y); !ok {
		return
	}
	switch at := l.lines[y]; {
	case at != l.Cursor:
		l.Cursor = at
		if l.Moved != nil {
			l.Moved()
		}
	case l.Open != nil:
		l.Open()
	}
}

// Need returns the number of lines of all rows.
func (l *List[T]) Need() int { return l.linesOf(0, l.Len()) }

func (l *List[T]) linesAt(i int) int {
	if l.Lines == nil {
		return 1
	}
	return l.Lines(l.At(i))
}

// linesOf returns the number of lines of the rows from one to before another.
func (l *List[T]) linesOf(from, to int) int {
	if l.Lines == nil {
		return max(to-from, 0)
	}
	total := 0
	for i := from; i < to; i++ {
		total += l.Lines(l.At(i))
	}
	return total
}

// Draw paints the rows on the screen, and notes the actions of the mouse there.
func (l *List[T]) Draw(f Frame) {
	body := f
	if l.Hint != "" {
		f.Fit(1, f.H()-1, f.W()-2, canvas.Hint, l.Hint)
		body = f.In(canvas.Rect{W: f.W(), H: max(f.H()-2, 1)})
	}
	l.lines = l.lines[:0]
	n := l.Len()
	if n == 0 {
		l.height = max(body.H(), 1)
		body.Fit(1, 0, body.W()-2, canvas.Dim, l.Empty)
		return
	}
	l.settle()
	l.scroll(body.H())
	for i := l.top; i < n && len(l.lines) < body.H(); i++ {
		l.drawRow(body, i)
	}
	Scrollbar(body.Area, l.linesOf(0, l.top), l.linesOf(0, n))
	body.Mouse(l.Click, l.Move)
}

// scroll brings the selected row into view, with the rows about it that cannot be selected.
func (l *List[T]) scroll(h int) {
	first, last, n := l.Cursor, l.Cursor, l.Len()
	if l.skips(l.Cursor) { // none can be selected
		l.height, l.top = max(h, 1), max(0, min(l.top, n-h))
		return
	}
	if l.Skips != nil {
		for last+1 < n && l.skips(last+1) {
			last++
		}
		for first > 0 && l.heading(first-1) {
			first--
		}
		first = max(first, min(l.Cursor, last-h+1))
	}
	if l.Lines == nil {
		l.fit(h, n, first, last)
		return
	}
	l.height, l.top = max(h, 1), max(0, min(l.top, l.Cursor))
	for l.top < l.Cursor && l.linesOf(l.top, l.Cursor+1) > l.height {
		l.top++
	}
	for l.top > 0 && l.linesOf(l.top-1, n) <= l.height { // no line stays empty while there is more
		l.top--
	}
}

// heading reports whether a row and all above it cannot be selected: it is about none of them.
func (l *List[T]) heading(i int) bool {
	for ; i >= 0; i-- {
		if !l.skips(i) {
			return false
		}
	}
	return true
}

func (l *List[T]) drawRow(body Frame, i int) {
	y := len(l.lines)
	line, row := body.Area.Area(canvas.Rect{Y: y, W: body.W(), H: min(l.linesAt(i), body.H()-y)}), l.At(i)
	var marks []int
	if l.marks != nil {
		marks = l.marks[i]
	}
	l.Paint(line, row, marks)
	for range line.H() {
		l.lines = append(l.lines, i)
	}
	if i != l.Cursor || l.skips(i) || !body.Focused && !l.Resting {
		return
	}
	line.Text(0, 0, canvas.Current, line.Glyphs().Pointer)
	switch {
	case !body.Focused:
	case l.Mark != nil:
		l.Mark(line, row)
	default:
		line.Mark(0)
	}
}
