package events

import (
	"cmp"
	"slices"
)

// keptStretches is how many of the longest stretches are remembered: more breaks than that make no axis.
const keptStretches = 64

// Stretches watches the instants at which something happens, and knows the longest times between them.
type Stretches struct {
	last    int64
	total   int64
	gaps    int
	longest []Stretch // the longest first
}

// Add says that something happened at t, which is not before the instants added already.
func (s *Stretches) Add(t int64) {
	if t <= s.last {
		return
	}
	gap := Stretch{s.last, t}
	s.last = t
	s.total += gap.Len()
	s.gaps++
	if n := len(s.longest); n == keptStretches && s.longest[n-1].Len() >= gap.Len() {
		return
	}
	at, _ := slices.BinarySearchFunc(s.longest, gap, func(a, b Stretch) int {
		return cmp.Or(cmp.Compare(b.Len(), a.Len()), cmp.Compare(a.From, b.From))
	})
	s.longest = slices.Insert(s.longest, at, gap)
	if len(s.longest) > keptStretches {
		s.longest = s.longest[:keptStretches]
	}
}

// Clone returns a copy, to which times to come can be added.
func (s *Stretches) Clone() Stretches {
	c := *s
	c.longest = slices.Clone(s.longest)
	return c
}

// End returns the last instant.
func (s *Stretches) End() int64 { return s.last }

// dwarfs is how many times longer than all shorter ones together a stretch is when it is left out.
const dwarfs = 10

// fewGaps is how many stretches must stay when more than the outstanding ones are left out.
const fewGaps = 3

// Cuts returns the stretches to leave out, at most limit of them and in order: those outside which all that is
// shorter would hardly be seen.
func (s *Stretches) Cuts(limit int) []Stretch {
	rest, cut := s.total, 0
	for i, gap := range s.longest {
		rest -= gap.Len()
		if rest <= 0 || i >= limit {
			break
		}
		if gap.Len()/dwarfs > rest && (cut == 0 || s.gaps-i-1 >= fewGaps) {
			cut = i + 1
		}
	}
	cuts := slices.Clone(s.longest[:cut])
	slices.SortFunc(cuts, func(a, b Stretch) int { return cmp.Compare(a.From, b.From) })
	return cuts
}
