package graph

import "asldb/engine/asl"

// Drawing is a definition laid out. It is never changed.
type Drawing struct {
	block
	Shape   Shape
	model   *Model
	nodeOf  map[*asl.State]int
	linesOf map[*asl.State][]int
	segLink []int32 // the link of each segment
	// buckets index the nodes by stretches of bucketRows rows.
	buckets []bucket
}

type bucket struct{ nodes, segs, arrows, texts []int32 }

const bucketRows = 32

func (l *layouter) layout() *Drawing {
	d := &Drawing{block: *l.scope(l.model.top), Shape: l.shape, model: l.model, nodeOf: map[*asl.State]int{}, linesOf: map[*asl.State][]int{}}
	d.lengthen()
	d.buckets = make([]bucket, d.h/bucketRows+1)
	for i := range d.nodes {
		d.nodeOf[d.nodes[i].State] = i
		d.each(d.nodes[i].Rect.Y, d.nodes[i].Rect.Y+d.nodes[i].Rect.H-1, func(b *bucket) { b.nodes = append(b.nodes, int32(i)) })
	}
	d.segLink = make([]int32, len(d.segs))
	for i, l := range d.links {
		for at := l.first; at < l.end; at++ {
			d.segLink[at] = int32(i)
		}
	}
	for i := range d.segs {
		d.each(int(d.segs[i].y1), int(d.segs[i].y2), func(b *bucket) { b.segs = append(b.segs, int32(i)) })
	}
	for i := range d.arrows {
		d.each(d.arrows[i].y, d.arrows[i].y, func(b *bucket) { b.arrows = append(b.arrows, int32(i)) })
	}
	for i := range d.texts {
		d.each(d.texts[i].y, d.texts[i].y, func(b *bucket) { b.texts = append(b.texts, int32(i)) })
	}
	for i := range d.lines {
		d.linesOf[d.lines[i].from] = append(d.linesOf[d.lines[i].from], i)
	}
	return d
}

func (d *Drawing) each(from, to int, do func(*bucket)) {
	for i := max(from, 0) / bucketRows; i <= to/bucketRows && i < len(d.buckets); i++ {
		do(&d.buckets[i])
	}
}

// Size returns the width and the height in cells.
func (d *Drawing) Size() (w, h int) { return d.w, d.h }

// Nodes returns the states that are drawn: not those in a folded container. The slice must not be changed.
func (d *Drawing) Nodes() []Node { return d.nodes }

// Node returns the node of a state, or of the folded container that it is in; nil for a state of another definition.
func (d *Drawing) Node(state *asl.State) *Node {
	for state != nil {
		if at, ok := d.nodeOf[state]; ok {
			return &d.nodes[at]
		}
		state = state.Scope.Container
	}
	return nil
}

// At returns the innermost node at a cell, or nil.
func (d *Drawing) At(x, y int) *Node {
	if y < 0 || y >= d.h {
		return nil
	}
	var found *Node
	for _, i := range d.buckets[y/bucketRows].nodes {
		if d.nodes[i].Rect.Contains(x, y) {
			found = &d.nodes[i] // nodes inside come after their container
		}
	}
	return found
}
