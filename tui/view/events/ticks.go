package events

import "time"

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
// round times, and where the axis goes on after a break, which need not be round.
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
