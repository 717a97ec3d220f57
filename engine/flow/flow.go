// Package flow follows the data of a definition from state to state, without running it: for every state it computes
// the shapes that its input may have, one for each way on which they differ, and reports the reads that can find
// nothing, and the values of a type that their place does not take.
//
// The work is bounded: for each state a budget of shapes and a number of visits. The input of a state that exceeds them
// is unknown, and nothing is reported of it but that it is so.
package flow

import (
	"slices"
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

const (
	// budget bounds the shapes with their members that the states of a definition share, ownBudget the ones that each
	// state has beside them.
	budget    = 1 << 20
	ownBudget = 1 << 11
	// maxVisits bounds how often a state's input may change, besides once for each edge that leads to it, before it is
	// not followed.
	maxVisits = 20
)

// Options are facts about the executions that a definition's text does not have.
type Options struct {
	// Input is the shape of the execution's input; nil where it is unknown.
	Input value.Value
	// Results has the results of Task states by their names; each execution of the task gives one of them. It may be
	// nil.
	Results map[string][]value.Value
	// Damage has the parts of a definition with errors that are unknown.
	Damage Damage
	// LiteralFirst is the dialect aws: a Pass with a Result does not look at InputPath and Parameters.
	LiteralFirst bool

	given *Shape // the input's, in place of Input
}

// Check returns the faults of a machine's data flow, in the order of its states.
func Check(machine *asl.StateMachine, o Options) []Fault {
	return Analyse(machine, o).Faults()
}

// Analysis is what is known of the data of a machine's states.
type Analysis struct{ pass *pass }

// Analyse follows the data of a machine.
func Analyse(machine *asl.StateMachine, o Options) *Analysis {
	p := &pass{
		machine: machine, space: NewSpace(budget), shared: budget, inputs: make(map[*asl.State]*input), edges: make(map[*asl.State]int),
		exits: make(map[*asl.Scope]*Shape), queries: make(map[*source.Node]*jsonata.Tree), answers: make(map[string]*Shape), options: o,
	}
	if o.Input != nil {
		shape := p.space.Of(o.Input)
		p.given = p.space.Because(shape, nil, source.Span{}, "the given input "+shape.Has())
	}
	if o.given != nil {
		p.given = p.space.Because(p.space.bare(o.given), nil, source.Span{}, "the given input "+o.given.Has())
	}
	if first := machine.Top.Meant(machine.Top.StartAt); first != nil {
		p.enter(first, p.given, p.space.Object(nil, false))
	}
	for s := range machine.All() {
		for _, e := range s.Edges() {
			p.edges[e.To]++
		}
	}
	p.open(machine)
	p.settle(machine)
	p.done = true
	return &Analysis{p}
}

// Faults returns the faults, in the order of the states.
func (a *Analysis) Faults() []Fault {
	p := a.pass
	var faults []Fault
	var left []*asl.State // those that were not followed
	for s := range p.machine.All() {
		in := p.inputs[s]
		if in == nil || p.options.Damage.States[s] {
			continue
		}
		p.space.Refill(budget)
		sites := in.sites
		if sites == nil {
			cells := p.cells(s, in)
			sites = newSites(p, s, len(cells))
			for _, c := range cells {
				p.through(s, c, in, sites)
			}
		}
		if in.unknown == notFollowed || p.space.Spent() {
			left = append(left, s)
			continue
		}
		faults = append(faults, sites.faults()...)
	}
	return append(together(faults), notChecked(left)...)
}

// notChecked names the states whose data were not followed.
func notChecked(left []*asl.State) []Fault {
	if len(left) == 0 {
		return nil
	}
	s := left[0]
	text := "the data before \"" + s.Name + "\" have too many forms or members to follow: reads in it"
	if more := len(left) - 1; more > 0 {
		text += ", in " + strconv.Itoa(more) + " more states"
	}
	text += " and of the data that come from there"
	return []Fault{{State: s, Node: s.Node, Span: s.NameSpan, Rule: rules.NotFollowed, Message: text + " are not checked"}}
}

// pass is one run of the analysis.
type pass struct {
	space   *Space
	shared  int // what is left of the budget that the states share
	options Options
	machine *asl.StateMachine
	given   *Shape // the execution's input
	inputs  map[*asl.State]*input
	edges   map[*asl.State]int // the number of those that lead to a state
	// answers are the results of integrations.
	answers map[string]*Shape
	// exits are the outputs of scopes; a scope that cannot end has none.
	exits   map[*asl.Scope]*Shape
	queries map[*source.Node]*jsonata.Tree
	// pending are the states whose input has changed, by the depth of their scope.
	pending [][]*asl.State
	// done: everything is settled, and no scope is entered or left any more.
	done bool
	// known gathers what visits know of the registers; nil: nothing is gathered.
	known *Registers[*Shape]
}

// cell is one alternative of the data and variables before a state.
type cell struct{ data, variables *Shape }

// input is the knowledge of what there is before a state.
type input struct {
	// cells have different variables, each with the data that come with them. merged: they were too many, and one has
	// all.
	cells  []cell
	merged bool
	visits int
	queued bool
	// dead tells that the state fails for all data that it was computed with; then it is taken for lenient: what it
	// reads in vain is unknown, so that the states behind it are looked at too.
	dead, lenient bool
	// own is what is left of the state's budget; unknown tells that it was spent.
	own     int
	unknown unknown
	// sites has the uses in the last computation; nil where they are to be gathered by another one.
	sites *sites
}

// unknown says what is not known of a state.
type unknown uint8

const (
	followed    unknown = iota
	notFollowed         // its input
	notComputed         // nor what it makes of that
)

// enter joins data and variables to those before a state.
func (p *pass) enter(s *asl.State, data, variables *Shape) {
	in := p.inputs[s]
	if in == nil {
		in = &input{cells: []cell{{data, variables}}, own: ownBudget}
		p.inputs[s] = in
		p.queue(s, in)
		return
	}
	if in.unknown > followed || !p.join(in, cell{data, variables}) {
		return
	}
	if in.visits++; in.visits > maxVisits+p.edges[s] {
		in.cells, in.unknown = []cell{{}}, notFollowed
	}
	p.queue(s, in)
}

// maxCells bounds the cells of an input.
const maxCells = 4

// join adds a cell to an input, and reports whether that changes it.
func (p *pass) join(in *input, c cell) bool {
	i := slices.IndexFunc(in.cells, func(known cell) bool { return Equal(known.variables, c.variables) })
	if i < 0 && len(in.cells) < maxCells && !in.merged {
		in.cells = append(in.cells, c)
		return true
	}
	if i < 0 {
		i = 0
		for _, other := range in.cells[1:] {
			c = cell{p.space.Either(c.data, other.data), p.space.Merge(c.variables, other.variables)}
		}
		in.cells, in.merged = in.cells[:1:1], true
	}
	known := in.cells[i]
	joined := cell{p.space.Either(known.data, c.data), p.space.Merge(known.variables, c.variables)}
	if Equal(joined.data, known.data) && Equal(joined.variables, known.variables) {
		return false
	}
	in.cells[i] = joined
	return true
}

// cells returns the alternatives before a state. Those of a Choice have the variables of all: whether one is assigned
// may depend on what the rules test.
func (p *pass) cells(s *asl.State, in *input) (list []cell) {
	all := in.cells[0].variables
	for _, c := range in.cells[1:] {
		all = p.space.Merge(all, c.variables)
	}
	for _, c := range in.cells {
		if s.Type == asl.Choice {
			c.variables = all
		}
		for _, data := range c.data.Cases() {
			list = append(list, cell{data, c.variables})
		}
	}
	return list
}

// queue notes that a state is to be computed again.
func (p *pass) queue(s *asl.State, in *input) {
	if in.queued {
		return
	}
	in.queued = true
	depth := 0
	for c := s.Scope.Container; c != nil; c = c.Scope.Container {
		depth++
	}
	for len(p.pending) <= depth {
		p.pending = append(p.pending, nil)
	}
	p.pending[depth] = append(p.pending[depth], s)
}

// settle computes states until nothing changes. Inner scopes go first, so that containers see their results whole.
func (p *pass) settle(machine *asl.StateMachine) {
	for {
		for p.step() {
		}
		// A Map over no items ends, even if its iterations never do.
		again := false
		for s := range machine.All() {
			in := p.inputs[s]
			if in != nil && in.dead && !in.lenient {
				in.lenient = true
				p.queue(s, in)
				again = true
			}
			if s.Type == asl.Map && s.Processor != nil && p.inputs[s] != nil {
				if _, ends := p.exits[s.Processor]; !ends {
					p.exits[s.Processor] = nil
					p.queue(s, p.inputs[s])
					again = true
				}
			}
		}
		if !again {
			return
		}
	}
}

// step computes the edges of the next state; false where none is pending.
func (p *pass) step() bool {
	depth := len(p.pending) - 1
	for depth >= 0 && len(p.pending[depth]) == 0 {
		depth--
	}
	if depth < 0 {
		return false
	}
	s := p.pending[depth][0]
	p.pending[depth] = p.pending[depth][1:]
	in := p.inputs[s]
	in.queued = false
	all := in.own + p.shared
	p.space.Refill(all)
	p.compute(s, in)
	spent := all - p.space.Left()
	p.shared = max(p.shared-max(spent-in.own, 0), 0)
	in.own = max(in.own-spent, 0)
	if p.space.Spent() || spent >= budget {
		in.sites = nil
	}
	if p.space.Spent() && in.unknown < notComputed {
		in.unknown++
		in.cells, in.own = []cell{{}}, ownBudget
		clear(p.answers) // those made at last are incomplete
		p.queue(s, in)
	}
	return true
}

// compute goes along the edges of a state with all alternatives of its input.
func (p *pass) compute(s *asl.State, in *input) {
	in.dead, in.sites = true, nil
	cells := p.cells(s, in)
	if s.Type != asl.Choice { // its tests are looked at once only: that costs more
		in.sites = newSites(p, s, len(cells))
	}
	for _, c := range cells {
		p.space.Spend(1)
		v := p.through(s, c, in, in.sites)
		in.dead = in.dead && v.failed && !v.went
		for _, way := range v.ways {
			p.enter(way.to, way.data, way.variables)
		}
	}
}

// exit joins an output to the outputs of a scope, and has its container computed again where that changes it.
func (p *pass) exit(scope *asl.Scope, output *Shape) {
	before, ends := p.exits[scope]
	joined := output
	if ends {
		joined = p.space.Either(before, output)
	}
	if ends && Equal(before, joined) {
		return
	}
	p.exits[scope] = joined
	if s := scope.Container; s != nil && p.inputs[s] != nil {
		p.queue(s, p.inputs[s])
	}
}

// way is an edge with what goes along it.
type way struct {
	to              *asl.State
	data, variables *Shape
}
