package graph

import "maps"

// manyStates is the number of states above which a layout takes longer than a frame may.
const manyStates = 500

// fitting has everything that the best drawing of a sheet depends on.
type fitting struct {
	w, h    int
	auto    bool
	density Density
}

// behind are the drawings of a large graph that are laid out while the one before stays on the screen.
type behind struct {
	start  func(work func() (done func()))
	fits   map[fitting]*Drawing
	last   *Drawing
	busy   bool
	change int // counts the changes after which drawings are out of date
}

// LayOutBehind lets start lay out large graphs: it runs work, and calls the function that this returns between two
// frames.
func (s *Sheet) LayOutBehind(start func(work func() (done func()))) {
	s.behind = &behind{start: start, fits: map[fitting]*Drawing{}}
}

// changed drops the drawings. The last one stays until there is another.
func (s *Sheet) changed() {
	clear(s.drawings)
	if b := s.behind; b != nil {
		b.change++
		clear(b.fits)
	}
}

// needsLayout reports whether the best drawing is one to be laid out for some time.
func (s *Sheet) needsLayout(w, h int) bool {
	n := len(s.Model.states)
	switch {
	case s.behind == nil || n <= manyStates:
		return false
	case s.Auto:
		return n <= tooMany && w >= leastWidth && h >= leastHeight
	}
	return s.Density != Rail
}

// fitBehind returns the best drawing where there is one, and else the one before it, nil for the list, while the best
// is laid out.
func (s *Sheet) fitBehind(w, h int) *Drawing {
	b, key := s.behind, fitting{w, h, s.Auto, s.Density}
	if _, known := b.fits[key]; !known && !b.busy {
		s.begin(key)
	}
	if d, known := b.fits[key]; known {
		b.last = d
	}
	return b.last
}

// begin has the best drawing laid out.
func (s *Sheet) begin(key fitting) {
	b := s.behind
	b.busy = true
	apart, change := *s, b.change
	apart.behind, apart.folds, apart.drawings = nil, maps.Clone(s.folds), maps.Clone(s.drawings)
	b.start(func() (done func()) {
		d := apart.Fit(key.w, key.h)
		return func() {
			b.busy = false
			if b.change == change {
				maps.Copy(s.drawings, apart.drawings)
				b.fits[key] = d
			}
		}
	})
}
