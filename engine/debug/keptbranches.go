package debug

import "slices"

// How many branches of a run are kept, and how many events those besides the current one may have of their own: a million
// of them take about 250 MB.
const (
	maxBranches     = 32
	maxBranchEvents = 1_000_000
)

// letGo drops branches while there are too many: the oldest first, but neither the first run, which may be a recorded
// one, nor the current one, nor the one that it left.
func (s *Session) letGo() {
	for {
		events := 0
		for _, r := range s.runs {
			if r != s.run {
				events += r.log.Len() - r.shared
			}
		}
		if len(s.runs) <= maxBranches && events <= maxBranchEvents {
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

// drop lets go of a branch. Those that began in it begin in the one that it began in.
func (s *Session) drop(i int) {
	old := s.runs[i]
	for _, r := range s.runs {
		if r.parent == old {
			r.parent, r.shared = old.parent, min(r.shared, old.shared)
		}
	}
	s.runs = slices.Delete(s.runs, i, i+1)
	s.gone++
}

// Dropped returns how many branches of the run are not kept any more: of very many, or very long ones, the oldest are
// let go.
func (s *Session) Dropped() int { return s.gone }
