package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// backwardWalk goes through the moves of one state against their direction.
type backwardWalk struct {
	*Demands
	reader
	state *asl.State
	flow  *asl.Flow
	is    Registers[*Demand]
	got   stateDemands
	// own: what is behind the state requires only that it be handed on; see [Demander.Own].
	own, requests bool
	// watched is what is required of the value that the stage makes, outside of catchers; see [Demands.Made].
	watch   asl.Stage
	watched *Demand
	caught  bool
}

// at makes the moves of a list the readers.
func (v *backwardWalk) at(list, move, part int) {
	place := uint64(v.number[v.state])
	for _, of := range []struct{ n, bits int }{{list, 10}, {move, 4}, {part, 13}} {
		place = place<<of.bits | uint64(min(of.n, 1<<of.bits-1))
	}
	v.early = 1<<56 - 1 - place<<8
}

func (v *backwardWalk) demandsOf() *stateDemands {
	v.weight = v.weightOf(v.state)
	var all Registers[*Demand]
	for i := range v.flow.Lanes {
		l := &v.flow.Lanes[i]
		if l.Kind == asl.LaneFailed {
			continue
		}
		v.is = Registers[*Demand]{}
		if v.own {
			if l.To != nil {
				v.is[asl.RegisterOutput] = v.handed()
			}
		} else if behind := v.before(l.To); l.To != nil {
			v.is[asl.RegisterOutput], v.is[asl.RegisterVariables] = behind.data, behind.variables
		} else if l.Ends {
			v.is[asl.RegisterOutput] = v.exits[v.state.Scope]
		}
		v.caught = l.Kind == asl.LaneCaught
		v.back(3+i, l.Moves[:len(l.Moves)-1])
		v.caught = false
		for r := range all {
			all[r] = v.join(all[r], v.is[r])
		}
	}
	v.is = all
	v.back(2, v.flow.Each)
	v.back(1, v.flow.Work)
	v.back(0, v.flow.Enter[1:])
	v.got.raw, v.got.variables = v.is[asl.RegisterRaw], v.is[asl.RegisterVariables]
	return &v.got
}

// back goes through moves, the last one first.
func (v *backwardWalk) back(list int, moves []asl.Move) {
	for i := len(moves) - 1; i >= 0; i-- {
		v.at(list, i, 0)
		v.move(&moves[i], list, i)
	}
}

// add requires something of a register.
func (v *backwardWalk) add(r asl.Register, d *Demand) { v.is[r] = v.join(v.is[r], d) }

// take returns what is required of the register that a move sets.
func (v *backwardWalk) take(m *asl.Move) *Demand {
	d := v.is[m.To.Register]
	if v.is[m.To.Register] = nil; m.To.Register == asl.RegisterItems {
		d = v.join(d, v.want(WantArray))
	}
	return d
}

func (v *backwardWalk) move(m *asl.Move, list, at int) {
	if v.own {
		v.ownly(m)
	}
	if v.watch != asl.NoStage && m.Stage == v.watch && !v.caught {
		v.watched = v.join(v.watched, v.is[m.To.Register])
	}
	switch m.Kind {
	case asl.MoveKeep, asl.MoveSelect, asl.MoveGather:
		if m.To.Register == asl.RegisterChildIn {
			v.begun(m)
			return
		}
		v.ask(m.From[0], v.take(m))
	case asl.MoveClear, asl.MoveText, asl.MoveCaught:
		v.take(m)
	case asl.MoveFill:
		v.fill(m, v.take(m), list, at)
	case asl.MoveBind:
		v.bind(m, list, at)
	case asl.MoveDiscard:
		v.add(m.Base.Register, v.take(m))
	case asl.MovePut:
		v.put(m)
	case asl.MoveEach:
		item := v.take(m)
		v.add(m.From[0].Register, v.array(item, 1))
	case asl.MoveBatch:
		batch := v.is[m.To.Register]
		v.add(m.From[0].Register, v.item(v.share(batch, batch.Member("Items"))))
		v.is[m.To.Register] = v.share(batch, batch.Member("BatchInput"))
	case asl.MoveCollect:
		v.collect(v.take(m))
	case asl.MoveAsk:
		if d := v.take(m); m.Stage != asl.StageResultWriter {
			v.got.outside = v.join(v.got.outside, d)
		}
	case asl.MoveRead:
		v.use(m, list, at)
	case asl.MoveCall: // a part of another move
	}
}

// begun requires what the first state of a scope does.
func (v *backwardWalk) begun(m *asl.Move) {
	if len(v.flow.Children) == 0 {
		return
	}
	scope := v.flow.Children[max(0, m.To.Child)]
	first := v.before(scope.Meant(scope.StartAt))
	v.add(m.From[0].Register, first.data)
	if !v.state.Distributed() {
		v.add(asl.RegisterVariables, first.variables)
	}
}

// put requires the part at the place of a ResultPath of the result, and the others of the input.
func (v *backwardWalk) put(m *asl.Move) {
	d := v.take(m)
	if m.To.Path == nil {
		v.add(m.From[0].Register, d)
		return
	}
	var names []string
	part := d
	for i := range m.To.Path.Len() {
		if segment := m.To.Path.Segment(i); segment.Kind == path.NameSegment {
			names = append(names, segment.Name)
			part = v.member(part, segment.Name)
		}
	}
	v.add(m.From[0].Register, part)
	if d != nil && len(names) > 0 {
		d = v.without(d, names)
	}
	v.add(m.Base.Register, v.join(d, v.want(WantObject)))
}

