// This part of the package lays virtual time out on an axis of cells: round ticks, a scale to zoom, and breaks in place
// of long stretches in which nothing happens. Times are nanoseconds since the start of the run. It draws
// nothing.

package events

import "sort"

// BreakCells is how many cells stand for a stretch that is left out.
const BreakCells = 2

// Stretch is the time from From to To, in which nothing happens.
type Stretch struct{ From, To int64 }

// Len returns how long the stretch is.
func (s Stretch) Len() int64 { return s.To - s.From }

// segment is a part of the axis that is drawn to scale.
type segment struct {
	from, to    int64
	cell, cells int
}

// Axis maps time to cells, counted from the start of the run. Every instant has a cell, also in a stretch that is
// left out; a later instant never has an earlier cell.
type Axis struct {
	segments []segment
	per      int64 // nanoseconds of a cell
}

// Fit returns the axis from 0 to end on which the whole fits into the given number of cells, without the cuts
// (which must lie between 0 and end, in order). Each level of zoom halves the time that a cell stands for.
func Fit(end int64, cuts []Stretch, cells, zoom int) *Axis {
	end = max(end, 0)
	shown := end
	for _, cut := range cuts {
		shown -= cut.Len()
	}
	// Each segment may need one cell more than its length, since both its ends have a cell.
	room := int64(max(cells-len(cuts)*(BreakCells+1)-1, 1))
	per := max((shown+room-1)/room, 1)
	for ; zoom > 0 && per > 1; zoom-- {
		per = max(per/2, 1)
	}
	return newAxis(end, cuts, per)
}

func newAxis(end int64, cuts []Stretch, per int64) *Axis {
	a := &Axis{per: per}
	from, cell := int64(0), 0
	add := func(to int64) {
		s := segment{from: from, to: to, cell: cell, cells: int((to-from)/per) + 1}
		a.segments = append(a.segments, s)
		cell += s.cells
	}
	for _, cut := range cuts {
		add(cut.From)
		from, cell = cut.To, cell+BreakCells
	}
	add(end)
	return a
}

// Per returns the nanoseconds that a cell stands for.
func (a *Axis) Per() int64 { return a.per }

// Cells returns the length of the axis.
func (a *Axis) Cells() int {
	last := &a.segments[len(a.segments)-1]
	return last.cell + last.cells
}

// at returns the segment that holds t, or the one before the stretch that does.
func (a *Axis) at(t int64) int {
	return max(sort.Search(len(a.segments), func(i int) bool { return a.segments[i].from > t })-1, 0)
}

// Cell returns the cell of an instant.
func (a *Axis) Cell(t int64) int {
	i := a.at(t)
	s := &a.segments[i]
	switch {
	case t <= s.from:
		return s.cell
	case t <= s.to || i == len(a.segments)-1:
		return s.cell + int((t-s.from)/a.per)
	}
	next := &a.segments[i+1]
	if t-s.to < next.from-t {
		return s.cell + s.cells
	}
	return s.cell + s.cells + BreakCells - 1
}

// Time returns the first instant of a cell; of the cells of a break that of the stretch.
func (a *Axis) Time(cell int) int64 {
	i := max(sort.Search(len(a.segments), func(i int) bool { return a.segments[i].cell > cell })-1, 0)
	s := &a.segments[i]
	switch at := cell - s.cell; {
	case at < 0:
		return s.from
	case at < s.cells || i == len(a.segments)-1:
		return s.from + int64(at)*a.per
	case at == s.cells:
		return s.to + 1
	default:
		return s.to + (a.segments[i+1].from-s.to)/2 + 1
	}
}

// Break is a stretch that is left out, and the first of the cells that stand for it.
type Break struct {
	Stretch
	Cell int
}

// Breaks returns the breaks of the axis, in order.
func (a *Axis) Breaks() []Break {
	var list []Break
	for i := 1; i < len(a.segments); i++ {
		before, s := &a.segments[i-1], &a.segments[i]
		list = append(list, Break{Stretch{before.to, s.from}, before.cell + before.cells})
	}
	return list
}
