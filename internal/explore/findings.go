package explore

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/internal/report"
	"asldb/internal/work"
)

// conclude makes the findings of the runs. Of runs that went the same way, the shortest is looked at.
func (x *exploration) conclude(ctx context.Context) error {
	x.result.Done = len(x.result.Bases) + len(x.runs)
	x.result.Planned += len(x.result.Bases)
	all := make([]*Run, 0, x.result.Done)
	for _, b := range x.result.Bases {
		all = append(all, b.Run)
	}
	all = append(all, x.runs...)
	counts := map[uint64]int{}
	shortest := map[uint64]*Run{}
	for _, r := range all {
		counts[r.signature]++
		if best := shortest[r.signature]; best == nil || shorter(r, best) < 0 {
			shortest[r.signature] = r
		}
	}
	ways := make([]*Run, 0, len(shortest))
	for _, r := range all {
		if shortest[r.signature] == r {
			ways = append(ways, r)
		}
	}
	x.result.Distinct = len(ways)
	x.dropUndone()
	ctx, done := x.rest(ctx)
	defer done()
	signs, err := x.analyse(ctx, ways)
	if err != nil {
		return err
	}
	x.result.Findings = x.findings(ways, signs, counts)
	x.notes()
	return nil
}

// shorter orders runs: those with fewer changes first, then those with faults that come once, then those with fewer
// visits.
func shorter(a, b *Run) int {
	always := func(r *Run) (n int) {
		for _, c := range r.Changes {
			if c.Always {
				n++
			}
			if c.Where == All && insideMap(c.State) {
				n++
			}
		}
		return n
	}
	return cmp.Or(
		cmp.Compare(len(a.Changes), len(b.Changes)), cmp.Compare(always(a), always(b)),
		cmp.Compare(a.States, b.States), cmp.Compare(a.Number, b.Number))
}

// dropUndone leaves the runs out of the matrix that were not done, and lists those that are not in it.
func (x *exploration) dropUndone() {
	inMatrix := map[*Run]bool{}
	rows := x.result.Rows[:0]
	for _, row := range x.result.Rows {
		for _, r := range []**Run{&row.Once, &row.Always} {
			if *r != nil && !(*r).done {
				*r = nil
			}
			inMatrix[*r] = true
		}
		if row.Once != nil || row.Always != nil {
			rows = append(rows, row)
		}
	}
	x.result.Rows = rows
	order := map[*asl.State]int{}
	for state := range x.options.Machine.Definition.Machine.All() {
		order[state] = len(order)
	}
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(order[a.State], order[b.State]) })
	for _, r := range x.runs {
		if !inMatrix[r] {
			x.result.Others = append(x.result.Others, r)
		}
	}
}

// sign is what a run shows: a finding before it is put together with the findings of other runs.
type sign struct {
	class        Class
	state        *asl.State
	field        string
	place        report.Place
	errors       []string
	text         string
	lost         []string
	event        int
	rule         string
	reproduction *Case
}

// key tells findings apart: runs with the same show the same.
func (s *sign) key() string {
	key := fmt.Sprint(s.class, " ", s.state.Path(), " ")
	switch s.class {
	case Bug, Data, Endless:
		return key + s.field + " " + strings.Join(s.errors, ",")
	case Broken:
		return key + s.rule
	case Uncaught, Swallowed, Unreached:
	}
	return key
}

// analyse looks at one run of each way, with its log, on all cores. The result is in the order of the runs.
func (x *exploration) analyse(ctx context.Context, ways []*Run) ([][]*sign, error) {
	signs := make([][]*sign, len(ways))
	failed := make([]error, len(ways))
	var looked atomic.Int64
	drivers := sync.Pool{New: func() any { return newDriver() }}
	work.Each(ctx, len(ways), x.options.Parallel, func(i int) {
		d := drivers.Get().(*driver)
		defer drivers.Put(d)
		var err error
		if signs[i], err = x.signsOf(ctx, d, ways[i]); err == nil {
			looked.Add(1)
		} else if ctx.Err() == nil {
			failed[i] = err
		}
	})
	if x.unseen = len(ways) - int(looked.Load()); x.unseen > 0 && ctx.Err() != nil {
		x.stop(ctx,
			fmt.Sprintf("%d of %d different ways were not looked at, nor what no run reaches", x.unseen, len(ways)))
	}
	definition := x.options.Machine.Definition
	x.result.Coverage = x.covered.Definition(definition.Name(), definition.Resource, "")
	if err := cmp.Or(failed...); err != nil {
		return nil, err
	}
	return signs, nil
}

// logged is a run for the coverage of its log.
type logged struct {
	log     *runlog.Log
	machine *engine.Machine
}

func (l logged) Log() *runlog.Log                 { return l.log }
func (l logged) Machine() *engine.Machine         { return l.machine }
func (l logged) Explainer() *provenance.Explainer { return nil }

// extent says how much of the runs is done.
func (x *exploration) extent() extent {
	if x.options.Check != nil {
		return wholeRun
	}
	return untilMet
}

