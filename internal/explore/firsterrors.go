package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// taskError is a retrier or catcher of a task, with the error that it takes.
type taskError struct {
	state *asl.State
	index int
	name  string
	catch bool
}

// String says it in words: "Charge retries Card.Timeout".
func (h *taskError) String() string {
	if h.catch {
		return h.state.Name + " catches " + h.name
	}
	return h.state.Name + " retries " + h.name
}

// maxTimes bounds how often an error is given, for a retrier with many attempts.
const maxTimes = 20

// change is the fault with which a run reaches the retrier or catcher: once, or until the retriers give up.
func (h *taskError) change() *Change {
	c := &Change{Kind: Fails, State: h.state, Error: h.name, outcome: engine.Outcome{Error: h.name}}
	if insideMap(h.state) {
		c.Where = First
	}
	if h.catch {
		c.Always, c.times = true, 1
		for _, r := range h.state.Retry {
			c.times += int(min(r.MaxAttempts, maxTimes))
		}
	}
	return c
}

// raised returns an error that a handler of these names takes.
func raised(names []string) string {
	for _, name := range names {
		if name != engine.ErrorAll && name != engine.ErrorTaskFailed {
			return name
		}
	}
	return "Some.Error"
}

// handlers adds the cases of the retriers and catchers of tasks; many retriers are one case.
func (w *firstWriter) handlers(ctx context.Context) error {
	var retriers, all []*taskError
	for state := range w.result.Machine.Definition().All() {
		if state.Type != asl.Task {
			continue
		}
		for i, r := range state.Retry {
			if r.MaxAttempts > 0 {
				retriers = append(retriers, &taskError{state, i, raised(r.ErrorEquals), false})
			}
		}
		for i, c := range state.Catch {
			all = append(all, &taskError{state, i, raised(c.ErrorEquals), true})
		}
	}
	if len(retriers) >= manyWays {
		left, err := w.handlersOf(ctx, retriers)
		if err != nil {
			return err
		}
		retriers = left
	}
	for _, h := range append(retriers, all...) {
		left, err := w.handlersOf(ctx, []*taskError{h})
		if err != nil {
			return err
		}
		for _, h := range left {
			w.unreached = append(w.unreached, h.String())
		}
	}
	return nil
}

// handlersOf adds a case whose run reaches retriers and catchers, and returns those that it does not.
func (w *firstWriter) handlersOf(ctx context.Context, list []*taskError) (left []*taskError, err error) {
	base := w.asks(list[0].state)
	if base == nil {
		return list, nil
	}
	changes := value.Each(list, (*taskError).change)
	run := &Run{Base: base, Changes: changes}
	d := w.driver
	e, err := d.run(ctx, base.setting, changes, untilMet, nil)
	if err != nil {
		return nil, err
	}
	d.summarize(run, e)
	if run.Endless() || run.Stuck() {
		return list, nil
	}
	c := &firstCase{base: base, run: run, path: d.path(base)}
	var reached []*taskError
	for _, h := range list {
		if text := d.handles(h); text != "" {
			reached = append(reached, h)
			c.expectOn(h.state, text)
		} else {
			left = append(left, h)
		}
	}
	if len(reached) == 0 {
		return list, nil
	}
	c.name = reached[0].String()
	if n := len(reached) - 1; n > 0 {
		c.name += fmt.Sprintf(" and %d more tasks retry", n)
	}
	if base != w.result.Bases[0] {
		c.body = inCase(differing(base.setting.draft, w.result.Bases[0].setting.draft))
	}
	c.body += d.injected(changes)
	w.covered.Add(logged{runlog.Of(slices.Clone(d.events)), base.setting.machine})
	w.add(c)
	return left, nil
}

// asks returns the first base whose run asks for the results of a task; nil: none does.
func (w *firstWriter) asks(state *asl.State) *Base {
	for _, b := range w.result.Bases {
		if len(b.setting.requests[state]) > 0 {
			return b
		}
	}
	return nil
}

// handles returns an expectation on the retrier or catcher that the newest run has come to; empty: it has not.
func (d *driver) handles(h *taskError) string {
	for i := range d.events {
		e := &d.events[i]
		if e.Visit == nil || e.Visit.State != h.state {
			continue
		}
		switch detail := e.Detail.(type) {
		case *engine.RetryDetail:
			if !h.catch && e.Type == engine.RetryScheduled && detail.Retrier == h.index {
				return "retries: 1"
			}
		case *engine.CatchDetail:
			if h.catch && e.Type == engine.ErrorCaught && detail.Catcher == h.index {
				next := h.state.Catch[h.index].Next
				return fmt.Sprintf("caught: %s, by: %d, next: %s", value.Quote(h.name), h.index, suite.Quote(next))
			}
		}
	}
	return ""
}

