package graph

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// box is the size of a state before it has a place.
type box struct {
	w, h int
	port int // the column of its lines above and, where there is one only, below
	// lead is the width at its right for the lines of its catchers; label is the part of it for their names.
	lead, label int
	// facing is one more than the group whose line leads straight to or from its neighbour at the right; 0: there is
	// none.
	facing int
	// titled is the column at which the title in its upper border ends.
	titled int
	node   Node
	inside *block // of an open container
}

// layouter lays out the scopes of a definition.
type layouter struct {
	model *Model
	shape Shape
	folds Folds
	notes func(*asl.State) string // nil: there are none
	// paths are those at the transitions; nil: there are none.
	paths func(from *asl.State, edge int) string
}

// scope lays out one scope, with all that its containers hold.
func (l *layouter) scope(scope *asl.Scope) *block {
	if len(l.model.in(scope)) == 0 { // an error, which is drawn with the rest
		return &block{}
	}
	ranked := rankScope(l, scope)
	for i, state := range ranked.states {
		ranked.boxes[i] = l.box(state)
	}
	layered := newLayering(ranked)
	layered.build()
	(&ordering{layering: layered, keys: make([]float64, len(layered.items))}).reduceCrossings()
	layered.face()
	for i := range ranked.states {
		ranked.widen(i)
	}
	ranked.spaceLines()
	layered.size()
	(&placement{layered}).place()
	s := &routing{layering: layered, block: &block{}}
	s.makeChannels()
	s.rows()
	s.draw()
	for i := range s.boxes {
		b, it := &s.boxes[i], &s.items[i]
		b.node.Rect = canvas.Rect{X: it.x, Y: it.y, W: b.w, H: b.h}
		b.node.port = it.in
		s.block.nodes = append(s.block.nodes, b.node)
		if b.inside != nil {
			s.block.add(b.inside, it.x, it.y)
		}
	}
	for i := range s.groups {
		if g := &s.groups[i]; g.head >= 0 {
			s.block.lines = append(s.block.lines, line{ranked.states[g.from], ranked.states[g.to], g.catch, g.edges, g.head})
		}
	}
	return s.block
}

// kindText is the text after a state's name.
func kindText(state *asl.State, g *canvas.Glyphs, folded int) string {
	kind := ""
	switch {
	case state.Type == asl.Choice:
		kind = g.Choice
	case state.Type == asl.Parallel:
		kind = g.Parallel + strconv.Itoa(len(state.Branches))
	case state.Type == asl.Map:
		kind = g.Map
	case state.Type == asl.Wait:
		kind = g.Waiting
	case state.Type == asl.Succeed, state.Type == asl.Fail:
		kind = g.End
	}
	if folded > 0 {
		kind += " [+" + strconv.Itoa(folded) + "]"
	}
	return kind
}

// badgedWidth adds width for "«2/3" in the upper border, next to incoming lines.
const badgedWidth = 18

// badgeCells are for " «2/3" after the name in one row.
const badgeCells = 5

// chipSigns are the cells before the name of a chip: the signs of a breakpoint and of the status, and a blank.
const chipSigns = 3

// box measures a state. Widths are measured with the glyphs of Unicode; those in ASCII are as wide.
func (l *layouter) box(state *asl.State) box {
	folded := 0
	if l.folds[state] {
		folded = l.model.Inside(state)
	}
	kind := canvas.Width(kindText(state, canvas.Unicode(), folded))
	if kind > 0 {
		kind++
	}
	b := box{node: Node{State: state}}
	switch {
	case folded == 0 && len(scopesOf(state)) > 0:
		l.container(&b, min(canvas.Width(state.Name), l.shape.Name)+kind)
	case l.shape.Density == Chips:
		b.w, b.h = l.name(state, kind)
		b.w += chipSigns
		if len(state.Retry)+len(state.Catch) > 0 {
			b.w += badgeCells
		}
	default:
		b.w, b.h = l.name(state, kind)
		b.w, b.h = max(b.w+6, 8), b.h+2
		if len(state.Retry)+len(state.Catch) > 0 {
			b.w = max(b.w, badgedWidth)
		}
	}
	if !b.node.Open {
		l.addNote(&b)
	}
	if b.port == 0 {
		b.port = b.w / 2
	}
	return b
}

// name returns the width and the number of rows of a state's name; behind are the cells behind it.
func (l *layouter) name(state *asl.State, behind int) (w, rows int) {
	first, second := l.shape.nameRows(state.Name)
	w = min(canvas.Width(first), l.shape.Name)
	if second == "" {
		return w + behind, 1
	}
	return max(w, min(canvas.Width(second), l.shape.Name)+behind), 2
}

