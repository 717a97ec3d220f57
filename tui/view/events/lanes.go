package events

import (
	"slices"
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
		l.bad = l.bad[:n] // the newest may have ended meanwhile
	}
	l.count(x)
	x.Children(l.header, after, func(i int) bool {
		l.visits = append(l.visits, int32(i))
		l.count(x)
		return true
	})
}

// add adds a visit to a lane that does not read them itself.
func (l *lane) add(header int32) {
	l.bad = l.bad[:min(len(l.bad), len(l.visits))] // the newest may have ended meanwhile
	l.visits = append(l.visits, header)
}

// count brings bad up to the number of visits and one more.
func (l *lane) count(x *Rows) { count(x, []*lane{l}) }

// count brings bad of several lanes up to date. The visits are read in the order of the log, since those that are near
// each other there are unpacked together.
func count(x *Rows, lanes []*lane) {
	type visit struct {
		header int32
		of     *lane
	}
	var list []visit
	for _, l := range lanes {
		if len(l.bad) == 0 {
			l.bad = append(l.bad, 0)
		}
		for _, header := range l.visits[len(l.bad)-1:] {
			list = append(list, visit{header, l})
		}
	}
	slices.SortFunc(list, func(a, b visit) int { return int(a.header) - int(b.header) })
	for _, v := range list {
		n := v.of.bad[len(v.of.bad)-1]
		if g, ok := x.Get(int(v.header)); ok && x.Outcome(g) == runlog.BranchFailed {
			n++
		}
		v.of.bad = append(v.of.bad, n)
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

// lanesOf returns the lanes of so many rows from one on, read up to now.
func (p *timeAxis) lanesOf(x *Rows, from, rows int) []*lane {
	var lanes, late []*lane
	for n := from; n < min(from+rows, len(p.rows.all)); n++ {
		l := p.rows.all[n].lane
		if l == nil {
			l = p.laneOf(x, n)
		} else {
			l.bad = l.bad[:min(len(l.bad), len(l.visits))]
			late = append(late, l)
		}
		lanes = append(lanes, l)
	}
	count(x, late)
	return lanes
}

// laneOf returns the lane of a row, read up to now.
func (p *timeAxis) laneOf(x *Rows, n int) *lane {
	row := &p.rows.all[n]
	if l := row.lane; l != nil {
		l.bad = l.bad[:min(len(l.bad), len(l.visits))]
		l.count(x)
		return l
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
