package asl

import (
	"slices"

	"asldb/engine/path"
	"asldb/engine/value"
)

// A Maker is a move that may make a part of a state's output, or a variable.
type Maker struct {
	State *State
	Lane  *Lane
	Move  *Move
	// Path has the names of the part in the output, or below the variable: nil where it is the whole of it.
	Path     []string
	Variable string // "" of the output
	// Literal is the value that a text of the definition puts there; nil of other moves.
	Literal value.Value
}

// MakerIndex finds the moves that make something, by its first name.
type MakerIndex struct{ data, variables map[string][]Maker }

// Makers returns the index of the moves of all states whose place has a name: whatever replaces a whole output with a
// value whose names the definition does not tell is not in it. literalFirst is as in [FlowOf].
func (m *StateMachine) Makers(literalFirst bool) *MakerIndex {
	x := &MakerIndex{make(map[string][]Maker), make(map[string][]Maker)}
	for s := range m.All() {
		f := FlowOf(s, literalFirst)
		for i := range f.Lanes {
			b := makerBuilder{flow: f, lane: &f.Lanes[i]}
			for _, maker := range b.into(RegisterOutput, len(b.lane.Moves)) {
				if len(maker.Path) > 0 {
					x.data[maker.Path[0]] = append(x.data[maker.Path[0]], maker)
				}
			}
			for k := range b.lane.Moves {
				if move := &b.lane.Moves[k]; move.To.Register == RegisterAssigned {
					for _, maker := range b.filled(move) {
						x.variables[maker.Variable] = append(x.variables[maker.Variable], maker)
					}
				}
			}
		}
	}
	return x
}

// Of returns the makers of the part at a path of names in the data, or of more or less than it, in the order of the
// states.
func (x *MakerIndex) Of(names ...string) []Maker {
	if len(names) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.data[names[0]]), func(m Maker) bool { return !m.covers(names) })
}

// OfVariable returns the makers of a variable.
func (x *MakerIndex) OfVariable(name string) []Maker { return slices.Clone(x.variables[name]) }

// covers reports whether one of the paths begins with the other, and a literal has the rest.
func (m *Maker) covers(names []string) bool {
	n := min(len(names), len(m.Path))
	if !slices.Equal(names[:n], m.Path[:n]) {
		return false
	}
	at := m.Literal
	for _, name := range names[n:] {
		if m.Literal == nil {
			break
		}
		object, _ := at.(*value.Object)
		if at = object.Get(name); at == nil {
			return false
		}
	}
	return true
}

// makerBuilder finds the makers of one lane.
type makerBuilder struct {
	flow *Flow
	lane *Lane
}

// into returns what the moves before one of the lane, and before the lane, make in a register.
func (b *makerBuilder) into(r Register, before int) []Maker {
	for i := before - 1; i >= 0; i-- {
		if m := &b.lane.Moves[i]; m.To.Register == r && m.Stage != StageOutput {
			return b.makersOf(m, i)
		}
	}
	if r == RegisterEffective || r == RegisterRaw || r == RegisterError { // what came in
		return nil
	}
	for _, list := range [][]Move{b.flow.Each, b.flow.Work, b.flow.Enter} {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].To.Register == r {
				return b.makersOf(&list[i], 0)
			}
		}
	}
	return nil
}

// makersOf returns what a move makes in its register.
func (b *makerBuilder) makersOf(m *Move, at int) []Maker {
	switch m.Kind {
	case MoveKeep:
		return b.into(m.From[0].Register, at)
	case MoveSelect:
		var list []Maker
		names, plain := namesOfPath(m.From[0].Path)
		for _, maker := range b.into(m.From[0].Register, at) {
			n := len(names)
			if plain && len(maker.Path) > n && slices.Equal(maker.Path[:n], names) {
				maker.Path = maker.Path[n:]
				list = append(list, maker)
			}
		}
		return list
	case MovePut:
		return b.put(m, at)
	case MoveFill:
		return b.filled(m)
	case MoveText:
		object, ok := b.flow.State.Result.Value.(*value.Object)
		if !ok {
			return nil
		}
		var list []Maker
		for name, member := range object.All() {
			list = append(list, Maker{State: b.flow.State, Lane: b.lane, Move: m, Path: []string{name}, Literal: member})
		}
		return list
	case MoveCaught:
		return value.Each([]string{"Error", "Cause"}, func(name string) Maker {
			return Maker{State: b.flow.State, Lane: b.lane, Move: m, Path: []string{name}}
		})
	default:
		return nil
	}
}

// put returns what a ResultPath makes: the place itself, or what the result has below it.
func (b *makerBuilder) put(m *Move, at int) []Maker {
	inner := b.into(m.From[0].Register, at)
	if m.To.Path == nil {
		return inner
	}
	names, plain := namesOfPath(m.To.Path)
	if !plain {
		return nil
	}
	if len(inner) == 0 {
		return []Maker{{State: b.flow.State, Lane: b.lane, Move: m, Path: names}}
	}
	for i := range inner {
		inner[i].Path = append(slices.Clone(names), inner[i].Path...)
	}
	return inner
}

// filled returns the leaves of a template that have a place by names.
func (b *makerBuilder) filled(m *Move) []Maker {
	var list []Maker
	parts := m.Parts()
	for i := range parts {
		part := &parts[i]
		names, plain := namesOfPath(part.To.Path)
		if !plain && len(names) == 0 {
			continue
		}
		if part.Kind == MoveText && len(names) == 0 && part.To.Variable == "" { // the whole template is a literal
			list = append(list, b.literal(part)...)
			continue
		}
		maker := Maker{State: b.flow.State, Lane: b.lane, Move: part, Path: names, Variable: part.To.Variable}
		if part.Kind == MoveText && part.Node != nil && plain {
			maker.Literal = part.Node.Value
		}
		list = append(list, maker)
	}
	return list
}

// literal returns the members of a template in which nothing is evaluated.
func (b *makerBuilder) literal(part *Move) []Maker {
	var list []Maker
	if part.Node == nil {
		return nil
	}
	for i := range part.Node.Members {
		m := &part.Node.Members[i]
		maker := Maker{State: b.flow.State, Lane: b.lane, Move: part, Literal: m.Node.Value}
		if part.To.Register == RegisterAssigned {
			maker.Variable = m.Key
		} else {
			maker.Path = []string{m.Key}
		}
		list = append(list, maker)
	}
	return list
}

// namesOfPath returns the names at the beginning of a path, and whether it has nothing else.
func namesOfPath(p *path.Path) (names []string, plain bool) {
	if p == nil {
		return nil, true
	}
	for i := range p.Len() {
		segment := p.Segment(i)
		if segment.Kind != path.NameSegment {
			return names, false
		}
		names = append(names, segment.Name)
	}
	return names, true
}
