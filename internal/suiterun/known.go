package suiterun

import (
	"errors"
	"fmt"
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

func matchesState(pattern string, state *asl.State) bool {
	return breakpoint.MatchesState(pattern, state)
}

// payloadField returns the name of the field that makes the payload of a task: Parameters, or Arguments in JSONata.
func payloadField(state *asl.State) string {
	for _, info := range engine.StagesOf(state) {
		if info.Stage == engine.StageParameters {
			return info.Field
		}
	}
	return ""
}

// Problems returns the mistakes in the expectations of a case, and in the rules of its suite, that show only with the
// definition.
func Problems(c *suite.Case, machine *asl.StateMachine) []fixtures.Problem {
	p := &problems{machine: machine}
	for i := range c.Suite.Invariants {
		inv := &c.Suite.Invariants[i]
		for _, pattern := range []*suite.Pattern{&inv.Never, &inv.Without, &inv.After, &inv.Unless} {
			if pattern.Text != "" {
				p.state(pattern)
			}
		}
	}
	if c.Expect == nil {
		return p.found
	}
	e := c.Expect
	for i := range e.Never {
		p.state(&e.Never[i])
	}
	p.path(e.Path)
	for i := range e.States {
		p.expect(&e.States[i])
	}
	for i := range e.Tasks {
		p.task(&e.Tasks[i].Pattern)
	}
	return p.found
}

type problems struct {
	machine *asl.StateMachine
	found   []fixtures.Problem
}

func (p *problems) wrong(at source.Position, suggestion, format string, args ...any) {
	p.found = append(p.found, fixtures.Problem{Line: at.Line, Col: at.Col, Message: fmt.Sprintf(format, args...), Suggestion: suggestion})
}

// states returns the states that a pattern names.
func (p *problems) states(pattern string) (found []*asl.State) {
	for state := range p.machine.All() {
		if matchesState(pattern, state) {
			found = append(found, state)
		}
	}
	return found
}

// state returns the states that a pattern names, which are some, or adds a problem.
func (p *problems) state(pattern *suite.Pattern) []*asl.State {
	if found := p.states(pattern.Text); len(found) > 0 {
		return found
	}
	var spec *breakpoint.SpecError
	message := "is not a state of the definition"
	if errors.As(breakpoint.CheckTarget(pattern.Text, p.machine), &spec) {
		message = spec.Msg
	}
	p.wrong(pattern.At, "", "%q %s", pattern.Text, message)
	return nil
}

func (p *problems) path(path *suite.Path) {
	if path == nil {
		return
	}
	for i := range path.Steps {
		p.state(&path.Steps[i].Pattern)
	}
}

// expect checks an expectation on states.
func (p *problems) expect(s *suite.StateExpect) {
	p.path(s.Path)
	pattern := s.Pattern
	if isThread(s.Text) {
		pattern.Text = s.Text[:inside().FindStringIndex(s.Text)[0]]
		if s.OnlyPath() {
			p.state(&pattern)
			return
		}
		p.wrong(s.At, "", "%q names branches or iterations, which only path can expect; others name a state", s.Text)
		return
	}
	states := p.state(&pattern)
	if len(states) == 0 {
		return
	}
	p.fits(s, states)
	for i := range s.Stages {
		p.stage(&s.Stages[i], s.Text, states)
	}
	if s.Next != nil && !s.Next.IsMatcher() {
		p.next(s, states)
	}
}

// fits checks that the states can have the parts of an expectation.
func (p *problems) fits(s *suite.StateExpect, states []*asl.State) {
	is := func(types ...asl.StateType) bool {
		return slices.ContainsFunc(states, func(state *asl.State) bool { return slices.Contains(types, state.Type) })
	}
	if s.Rule != nil && !is(asl.Choice) {
		p.wrong(s.Rule.At, "", "rule is for Choice states, and %s is a %s state", s.Text, states[0].Type)
	}
	if s.Rule != nil && is(asl.Choice) && s.Rule.Op == suite.Equal && !slices.ContainsFunc(states, func(state *asl.State) bool { return s.Rule.Number < float64(len(state.Choices)) }) {
		p.wrong(s.Rule.At, "", "%s has %s, counted from 0, not %s", s.Text, wording.Count(len(states[0].Choices), "rule"), s.Rule.Text)
	}
	if s.Path != nil && !is(asl.Parallel, asl.Map) {
		p.wrong(s.Path.At, "", "path is for the branches of Parallel states and the iterations of Map states, and %s is a %s state", s.Text, states[0].Type)
	}
	if s.By != nil && s.By.Op == suite.Equal && !slices.ContainsFunc(states, func(state *asl.State) bool { return s.By.Number < float64(len(state.Catch)) }) {
		p.wrong(s.By.At, "", "%s has %s, counted from 0, not %s", s.Text, wording.Count(len(states[0].Catch), "catcher"), s.By.Text)
	}
}

// stage checks that one of the states has a stage.
func (p *problems) stage(want *suite.StageExpect, name string, states []*asl.State) {
	if want.Stage == "input" || want.Stage == "output" {
		return
	}
	var known []string
	for _, state := range states {
		for _, info := range engine.StagesOf(state) {
			for _, field := range []string{info.Field, info.Stage.String()} {
				if field != "" && !slices.Contains(known, field) {
					known = append(known, field)
				}
			}
		}
	}
	if slices.Contains(known, want.Stage) || want.Stage == engine.StageResult.String() {
		return
	}
	p.wrong(want.At, wording.Nearest(want.Stage, slices.Values(known)), "%s has no stage %s", name, want.Stage)
}

// next checks that one of the states can lead to a state.
func (p *problems) next(s *suite.StateExpect, states []*asl.State) {
	var names []string
	for _, state := range states {
		for _, edge := range state.Edges() {
			if !slices.Contains(names, edge.To.Name) {
				names = append(names, edge.To.Name)
			}
		}
	}
	for _, name := range names {
		if len(s.Next.Compare(value.String(name), nil)) == 0 {
			return
		}
	}
	p.wrong(s.Next.At, wording.Nearest(s.Next.Plain(), slices.Values(names)), "%s never leads to %s", s.Text, s.Next.Text())
}

// task checks that a pattern names a Task state.
func (p *problems) task(pattern *suite.Pattern) {
	states := p.state(pattern)
	if len(states) > 0 && !slices.ContainsFunc(states, func(state *asl.State) bool { return state.Type == asl.Task }) {
		p.wrong(pattern.At, "", "%s is a %s state, and tasks belong to Task states", pattern.Text, states[0].Type)
	}
}
