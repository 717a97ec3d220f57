package runs

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/engine/waiter"
	"asldb/internal/cli/command"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// moments is a flag with a time, or two with a dash between them.
type moments struct{ from, until *time.Duration }

// String, Set and Type implement pflag.Value.
func (m moments) String() string { return "" }

func (m moments) Set(text string) error {
	first, second, isRange := strings.Cut(text, "-")
	from, err := time.ParseDuration(first)
	until := from
	if err == nil && isRange {
		until, err = time.ParseDuration(second)
	}
	if err != nil || until < from || from < 0 {
		return fmt.Errorf("a time such as 90s, or a range such as 60s-120s, is expected")
	}
	*m.from, *m.until = from, until
	return nil
}

func (m moments) Type() string { return "TIME" }

// maxCandidates bounds the numbers of a list and the pairs of a sweep.
const maxCandidates = 1000

// seconds is a flag with a list of whole numbers of seconds: "1-10,15,20".
type seconds struct{ list *[]int64 }

// String, Set and Type implement pflag.Value.
func (s seconds) String() string { return "" }

func (s seconds) Set(text string) error {
	var list []int64
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseInt(first, 10, 32)
		to, wrong := strconv.ParseInt(last, 10, 32)
		if err != nil || wrong != nil || from < 1 || to < from {
			return fmt.Errorf("whole numbers of seconds from 1 are expected, such as 1-10,15,20")
		}
		if to-from >= maxCandidates || len(list)+int(to-from) >= maxCandidates {
			return fmt.Errorf("at most %d numbers are compared", maxCandidates)
		}
		for n := from; n <= to; n++ {
			list = append(list, n)
		}
	}
	*s.list = list
	return nil
}

func (s seconds) Type() string { return "LIST" }

// sweepFlags are the flags of the comparison of delays.
type sweepFlags struct {
	minDelays, maxDelays []int64
	within               time.Duration
	percentile           float64
}

// given reports whether delays are to be compared.
func (f *sweepFlags) given() bool { return len(f.minDelays)+len(f.maxDelays) > 0 }

// sweep compares the delays and writes the result.
func (f *simulateFlags) sweep(s *command.Streams, w *waiter.Waiter) error {
	switch {
	case f.change.Never:
		return fmt.Errorf("--change-at is missing: delays are compared by how late they notice a change, such as --change-at 60s-120s")
	case f.percentile <= 0 || f.percentile >= 100:
		return fmt.Errorf("--percentile is a number between 0 and 100, not %v", f.percentile)
	}
	plan := &waiter.Sweep{
		MinDelays: f.minDelays, MaxDelays: f.maxDelays, MaxWait: f.maxWait, Change: f.change, Percentile: f.percentile / 100, Runs: f.runs, Seed: f.Seed(),
	}
	if len(plan.MinDelays) == 0 {
		plan.MinDelays = []int64{w.MinDelay}
	}
	if len(plan.MaxDelays) == 0 {
		plan.MaxDelays = []int64{w.MaxDelay}
	}
	pairs := plan.Waiters(w)
	if len(pairs) > maxCandidates {
		return fmt.Errorf("%d pairs of delays are too many: at most %d are compared", len(pairs), maxCandidates)
	}
	calls := int64(0)
	for _, pair := range pairs {
		calls += pair.MostCalls(f.maxWait)
	}
	if calls > maxCalls/int64(f.runs) {
		return fmt.Errorf("runs of all pairs of delays may make %d calls, and %d runs of each more than %d: lower --runs or --max-wait", calls, f.runs, maxCalls)
	}
	list := plan.Run(w)
	best := waiter.Best(list, f.within)
	if f.format == command.FormatJSON {
		return command.WrapWrite(report.JSON(s.Out, f.swept(w, list, best)))
	}
	var out strings.Builder
	f.head(&out, w)
	fmt.Fprintf(&out, "%d runs of each pair of delays, seed %d; %s\n\n", f.runs, f.Seed(), f.changes())
	f.sweepTable(&out, list, best)
	return f.print(s, out.String())
}

// at names the percentile.
func (f *sweepFlags) at() string { return strconv.FormatFloat(f.percentile, 'f', -1, 64) + " %" }

func (f *simulateFlags) sweepTable(out *strings.Builder, list []waiter.Candidate, best int) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\tminDelay\tmaxDelay\tcalls\tlate by, %s\tseen by\t\n", f.at())
	for i, c := range list {
		mark, late := "", "never"
		if c.Seen {
			late = shortTime(c.Late)
		}
		if i == best {
			mark = "best"
		}
		fmt.Fprintf(table, "%s\t%d s\t%d s\t%.1f\t%s\t%.1f %%\t\n", mark, c.MinDelay, c.MaxDelay, c.Calls, late, 100*c.SeenBy)
	}
	_ = table.Flush() // into memory
	if best < 0 {
		fmt.Fprintf(out, "\nNo pair is late by less than %v in %s of the runs.\n", f.within, f.at())
		return
	}
	c := list[best]
	fmt.Fprintf(out, "\nLate by less than %v in %s of the runs, with the fewest calls: minDelay %d s, maxDelay %d s (%.1f calls, late by %s)\n",
		f.within, f.at(), c.MinDelay, c.MaxDelay, c.Calls, shortTime(c.Late))
}