// path returns the states at the top of the newest run. Its base has those before it began, and behind the place where
// they have met.
func (d *driver) path(b *Base) (names []string) {
	marks := b.setting.trail.marks
	for i := range marks {
		if marks[i].event < d.from {
			names = append(names, marks[i].visit.State.Name)
		}
	}
	for i := range d.events {
		if e := &d.events[i]; e.Type == engine.StateEntered && e.Visit.Parent == nil {
			names = append(names, e.Visit.State.Name)
		}
	}
	if d.met != nil {
		for i := range marks {
			if marks[i].event > d.met.event {
				names = append(names, marks[i].visit.State.Name)
			}
		}
	}
	return names
}

// injected writes the errors of the newest run as the errors of a case: at each place in their order, as often as they
// came.
func (d *driver) injected(changes []*Change) string {
	var places []string
	errors := map[string][]string{}
	for i, c := range changes {
		n := d.came(i)
		if n == 0 {
			continue
		}
		at := strings.ReplaceAll(key(c.State), "/Iterations[*]/", "/Iterations[0]/")
		text := value.Quote(c.Error)
		if n > 1 {
			text = fmt.Sprintf("{error: %s, times: %d}", text, n)
		}
		if errors[at] == nil {
			places = append(places, at)
		}
		errors[at] = append(errors[at], text)
	}
	var b strings.Builder
	for _, at := range places {
		text := errors[at][0]
		if len(errors[at]) > 1 {
			text = "[" + strings.Join(errors[at], ", ") + "]"
		}
		if len(places) == 1 {
			return "    inject: {" + value.Quote(at) + ": " + text + "}\n"
		}
		b.WriteString("      " + value.Quote(at) + ": " + text + "\n")
	}
	return "    inject:\n" + b.String()
}

// faulty adds cases of all other faults and of other data, as far as they go through parts of the definition that no
// case does, the shortest runs first. A case that a suite would run differently is left out.
func (w *firstWriter) faulty(ctx context.Context, name string) error {
	reached := w.covered
	w.covered = coverage.NewCollector(w.result.Machine.Definition(), coverage.Options{})
	if err := w.all(ctx); err != nil {
		return err
	}
	w.covered = reached
	seen := coverage.NewCollector(w.result.Machine.Definition(), coverage.Options{})
	for i := range reached.Items.List {
		seen.Items.List[i].Count = reached.Items.List[i].Count
	}
	runs := slices.DeleteFunc(slices.Clone(w.runs), func(r *Run) bool { return !r.Reached || r.Endless() || r.Stuck() })
	slices.SortStableFunc(runs, shorter)
	gone := map[uint64]bool{}
	var cases []*firstCase
	for _, r := range runs {
		if gone[r.signature] {
			continue
		}
		gone[r.signature] = true
		if _, err := w.driver.run(ctx, r.Base.setting, r.Changes, untilMet, nil); err != nil {
			return err
		}
		before := seen.Items.Covered()
		seen.Add(logged{runlog.Of(slices.Clone(w.driver.events)), r.Base.setting.machine})
		if seen.Items.Covered() == before {
			continue
		}
		c, err := w.fault(ctx, r)
		if err != nil {
			return err
		}
		if c != nil {
			cases = append(cases, c)
		}
	}
	return w.try(name, cases)
}

// fault returns the case of a run with a fault or other data; nil where none can be written.
func (w *firstWriter) fault(ctx context.Context, r *Run) (*firstCase, error) {
	a, err := w.analysis(ctx, w.driver, r)
	if err != nil {
		return nil, err
	}
	writer := a.writer()
	if writer == nil {
		return nil, nil
	}
	c := &firstCase{
		name: strings.ReplaceAll(r.Describe(), "\n", " "), body: writer.body(), base: r.Base, run: r,
		path: w.driver.path(r.Base),
	}
	change := r.Changes[0]
	c.uncaught = c.alone() && r.Base == w.result.Bases[0] && change.Kind == Fails && !insideMap(change.State)
	return c, nil
}

// try runs cases as a suite does, and adds those that pass.
func (w *firstWriter) try(name string, cases []*firstCase) error {
	if len(cases) == 0 {
		return nil
	}
	s, err := suite.Load(name, []byte(w.text(name, cases, false)))
	if err != nil {
		return err
	}
	for i, c := range cases {
		outcome, run := suiterun.RunCase(s.Cases[i], w.exploration.options.Machine, suiterun.CaseOptions{Brief: true})
		if outcome.Kind == suite.Passed {
			w.covered.Add(run)
			w.add(c)
		}
	}
	return nil
}
