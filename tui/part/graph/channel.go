package graph

import (
	"math"
	"slices"
)

// far is beyond every column.
const far = math.MaxInt32

// net is a set of joined lines in one channel: the lines to one item, or to one trunk.
type net struct {
	conns   []int
	pins    []int // the columns in which its lines come down
	to      int   // an item, or -1
	trunk   int   // where the lines go to, or -1
	entries []int // trunks that come in here to go to the item
	lo, hi  int
	bottom  int // the column in which it continues, or far where it goes to a trunk
	track   int // the row in the channel; -1 where the line is straight
	// A net that would have to be above and below another one goes round: down in column via, to the row of rest.
	rest int // another net, or -1
	via  int
}

// channel is the space above a layer (the last one: below the last layer).
type channel struct {
	nets  []net
	netOf map[int]int // by item, and by -1-trunk
	rows  int         // for tracks
	y     int
}

// makeChannels decides which lines join, and in which row of their channel.
func (s *routing) makeChannels() {
	s.decideSides()
	s.channels = make([]channel, len(s.layers)+1)
	for i := range s.channels {
		ch := &s.channels[i]
		ch.netOf = map[int]int{}
		if i > 0 {
			for _, at := range s.layers[i-1] {
				for _, c := range s.items[at].downs {
					s.addToNet(ch, c)
				}
			}
		}
		if i < len(s.layers) {
			for _, at := range s.layers[i] {
				s.addEntries(ch, at)
			}
		}
		for n := range ch.nets {
			s.span(&ch.nets[n])
		}
		ch.assign()
	}
}

func (ch *channel) net(key int) *net {
	at, ok := ch.netOf[key]
	if !ok {
		at = len(ch.nets)
		ch.netOf[key] = at
		ch.nets = append(ch.nets, net{to: max(key, -1), trunk: -1, rest: -1, track: -1})
		if key < 0 {
			ch.nets[at].trunk = -1 - key
		}
	}
	return &ch.nets[at]
}

func (s *routing) addToNet(ch *channel, c int) {
	conn := &s.conns[c]
	switch {
	case conn.to >= 0:
		n := ch.net(conn.to)
		n.conns = append(n.conns, c)
	case !s.trunks[conn.trunk].leavesAt(c):
		n := ch.net(-1 - conn.trunk)
		n.conns = append(n.conns, c)
	}
}

func (s *routing) addEntries(ch *channel, at int) {
	if s.items[at].kind != realItem {
		return
	}
	for _, t := range s.trunksTo[at] {
		if !s.trunks[t].side {
			n := ch.net(at)
			n.entries = append(n.entries, t)
		}
	}
}

func (s *routing) span(n *net) {
	n.lo, n.hi, n.bottom = far, -far, far
	for _, c := range n.conns {
		x := s.column(c)
		n.pins = append(n.pins, x)
		n.lo, n.hi = min(n.lo, x), max(n.hi, x)
	}
	if n.to >= 0 {
		n.bottom = s.items[n.to].x + s.items[n.to].in
		n.lo, n.hi = min(n.lo, n.bottom), max(n.hi, n.bottom)
	}
	trunks := n.entries
	if n.trunk >= 0 {
		trunks = []int{n.trunk}
	}
	for _, t := range trunks {
		if s.trunks[t].catch {
			n.hi = far
		} else {
			n.lo = -far
		}
	}
}

// spanTo is the net's span where it continues in another column than its own.
func (n *net) spanTo(x int) (lo, hi int) {
	lo, hi = x, x
	if n.lo == -far {
		lo = -far
	}
	if n.hi == far {
		hi = far
	}
	for _, pin := range n.pins {
		lo, hi = min(lo, pin), max(hi, pin)
	}
	return lo, hi
}

