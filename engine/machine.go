package engine

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// Machine is a definition made ready to run: every transition is a pointer, every rule an opcode.
// It never changes, and any number of executions can use it at once.
type Machine struct {
	definition *asl.StateMachine
	dialect    Dialect
	top        *scopePlan
	asking     int    // the states in all scopes that can make requests for outcomes
	mapRuns    bool   // there is a distributed Map
	partition  string // of the first ARN of a Task
	plans      map[*asl.State]*statePlan
	instead    *replacement // nil: every state is as in the definition
}

// replacement is a state with another in its place, see [Machine.With].
type replacement struct {
	old, changed *statePlan
	plans        map[*asl.State]*statePlan // of the state and of those in it
}

// UnsupportedError is the error of a definition that is legal and cannot be run by this engine.
type UnsupportedError struct {
	State *asl.State
	What  string
	Span  source.Span
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("line %d, column %d: state %q: %s", e.Span.Start.Line, e.Span.Start.Col, e.State.Name, e.What)
}

// scopePlan is a Scope made ready to run.
type scopePlan struct {
	def    *asl.Scope
	start  *statePlan
	states []*statePlan
}

// statePlan is a state made ready to run.
type statePlan struct {
	def *asl.State
	// resultOnly: the dialect passes only the result on to Assign and Output.
	resultOnly bool
	flowOnce   sync.Once
	flowed     flowPlan
	// number counts the states of the whole machine that can make requests for outcomes, and is -1 of others; index
	// counts the states of the scope.
	number, index int
	next          *statePlan // nil at the end of the scope
	exit          *ExitDetail
	rules         []rulePlan
	otherwise     *statePlan // Default
	// plainRules is set where the tests of all rules have plain paths only, which cannot be interrupted.
	plainRules bool
	shared     int // the slots of the tests of all rules
	byDefault  *ExitDetail
	catches    []catchPlan
	branches   []*scopePlan // a Map state has its processor here

	integration Integration // of a Task
}

// flowPlan is the part of a state's plan that is made when the state is first entered: most states of a large
// definition never are, and the first frame need not wait for it.
type flowPlan struct {
	// stages run after the entry, in this order, without those whose field is absent.
	stages []Stage
	// work is the place in stages to which a retry goes back.
	work int
	// contextual are the stages that read the context object: building it costs more than most stages, and most states
	// never look at it.
	contextual stageSet
	catches    []catchFlow
}

// catchFlow is what a catcher adds to a [flowPlan].
type catchFlow struct {
	stages     []Stage
	contextual bool
}

// flow returns the plan of the stages.
func (p *statePlan) flow() *flowPlan {
	p.flowOnce.Do(func() {
		flow := asl.FlowOf(p.def, p.resultOnly)
		for i := range p.def.Catch {
			p.flowed.catches = append(p.flowed.catches, catchFlowOf(flow.LaneOf(asl.LaneCaught, i)))
		}
		p.flowed.stages, p.flowed.work = planStages(flow)
		p.flowed.contextual = contextualStages(flow)
	})
	return &p.flowed
}

// contextual reports whether a stage reads the context object.
func (p *statePlan) contextual(stage Stage) bool { return p.flow().contextual.has(stage) }

type rulePlan struct {
	def  *asl.ChoiceRule
	test testPlan
	next *statePlan
	exit *ExitDetail
}

type catchPlan struct {
	def  *asl.Catcher
	next *statePlan
	exit *ExitDetail
	of   *statePlan
	// index counts the catchers of the state.
	index int
}

// flow returns the stages of the catcher.
func (c *catchPlan) flow() *catchFlow { return &c.of.flow().catches[c.index] }

// stageSet is a set of stages.
type stageSet uint32

func (s stageSet) has(stage Stage) bool { return s>>stage&1 != 0 }

// Compile makes a definition ready to run. The error is an *[UnsupportedError].
func Compile(definition *asl.StateMachine, dialect Dialect) (*Machine, error) {
	for _, problem := range definition.Refused(dialect) {
		if problem.Severity == asl.Error {
			return nil, refused(definition, problem)
		}
	}
	m := &Machine{definition: definition, dialect: dialect, plans: make(map[*asl.State]*statePlan)}
	top, err := m.compileScope(definition.Top)
	if err != nil {
		return nil, err
	}
	m.top = top
	return m, nil
}

