package waiter

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Schedule is a way to choose the delays between attempts. The clients of AWS do not all do as the specification says.
type Schedule uint8

// The schedules.
const (
	// SpecSchedule is the specification's schedule.
	SpecSchedule Schedule = iota
	// GoSchedule is the schedule of the AWS SDK for Go, version 2: as the specification, but it draws nanoseconds,
	// rounds the ceiling down, makes the last delay so short that minDelay is left after it, and gives up as soon as
	// less than minDelay is left.
	GoSchedule
	// BotocoreSchedule is the schedule of botocore, the Python SDK: always minDelay, up to a number of attempts,
	// whatever time that takes.
	BotocoreSchedule
)

var scheduleNames = [...]string{SpecSchedule: "specification", GoSchedule: "aws-sdk-go-v2", BotocoreSchedule: "botocore"}

// String returns the schedule's name, "aws-sdk-go-v2" for example.
func (s Schedule) String() string { return scheduleNames[s] }

// Schedules returns all schedules.
func Schedules() []Schedule { return []Schedule{SpecSchedule, GoSchedule, BotocoreSchedule} }

// BotocoreAttempts is how many attempts most of botocore's waiters make at most; its models set the number for each.
const BotocoreAttempts = 40

// Change is a change of the awaited resource: calls from At on see it. Calls take Call each.
type Change struct {
	At, Call time.Duration
	// Until, where it is after At, makes the time of the change one from At to Until, drawn for each run.
	Until time.Duration
	// Never is set when it does not happen at all.
	Never bool
}

// Trial is one simulated run of a waiter.
type Trial struct {
	// Attempts counts the calls.
	Attempts int
	// Seen reports whether the waiter saw the change; Took is how long it ran, and Late how long after the change it
	// saw it.
	Seen       bool
	Took, Late time.Duration
}

// Simulate runs the waiter's schedule runs times against a change, drawing from the seed.
func (w *Waiter) Simulate(schedule Schedule, maxWait time.Duration, change Change, runs int, seed int64) []Trial {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	trials := make([]Trial, runs)
	for i := range trials {
		trials[i] = w.trial(schedule, maxWait, change, random)
	}
	return trials
}

func (w *Waiter) trial(schedule Schedule, maxWait time.Duration, change Change, random *rand.Rand) Trial {
	var t Trial
	last := false
	if change.Until > change.At {
		change.At += time.Duration(random.Int64N(int64(change.Until-change.At) + 1))
	}
	for {
		t.Attempts++
		sees := !change.Never && t.Took >= change.At
		t.Took = plus(t.Took, change.Call)
		if schedule != BotocoreSchedule && t.Took > maxWait { // the call is cut off
			t.Took = maxWait
			return t
		}
		if sees {
			t.Seen, t.Late = true, t.Took-change.At
			return t
		}
		if last || w.givesUp(schedule, t.Attempts, maxWait-t.Took) {
			return t
		}
		var sleep time.Duration
		sleep, last = w.sleep(schedule, t.Attempts, maxWait-t.Took, random)
		t.Took = plus(t.Took, sleep)
	}
}

// plus adds two times that are not negative, at most to the longest there is.
func plus(a, b time.Duration) time.Duration {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// MostCalls is a bound of the calls that one simulated run can make.
func (w *Waiter) MostCalls(maxWait time.Duration) int64 {
	return max(int64(maxWait/(time.Duration(w.MinDelay)*time.Second))+2, BotocoreAttempts)
}

// givesUp reports whether a schedule makes no further attempt.
func (w *Waiter) givesUp(schedule Schedule, attempts int, remaining time.Duration) bool {
	switch schedule {
	case BotocoreSchedule:
		return attempts >= BotocoreAttempts
	case GoSchedule:
		return remaining < time.Duration(w.MinDelay)*time.Second
	case SpecSchedule:
	}
	return remaining <= 0
}

// sleep draws the delay after an attempt; last is set when one attempt follows and no more.
func (w *Waiter) sleep(schedule Schedule, attempt int, remaining time.Duration, random *rand.Rand) (sleep time.Duration, last bool) {
	low := time.Duration(w.MinDelay) * time.Second
	switch schedule {
	case BotocoreSchedule:
		return low, false
	case GoSchedule:
		top := time.Duration(w.MaxDelay) * time.Second
		if ceiling := math.Log(float64(w.MaxDelay/w.MinDelay))/math.Ln2 + 1; int64(attempt) <= int64(ceiling) {
			top = low << (attempt - 1)
		}
		sleep = low
		if top > low {
			sleep += time.Duration(random.Int64N(int64(top - low)))
		}
		if remaining-sleep <= low {
			sleep = max(remaining-low, 0)
		}
		return sleep, sleep == 0 // without a call's time it would run for ever
	case SpecSchedule:
	}
	d := w.NextDelay(attempt, remaining, random.Int64N)
	return d.Sleep, d.Last
}

// Summary is the distribution of some trials.
type Summary struct {
	Runs, Seen int
	// Attempts, Took and Late are the minimum, the 10th, 50th, 90th and 99th percentile and the maximum; Late counts
	// only trials that saw the change.
	Attempts   [6]int
	Took, Late [6]time.Duration
	// Lates are the delays of the trials that saw the change, in order.
	Lates []time.Duration
}

// Percentiles are the names of a Summary's numbers.
var percentiles = [6]float64{0, 0.1, 0.5, 0.9, 0.99, 1}

// Summarize returns the distribution of trials; there must be at least one.
func Summarize(trials []Trial) Summary {
	s := Summary{Runs: len(trials)}
	var attempts []int
	var took []time.Duration
	for _, t := range trials {
		attempts = append(attempts, t.Attempts)
		took = append(took, t.Took)
		if t.Seen {
			s.Seen++
			s.Lates = append(s.Lates, t.Late)
		}
	}
	slices.Sort(attempts)
	slices.Sort(took)
	slices.Sort(s.Lates)
	for i, p := range percentiles {
		s.Attempts[i] = attempts[rank(p, len(attempts))]
		s.Took[i] = took[rank(p, len(took))]
		if len(s.Lates) > 0 {
			s.Late[i] = s.Lates[rank(p, len(s.Lates))]
		}
	}
	return s
}

func rank(p float64, n int) int { return min(int(p*float64(n)), n-1) }

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
