// Package suiterun runs the cases of suites: it finds and reads the files, chooses the cases, runs them on all cores,
// and sends their outcomes in the order of the files, whichever ends first.
package suiterun

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/work"
)

// Options choose the cases and say how they run.
type Options struct {
	// Names chooses the cases of a suite whose name it matches; nil: all.
	Names *regexp.Regexp
	// Tags chooses the cases that have one of them, and none that follows a !; nil: all.
	Tags []string
	// Only chooses the cases that it holds for; nil: all.
	Only func(*suite.Case) bool
	// Parallel is how many cases run at a time; 0: one for each core.
	Parallel int
	// Bail ends the run at the first case that fails: the others are skipped.
	Bail bool
	// Shuffle is the seed of the order in which cases run; 0: they run in the order of the files. Outcomes are sent in
	// the order of the files in any case.
	Shuffle int64
	// Head is the head of the shard that the cases are; nil: they are all.
	Head *report.ShardHead
	// Now is the wall clock; nil: time.Now.
	Now func() time.Time
}

// Case runs one case and returns its outcome. It is called from several goroutines at once.
type Case func(context.Context, *suite.Case) *suite.Outcome

// Choose returns the cases of suites that the options choose, by suite; suites without any are left out.
func Choose(suites []*suite.Suite, o Options) [][]*suite.Case {
	var chosen [][]*suite.Case
	for _, s := range suites {
		var cases []*suite.Case
		for _, c := range s.Cases {
			if (o.Names == nil || o.Names.MatchString(c.Name)) && (o.Only == nil || o.Only(c)) && tagged(c, o.Tags) {
				cases = append(cases, c)
			}
		}
		if len(cases) > 0 {
			chosen = append(chosen, cases)
		}
	}
	return chosen
}

// tagged reports whether tags choose a case.
func tagged(c *suite.Case, tags []string) bool {
	wanted, has := false, false
	for _, tag := range tags {
		name, without := strings.CutPrefix(tag, "!")
		is := slices.Contains(c.Tags, name)
		if without && is {
			return false
		}
		wanted, has = wanted || !without, has || is && !without
	}
	return has || !wanted
}

// RunAll runs the chosen cases and sends their outcomes. covered is called after the last case, and returns what is to
// be sent before the end, nil for nothing; it may be nil. The error is one of the sink, or the context's: then
// cases that had not begun are left out.
func RunAll(
	ctx context.Context,
	chosen [][]*suite.Case,
	do Case,
	sink suite.Sink,
	o Options,
	covered func() *suite.Covered,
) (suite.Summary, error) {
	r := &run{options: o, do: do, now: o.Now}
	if r.now == nil {
		r.now = time.Now
	}
	for _, cases := range chosen {
		r.cases = append(r.cases, cases...)
	}
	r.ended = make([]chan *suite.Outcome, len(r.cases))
	for i := range r.ended {
		r.ended[i] = make(chan *suite.Outcome, 1)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	began := r.now()
	running := r.start(ctx)
	summary, err := r.report(ctx, chosen, sink, covered, began)
	stop()
	running.Wait()
	return summary, err
}

type run struct {
	options Options
	do      Case
	now     func() time.Time
	cases   []*suite.Case
	ended   []chan *suite.Outcome // by the place of the case

	mutex sync.Mutex
	bad   bool
}

// start starts to run the cases.
func (r *run) start(ctx context.Context) *sync.WaitGroup {
	order := make([]int, len(r.cases))
	for i := range order {
		order[i] = i
	}
	if seed := r.options.Shuffle; seed != 0 {
		rand.New(rand.NewPCG(uint64(seed), 0)).
			Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	}
	var running sync.WaitGroup
	running.Go(func() {
		work.Each(ctx, len(order), r.options.Parallel, func(k int) {
			i := order[k]
			r.ended[i] <- r.one(ctx, r.cases[i])
		})
	})
	return &running
}

// one runs a case, or says why it does not run.
func (r *run) one(ctx context.Context, c *suite.Case) *suite.Outcome {
	r.mutex.Lock()
	stopped := r.options.Bail && r.bad
	r.mutex.Unlock()
	if stopped && c.Skip == "" {
		return &suite.Outcome{Name: c.Name, At: c.At, Kind: suite.Skipped, Reason: "an earlier case failed (--bail)",
			Tags: c.Tags, Properties: c.Properties}
	}
	began := r.now()
	ended := r.do(ctx, c)
	ended.Wall = r.now().Sub(began)
	if ended.Kind.Bad() {
		r.mutex.Lock()
		r.bad = true
		r.mutex.Unlock()
	}
	return ended
}

// report sends the outcomes in the order of the files.
func (r *run) report(
	ctx context.Context,
	chosen [][]*suite.Case,
	sink suite.Sink,
	covered func() *suite.Covered,
	began time.Time,
) (suite.Summary, error) {
	var all suite.Summary
	first := suite.Began{Suites: len(chosen), Cases: len(r.cases), Seed: r.options.Shuffle, ShardHead: r.options.Head}
	if err := sink.Send(first); err != nil {
		return all, err
	}
	at := 0
	for _, cases := range chosen {
		s := &suite.SuiteOutcome{
			File:       cases[0].Suite.Name,
			Definition: cases[0].Suite.Definition().File,
			Started:    r.now(),
		}
		if err := sink.Send(suite.SuiteBegan{Suite: s}); err != nil {
			return all, err
		}
		for range cases {
			ended, err := r.await(ctx, at)
			if err != nil {
				return all, err
			}
			at++
			ended.Suite = s
			s.Summary.Add(ended)
			all.Add(ended)
			if err := sink.Send(suite.CaseEnded{Case: ended}); err != nil {
				return all, err
			}
		}
		if err := sink.Send(suite.SuiteEnded{Suite: s}); err != nil {
			return all, err
		}
	}
	all.Wall = r.now().Sub(began)
	if covered != nil {
		if c := covered(); c != nil {
			if err := sink.Send(*c); err != nil {
				return all, err
			}
		}
	}
	return all, sink.Send(suite.Ended{Summary: all})
}

// await returns the outcome of a case. After the end of the context it returns one that is there already.
func (r *run) await(ctx context.Context, i int) (*suite.Outcome, error) {
	select {
	case ended := <-r.ended[i]:
		return ended, nil
	case <-ctx.Done():
	}
	select {
	case ended := <-r.ended[i]:
		return ended, nil
	default:
		return nil, context.Cause(ctx)
	}
}