// With returns the machine with another state in the place of one: all other states are shared, which makes it cheap
// to run a definition with many small changes. The other one is made of the same state by [asl.StateMachine.Remade];
// Definition is still the one without it. The error is an *[UnsupportedError].
func (m *Machine) With(state *asl.State) (*Machine, error) {
	scope, old := m.top.find(m.definition.Lookup(state.Path()))
	with := *m
	with.plans, with.instead = make(map[*asl.State]*statePlan), nil
	plan := &statePlan{def: state, number: old.number, index: old.index}
	with.plans[state] = plan
	if err := with.compileState(scope, plan); err != nil {
		return nil, err
	}
	with.instead, with.plans = &replacement{old, plan, with.plans}, m.plans
	return &with, nil
}

// refused is the error of a problem that a definition has in the dialect.
func refused(definition *asl.StateMachine, problem asl.Diagnostic) error {
	e := &UnsupportedError{Span: problem.Span, What: problem.Message}
	at := problem.Span.Start.Offset
	for state := range definition.All() { // a state comes after the states around it
		if span := state.Node.Span; span.Start.Offset <= at && at < span.End.Offset {
			e.State = state
		}
	}
	return e
}

// Definition returns the definition from which the machine was compiled.
func (m *Machine) Definition() *asl.StateMachine { return m.definition }

// States returns the number of states in all scopes.
func (m *Machine) States() int { return len(m.plans) }

// HasMapRuns reports whether executions of the machine can have Map Runs: one of its states is a distributed Map.
func (m *Machine) HasMapRuns() bool { return m.mapRuns }

// ExpressTime is how long an Express execution lasts at most (quotas of the service).
const ExpressTime = 5 * time.Minute

// Timeout returns how long an execution of the machine lasts at most, 0 for no bound.
func (m *Machine) Timeout(express bool) time.Duration {
	bound := durationOf(float64(max(m.definition.TimeoutSeconds, 0)))
	if express && (bound == 0 || bound > ExpressTime) {
		return ExpressTime
	}
	return bound
}

func (m *Machine) plan(state *asl.State) *statePlan {
	if m.instead != nil {
		if plan := m.instead.plans[state]; plan != nil {
			return plan
		}
	}
	return m.plans[state]
}

// entered returns the plan by which a state runs.
func (m *Machine) entered(plan *statePlan) *statePlan {
	if m.instead != nil && plan == m.instead.old {
		return m.instead.changed
	}
	return plan
}

// Dialect returns the dialect that the machine was compiled for.
func (m *Machine) Dialect() Dialect { return m.dialect }

func (m *Machine) compileScope(def *asl.Scope) (*scopePlan, error) {
	scope := &scopePlan{def: def, states: make([]*statePlan, len(def.States))}
	for i, state := range def.States {
		scope.states[i] = &statePlan{def: state, number: -1, index: i}
		m.plans[state] = scope.states[i]
		m.mapRuns = m.mapRuns || state.Distributed()
		if state.Type == asl.Task || state.Type == asl.Parallel ||
			state.Type == asl.Map { // the latter two as a state alone
			scope.states[i].number = m.asking
			m.asking++
		}
	}
	scope.start = scope.state(def.StartAt)
	for _, plan := range scope.states {
		if err := m.compileState(scope, plan); err != nil {
			return nil, err
		}
	}
	return scope, nil
}

// state returns the plan of the state called name; nil for the empty name.
func (s *scopePlan) state(name string) *statePlan {
	if def := s.def.State(name); def != nil {
		return s.states[def.Index]
	}
	return nil
}

