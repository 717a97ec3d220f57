package provenance

import "iter"

// stepsInSlice is how many steps over events a slice of a [Search] takes: a few milliseconds.
const stepsInSlice = 2000

// scansInSlice is how many events the steps of a slice look at on the search for another one.
const scansInSlice = 10_000

// Search follows a value in slices: [Search.Advance] takes one. A Search that is not carried to its end must be stopped.
type Search struct {
	next func() (struct{}, bool)
	stop func()

	walker *walker
	way    *Way
	loss   *Loss
	err    error
}

// Search is [Lens.Find] in slices. SearchForward is [Lens.Forward], and SearchBack is [Lens.Back].
func (l *Lens) Search(i int, text string) *Search {
	return l.search(func(l *Lens) (*Way, *Loss, error) { return l.Find(i, text) })
}

// SearchForward is [Lens.Forward] in slices.
func (l *Lens) SearchForward(i int, text string) *Search {
	return l.search(func(l *Lens) (*Way, *Loss, error) {
		way, err := l.Forward(i, text)
		return way, nil, err
	})
}

// SearchBack is [Lens.Back] in slices.
func (l *Lens) SearchBack(i int, text string) *Search {
	return l.search(func(l *Lens) (*Way, *Loss, error) {
		way, err := l.Back(i, text)
		return way, nil, err
	})
}

func (l *Lens) search(find func(*Lens) (*Way, *Loss, error)) *Search {
	s := &Search{}
	s.next, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		inSlices := *l
		inSlices.pause = func(w *walker) bool {
			s.walker = w
			return yield(struct{}{})
		}
		s.way, s.loss, s.err = find(&inSlices)
	})
	return s
}

// Advance takes a slice. It reports whether the search continues after it.
func (s *Search) Advance() (more bool) {
	_, more = s.next()
	return more
}

// Stop ends a search before its end.
func (s *Search) Stop() { s.stop() }

// Result returns the result of a search that has come to its end.
func (s *Search) Result() (*Way, *Loss, error) { return s.way, s.loss, s.err }

// At returns the index of the event that a running search has come to, -1 before the first slice.
func (s *Search) At() int {
	if s.walker == nil {
		return -1
	}
	return s.walker.come
}

// Known returns the way as far as a running search has come, without the nodes that a Way would fold; nil before
// anything is known. It takes the longer the longer the way is.
func (s *Search) Known() *Way {
	w := s.walker
	if w == nil || w.known == nil {
		return nil
	}
	known := *w.known
	known.Nodes, known.Total = copied(w.root.Children, max(w.lens.limit(), DefaultLimit)), w.nodes
	known.Passages, known.Edges = w.route.list()
	return &known
}

// copied returns a copy of the first nodes of a tree, at most limit of them.
func copied(nodes []*Node, limit int) []*Node {
	type pair struct{ from, to *Node }
	top := &Node{}
	queue := []pair{{&Node{Children: nodes}, top}}
	for len(queue) > 0 && limit > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, child := range p.from.Children {
			if limit--; limit < 0 {
				break
			}
			n := *child
			n.Children = nil
			p.to.Children = append(p.to.Children, &n)
			queue = append(queue, pair{child, &n})
		}
	}
	return top.Children
}

// countStep counts a step at event i, and lets a [Search] end its slice. It reports whether the walker continues.
func (w *walker) countStep(i int) bool {
	w.steps++
	if w.come = i; w.lens.pause != nil && w.steps%stepsInSlice == 0 {
		w.endSlice(i)
	}
	return !w.stopped
}

// endSlice lets a [Search] end its slice at event i.
func (w *walker) endSlice(i int) {
	if w.come = i; !w.stopped {
		w.stopped = !w.lens.pause(w)
	}
}

// scan counts a look at event i within a step, and lets a [Search] end its slice after many.
func (t *tracer) scan(i int) {
	if t.pause == nil {
		return
	}
	if t.scanned++; t.scanned%scansInSlice == 0 {
		t.pause(i)
	}
}
