// This part of the package lays virtual time out on an axis of cells: round ticks, a scale to zoom, and breaks in place
// of long stretches in which nothing happens. Times are nanoseconds since the start of the run. It draws
// nothing.

package events

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// BreakCells is how many cells represent a stretch that is left out.
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
// (which must be between 0 and end, in order). Each level of zoom halves the time that a cell covers.
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

// Per returns the nanoseconds that a cell covers.
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
	if next := &a.segments[i+1]; t-s.to < next.from-t {
		return s.cell + s.cells
	}
	return s.cell + s.cells + BreakCells - 1
}

// Time returns the first instant of a cell; of the cells of a break the stretch's.
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

// Break is a stretch that is left out, and the first of the cells that represent it.
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

// keptStretches is how many of the longest stretches are remembered: more breaks than that make no axis.
const keptStretches = 64

// Stretches watches the instants at which something happens, and knows the longest times between them.
type Stretches struct {
	last    int64
	total   int64
	gaps    int
	longest []Stretch // the longest first
}

// Add says that something happened at t, which is not before the instants added already.
func (s *Stretches) Add(t int64) {
	if t <= s.last {
		return
	}
	gap := Stretch{s.last, t}
	s.last = t
	s.total += gap.Len()
	s.gaps++
	if n := len(s.longest); n == keptStretches && s.longest[n-1].Len() >= gap.Len() {
		return
	}
	at, _ := slices.BinarySearchFunc(s.longest, gap, func(a, b Stretch) int {
		return cmp.Or(cmp.Compare(b.Len(), a.Len()), cmp.Compare(a.From, b.From))
	})
	s.longest = slices.Insert(s.longest, at, gap)
	if len(s.longest) > keptStretches {
		s.longest = s.longest[:keptStretches]
	}
}

// Clone returns a copy, to which times to come can be added.
func (s *Stretches) Clone() Stretches {
	c := *s
	c.longest = slices.Clone(s.longest)
	return c
}

// End returns the last instant.
func (s *Stretches) End() int64 { return s.last }

// dwarfs is how many times longer than all shorter ones together a stretch is when it is left out.
const dwarfs = 10

// fewGaps is how many stretches must stay when more than the outstanding ones are left out.
const fewGaps = 3

// Cuts returns the stretches to leave out, at most limit of them and in order: those outside which all that is
// shorter would hardly be seen.
func (s *Stretches) Cuts(limit int) []Stretch {
	rest, cut := s.total, 0
	for i, gap := range s.longest {
		rest -= gap.Len()
		if rest <= 0 || i >= limit {
			break
		}
		if gap.Len()/dwarfs > rest && (cut == 0 || s.gaps-i-1 >= fewGaps) {
			cut = i + 1
		}
	}
	cuts := slices.Clone(s.longest[:cut])
	slices.SortFunc(cuts, func(a, b Stretch) int { return cmp.Compare(a.From, b.From) })
	return cuts
}

// day is the longest unit that ticks are round in.
const day = int64(24 * time.Hour)

// roundSteps are the distances between ticks from a second on; below they are 1, 2 and 5 times a power of ten, and
// above 100 days that many days.
var roundSteps = [...]int64{
	int64(time.Second), 2 * int64(time.Second), 5 * int64(time.Second), 10 * int64(time.Second), 15 * int64(time.Second),
	30 * int64(time.Second), int64(time.Minute), 2 * int64(time.Minute), 5 * int64(time.Minute), 10 * int64(time.Minute),
	15 * int64(time.Minute), 30 * int64(time.Minute), int64(time.Hour), 2 * int64(time.Hour), 3 * int64(time.Hour),
	6 * int64(time.Hour), 12 * int64(time.Hour), day, 2 * day, 5 * day, 10 * day, 20 * day, 50 * day, 100 * day,
}

// Step returns the shortest round time that is at least atLeast.
func Step(atLeast int64) int64 {
	for unit := int64(1); unit < int64(time.Second); unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if n*unit >= atLeast {
				return n * unit
			}
		}
	}
	for _, step := range roundSteps {
		if step >= atLeast {
			return step
		}
	}
	for unit := 100 * day; unit < 1<<60; unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if n*unit >= atLeast {
				return n * unit
			}
		}
	}
	return atLeast
}

// Tick is a mark on the axis.
type Tick struct {
	Cell int
	At   int64
}

// Ticks returns the ticks in the cells from first to last, in order and at least apart cells from one another: at
// round times, and where the axis continues after a break, which need not be round.
func (a *Axis) Ticks(first, last, apart int) []Tick {
	var ticks []Tick
	add := func(t Tick) {
		if n := len(ticks); n > 0 && t.Cell-ticks[n-1].Cell < apart {
			return
		}
		ticks = append(ticks, t)
	}
	step := Step(int64(max(apart, 1)) * a.per)
	for i := range a.segments {
		s := &a.segments[i]
		if s.cell+s.cells <= first || s.cell > last {
			continue
		}
		if i > 0 && s.cell >= first {
			if n := len(ticks); n > 0 && s.cell-ticks[n-1].Cell < apart {
				ticks = ticks[:n-1] // after a jump, the time matters more
			}
			add(Tick{Cell: s.cell, At: s.from})
		}
		from := max(s.from, a.Time(max(first, s.cell)))
		for at := (from + step - 1) / step * step; at <= s.to; at += step {
			cell := a.Cell(at)
			if cell > last {
				break
			}
			if cell >= first {
				add(Tick{Cell: cell, At: at})
			}
			if at > (1<<62)-step {
				break
			}
		}
	}
	return ticks
}