func (m *Machine) compileState(scope *scopePlan, plan *statePlan) error {
	def := plan.def
	if err := m.unsupported(def); err != nil {
		return err
	}
	plan.resultOnly = m.dialect.Does(rules.PassesResultOnly)
	plan.next, plan.exit = scope.state(def.Next), &ExitDetail{Next: def.Next, Rule: -1}
	plan.plainRules = !slices.ContainsFunc(
		def.Choices,
		func(rule *asl.ChoiceRule) bool { return rule.Test == nil || !plainTest(rule.Test) },
	)
	plan.otherwise, plan.byDefault = scope.state(def.Default), &ExitDetail{Next: def.Default, Rule: -1}
	for i, rule := range def.Choices {
		var test testPlan
		if rule.Test != nil { // a rule in JSONata has a Query instead
			compiled, err := compileTest(rule.Test)
			if err != nil {
				return &UnsupportedError{State: def, What: err.Error(), Span: rule.Span}
			}
			test = compiled
		}
		plan.rules = append(plan.rules, rulePlan{
			def: rule, test: test, next: scope.state(rule.Next), exit: &ExitDetail{Next: rule.Next, Rule: i},
		})
	}
	plan.shared = sharedVariables(plan.rules)
	for i, catcher := range def.Catch {
		plan.catches = append(plan.catches, catchPlan{
			def: catcher, next: scope.state(catcher.Next), exit: &ExitDetail{Next: catcher.Next, Rule: -1}, of: plan, index: i,
		})
	}
	branches := def.Branches
	if def.Processor != nil {
		branches = []*asl.Scope{def.Processor}
	}
	for _, branch := range branches {
		compiled, err := m.compileScope(branch)
		if err != nil {
			return err
		}
		plan.branches = append(plan.branches, compiled)
	}
	plan.integration = IntegrationOf(def.Resource)
	if m.partition == "" {
		m.partition = partitionOf(def.Resource)
	}
	return nil
}

func catchFlowOf(lane *asl.Lane) (plan catchFlow) {
	for i := range lane.Moves {
		move := &lane.Moves[i]
		plan.contextual = plan.contextual || readsContext(move)
		if move.Stage != NoStage && !move.Silent {
			plan.stages = append(plan.stages, move.Stage)
		}
	}
	return plan
}

// unsupported returns the error of a state that the language allows and this engine does not run.
func (m *Machine) unsupported(def *asl.State) error {
	return unsupportedMap(def)
}

// planStages lists the stages of a state after its entry, those that have an event, and the place where a retry begins again: every
// attempt evaluates Parameters again.
func planStages(flow *asl.Flow) (stages []Stage, work int) {
	later := slices.ContainsFunc(flow.Work, func(m asl.Move) bool { return m.Stage == StageLimits && !m.Silent })
	for i := 1; i < len(flow.Enter); i++ {
		if i == flow.Again {
			work = len(stages)
		}
		// A state alone evaluates the bounds of a Map that come later with the others.
		if m := &flow.Enter[i]; !m.Silent || m.Stage == StageLimits && later {
			stages = append(stages, m.Stage)
		}
	}
	if slices.ContainsFunc(
		slices.Concat(flow.Work, flow.Each),
		func(m asl.Move) bool { return m.Stage == StageResult && !m.Silent },
	) {
		stages = append(stages, StageResult)
	}
	for _, stage := range []Stage{StageAssign, StageResultSelector, StageResultPath, StageOutputPath, StageOutput} {
		for where, m := range flow.Moves() {
			if m.Stage == stage && !m.Silent && where.Lane != nil && where.Lane.Kind < asl.LaneCaught {
				stages = append(stages, stage)
				break
			}
		}
	}
	return stages, work
}

// contextualStages returns the stages of a state that read the context object.
func contextualStages(flow *asl.Flow) stageSet {
	var set stageSet
	for where, m := range flow.Moves() {
		if where.Lane != nil && where.Lane.Kind == asl.LaneCaught || !readsContext(m) {
			continue
		}
		set |= 1 << m.Stage
	}
	return set
}

// readsContext reports whether a move reads the context object; an item of a Map is a part of it.
func readsContext(m *asl.Move) bool {
	return m.Kind != asl.MoveEach && !m.Absent && (m.Reads(asl.RegisterContext) || m.Reads(asl.RegisterItem))
}

// plainTest reports whether the paths of a test only follow names and indexes.
func plainTest(test *asl.Test) bool {
	plain := func(p *path.Path) bool { return p == nil || p.Plain() }
	return plain(test.Variable) && plain(test.Path) &&
		!slices.ContainsFunc(test.Tests, func(t *asl.Test) bool { return !plainTest(t) })
}
