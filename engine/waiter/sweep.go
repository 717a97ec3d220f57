package waiter

import "time"

// Candidate is a pair of delays with what simulated runs make of it.
type Candidate struct {
	// MinDelay and MaxDelay are whole seconds.
	MinDelay, MaxDelay int64
	// Calls is the mean number of calls of a run.
	Calls float64
	// Late is how late the change is seen at the percentile, where Seen is set; else fewer runs see it at all.
	Late time.Duration
	Seen bool
	// SeenBy is the part of the runs that see the change, from 0 to 1.
	SeenBy float64
}

// Sweep is a comparison of delays.
type Sweep struct {
	// MinDelays and MaxDelays are compared, each with each, in seconds. A maxDelay below minDelay counts as minDelay.
	MinDelays, MaxDelays []int64
	MaxWait              time.Duration
	Change               Change
	// Percentile is a number from 0 to before 1: 0.9 is the lateness that one of ten runs exceeds.
	Percentile float64
	Runs       int
	Seed       int64
}

// Waiters returns the waiter with each of the pairs of delays, in their order; none is there twice.
func (s *Sweep) Waiters(w *Waiter) []*Waiter {
	var list []*Waiter
	seen := make(map[[2]int64]bool)
	for _, low := range s.MinDelays {
		for _, high := range s.MaxDelays {
			pair := [2]int64{low, max(low, high)}
			if seen[pair] {
				continue
			}
			seen[pair] = true
			twin := *w
			twin.MinDelay, twin.MaxDelay = pair[0], pair[1]
			list = append(list, &twin)
		}
	}
	return list
}

// Run simulates runs with each pair of delays, as the specification has them.
func (s *Sweep) Run(w *Waiter) []Candidate {
	var list []Candidate
	for _, twin := range s.Waiters(w) {
		trials := twin.Simulate(SpecSchedule, s.MaxWait, s.Change, s.Runs, s.Seed)
		c := Candidate{MinDelay: twin.MinDelay, MaxDelay: twin.MaxDelay}
		calls := 0
		for _, t := range trials {
			calls += t.Attempts
		}
		summary := Summarize(trials)
		c.Calls, c.SeenBy = float64(calls)/float64(len(trials)), float64(summary.Seen)/float64(len(trials))
		if at := rank(s.Percentile, len(trials)); at < len(summary.Lates) { // the others see it never, which is later
			c.Late, c.Seen = summary.Lates[at], true
		}
		list = append(list, c)
	}
	return list
}

// Best returns the index of the candidate with the fewest calls of those that are late by less than within; of several, the one
// that is late the least. It returns -1 where there is none.
func Best(list []Candidate, within time.Duration) int {
	best := -1
	for i, c := range list {
		if !c.Seen || c.Late >= within {
			continue
		}
		if best < 0 || c.Calls < list[best].Calls || c.Calls == list[best].Calls && c.Late < list[best].Late {
			best = i
		}
	}
	return best
}
