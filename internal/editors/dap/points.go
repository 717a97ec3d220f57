package dap

import (
	"slices"
	"sync"

	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/source"
)

// editorPoint is a breakpoint that the editor has set. It is set in every execution that it fits.
type editorPoint struct {
	// id is its number for the editor.
	id int
	// source is the file of a line, as the editor knows it; nil: the spec says all.
	in           func(*source.File) bool
	key          string // of the file
	line, column int
	// spec is the place of one without a line; clauses are the clauses of all.
	spec, clauses string
}

// same reports whether the editor means the same breakpoint.
func (w *editorPoint) same(o *editorPoint) bool {
	return w.key == o.key && w.line == o.line && w.column == o.column && w.spec == o.spec && w.clauses == o.clauses
}

// group is the request that sets a breakpoint: each replaces all that it has set.
type group uint8

const (
	byLine group = iota
	byFunction
	byData
	byError
)

// points are the breakpoints that the editor has set. Its methods may be used by several goroutines, as long as no two use one
// session.
type points struct {
	mu   sync.Mutex
	last int
	// off is set where breakpoints do not stop.
	off    bool
	wanted [byError + 1][]*editorPoint
	// uncaught reports whether the one on uncaught errors is on.
	uncaught bool
	set      map[*debug.Session]map[*editorPoint]setPoint
}

// setPoint is a breakpoint in a session.
type setPoint struct {
	point *breakpoint.Breakpoint // nil: see err
	err   error
	at    *breakpoint.Location // of a line
}

// replace sets the breakpoints of a group, of one file where key is not empty. One that is there already stays, with its hits. It
// returns them with their numbers.
func (p *points) replace(g group, key string, list []*editorPoint) []*editorPoint {
	p.mu.Lock()
	defer p.mu.Unlock()
	var others []*editorPoint
	old := make(map[*editorPoint]bool)
	for _, w := range p.wanted[g] {
		if w.key == key {
			old[w] = true
		} else {
			others = append(others, w)
		}
	}
	for i, w := range list {
		for _, before := range p.wanted[g] {
			if old[before] && w.same(before) {
				list[i] = before
				delete(old, before)
				break
			}
		}
		if list[i].id == 0 {
			p.last++
			list[i].id = p.last
		}
	}
	p.wanted[g] = append(others, list...)
	return list
}

// prepare sets the breakpoints in a session that has not run yet.
func (p *points) prepare(s *debug.Session) { p.sync(s) }

// sync sets in a session the breakpoints that are missing, and removes those that the editor has removed.
func (p *points) sync(s *debug.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.set == nil {
		p.set = make(map[*debug.Session]map[*editorPoint]setPoint)
	}
	before, now := p.set[s], make(map[*editorPoint]setPoint)
	for _, list := range p.wanted {
		for _, w := range list {
			if set, is := before[w]; is {
				now[w] = set
			} else if !p.off {
				now[w] = add(s, w)
			}
		}
	}
	for w, set := range before {
		if _, is := now[w]; !is && set.point != nil {
			s.Breakpoints().Remove(set.point.ID)
		}
	}
	p.set[s] = now
	for _, b := range s.Breakpoints().All() {
		if b.Standing {
			b.Enabled = p.uncaught && !p.off
		}
	}
}

// add sets a breakpoint in a session.
func add(s *debug.Session, w *editorPoint) setPoint {
	if w.in == nil {
		b, err := s.Breakpoints().Add(w.spec + w.clauses)
		return setPoint{point: b, err: err}
	}
	definition := s.Machine().Definition()
	if !hasFile(definition, w.in) {
		return setPoint{err: errOtherFile}
	}
	at, ok := breakpoint.LocationAt(definition, w.in, w.line, w.column)
	if !ok {
		return setPoint{err: errNoState}
	}
	b, err := s.Breakpoints().AddSpot(at.State, at.Spot, w.clauses)
	return setPoint{point: b, err: err, at: &at}
}

// hasFile reports whether the text of a definition has a file.
func hasFile(definition *asl.StateMachine, in func(*source.File) bool) bool {
	return slices.ContainsFunc(filesOf(definition), func(f *source.File) bool { return in(f) })
}

// forget drops a session, which may be opened again: its breakpoints are set again then.
func (p *points) forget(s *debug.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, set := range p.set[s] {
		if set.point != nil {
			s.Breakpoints().Remove(set.point.ID)
		}
	}
	delete(p.set, s)
}

// of returns a breakpoint as it is set in the first of some sessions that have it.
func (p *points) of(w *editorPoint, levels []*level) setPoint {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := setPoint{err: errOtherFile}
	for _, l := range levels {
		set, is := p.set[l.session][w]
		switch {
		case is && set.point != nil:
			return set
		case is && found.err == errOtherFile:
			found = set
		}
	}
	return found
}

// numberOf returns the number for the editor of a breakpoint of a session.
func (p *points) numberOf(s *debug.Session, b *breakpoint.Breakpoint) (id int, ok bool) {
	if b == nil {
		return 0, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for w, set := range p.set[s] {
		if set.point == b {
			return w.id, true
		}
	}
	return 0, false
}