// analysis does a run again, with its log; a run that meets its base again needs none, since it succeeds.
func (x *exploration) analysis(ctx context.Context, d *driver, r *Run) (*analysis, error) {
	a := &analysis{exploration: x, run: r, askCount: map[*asl.State]int{}}
	var err error
	how := x.extent()
	if how == untilMet && slices.ContainsFunc(r.Changes, func(c *Change) bool { return c.Kind == Input }) {
		how = fromMark // its log has the input that it was given
	}
	observe := func(request *engine.TaskRequest, _ engine.Outcome, _ origin) { a.askCount[request.Visit.State]++ }
	a.execution, err = d.run(ctx, r.Base.setting, r.Changes, how, observe)
	if d.met == nil {
		a.log, a.from = r.Base.logOf(d), d.from
	}
	a.hits, a.spares = slices.Clone(d.hits), d.allSpares(r.Base.setting.trail)
	return a, err
}

// logOf returns the events of a driver's newest run, with those that its base has as well.
func (b *Base) logOf(d *driver) *runlog.Log {
	log := b.setting.log.Prefix(d.from)
	for i := range d.events {
		log.Append(d.events[i : i+1])
	}
	return &log
}

// start returns the first state of the definition.
func (x *exploration) start() *asl.State {
	top := x.options.Machine.Definition.Machine.Top
	return top.State(top.StartAt)
}

// cover counts the parts that a run has gone through, where none has gone the same way before. The events that it
// shares with its base are counted there.
func (x *exploration) cover(d *driver, r *Run) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if !x.gone[r.signature] {
		x.gone[r.signature] = true
		x.covered.Add(logged{runlog.Of(d.events), r.Base.setting.machine})
	}
}

// showsNothing reports whether a run shows no sign, as far as its verdict and way say: its log need not be made again.
func (x *exploration) showsNothing(r *Run) bool {
	fault := len(r.Changes) > 0 && r.Changes[0].isFault()
	is := func(kinds ...StepKind) bool {
		return fault && slices.ContainsFunc(r.Handling, func(s Step) bool { return slices.Contains(kinds, s.Kind) })
	}
	switch {
	case x.options.Check != nil || r.Endless():
		return false
	case r.Status == engine.Succeeded:
		return !is(Caught, Tolerated)
	}
	return !r.raised && !is(Unhandled)
}

// signsOf does a run again and returns the signs of a finding in it.
func (x *exploration) signsOf(ctx context.Context, d *driver, r *Run) ([]*sign, error) {
	if x.showsNothing(r) {
		return nil, ctx.Err()
	}
	a, err := x.analysis(ctx, d, r)
	if err != nil {
		return nil, err
	}
	if x.options.Check != nil && !x.options.Every {
		x.check(r, a.execution, d)
	}
	signs := a.signs()
	x.mutex.Lock()
	broken := x.broken[r]
	x.mutex.Unlock()
	for _, b := range broken {
		s := &sign{class: Broken, state: cmp.Or(b.State, x.start()), text: b.Text, rule: b.Invariant, event: b.Event}
		signs = append(signs, s)
	}
	for _, s := range signs {
		if s.place.Line == 0 {
			s.place = placeIn(s.state, s.field)
		}
		if s.reproduction = a.reproduce(s); s.reproduction != nil && len(broken) > 0 {
			s.reproduction.Holds = false
		}
	}
	return signs, nil
}

// shown writes a place without the folder of its file: "order.asl.json:44:12".
func shown(at report.Place) string {
	if at.File != "" {
		at.File = filepath.Base(at.File)
	}
	return at.String()
}

// findings puts the signs of runs together: the shortest run represents all that show the same.
func (x *exploration) findings(ways []*Run, signs [][]*sign, counts map[uint64]int) []*Finding {
	order := map[*asl.State]int{}
	for state := range x.options.Machine.Definition.Machine.All() {
		order[state] = len(order)
	}
	found := map[string]*Finding{}
	var list []*Finding
	for i, r := range ways {
		for _, s := range signs[i] {
			f := found[s.key()]
			if f == nil {
				f = &Finding{Class: s.class, State: s.state}
				found[s.key()] = f
				list = append(list, f)
			}
			f.Count += counts[r.signature]
			x.found[r.signature] = append(x.found[r.signature], f)
			for _, name := range s.errors {
				if !slices.Contains(f.Errors, name) {
					f.Errors = append(f.Errors, name)
				}
			}
			better := f.Run == nil || shorter(r, f.Run) < 0
			if f.Run != nil && f.Case == nil && s.reproduction != nil { // a run that can be written as a case
				better = true
			} else if f.Run != nil && f.Case != nil && s.reproduction == nil {
				better = false
			}
			if better {
				f.Run, f.Field, f.At, f.Text, f.Lost = r, s.field, s.place, s.text, s.lost
				f.Event, f.Invariant, f.Case = s.event, s.rule, s.reproduction
			}
		}
	}
	if x.unseen == 0 {
		list = append(list, x.unreached()...)
	}
	every := func(f *Finding) int { // true of every run that comes there: no fault and no other data are needed
		if f.Run != nil && len(f.Run.Changes) == 0 && f.Class != Broken {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(every(a), every(b)), cmp.Compare(a.Class, b.Class),
			cmp.Compare(order[a.State], order[b.State]))
	})
	merged := x.merge(list)
	names := map[string]int{}
	for _, f := range list {
		if f.Case != nil {
			f.Case.rename(names)
		}
	}
	return merged
}
