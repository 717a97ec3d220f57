package provenance

import "container/heap"

// suspect is a place in which a lost value is looked for.
type suspect struct {
	place place
	from  int // the suspect at whose event it would be lost; -1 of the first
	// kind, field and byDefault are how it would be lost there; a kind of NeverThere means a place of the same value,
	// so that it cannot be lost on the way.
	kind      LossKind
	field     string
	byDefault bool
}

// search looks for the newest event that had a value which is missing later.
type search struct {
	*tracer
	suspects  []suspect
	queue     []int // a heap of places in suspects, the newest event first
	seen      map[nodePlace]bool
	spare     []suspect // to look at where nothing else had the value
	countStep func(i int) bool
}

// Len implements [heap.Interface].
func (s *search) Len() int { return len(s.queue) }

// Less implements [heap.Interface].
func (s *search) Less(i, j int) bool {
	a, b := s.queue[i], s.queue[j]
	if s.suspects[a].place.event != s.suspects[b].place.event {
		return s.suspects[a].place.event > s.suspects[b].place.event
	}
	return a < b
}

// Swap implements [heap.Interface].
func (s *search) Swap(i, j int) { s.queue[i], s.queue[j] = s.queue[j], s.queue[i] }

// Push implements [heap.Interface].
func (s *search) Push(x any) { s.queue = append(s.queue, x.(int)) }

// Pop implements [heap.Interface].
func (s *search) Pop() any {
	last := len(s.queue) - 1
	x := s.queue[last]
	s.queue = s.queue[:last]
	return x
}

// enqueue adds a place to look in.
func (s *search) enqueue(c suspect) {
	if c.place.event < 0 {
		return
	}
	key := nodePlace{c.place.event, s.pathOf(c.place.segments)}
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	s.suspects = append(s.suspects, c)
	heap.Push(s, len(s.suspects)-1)
}

// run returns the suspect that had the value, -1 where none did.
func (s *search) run() int {
	for looked := 0; looked < maxLooked; looked++ {
		if s.Len() == 0 {
			break
		}
		at := heap.Pop(s).(int)
		if !s.countStep(s.suspects[at].place.event) {
			return -1
		}
		if c := &s.suspects[at]; c.kind != NeverThere && s.value(c.place) != nil {
			return at
		}
		s.enqueueSources(at)
	}
	for _, c := range s.spare {
		if s.value(c.place) != nil {
			s.suspects = append(s.suspects, c)
			return len(s.suspects) - 1
		}
	}
	return -1
}

// chain returns the places from the first suspect to the one at whose event another was lost.
func (s *search) chain(lost int) []place {
	var places []place
	for at := s.suspects[lost].from; at >= 0; at = s.suspects[at].from {
		places = append(places, s.suspects[at].place)
	}
	for i, j := 0, len(places)-1; i < j; i, j = i+1, j-1 {
		places[i], places[j] = places[j], places[i]
	}
	return places
}

// enqueueSources adds all data that the data at a place were made of, and the data that could have had the value and
// were dropped.
func (s *search) enqueueSources(at int) {
	p := s.suspects[at].place
	list := s.links(p.event, p.segments)
	for k := range list {
		l := &list[k]
		c := suspect{place: below(l.from, p.segments), from: at, kind: l.lost, field: l.field, byDefault: l.absent}
		switch {
		case l.from.event < 0 || !l.holds(p.segments) || l.checked && l.kind == 0:
		case l.lost == Elsewhere:
			s.spare = append(s.spare, c)
		case l.lost != NeverThere:
			s.enqueue(c)
		default:
			if from, ok := l.placeBefore(p.segments); ok {
				c.place = from
				s.enqueue(c)
			}
		}
	}
}
