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
	"asldb/engine/explain"
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

// sign is what a run shows: a finding before it is put together with those of other runs.
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
		if signs[i], err = x.look(ctx, d, ways[i]); err == nil {
			looked.Add(1)
		} else if ctx.Err() == nil {
			failed[i] = err
		}
	})
	if x.unseen = len(ways) - int(looked.Load()); x.unseen > 0 && ctx.Err() != nil {
		x.stop(ctx, fmt.Sprintf("%d of %d different ways were not looked at, nor what no run reaches", x.unseen, len(ways)))
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

// analysis does a run again, with its log.
func (x *exploration) analysis(ctx context.Context, d *driver, r *Run) (*analysis, error) {
	a := &analysis{exploration: x, run: r, asked: map[*asl.State]int{}}
	var err error
	how := fromMark
	if x.options.Check != nil {
		how = wholeRun
	}
	a.execution, err = d.run(ctx, r.Base.setting, r.Changes, how, func(request *engine.TaskRequest, _ engine.Outcome, _ origin) {
		a.asked[request.Visit.State]++
	})
	if d.begun != nil {
		for _, earlier := range r.Base.setting.asks[:d.begun.asks] {
			a.asked[earlier.request.Visit.State]++
		}
	}
	a.log, a.hits = runlog.Of(slices.Concat(r.Base.setting.events[:d.from], d.events)), slices.Clone(d.hits)
	return a, err
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

// look does a run again and returns the signs of a finding in it.
func (x *exploration) look(ctx context.Context, d *driver, r *Run) ([]*sign, error) {
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

// analysis looks at one run.
type analysis struct {
	*exploration
	run       *Run
	execution *engine.Execution // at its end
	log       *runlog.Log
	hits      []hit
	asked     map[*asl.State]int // how often each task was asked for
}

// signs returns what the run shows.
func (a *analysis) signs() []*sign {
	r := a.run
	switch {
	case r.Endless() && r != r.Base.Run && r.Base.Run.Endless(): // it is not the change
		return nil
	case r.Endless():
		return []*sign{a.endless()}
	case r.Status == engine.Succeeded:
		return a.swallowed()
	case r.Status != engine.Failed && r.Status != engine.TimedOut:
		return nil
	}
	chain := provenance.EndOf(a.log, r.Base.setting.machine.Dialect())
	root := chain.Root()
	if root == nil {
		return nil
	}
	if root.Failure != nil && root.Visit != nil && slices.Contains(own, root.Failure.Name) && !a.injected(root) {
		return a.ownFault(root)
	}
	return a.unhandled()
}

// injected reports whether an error is the fault of a change itself.
func (a *analysis) injected(root *provenance.Link) bool {
	for _, h := range a.hits {
		if c := a.run.Changes[h.change]; c.isFault() && h.visit == root.Visit && root.Failure.Name == c.Error {
			return true
		}
	}
	return false
}

// ownFault is the sign of an error that the definition raised by itself.
func (a *analysis) ownFault(root *provenance.Link) []*sign {
	r := a.run
	state := root.Visit.State
	if base := r.Base.Run; r != base && base.Status == r.Status {
		if known := a.baseRoot(r.Base); known != nil && known.Visit.State == state {
			if was, is := known.Failure, root.Failure; was.Name == is.Name && was.Field == is.Field {
				return nil // it is not the change
			}
		}
	}
	s := &sign{class: Data, state: state, event: root.Event}
	s.field, s.errors = root.Failure.Field, []string{root.Failure.Name}
	if place, ok := root.Failure.Place(); ok && place.Source != nil {
		s.place = placeAt(&place, place.Span.Start)
	}
	why := cmp.Or(root.Failure.Explanation(), explain.Reason(root.Failure))
	s.text = fmt.Sprintf("%s fails with %s", state.Name, root.Failure.Name)
	if why != "" {
		s.text += ": " + strings.TrimSuffix(firstLine(why), ".")
	}
	switch handled, alone := r.handled(); {
	case !handled:
	case alone && !a.neverThere(root), !alone && a.lostByCatcher(root):
		s.class = Bug
	}
	return []*sign{s}
}

// baseRoot returns the cause of the end of a base; nil where it has none in a state.
func (a *analysis) baseRoot(b *Base) *provenance.Link {
	root := provenance.EndOf(b.setting.log, b.setting.machine.Dialect()).Root()
	if root == nil || root.Visit == nil || root.Failure == nil {
		return nil
	}
	return root
}

// handled reports whether a fault of the run was handled, and whether all of its changes are faults.
func (r *Run) handled() (handled, alone bool) {
	handled = slices.ContainsFunc(r.Handling, func(s Step) bool { return s.Kind != Unhandled })
	for _, c := range r.Changes {
		if !c.isFault() {
			return handled, false
		}
	}
	return handled, true
}

// neverThere reports whether the value that was missed was never there, in a run whose data were made up: where the
// base does not enter the state, or the run took made-up results of tasks that the base does not ask for, the data may
// be incomplete, and no fault lost it.
func (a *analysis) neverThere(root *provenance.Link) bool {
	base := a.run.Base
	if loss := a.loss(root); !base.Placeholder || loss == nil || loss.Kind != provenance.NeverThere {
		return false
	}
	more := slices.ContainsFunc(a.run.tasks, func(s *asl.State) bool { return len(base.setting.requests[s]) == 0 })
	return more || !a.entered(base, root.Visit.State)
}

// lostByCatcher reports whether a catcher has put the Error Output in the place of the value that was missed.
func (a *analysis) lostByCatcher(root *provenance.Link) bool {
	loss := a.loss(root)
	return loss != nil && loss.Kind != provenance.NeverThere && strings.HasPrefix(loss.Field, "Catch")
}

func (a *analysis) entered(b *Base, state *asl.State) bool {
	for e := range b.setting.log.All() {
		if e.Type == engine.StateEntered && e.Visit.State == state {
			return true
		}
	}
	return false
}

// unhandled is the sign of an error of a task that ended the execution.
func (a *analysis) unhandled() []*sign {
	r := a.run
	unhandled := func(s Step) bool { return s.Kind == Unhandled }
	if len(r.Changes) == 0 || !r.Changes[0].isFault() || !slices.ContainsFunc(r.Handling, unhandled) {
		return nil
	}
	c := r.Changes[0]
	s := &sign{class: Uncaught, state: c.State, errors: c.errors(), event: r.Event}
	s.text = "no retrier and no catcher takes the error"
	if slices.ContainsFunc(r.Handling, func(s Step) bool { return s.Kind == Retried }) {
		s.text = "the retries are used up, and no catcher takes the error"
	}
	s.lost = a.lost()
	return []*sign{s}
}

// lost returns the losses by an error: tasks that were done before, branches and iterations that were ended.
func (a *analysis) lost() []string {
	var done []string
	for e := range a.log.All() {
		if e.Type == engine.TaskSucceeded && !slices.Contains(done, e.Visit.State.Name) {
			done = append(done, e.Visit.State.Name)
		}
	}
	var lost []string
	if n := len(done); n > 0 {
		shown := done
		if n > 4 {
			shown = append(slices.Clone(done[:3]), fmt.Sprintf("%d others", n-3))
		}
		lost = append(lost, "done before: "+strings.Join(shown, ", "))
	}
	switch {
	case a.run.Aborted == 1:
		lost = append(lost, "1 other branch or iteration was ended")
	case a.run.Aborted > 1:
		lost = append(lost, fmt.Sprintf("%d other branches or iterations were ended", a.run.Aborted))
	}
	return lost
}

// swallowed is the sign of an execution that succeeded though a task failed.
func (a *analysis) swallowed() []*sign {
	r := a.run
	if len(r.Changes) == 0 || !r.Changes[0].isFault() {
		return nil
	}
	for _, step := range r.Handling {
		s := &sign{class: Swallowed, state: r.Changes[0].State, errors: r.Changes[0].errors(), event: r.Event}
		switch step.Kind {
		case Caught:
			s.text = fmt.Sprintf("catcher %d of %s leads to %s, and the execution succeeds", step.Index+1, step.State.Name, step.Next)
			return []*sign{s}
		case Tolerated:
			s.text = fmt.Sprintf("%s tolerates the failure, and the execution succeeds", step.State.Name)
			return []*sign{s}
		case Retried, Unhandled:
		}
	}
	return nil
}

// endless is the sign of a run that had too many events.
func (a *analysis) endless() *sign {
	visits := map[*asl.State]int{}
	retries := map[*asl.State]int{}
	for e := range a.log.All() {
		switch e.Type {
		case engine.StateEntered:
			visits[e.Visit.State]++
		case engine.RetryScheduled:
			retries[e.Visit.State]++
		default:
		}
	}
	var most *asl.State
	for state := range a.options.Machine.Definition.Machine.All() {
		if most == nil || visits[state]+retries[state] > visits[most]+retries[most] {
			most = state
		}
	}
	s := &sign{class: Endless, state: most, event: a.log.Len() - 1, errors: []string{}}
	limit := a.run.Base.setting.options.Limits.History
	bound := fmt.Sprintf("after %d events", a.run.Events)
	if limit > 0 && a.run.Status.Done() {
		bound = fmt.Sprintf("at the quota of %d events of the history", limit)
	}
	if retries[most] > visits[most] {
		s.text = fmt.Sprintf("%s is retried %d times, and the run ends %s", most.Name, retries[most], bound)
	} else {
		s.text = fmt.Sprintf("%s is entered %d times, and the run ends %s", most.Name, visits[most], bound)
		if exit := exitOf(most); exit != "" {
			s.text += ": " + exit
		}
	}
	return s
}

// findings puts the signs of runs together: the shortest run stands for all that show the same.
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
	slices.SortStableFunc(list, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(order[a.State], order[b.State]))
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
