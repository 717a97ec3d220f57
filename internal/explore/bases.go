package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/services"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/starter"
)

// placeholders reads a draft as fixtures.
func placeholders(draft *fixtures.Draft) (*madeUp, error) {
	text := draft.YAML()
	file, err := fixtures.Load("placeholders.yaml", text)
	return &madeUp{file, text, draft}, err
}

// madeUp are results that were made up from the definition.
type madeUp struct {
	file  *fixtures.File
	text  []byte
	draft *fixtures.Draft
}

// makeBases runs the bases that were given, or makes some up: one that comes to a good end, and one for each way of a
// Choice state that leads to states which no other has entered. Where the time runs out the others are left out.
func (x *exploration) makeBases(ctx context.Context) error {
	ctx, done := x.until(ctx, 1)
	defer done()
	definition := x.options.Machine.Definition.Machine
	maker := starter.New(definition)
	first := maker.Draft(ctx)
	usual, _, err := x.trim(ctx, first)
	if err != nil {
		return fmt.Errorf("no results can be made up: %w", err)
	}
	tried, entered := map[string]bool{string(first.YAML()): true}, map[*asl.State]bool{}
	given := x.options.Given
	if len(given) == 0 {
		given = []Given{{}}
	}
	for _, g := range given {
		base, err := x.base(ctx, g, usual)
		if ctx.Err() != nil && len(x.result.Bases) > 0 {
			x.stop(ctx, "some cases were left out")
			return nil
		}
		if err != nil {
			return err
		}
		x.result.Bases = append(x.result.Bases, base)
		entersMore(base, entered)
	}
	if slices.ContainsFunc(given, func(g Given) bool { return g.File != nil }) {
		return nil
	}
	x.together(ctx, maker, entered)
	for v := range maker.Variants(ctx, leadsToMore(entered)) {
		if text := string(v.Draft.YAML()); tried[text] {
			continue
		} else {
			tried[text] = true
		}
		_, base, err := x.trim(ctx, v.Draft)
		if err != nil {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		if base == nil || !entersMore(base, entered) {
			continue
		}
		if other := x.ended(ctx, v.Draft, first, &base); other != nil {
			base.alone = true
			base.Name = x.aim(v) + " again and again"
			x.result.Bases = append(x.result.Bases, base)
			base = other
			base.Run.Number = len(x.result.Bases) + 1
		}
		base.Name = x.aim(v)
		x.result.Bases = append(x.result.Bases, base)
	}
	if ctx.Err() != nil {
		x.stop(ctx, "some ways of Choice states were left out")
	}
	return nil
}

// ended looks for an end of a base that has none: where it asks for page after page its results have one page more. A
// loop that waits for another answer gets that, once: such a base is the result.
func (x *exploration) ended(ctx context.Context, draft, first *fixtures.Draft, base **Base) *Base {
	if !(*base).Run.Endless() || x.paged(ctx, draft, base) {
		return nil
	}
	if other, err := x.answered(ctx, draft, first); err == nil && !other.Run.Endless() {
		return other
	}
	return nil
}

// manyWays is the number of ways to states that were not entered from which on they are taken together first.
const manyWays = 16

// together runs bases that take many ways at once, as long as there are many that lead to states which no base has
// entered.
func (x *exploration) together(ctx context.Context, maker *starter.Starter, entered map[*asl.State]bool) {
	for ctx.Err() == nil {
		draft, choices := maker.Together(ctx, func(e *asl.Edge) bool { return !entered[e.To] })
		if len(choices) < manyWays {
			return
		}
		_, base, err := x.trim(ctx, draft)
		if err != nil || base == nil || !entersMore(base, entered) {
			return
		}
		base.Name = fmt.Sprintf("%s and %d more Choice states take other ways", choices[0].Name, len(choices)-1)
		x.result.Bases = append(x.result.Bases, base)
	}
}

// leadsToMore returns whether a way leads to a state that was not entered, itself or further on.
func leadsToMore(entered map[*asl.State]bool) func(*asl.State, *asl.Edge) bool {
	none := map[*asl.State]bool{} // no state that was not entered is behind these: it stays so
	return func(s *asl.State, e *asl.Edge) bool {
		seen := map[*asl.State]bool{s: true}
		pending := []*asl.State{e.To}
		for len(pending) > 0 {
			at := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			if seen[at] || none[at] {
				continue
			}
			if seen[at] = true; !entered[at] {
				return true
			}
			for _, edge := range at.Edges() {
				pending = append(pending, edge.To)
			}
			for _, scope := range asl.FlowOf(at, true).Children {
				pending = append(pending, scope.States...)
			}
		}
		delete(seen, s) // other ways lead from it
		maps.Copy(none, seen)
		return false
	}
}

// aim names a variant.
func (x *exploration) aim(v *starter.Variant) string {
	if v.Rule < 0 {
		return v.State.Name + " takes Default"
	}
	return fmt.Sprintf("%s takes rule %d", v.State.Name, v.Rule+1)
}

// answered runs a base in which each task gives the result of a draft once, and then another's.
func (x *exploration) answered(ctx context.Context, draft, then *fixtures.Draft) (*Base, error) {
	both := *draft
	both.Tasks = slices.Clone(draft.Tasks)
	for i := range both.Tasks {
		list := &both.Tasks[i]
		k := slices.IndexFunc(then.Tasks, func(l fixtures.DraftList) bool { return l.Key == list.Key })
		if k < 0 || len(list.Results) == 0 {
			continue
		}
		first := list.Results[0]
		first.Repeat = 0
		list.Results = append([]fixtures.DraftResult{first}, then.Tasks[k].Results...)
	}
	_, base, err := x.trim(ctx, &both)
	if base == nil && err == nil {
		err = errors.New("the results do not fit")
	}
	return base, err
}

// paged runs a base again in which made-up results have tokens for another page once, and reports whether it comes to
// an end then: no service gives pages for ever.
func (x *exploration) paged(ctx context.Context, draft *fixtures.Draft, base **Base) bool {
	pages := *draft
	pages.Tasks = slices.Clone(draft.Tasks)
	for i := range pages.Tasks {
		list := &pages.Tasks[i]
		if len(list.Results) == 0 {
			continue
		}
		first, last := list.Results[0], list.Results[0]
		if output, had := withoutToken(last.Outcome.Output, 0); had {
			first.Repeat, last.Outcome.Output = 0, output
			list.Results = []fixtures.DraftResult{first, last}
		}
	}
	_, other, err := x.trim(ctx, &pages)
	if err != nil || other == nil || other.Run.Endless() {
		return false
	}
	other.Run.Number = (*base).Run.Number
	*base = other
	return true
}

// withoutToken returns a result without the tokens for another page, and whether it had one.
func withoutToken(v value.Value, depth int) (left value.Value, had bool) {
	object, ok := v.(*value.Object)
	if !ok || depth > 2 {
		return v, false
	}
	for name, member := range object.All() {
		if services.PageToken(name) {
			object, had = object.Without(name), true
		} else if inner, has := withoutToken(member, depth+1); has {
			object, had = object.With(name, inner), true
		}
	}
	return object, had
}

// entersMore reports whether a base enters a state that was not entered before, and notes those that it enters.
func entersMore(base *Base, entered map[*asl.State]bool) (more bool) {
	for e := range base.setting.log.All() {
		if e.Type == engine.StateEntered && !entered[e.Visit.State] {
			entered[e.Visit.State], more = true, true
		}
	}
	return more
}

// base runs a base and keeps its log, its requests and its outcomes.
func (x *exploration) base(ctx context.Context, given Given, placeholder *madeUp) (*Base, error) {
	m := x.options.Machine
	s := newSetting(m.Definition.Compiled, given, placeholder.file, x.options.Seed, m.Limits)
	s.drafted, s.draft = placeholder.text, placeholder.draft
	if s.file != nil && len(s.file.Nested()) > 0 {
		if err := s.callNested(ctx, m); err != nil {
			return nil, err
		}
	}
	base := &Base{Name: given.Name, Placeholder: given.File == nil, setting: s}
	base.Run = &Run{Number: len(x.result.Bases) + 1, Base: base}
	d := newDriver()
	d.trail = &trailing{}
	observe := func(request *engine.TaskRequest, outcome engine.Outcome, from origin) {
		state := request.Visit.State
		s.requests[state] = append(s.requests[state], request)
		s.outcomes[state] = append(s.outcomes[state], outcome)
		s.asks = append(s.asks, taskAsk{request, from})
		if from == fromPlaceholder && given.File != nil && !slices.Contains(x.unanswered, state) {
			x.unanswered = append(x.unanswered, state)
		}
	}
	e, err := d.run(ctx, s, nil, wholeRun, observe)
	var wrong *fixtures.Error
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf("the fixtures do not fit the definition:\n%w", err)
	}
	if err != nil {
		return nil, err
	}
	d.summarize(base.Run, e)
	s.events = slices.Clone(d.events)
	s.log = runlog.Of(s.events)
	requests := s.file != nil
	if x.reads[requests] == nil {
		x.reads[requests] = &readers{x.demander(), requests, map[*asl.State]*reads{}}
	}
	s.readers = x.reads[requests]
	s.trail = s.trailOf(d, base)
	return base, nil
}
