package flow

import (
	"context"
	"slices"

	"asldb/engine/asl"
)

// Decision is the intended result of a test.
type Decision uint8

// The decisions.
const (
	Undecided Decision = iota
	ToHold
	NotToHold
)

func (d Decision) not() Decision { return [...]Decision{Undecided, NotToHold, ToHold}[d] }

// Intent says which way a run is to take.
type Intent struct {
	// OnWay reports whether it goes through a state; Rule how the rule of a Choice is to be decided.
	OnWay func(s *asl.State) bool
	Rule  func(s *asl.State, rule int) Decision
}

// Demands has what the states of a machine require of the values that come from outside.
type Demands struct {
	*Demander
	intent Intent
	places []place                // by the order of the states; nil: no demands are known
	exits  map[*asl.Scope]*Demand // of the outputs of scopes
	input  *Demand                // that the context object has
	again  []bool                 // the states that are to be looked at
	cut    bool                   // some were not looked at again
}

// needs are the demands on data and variables.
type needs struct{ data, variables *Demand }

// place has the demands before a state.
type place struct {
	needs
	got    *stateDemands
	visits int
}

// before returns the demands before a state, none where it is nil or no run comes to it.
func (d *Demands) before(s *asl.State) needs {
	if at, ok := d.order[s]; ok && d.places != nil {
		return d.places[at].needs
	}
	return needs{}
}

// Demander computes demands, and has what the demands of all intents share. It is for one goroutine.
type Demander struct {
	demanding
	analysis *Analysis
	order    map[*asl.State]int // early states have great numbers; inner ones come before their container
	number   map[*asl.State]int // in the order in which a run can come to them, from 1
	states   []*asl.State
	into     map[*asl.State][]*asl.State // the states that lead to one
	last     map[*asl.Scope][]*asl.State // those that end a scope
	known    map[demandKey]*stateDemands
}

// demandKey tells apart what a state requires: by what is required behind it.
type demandKey struct {
	state *asl.State
	of    uint64
}

// stateDemands is what one state requires.
type stateDemands struct {
	raw, variables *Demand
	outside        *Demand // the result of a task, or the items of a reader
	inner          []*Demand
	input          *Demand
}

// Demander returns one for the machine of the analysis.
func (a *Analysis) Demander() *Demander {
	b := &Demander{
		demanding: demanding{joined: make(map[[2]uint64]*Demand)}, analysis: a,
		known: make(map[demandKey]*stateDemands),
		order: make(map[*asl.State]int), number: make(map[*asl.State]int),
		into: make(map[*asl.State][]*asl.State), last: make(map[*asl.Scope][]*asl.State),
	}
	b.enter(a.Machine().Top)
	b.arrange(a.Machine().Top)
	return b
}

// enter numbers the states of a scope in the order in which a run can come to them.
func (b *Demander) enter(scope *asl.Scope) {
	first := scope.Meant(scope.StartAt)
	if first == nil {
		return
	}
	b.number[first] = len(b.number) + 1
	for pending := []*asl.State{first}; len(pending) > 0; pending = pending[1:] {
		s := pending[0]
		for _, inner := range asl.FlowOf(s, true).Children {
			b.enter(inner)
		}
		for _, e := range s.Edges() {
			if e.To != nil && b.number[e.To] == 0 {
				b.number[e.To] = len(b.number) + 1
				pending = append(pending, e.To)
			}
		}
	}
}

// arrange orders the states so that those come first to which others lead.
func (b *Demander) arrange(scope *asl.Scope) {
	type frame struct {
		state *asl.State
		edges []asl.Edge
	}
	var stack []frame
	seen := make(map[*asl.State]bool)
	push := func(s *asl.State) {
		if s != nil && !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, s.Edges()})
		}
	}
	for push(scope.Meant(scope.StartAt)); len(stack) > 0; {
		top := &stack[len(stack)-1]
		if len(top.edges) > 0 {
			to := top.edges[0].To
			top.edges = top.edges[1:]
			if to != nil {
				b.into[to] = append(b.into[to], top.state)
			}
			push(to)
			continue
		}
		s := top.state
		stack = stack[:len(stack)-1]
		for _, inner := range asl.FlowOf(s, true).Children {
			b.arrange(inner)
		}
		if s.Terminal() {
			b.last[scope] = append(b.last[scope], s)
		}
		b.order[s] = len(b.states)
		b.states = append(b.states, s)
	}
}

// maxKnown bounds what is kept of the demands of other intents.
const maxKnown = 1 << 19

// Analysis returns the analysis of the machine.
func (b *Demander) Analysis() *Analysis { return b.analysis }