// assign gives the nets their rows. A net whose line comes down in a column must be above the one that continues in
// that column; apart from that, a row is shared by nets that do not overlap.
func (ch *channel) assign() {
	a := assigner{ch: ch}
	a.prepare()
	for left := a.count; left > 0; {
		at := a.ready()
		if at < 0 {
			a.split()
			left++
			continue
		}
		a.give(at)
		left--
	}
	ch.rows = len(a.rows)
}

// assigner is the state of assigning rows.
type assigner struct {
	ch    *channel
	count int         // nets that need a row
	tops  map[int]int // by column: the net whose line comes down there
	used  map[int]bool
	waits []int // by net: how many nets must have got their row first
	above [][]int
	done  []bool
	rows  [][][2]int // the spans in each row
}

func (a *assigner) prepare() {
	ch := a.ch
	a.tops, a.used = map[int]int{}, map[int]bool{}
	a.waits, a.done, a.above = make([]int, len(ch.nets)), make([]bool, len(ch.nets)), make([][]int, len(ch.nets))
	for at := range ch.nets {
		if n := &ch.nets[at]; n.lo == n.hi {
			a.done[at] = true
		} else {
			a.count++
		}
		for _, x := range ch.nets[at].pins {
			a.tops[x] = at
			a.used[x] = true
		}
	}
	for at := range ch.nets {
		n := &ch.nets[at]
		if n.bottom == far {
			continue
		}
		a.used[n.bottom] = true
		if top, ok := a.tops[n.bottom]; ok && top != at && !a.done[at] && !a.done[top] {
			a.mustFollow(at, top)
		}
	}
}

func (a *assigner) mustFollow(below, above int) {
	a.waits[below]++
	a.above[above] = append(a.above[above], below)
}

func (a *assigner) ready() int {
	for at := range a.ch.nets {
		if !a.done[at] && a.waits[at] == 0 {
			return at
		}
	}
	return -1
}

// give puts a net into the first row that is free for it and below those that must be above.
func (a *assigner) give(at int) {
	n := &a.ch.nets[at]
	row := n.track + 1 // track holds the row of the net that must be above
	for ; row < len(a.rows); row++ {
		if !slices.ContainsFunc(a.rows[row], func(span [2]int) bool { return span[0] <= n.hi && n.lo <= span[1] }) {
			break
		}
	}
	for len(a.rows) <= row {
		a.rows = append(a.rows, nil)
	}
	a.rows[row] = append(a.rows[row], [2]int{n.lo, n.hi})
	n.track = row
	a.done[at] = true
	for _, below := range a.above[at] {
		a.waits[below]--
		a.ch.nets[below].track = max(a.ch.nets[below].track, row)
	}
}

// split breaks a circle: the first net in it that continues in a taken column goes round.
func (a *assigner) split() {
	for at := range a.ch.nets {
		n := &a.ch.nets[at]
		if a.done[at] || n.bottom == far || n.rest >= 0 {
			continue
		}
		top := a.tops[n.bottom]
		via := a.freeBeside(n.bottom)
		a.used[via] = true
		rest := len(a.ch.nets)
		a.ch.nets = append(a.ch.nets, net{
			to: n.to, trunk: -1, rest: -1, track: -1, bottom: n.bottom, lo: min(via, n.bottom), hi: max(via, n.bottom),
		})
		n = &a.ch.nets[at]
		n.rest, n.via = rest, via
		n.lo, n.hi = n.spanTo(via)
		a.waits, a.done, a.above = append(a.waits, 0), append(a.done, false), append(a.above, nil)
		a.above[top] = slices.DeleteFunc(a.above[top], func(below int) bool { return below == at })
		a.waits[at]--
		a.mustFollow(rest, top)
		a.mustFollow(rest, at)
		return
	}
}

// freeBeside returns the nearest column that no line uses.
func (a *assigner) freeBeside(x int) int {
	for d := 1; ; d++ {
		if !a.used[x+d] {
			return x + d
		}
		if !a.used[x-d] {
			return x - d
		}
	}
}