// container puts the branches of a Parallel state side by side, or the processor of a Map state, into a frame.
func (l *layouter) container(b *box, title int) {
	state := b.node.State
	b.node.Open = true
	b.inside = &block{}
	x, h := 2, 0
	for i, scope := range scopesOf(state) {
		if i > 0 {
			x += 3
		}
		inner := l.scope(scope)
		b.inside.add(inner, x, 2)
		w := max(inner.w, 12)
		b.node.inner = append(b.node.inner, canvas.Rect{X: x, Y: 2, W: w, H: inner.h})
		x += w
		h = max(h, inner.h)
	}
	for i := range b.node.inner {
		b.node.inner[i].H = h
	}
	if whole := canvas.Width(state.Name) + title - min(canvas.Width(state.Name), l.shape.Name); 2+whole+5+5 <= x+2 {
		title = whole // there is room for it
	}
	end := 2 + title + 5
	b.w, b.h = max(x+2, end+5), h+3
	b.titled = end
	b.port = max(b.w/2, end+1)
	b.w = max(b.w, b.port+3)
	if n := len(b.node.inner) - 1; b.w > x+2 {
		b.node.inner[n].W += b.w - x - 2
	}
}

// widen adds space for a state's lines: below it for a Choice's, at its right for catchers'.
func (s *ranking) widen(node int) {
	b := &s.boxes[node]
	down, caught, label, path := 0, 0, 0, 0
	for _, at := range s.outs[node] {
		g := &s.groups[at]
		switch {
		case g.from == g.to, g.faces:
		case g.rightward():
			caught++
			for _, text := range g.labels[g.paths:] {
				label = max(label, canvas.Width(text))
			}
			if g.paths > 0 {
				path = max(path, min(canvas.Width(g.labels[0]), leastNote))
			}
		default:
			down++
		}
	}
	if need := 2*down + 3; down > 1 && b.w < need {
		b.w = need
		b.port = b.w / 2
	}
	if caught > 0 {
		b.lead = 1 + 2*caught
		if b.label = min(label, s.shape.Catch); caught > 1 {
			b.label = min(canvas.Width(manyCatchers(caught)), s.shape.Catch)
		}
		switch {
		case path > 0 && (label > s.shape.Catch || caught > 1):
			b.label = path
		case path > 0:
			b.label += path + pathGap
		}
		if b.label > 0 {
			b.lead += b.label + 2
		}
	}
}

// spaceLines puts a blank between a chip and the lines of catchers at its right.
func (s *ranking) spaceLines() {
	spaced := make([]bool, len(s.boxes))
	for i := range s.groups {
		if g := &s.groups[i]; g.rightward() {
			spaced[g.from], spaced[g.to] = true, true
		}
	}
	for i := range s.boxes {
		if b := &s.boxes[i]; (spaced[i] || b.facing > 0) && s.shape.Density == Chips && !b.node.Open {
			b.w++
		}
	}
}

// pathGap is the number of blanks between a path and the Error Names on the line of a catcher.
const pathGap = 2

func manyCatchers(n int) string { return strconv.Itoa(n) + " catchers" }

// labels writes the conditions next to their lines.
func (s *routing) labels() {
	for at := range s.items {
		it := &s.items[at]
		if it.kind != labelItem {
			continue
		}
		g := &s.groups[it.group]
		x := it.x + 2
		if it.leftText {
			x = it.x
		}
		for i, row := range g.rows() {
			s.block.texts = append(s.block.texts, text{x, it.y + i, it.w - 2, row, it.leftText, s.states[g.from], it.through, i < g.paths})
		}
	}
	for i := range s.boxes {
		b := &s.boxes[i]
		if b.label == 0 {
			continue
		}
		label, path, n, head, on := "", "", 0, -1, -1
		for _, at := range s.outs[i] {
			if g := &s.groups[at]; g.rightward() {
				n++
				head = g.head
				if g.paths > 0 && path == "" {
					path, on = g.labels[0], g.head
				}
				for _, l := range g.labels[g.paths:] {
					if label != "" {
						label += ", "
					}
					label += l
				}
			}
		}
		if n > 1 {
			label = manyCatchers(n)
		}
		switch {
		case path != "" && (n > 1 || canvas.Width(label) > s.shape.Catch):
			label, head = path, on
		case path != "":
			label = path + strings.Repeat(" ", pathGap) + label
		}
		s.block.texts = append(s.block.texts, text{s.items[i].x + b.w + 1, s.sideRow(i), b.label + 2, " " + label + " ", false, s.states[i], head, path != ""})
	}
}
