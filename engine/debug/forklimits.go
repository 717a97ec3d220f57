package debug

import "slices"

// The number of forks that a session holds, and of events that those besides the current one may have of their own: a million
// of them take about 250 MB.
const (
	maxForks      = 32
	maxForkEvents = 1_000_000
)

// dropOld drops forks while there are too many: the oldest first, but neither the first run, which may be a recorded
// one, nor the current one, nor the one that it left.
func (s *Session) dropOld() {
	for {
		events := 0
		for _, r := range s.runs {
			if r != s.run {
				events += r.log.Len() - r.shared
			}
		}
		if len(s.runs) <= maxForks && events <= maxForkEvents {
			return
		}
		oldest := slices.IndexFunc(s.runs, func(r *run) bool {
			return r != s.runs[0] && r != s.run && r != s.run.parent && r != s.told
		})
		if oldest < 0 {
			return
		}
		s.drop(oldest)
	}
}

// drop drops a fork. Those that began in it then begin in its parent.
func (s *Session) drop(i int) {
	old := s.runs[i]
	for _, r := range s.runs {
		if r.parent == old {
			r.parent, r.shared = old.parent, min(r.shared, old.shared)
		}
	}
	s.runs = slices.Delete(s.runs, i, i+1)
	s.dropped++
}

// Dropped returns the number of forks that were dropped: of very many, or very long ones, those are the oldest.
func (f Forks) Dropped() int { return f.s.dropped }