// The JSON of simulations; times are seconds.
type (
	simulationJSON struct {
		Waiter    string        `json:"waiter"`
		Operation string        `json:"operation"`
		MaxWait   value.Value   `json:"maxWaitSeconds"`
		Call      value.Value   `json:"callSeconds"`
		Runs      int           `json:"runs"`
		Seed      int64         `json:"seed"`
		ChangeAt  []value.Value `json:"changeAtSeconds,omitempty"` // from and until
		*sweepJSON
		Schedules []scheduleJSON `json:"schedules,omitempty"` // without a comparison of delays
	}
	sweepJSON struct {
		Within     value.Value     `json:"withinSeconds"`
		Percentile value.Value     `json:"percentile"`
		Candidates []candidateJSON `json:"candidates"`
		Best       *candidateJSON  `json:"best"`
	}
	candidateJSON struct {
		MinDelay int64       `json:"minDelay"`
		MaxDelay int64       `json:"maxDelay"`
		Calls    value.Value `json:"calls"`
		Late     value.Value `json:"lateSeconds"`
		Seen     value.Value `json:"seen"`
		Within   bool        `json:"within"`
	}
	scheduleJSON struct {
		Schedule string      `json:"schedule"`
		Attempts spreadJSON  `json:"attempts"`
		Took     spreadJSON  `json:"tookSeconds"`
		Seen     value.Value `json:"seen,omitempty"`
		Late     *spreadJSON `json:"lateSeconds,omitempty"`
	}
	// spreadJSON has the numbers of a [waiter.Summary].
	spreadJSON struct {
		Min value.Value `json:"min"`
		P10 value.Value `json:"p10"`
		P50 value.Value `json:"p50"`
		P90 value.Value `json:"p90"`
		P99 value.Value `json:"p99"`
		Max value.Value `json:"max"`
	}
)

// simulation has the members that both results begin with.
func (f *simulateFlags) simulation(w *waiter.Waiter) *simulationJSON {
	summary := &simulationJSON{Waiter: w.Name, Operation: w.Operation, MaxWait: engine.Seconds(f.maxWait),
		Call: engine.Seconds(f.change.Call), Runs: f.runs, Seed: f.Seed()}
	if !f.change.Never {
		summary.ChangeAt = []value.Value{engine.Seconds(f.change.At), engine.Seconds(f.change.Until)}
	}
	return summary
}

func (f *simulateFlags) swept(w *waiter.Waiter, list []waiter.Candidate, best int) *simulationJSON {
	summary := f.simulation(w)
	summary.sweepJSON = &sweepJSON{engine.Seconds(f.within), value.Float(f.percentile),
		value.Each(list, func(c waiter.Candidate) candidateJSON {
			one := candidateJSON{MinDelay: c.MinDelay, MaxDelay: c.MaxDelay, Calls: value.Float(c.Calls),
				Seen: value.Float(c.SeenBy), Within: c.Seen && c.Late < f.within}
			if c.Seen {
				one.Late = engine.Seconds(c.Late)
			}
			return one
		}), nil}
	if best >= 0 {
		summary.Best = &summary.Candidates[best]
	}
	return summary
}

// simulated is the result of a simulation without a comparison of delays.
func (f *simulateFlags) simulated(w *waiter.Waiter, summaries []waiter.Summary) *simulationJSON {
	summary := f.simulation(w)
	for i, schedule := range waiter.Schedules() {
		s := summaries[i]
		one := scheduleJSON{Schedule: schedule.String(), Took: spreadOf(s.Took, engine.Seconds),
			Attempts: spreadOf(s.Attempts, func(n int) value.Value { return value.Int(int64(n)) })}
		if !f.change.Never {
			one.Seen = value.Float(float64(s.Seen) / float64(s.Runs))
		}
		if s.Seen > 0 {
			late := spreadOf(s.Late, engine.Seconds)
			one.Late = &late
		}
		summary.Schedules = append(summary.Schedules, one)
	}
	return summary
}

func spreadOf[T any](n [6]T, in func(T) value.Value) spreadJSON {
	return spreadJSON{in(n[0]), in(n[1]), in(n[2]), in(n[3]), in(n[4]), in(n[5])}
}

// head is the first line of a result.
func (f *simulateFlags) head(out *strings.Builder, w *waiter.Waiter) {
	fmt.Fprintf(out, "%s of %s: delays of %d s to %d s, willing to wait %v, calls of %v each\n",
		wording.Line(w.Name), wording.Line(w.OperationName()), w.MinDelay, w.MaxDelay, f.maxWait, f.change.Call)
}

// changes says when the change is.
func (f *simulateFlags) changes() string {
	switch {
	case f.change.Never:
		return "the change never happens"
	case f.change.Until > f.change.At:
		return fmt.Sprintf("the change is at any time from %v to %v", f.change.At, f.change.Until)
	}
	return fmt.Sprintf("the change is at %v", f.change.At)
}

func (f *simulateFlags) print(s *command.Streams, text string) error {
	if _, err := fmt.Fprint(s.Out, text); err != nil {
		return fmt.Errorf("cannot write the result: %w", err)
	}
	return nil
}
