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
func (f *Forks) dropOld() {
	s := f.s
	for {
		events := 0
		for _, r := range f.runs {
			if r != s.run {
				events += r.log.Len() - r.shared
			}
		}
		if len(f.runs) <= maxForks && events <= maxForkEvents {
			return
		}
		oldest := slices.IndexFunc(f.runs, func(r *run) bool {
			return r != f.runs[0] && r != s.run && r != s.run.parent && r != s.feed.at
		})
		if oldest < 0 {
			return
		}
		f.drop(oldest)
	}
}

// drop drops a fork. Those that began in it then begin in its parent.
func (f *Forks) drop(i int) {
	old := f.runs[i]
	for _, r := range f.runs {
		if r.parent == old {
			r.parent, r.shared = old.parent, min(r.shared, old.shared)
		}
	}
	f.runs = slices.Delete(f.runs, i, i+1)
	f.dropped++
}

// Dropped returns the number of forks that were dropped: of very many, or very long ones, those are the oldest.
func (f *Forks) Dropped() int { return f.dropped }
