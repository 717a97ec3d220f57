package graph

import "slices"

// routing draws the lines of a scope whose items have their columns.
type routing struct {
	*layering
	channels []channel
	layerY   []int // the first row of each layer
	layerH   []int
	block    *block
}

// rows gives the layers and the channels their rows.
func (s *routing) rows() {
	s.layerY, s.layerH = make([]int, len(s.layers)), make([]int, len(s.layers))
	y := 0
	for i := range s.channels {
		ch := &s.channels[i]
		ch.y = y
		rows := ch.rows
		if i > 0 && i < len(s.layers) && s.isReal(i-1) && s.isReal(i) {
			rows = max(rows, s.shape.Gap)
		}
		y += rows
		if i == len(s.layers) {
			break
		}
		if s.needsArrowRow(i) {
			y++
		}
		s.layerY[i] = y
		for _, at := range s.layers[i] {
			s.items[at].y = y
			s.layerH[i] = max(s.layerH[i], s.items[at].h)
		}
		y += s.layerH[i]
	}
	s.block.h = y
}

func (s *routing) isReal(layer int) bool {
	return slices.ContainsFunc(s.layers[layer], func(at int) bool { return s.items[at].kind == realItem })
}

// bare reports whether an item is a state without a border.
func (s *routing) bare(at int) bool {
	it := &s.items[at]
	return it.kind == realItem && s.shape.Density == Chips && !s.boxes[it.node].node.Open
}

// needsArrowRow: a state without a border has no place for the arrow.
func (s *routing) needsArrowRow(layer int) bool {
	for _, at := range s.layers[layer] {
		if _, ok := s.channels[layer].netOf[at]; ok && s.bare(at) {
			return true
		}
	}
	return false
}

// draw makes the lines of the scope; the states have their places.
func (s *routing) draw() {
	s.trunkRows()
	s.trunkColumns()
	s.dot()
	for at := range s.items {
		if it := &s.items[at]; it.kind != realItem {
			x := it.x + it.in
			it.through = s.block.link(-1, vertical(x, s.layerY[it.layer], s.bottom(at), it.dotted))
		}
	}
	for i := range s.channels {
		for n := range s.channels[i].nets {
			s.drawNet(&s.channels[i], n)
		}
	}
	s.drawFaces()
	for t := range s.trunks {
		s.drawDirect(t)
	}
	for t := range s.trunks {
		s.drawTrunk(&s.trunks[t], s.drawEntry(t))
	}
	for at := range s.items {
		if it := &s.items[at]; it.kind != realItem && len(it.downs) > 0 {
			s.block.links[it.through].next = s.conns[it.downs[0]].link
		}
	}
	s.labels()
	s.shift()
}

// dot finds the lines that catchers alone make, from above to below.
func (s *routing) dot() {
	for _, layer := range s.layers {
		for _, at := range layer {
			it := &s.items[at]
			if it.kind == realItem {
				continue
			}
			it.dotted = !slices.ContainsFunc(it.ups, func(c int) bool { return !s.conns[c].dotted })
			for _, c := range it.downs {
				s.conns[c].dotted = it.dotted
			}
		}
	}
}

// shift moves everything so that the leftmost column in use is the first one.
func (s *routing) shift() {
	los, his := s.extents()
	lo, hi := slices.Min(los), slices.Max(his)
	for t := range s.trunks {
		lo, hi = min(lo, s.trunks[t].x), max(hi, s.trunks[t].x)
	}
	shifted := &block{w: hi - lo + 1, h: s.block.h}
	shifted.add(s.block, -lo, 0)
	s.block = shifted
	for at := range s.items {
		s.items[at].x -= lo
	}
}

// bottom returns the row from which an item's lines go down.
func (s *routing) bottom(at int) int {
	if it := &s.items[at]; it.kind == realItem {
		return it.y + it.h - 1
	}
	layer := s.items[at].layer
	return s.layerY[layer] + s.layerH[layer] - 1
}

// top returns the row in which lines come to an item.
func (s *routing) top(at int) int {
	it := &s.items[at]
	if s.bare(at) {
		return it.y - 1
	}
	return s.layerY[it.layer]
}

// sideRow is the row of a state from whose sides lines go.
func (s *routing) sideRow(at int) int { return s.items[at].y + s.items[at].h/2 }

