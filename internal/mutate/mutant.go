// Package mutate checks suites with mutants: small changes of a definition, such as a catcher that is dropped or a comparison that is
// turned, one at a time. A mutant is killed when a case fails with it; one that survives shows an expectation that is missing.
//
// [Of] makes the mutants of a definition in the order of its text, and [Run] runs the cases of suites against them. A mutant is a
// change of the definition's tree. The same change is made in the text of the file, where that can be done, and shown as a diff.
package mutate

import (
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/source"
	"asldb/internal/wording"
)

// Kind is the kind of a Mutant.
type Kind uint8

// The kinds of mutants.
const (
	CatcherDropped Kind = iota + 1
	CatcherNarrowed
	RetrierDropped
	AttemptsChanged
	DelayChanged
	RulesSwapped
	ComparisonTurned
	ConnectiveTurned
	NotDropped
	DefaultTurned
	ResultPathChanged
	SelectorDropped
	AssignDropped
	TimeoutDropped
	HeartbeatDropped
	ToleranceChanged
	PayloadDropped
	OutputDropped
	ErrorDropped
	WaitChanged
)

// kinds has the name of each kind in reports.
var kinds = [...]string{
	CatcherDropped: "catcher dropped", CatcherNarrowed: "catcher narrowed", RetrierDropped: "retrier dropped",
	AttemptsChanged: "attempts changed", DelayChanged: "delay changed", RulesSwapped: "rules swapped",
	ComparisonTurned: "comparison turned", ConnectiveTurned: "and/or turned", NotDropped: "negation dropped",
	DefaultTurned: "Default turned", ResultPathChanged: "ResultPath changed", SelectorDropped: "selector dropped",
	AssignDropped: "variable dropped", TimeoutDropped: "timeout dropped", HeartbeatDropped: "heartbeat dropped",
	ToleranceChanged: "tolerance changed", PayloadDropped: "payload changed", OutputDropped: "output dropped",
	ErrorDropped: "error dropped", WaitChanged: "wait changed",
}

// String returns the kind's name in reports, such as "catcher dropped".
func (k Kind) String() string { return wording.KindName(kinds[:], k) }

// Mutant is a definition with one change.
type Mutant struct {
	// Number tells the mutants of a definition apart, from 1 in the order of the text.
	Number int
	Kind   Kind
	// State is the state that is changed; nil: the change is one of the machine.
	State *asl.State
	// Description says what is changed: "catcher 1 (States.ALL) dropped".
	Description string
	// At is the place of the change in File.
	At   source.Position
	File *source.File

	change change
	needs  need
}

// Name returns the name of the state that is changed, or "the state machine".
func (m *Mutant) Name() string {
	if m.State == nil {
		return "the state machine"
	}
	return m.State.Path()
}

// Root returns the tree of the definition with the change.
func (m *Mutant) Root(root *source.Node) *source.Node { return apply(root, m.change) }

// need is what a run has to go through so that a mutant can make a difference.
type need struct {
	// any are items of coverage; one is needed; none: the run needs to enter the state.
	any []coverage.ID
	// unended: a run of a Choice state that took no rule at all is enough, too.
	unended bool
	// missing says which need no run meets: "no case uses up retrier 1".
	missing string
	// way is a case that would show the mutant, "inject: {Charge: Busy}"; empty: none is known.
	way string
}

// The kinds of items that coverage does not have.
const (
	// worked: the state came to a result, or was left without an error.
	worked coverage.Kind = 255 - iota
	// retriedTwice: the retrier with the number Index retried a second time.
	retriedTwice
)

// met reports whether a run with the covered items can differ.
func (n *need) met(state *asl.State, covered map[coverage.ID]bool) bool {
	entered := state == nil || covered[coverage.ID{State: state.Path(), Kind: coverage.Entered}]
	if !entered || n.any == nil {
		return entered
	}
	for _, id := range n.any {
		if covered[id] {
			return true
		}
	}
	return n.unended && !tookRule(state, covered)
}

// tookRule reports whether a Choice state took a rule or Default.
func tookRule(state *asl.State, covered map[coverage.ID]bool) bool {
	for i := range state.Choices {
		if covered[coverage.ID{State: state.Path(), Kind: coverage.Rule, Index: i}] {
			return true
		}
	}
	return covered[coverage.ID{State: state.Path(), Kind: coverage.Default}]
}
