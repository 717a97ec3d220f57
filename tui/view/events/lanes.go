package events

import (
	"sort"
	"time"

	"asldb/engine/runlog"
)

// lane is one thread's line on the time axis: the visits that it made, in their order. It reads on as the
// thread continues.
type lane struct {
	header int // of the branch or iteration; None for the root
	visits []int32
	// bad counts the visits before each that ended with an error, so that a crowd of them need not be looked through.
	bad []int32
}

func (l *lane) read(x *Rows) {
	after := runlog.None
	if n := len(l.visits); n > 0 {
		after = int(l.visits[n-1])
	}
	x.Children(l.header, after, func(i int) bool {
		l.visits = append(l.visits, int32(i))
		return true
	})
}

// failed reports whether one of the visits from one place to before another ended with an error.
func (l *lane) failed(x *Rows, from, to int) bool {
	if !x.VisitFailed(int(l.visits[from]), int(l.visits[to-1])) {
		return false
	}
	l.count(x)
	return l.bad[to] > l.bad[from]
}

// count brings bad up to the number of visits and one more. The newest of them may have ended meanwhile.
func (l *lane) count(x *Rows) {
	if l.bad = l.bad[:min(len(l.bad), len(l.visits))]; len(l.bad) == 0 {
		l.bad = append(l.bad, 0)
	}
	for _, header := range l.visits[len(l.bad)-1:] {
		n := l.bad[len(l.bad)-1]
		if g, ok := x.Get(int(header)); ok && x.Outcome(g) == runlog.BranchFailed {
			n++
		}
		l.bad = append(l.bad, n)
	}
}

// from returns the first visit that ends at t or later.
func (l *lane) from(x *Rows, t, now time.Time) int {
	return sort.Search(len(l.visits), func(i int) bool {
		g, _ := x.Get(int(l.visits[i]))
		_, to := x.Span(g, now)
		return !to.Before(t)
	})
}

// after returns the first visit that begins at t or later.
func (l *lane) after(x *Rows, t time.Time) int {
	return sort.Search(len(l.visits), func(i int) bool { return x.Log().Head(int(l.visits[i])).Time >= t.UnixNano() })
}

// maxLanes bounds the number of cached lanes; a screen has far fewer.
const maxLanes = 256

// laneOf returns the lane of a row, read up to now.
func (p *timeAxis) laneOf(x *Rows, n int) *lane {
	row := &p.rows.all[n]
	if row.lane != nil {
		return row.lane
	}
	header := x.Thread(row.thread)
	l := p.lanes[header]
	if l == nil {
		if len(p.lanes) >= maxLanes || p.lanes == nil {
			p.lanes = make(map[int]*lane)
		}
		l = &lane{header: header}
		p.lanes[header] = l
	}
	l.read(x)
	return l
}