// trunkRows finds where the trunks begin and end.
func (s *routing) trunkRows() {
	for t := range s.trunks {
		tr := &s.trunks[t]
		if tr.side {
			tr.row = s.sideRow(tr.node)
		} else {
			ch := &s.channels[s.items[tr.node].layer]
			tr.row = ch.y + ch.nets[ch.netOf[tr.node]].track
		}
		for _, c := range tr.direct {
			tr.joins = append(tr.joins, join{s.sideRow(s.conns[c].from), c})
		}
	}
	for i := range s.channels {
		ch := &s.channels[i]
		for n := range ch.nets {
			if n := &ch.nets[n]; n.trunk >= 0 {
				for _, c := range n.conns {
					s.trunks[n.trunk].joins = append(s.trunks[n.trunk].joins, join{ch.y + n.track, c})
				}
			}
		}
	}
	for t := range s.trunks {
		tr := &s.trunks[t]
		tr.top, tr.bottom = tr.row, tr.row
		for _, j := range tr.joins {
			tr.top, tr.bottom = min(tr.top, j.row), max(tr.bottom, j.row)
		}
	}
}

// down is the way of a net from its row to where it continues.
func (s *routing) down(ch *channel, n *net, from int, dotted bool) []seg {
	y := ch.y + n.track
	switch {
	case n.rest >= 0:
		rest := &ch.nets[n.rest]
		below := ch.y + rest.track
		return []seg{
			horizontal(y, from, n.via, dotted), vertical(n.via, y, below, dotted),
			horizontal(below, n.via, n.bottom, dotted), vertical(n.bottom, below, s.top(n.to), dotted),
		}
	default:
		return []seg{horizontal(y, from, n.bottom, dotted), vertical(n.bottom, y, s.top(n.to), dotted)}
	}
}

func (s *routing) drawNet(ch *channel, at int) {
	n := &ch.nets[at]
	for _, c := range n.conns {
		conn := &s.conns[c]
		x, y := s.column(c), s.bottom(conn.from)
		var segs []seg
		if conn.right {
			it, b := &s.items[conn.from], &s.boxes[s.items[conn.from].node]
			y = s.sideRow(conn.from)
			segs = append(segs, horizontal(y, it.x+b.w-1, x, true))
		}
		next := -1
		switch {
		case n.trunk >= 0:
			segs = append(segs, vertical(x, y, ch.y+n.track, conn.dotted), horizontal(ch.y+n.track, x, s.trunks[n.trunk].x, conn.dotted))
		case n.track < 0:
			segs = append(segs, vertical(x, y, s.top(n.to), conn.dotted))
		default:
			segs = append(append(segs, vertical(x, y, ch.y+n.track, conn.dotted)), s.down(ch, n, x, conn.dotted)...)
		}
		if n.to >= 0 {
			next = s.items[n.to].through
		}
		s.setLink(c, s.block.link(next, segs...))
	}
	if n.to >= 0 && s.items[n.to].kind == realItem && len(n.conns)+len(n.entries) > 0 {
		s.block.arrows = append(s.block.arrows, arrow{n.bottom, s.top(n.to), Down})
	}
}

func (s *routing) setLink(c, link int) {
	s.conns[c].link = link
	if g := s.conns[c].group; g >= 0 {
		s.groups[g].head = link
	}
}

// drawDirect draws the lines that go straight from a side to a trunk.
func (s *routing) drawDirect(t int) {
	for _, c := range s.trunks[t].direct {
		from := s.conns[c].from
		side := s.items[from].x
		if s.trunks[t].catch {
			side += s.boxes[s.items[from].node].w - 1
		}
		s.setLink(c, s.block.link(-1, horizontal(s.sideRow(from), side, s.trunks[t].x, s.trunks[t].catch)))
	}
	for i, j := range s.trunks[t].joins {
		s.trunks[t].joins[i].link = s.conns[j.link].link
	}
}

// drawEntry draws the end of a trunk, from its column to the state.
func (s *routing) drawEntry(t int) int {
	tr := &s.trunks[t]
	if !tr.side {
		ch := &s.channels[s.items[tr.node].layer]
		return s.block.link(-1, s.down(ch, &ch.nets[ch.netOf[tr.node]], tr.x, tr.catch)...)
	}
	at, to := s.items[tr.node].x-1, Right
	if tr.catch {
		at, to = s.items[tr.node].x+s.boxes[tr.node].w, Left
	}
	s.block.arrows = append(s.block.arrows, arrow{at, tr.row, to})
	return s.block.link(-1, horizontal(tr.row, at, tr.x, tr.catch))
}
