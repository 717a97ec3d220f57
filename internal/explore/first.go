package explore

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/fixtures"
	"asldb/fixtures/starter"
	"asldb/internal/suiterun"
)

// FirstOptions say which cases a first suite has, and what they expect.
type FirstOptions struct {
	// Snapshots: each case compares its run with a snapshot. Otherwise it expects the status, the error and the path.
	Snapshots bool
	// Faults adds cases with every other fault and with other data, as far as they go through parts of the definition
	// that no case before them does.
	Faults bool
}

// FirstSuite writes a suite called name, which need not be there yet, for a definition: the way to a good end with
// results that fixtures init would write, and a case for each way of a Choice state, each retrier and each catcher of a
// task that a run can reach so. No two cases give the same. Runs with errors begin where they leave their base. The error is
// one about the suite that was made.
func FirstSuite(ctx context.Context, name string, m *suiterun.Machine, o FirstOptions) (*suiterun.Suite, error) {
	w := &firstWriter{
		exploration: newExploration(Options{Machine: m, Runs: DefaultRuns}), options: o, driver: newDriver(),
		taken: map[choiceWay]bool{}, taking: map[string]bool{},
	}
	w.covered = coverage.NewCollector(m.Definition.Machine, coverage.Options{}) // as asldb test --coverage counts
	maker := starter.New(m.Definition.Machine)
	first := maker.Draft(ctx)
	_, base, err := w.trim(ctx, first)
	switch {
	case err != nil:
		return nil, fmt.Errorf("no results can be made up: %w", err)
	case base == nil:
		return nil, errors.New("no results can be made up that fit the definition")
	}
	w.base(base, "succeeds")
	w.choices(ctx, maker, base.setting.draft)
	if err := w.handlers(ctx); err != nil {
		return nil, err
	}
	if o.Faults {
		if err := w.faulty(ctx, name); err != nil {
			return nil, err
		}
	}
	return w.suite(name)
}

// firstWriter collects the cases of a first suite.
type firstWriter struct {
	*exploration
	options   FirstOptions
	driver    *driver
	cases     []*firstCase
	taken     map[choiceWay]bool
	taking    map[string]bool // the bodies of cases
	unreached []string
}

// choiceWay is a way of a Choice state: the number of a rule, or -1 for Default.
type choiceWay struct {
	state *asl.State
	rule  int
}

// wayOf returns the way of a Choice state that an edge is.
func wayOf(e *asl.Edge) choiceWay {
	if e.Kind == asl.EdgeDefault {
		return choiceWay{e.From, -1}
	}
	return choiceWay{e.From, e.Index}
}

// String says it in words: "Paid takes Default".
func (w choiceWay) String() string {
	if w.rule < 0 {
		return w.state.Name + " takes Default"
	}
	return w.state.Name + " takes " + w.state.Choices[w.rule].Label()
}

// maxStates is the greatest number of states on which a case has expectations.
const maxStates = 8

// base adds the case of a base, with the ways of Choice states that no base before it takes; about is the name of one
// that is wanted. It reports whether there are any, or it is the first; else the case would be a twin.
func (w *firstWriter) base(b *Base, about string) bool {
	c := &firstCase{base: b, run: b.Run}
	var ways []choiceWay
	for e := range b.setting.log.All() {
		d, ok := e.Detail.(*engine.ExitDetail)
		if !ok || e.Visit.State.Type != asl.Choice {
			continue
		}
		if way := (choiceWay{e.Visit.State, d.Rule}); !w.taken[way] {
			w.taken[way] = true
			ways = append(ways, way)
		}
	}
	first := len(w.result.Bases) == 0
	if !first {
		c.body = inCase(differing(b.setting.draft, w.result.Bases[0].setting.draft))
	}
	if !first && (len(ways) == 0 || b.Run.Endless() || b.Run.Stuck()) {
		return false
	}
	for _, way := range ways {
		number := "default"
		if way.rule >= 0 {
			number = strconv.Itoa(way.rule)
		}
		c.expectOn(way.state, "rule: "+number)
	}
	if c.name = about; about == "" {
		c.name = ways[0].String()
	}
	if n := len(ways) - 1; n > 0 && !first {
		c.name += fmt.Sprintf(" and %d more Choice states take other ways", n)
	}
	b.Run.Number = len(w.result.Bases) + 1
	w.result.Bases = append(w.result.Bases, b)
	w.covered.Add(logged{b.setting.log, b.setting.machine})
	c.path = suiterun.TopPath(b.setting.log)
	w.add(c)
	return true
}

// add adds a case, unless one gives the same.
func (w *firstWriter) add(c *firstCase) {
	if !w.taking[c.body] {
		w.taking[c.body] = true
		w.cases = append(w.cases, c)
	}
}

// choices adds the cases of the ways of Choice states; many ways are taken together, so that neither the cases nor the
// time for them grow with the square of the Choice states.
func (w *firstWriter) choices(ctx context.Context, maker *starter.Starter, first *fixtures.Draft) {
	for {
		draft, states := maker.Together(ctx, func(e *asl.Edge) bool { return !w.taken[wayOf(e)] })
		if len(states) < manyWays {
			break
		}
		if _, base, err := w.trim(ctx, draft); err != nil || base == nil || !w.base(base, "") {
			break
		}
	}
	wanted := func(_ *asl.State, e *asl.Edge) bool { return !w.taken[wayOf(e)] }
	for v := range maker.Variants(ctx, wanted) {
		way := choiceWay{v.State, v.Rule}
		_, base, err := w.trim(ctx, v.Draft)
		if err == nil && base != nil {
			if other := w.ended(ctx, v.Draft, first, &base); other != nil {
				base = other
			}
			if !base.takes(way) || !w.base(base, way.String()) {
				base = nil
			}
		}
		if base == nil {
			w.unreached = append(w.unreached, way.String())
		}
	}
}

// takes reports whether the run of a base takes a way.
func (b *Base) takes(way choiceWay) bool {
	for e := range b.setting.log.All() {
		if d, ok := e.Detail.(*engine.ExitDetail); ok && e.Visit.State == way.state && d.Rule == way.rule {
			return true
		}
	}
	return false
}