// bind requires what an Assign evaluates, and of the older variables those that it does not set.
func (v *backwardWalk) bind(m *asl.Move, list, at int) {
	if m.To.Register != asl.RegisterAssigned {
		v.is[m.From[0].Register] = v.is[m.To.Register]
		return
	}
	d := v.take(m)
	for i := range m.Node.Members {
		if left := v.is[asl.RegisterVariables]; left != nil {
			name := m.Node.Members[i].Key
			if v.state.QueryLanguage == asl.JSONPath {
				name = strings.TrimSuffix(name, template.Suffix)
			}
			v.is[asl.RegisterVariables] = v.without(left, []string{name})
		}
	}
	v.fill(m, d, list, at)
}

// collect requires of the outputs of branches or iterations what is required of the result.
func (v *backwardWalk) collect(d *Demand) {
	for i := range v.flow.Children {
		item := v.nth(d, i)
		switch {
		case v.state.Type == asl.Map:
			item = v.item(d)
		case v.state.QueryLanguage == asl.JSONata && (item == nil || item == everything) && d.Kind() == WantObject:
			item = d // a name asks all items
		}
		v.got.inner = append(v.got.inner, item)
	}
	if v.state.Type == asl.Map && d != nil && d.Count > 1 {
		v.add(asl.RegisterItems, v.array(nil, d.Count))
	}
}

// fill requires what a template evaluates.
func (v *backwardWalk) fill(m *asl.Move, d *Demand, list, at int) {
	if m.To.Register == asl.RegisterBatches { // what is left of the batch
		d = v.within("BatchInput", d)
	}
	parts := m.Parts()
	for i := range parts {
		v.at(list, at, i)
		part := d
		if parts[i].To.Variable != "" {
			part = v.member(part, parts[i].To.Variable)
		}
		if p := parts[i].To.Path; p != nil {
			for k := range p.Len() {
				if segment := p.Segment(k); segment.Kind == path.NameSegment {
					part = v.member(part, segment.Name)
				} else {
					part = v.nth(part, segment.Index)
				}
			}
		}
		v.part(&parts[i], part)
	}
}

// part requires what a leaf of a template or a field evaluates, for a demand on its value.
func (v *backwardWalk) part(m *asl.Move, d *Demand) {
	switch {
	case m.Kind == asl.MoveText:
	case m.Expression != nil:
		v.expression(m, d, Undecided)
	case m.Intrinsic != nil:
		v.call(m, d)
	case len(m.From) > 0:
		v.ask(m.From[0], d)
	}
}

// use requires values that go into an end.
func (v *backwardWalk) use(m *asl.Move, list, at int) {
	if m.To.Register == asl.RegisterDecision {
		v.choose(list, at)
		return
	}
	parts := m.Parts()
	for i := range parts {
		if v.at(list, at, i); parts[i].Node != nil {
			v.part(&parts[i], v.want(wantedBy(&parts[i])))
		}
	}
}

// wantedBy returns the kind of value that a field takes.
func wantedBy(m *asl.Move) Wanted {
	switch {
	case m.Field.Name == "MaxInputBytesPerBatch" || m.Field.Name == "MaxInputBytesPerBatchPath":
		return WantBytes
	case m.Takes.Has(value.KindNumber):
		return WantNumber
	case m.To.Register == asl.RegisterInstant:
		return WantTime
	case m.To.Register == asl.RegisterFailure:
		return WantText
	}
	return WantAny
}

// ask requires something of a part of a register.
func (v *backwardWalk) ask(from asl.Ref, d *Demand) {
	if from.Path != nil {
		if v.own && strings.LastIndexByte(from.Path.String(), '$') > 0 { // a filter reads beside its value
			v.add(from.Register, everything)
		}
		d = v.along(from.Path, d)
	}
	switch {
	case from.Variable != "":
		v.add(asl.RegisterVariables, v.within(from.Variable, d))
	case from.Register == asl.RegisterContext:
		v.context(d)
	default:
		v.add(from.Register, d)
	}
}

// context requires something of the context object: only the input and a Map's item come from outside.
func (v *backwardWalk) context(d *Demand) {
	v.got.input = v.join(v.got.input, d.Member("Execution").Member("Input"))
	if v.state.Type == asl.Map {
		v.add(asl.RegisterItem, d.Member("Map").Member("Item").Member("Value"))
	}
}

// along returns what a path requires of the value that it begins at, where something is required of its result.
func (v *backwardWalk) along(p *path.Path, d *Demand) *Demand {
	for i := range p.Len() {
		switch p.Segment(i).Kind {
		case path.WildcardSegment, path.FilterSegment, path.SliceSegment, path.IndexesSegment, path.DescentSegment:
			d = v.item(d)
			return v.segments(p, 0, d)
		case path.NameSegment, path.IndexSegment, path.NamesSegment:
		}
	}
	return v.segments(p, 0, d)
}

func (v *backwardWalk) segments(p *path.Path, i int, d *Demand) *Demand {
	if i == p.Len() {
		return d
	}
	switch segment := p.Segment(i); segment.Kind {
	case path.NameSegment:
		return v.within(segment.Name, v.segments(p, i+1, d))
	case path.DescentSegment:
		return v.join(v.segments(p, i+1, d), everything)
	case path.NamesSegment:
		var all *Demand
		for _, name := range p.Names(i) {
			all = v.join(all, v.within(name, v.share(d, d.Member(name))))
		}
		return all
	case path.FilterSegment:
		sample := v.like(p.Sample(i))
		v.early--
		return v.array(v.join(v.segments(p, i+1, d), sample), 1)
	case path.IndexSegment:
		return v.indexed(v.segments(p, i+1, d), segment.Index)
	case path.IndexesSegment, path.SliceSegment, path.WildcardSegment:
	}
	return v.array(v.segments(p, i+1, d), p.Greatest(i))
}
