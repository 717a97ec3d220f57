package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
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
	// number counts the states of the whole machine that can make requests for outcomes, and is -1 of others; index counts those of
	// the scope.
	number, index int
	// stages run after the entry, in this order, without those whose field is absent.
	stages []Stage
	// work is the place in stages to which a retry goes back.
	work      int
	next      *statePlan // nil at the end of the scope
	exit      *ExitDetail
	rules     []rulePlan
	otherwise *statePlan // Default
	// plainRules is set where the tests of all rules have plain paths only, which cannot be interrupted.
	plainRules bool
	shared     int // the slots of the tests of all rules
	byDefault  *ExitDetail
	catches    []catchPlan
	branches   []*scopePlan // a Map state has its processor here

	integration Integration // of a Task
	// contextual are the stages that read the context object: building it costs more than most stages, and most states
	// never look at it.
	contextual stageSet
}

type rulePlan struct {
	def  *asl.ChoiceRule
	test testPlan
	next *statePlan
	exit *ExitDetail
}

type catchPlan struct {
	def        *asl.Catcher
	next       *statePlan
	exit       *ExitDetail
	stages     []Stage
	contextual bool
}

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
	bound := seconds(float64(max(m.definition.TimeoutSeconds, 0)))
	if express && (bound == 0 || bound > ExpressTime) {
		return ExpressTime
	}
	return bound
}

func (m *Machine) plan(state *asl.State) *statePlan { return m.plans[state] }

// Dialect returns the dialect that the machine was compiled for.
func (m *Machine) Dialect() Dialect { return m.dialect }

func (m *Machine) compileScope(def *asl.Scope) (*scopePlan, error) {
	scope := &scopePlan{def: def, states: make([]*statePlan, len(def.States))}
	for i, state := range def.States {
		scope.states[i] = &statePlan{def: state, number: -1, index: i}
		m.plans[state] = scope.states[i]
		m.mapRuns = m.mapRuns || state.Distributed()
		if state.Type == asl.Task || state.Type == asl.Parallel || state.Type == asl.Map { // the latter two as a state alone
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
	plan.next, plan.exit = scope.state(def.Next), &ExitDetail{Next: def.Next, Rule: -1}
	plan.plainRules = !slices.ContainsFunc(def.Choices, func(rule *asl.ChoiceRule) bool { return rule.Test == nil || !plainTest(rule.Test) })
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
	for _, catcher := range def.Catch {
		plan.catches = append(plan.catches, compileCatcher(scope, def, catcher))
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
	plan.stages, plan.work = m.planStages(def)
	plan.contextual = contextualStages(def)
	return nil
}

func compileCatcher(scope *scopePlan, state *asl.State, def *asl.Catcher) catchPlan {
	plan := catchPlan{
		def: def, next: scope.state(def.Next), exit: &ExitDetail{Next: def.Next, Rule: -1},
		contextual: templateUsesContext(def.Assign),
	}
	if def.Assign != nil {
		plan.stages = append(plan.stages, StageAssign)
	}
	if state.QueryLanguage == asl.JSONPath {
		plan.stages = append(plan.stages, StageResultPath)
	} else if def.Output != nil {
		plan.stages = append(plan.stages, StageOutputPath)
	}
	plan.stages = append(plan.stages, StageOutput)
	return plan
}

// unsupported returns the error of a state that the language allows and this engine does not run.
func (m *Machine) unsupported(def *asl.State) error {
	return unsupportedMap(def)
}

// planStages lists the stages of a state after its entry, and the place where a retry begins again: every attempt
// evaluates Parameters anew.
func (m *Machine) planStages(def *asl.State) (stages []Stage, work int) {
	work = -1
	for _, info := range StagesOf(def) {
		if info.Stage == StageInput || !m.runs(def, info) {
			continue
		}
		if work < 0 && (info.Stage == StageLimits || info.Stage == StageItemsPath || info.Stage == StageParameters || info.Stage == StageResult) {
			work = len(stages)
		}
		if def.Type == asl.Map && partOfMap(info.Stage) {
			continue // it runs for each item, or as a part of the work
		}
		stages = append(stages, info.Stage)
	}
	return stages, max(work, 0)
}

func (m *Machine) runs(def *asl.State, info StageInfo) bool {
	if def.Type == asl.Pass && def.Result != nil && m.dialect.Does(rules.PassesResultOnly) {
		if info.Stage == StageInputPath || info.Stage == StageParameters {
			return false
		}
	}
	switch info.Stage {
	case StageItemsPath, StageChoices, StageWait, StageFail, StageOutput:
		return true
	case StageResult:
		return def.Type != asl.Pass || def.Result != nil
	case StageResultPath:
		// Where it is absent, the result takes the place of the whole input: worth a stage to look at.
		return info.Declared || def.Type == asl.Task || def.Type == asl.Parallel || def.Type == asl.Map
	}
	return info.Declared
}

// contextMark is how the context object is spelled in paths and in the arguments of intrinsic functions.
const contextMark = "$$"

func templateUsesContext(field *asl.TemplateField) bool {
	return field != nil && field.Template != nil && mentionsContext(field.Value)
}

func mentionsContext(v value.Value) bool {
	switch v := v.(type) {
	case *value.Array:
		for _, item := range v.All() {
			if mentionsContext(item) {
				return true
			}
		}
	case *value.Object:
		for key, member := range v.All() {
			text, isText := member.(value.String)
			if isText && strings.HasSuffix(key, ".$") && strings.Contains(string(text), contextMark) {
				return true
			}
			if mentionsContext(member) {
				return true
			}
		}
	}
	return false
}

func pathUsesContext(p *path.Path) bool {
	return p != nil && strings.Contains(p.String(), contextMark)
}

// contextualStages returns the stages of a state that read the context object, by the table of fields.
func contextualStages(def *asl.State) stageSet {
	var set stageSet
	for f := range asl.Fields() {
		if f.Stage != NoStage && f.On(def.Type) && fieldUsesContext(def, f) {
			set |= 1 << f.Stage
		}
	}
	return set
}

func fieldUsesContext(def *asl.State, f *asl.Field) bool {
	if path := f.PathIn(def); path != nil {
		return pathUsesContext(path.Path)
	}
	if quantity := f.QuantityIn(def); quantity != nil {
		return pathUsesContext(quantity.Path)
	}
	if text := f.TextIn(def); text != nil {
		return pathUsesContext(text.Path) || text.Intrinsic != nil
	}
	if f.Content == asl.ContentRules {
		return choicesUseContext(def.Choices)
	}
	return templateUsesContext(f.TemplateIn(def))
}

func choicesUseContext(rules []*asl.ChoiceRule) bool {
	for _, rule := range rules {
		if templateUsesContext(rule.Assign) || testUsesContext(rule.Test) {
			return true
		}
	}
	return false
}

// plainTest reports whether the paths of a test only follow names and indexes.
func plainTest(test *asl.Test) bool {
	plain := func(p *path.Path) bool { return p == nil || p.Plain() }
	return plain(test.Variable) && plain(test.Path) && !slices.ContainsFunc(test.Tests, func(t *asl.Test) bool { return !plainTest(t) })
}

func testUsesContext(test *asl.Test) bool {
	if test == nil {
		return false
	}
	for _, operand := range test.Tests {
		if testUsesContext(operand) {
			return true
		}
	}
	return pathUsesContext(test.Variable) || pathUsesContext(test.Path)
}