// Demands follows the requirements from their readers back to the places from which the values come. Where the context
// ends first it knows fewer of them.
func (b *Demander) Demands(ctx context.Context, intent Intent) *Demands {
	if len(b.known)+len(b.joined) > maxKnown {
		clear(b.known)
		clear(b.joined)
	}
	d := &Demands{
		Demander: b, intent: intent, places: make([]place, len(b.states)), exits: make(map[*asl.Scope]*Demand),
		again: slices.Repeat([]bool{true}, len(b.states)),
	}
	for changed := true; changed; {
		changed = false
		for at, s := range b.states {
			p := &d.places[at]
			if !d.again[at] {
				continue
			}
			if p.visits > maxVisits+len(asl.FlowOf(s, true).Lanes) || ctx.Err() != nil {
				d.cut = true
				continue
			}
			d.again[at], changed = false, true
			p.visits++
			d.revisit(s, p)
		}
	}
	return d
}

// Input is what is required of the execution's input.
func (d *Demands) Input() *Demand {
	top := d.analysis.Machine().Top
	return d.join(d.before(top.Meant(top.StartAt)).data, d.input)
}

// Before is what is required of the data before a state; nil has followed nothing.
func (d *Demands) Before(s *asl.State) *Demand {
	if d == nil {
		return nil
	}
	return d.before(s).data
}

// Made is what is required of the value that a stage of a state makes.
func (d *Demands) Made(s *asl.State, stage asl.Stage) *Demand {
	v := &backwardWalk{
		Demands: d, reader: reader{demanding: &d.demanding}, state: s, flow: asl.FlowOf(s, true), watch: stage,
	}
	v.demandsOf()
	return v.watched
}

// Result is what is required of the result of a task.
func (d *Demands) Result(s *asl.State) *Demand {
	if at, ok := d.order[s]; ok && d.places[at].got != nil {
		return d.places[at].got.outside
	}
	return nil
}

// Reads is Result, and requires everything where not all readers were followed; nil has followed none.
func (d *Demands) Reads(s *asl.State) *Demand {
	if d == nil || d.cut {
		return everything
	}
	return d.Result(s)
}

// Item is what is required of the items that an ItemReader reads.
func (d *Demands) Item(s *asl.State) *Demand { return d.item(d.Result(s)) }

// revisit computes what one state requires, and what that changes for those before it.
func (d *Demands) revisit(s *asl.State, p *place) {
	key := demandKey{s, d.behind(s)}
	got := d.known[key]
	if got == nil {
		v := &backwardWalk{Demands: d, reader: reader{demanding: &d.demanding}, state: s, flow: asl.FlowOf(s, true)}
		got = v.demandsOf()
		d.known[key] = got
	}
	p.got = got
	d.input = d.join(d.input, got.input)
	after := needs{d.join(p.data, got.raw), d.join(p.variables, got.variables)}
	if after != p.needs {
		p.needs = after
		for _, from := range d.into[s] {
			d.again[d.order[from]] = true
		}
		if c := s.Scope.Container; c != nil && s.Scope.Meant(s.Scope.StartAt) == s {
			d.again[d.order[c]] = true
		}
	}
	for i, scope := range asl.FlowOf(s, true).Children {
		if i >= len(got.inner) {
			break
		}
		if all := d.join(d.exits[scope], got.inner[i]); all != d.exits[scope] {
			d.exits[scope] = all
			for _, last := range d.last[scope] {
				d.again[d.order[last]] = true
			}
		}
	}
}

// behind tells apart what is required behind a state and of it.
func (d *Demands) behind(s *asl.State) uint64 {
	h := uint64(d.weightOf(s))
	add := func(s *asl.State) {
		before := d.before(s)
		h = mix(mix(h, before.data.digest()), before.variables.digest())
	}
	f := asl.FlowOf(s, true)
	for i := range f.Lanes {
		if l := &f.Lanes[i]; l.To != nil {
			add(l.To)
		} else if l.Ends {
			h = mix(h, d.exits[s.Scope].digest())
		}
	}
	for _, inner := range f.Children {
		add(inner.Meant(inner.StartAt))
	}
	for i := range s.Choices {
		h = mix(h, uint64(d.decision(s, i)))
	}
	return h
}

func (d *Demands) weightOf(s *asl.State) uint8 {
	if d.intent.OnWay != nil && d.intent.OnWay(s) {
		return onWayWeight
	}
	return asideWeight
}

func (d *Demands) decision(s *asl.State, rule int) Decision {
	if d.intent.Rule == nil {
		return Undecided
	}
	return d.intent.Rule(s, rule)
}
