package flow

import "asldb/engine/asl"

// Own tells how a state treats the data before it, whatever comes behind it.
type Own struct {
	// Reads has the members that it reads itself; Whole is set where it may read any, or copy them.
	Reads []string
	Whole bool
	// Keeps is set where its output has all of them on every way out of it, but for the members that it writes; Drops
	// where it has none of them on any way.
	Keeps, Drops bool
}

// Own returns how a state treats its data. The work in a container and, with requests, the request of a task take any
// part of what they are given.
func (b *Demander) Own(s *asl.State, requests bool) Own {
	d := &Demands{Demander: b}  // without places: nothing is required behind the state
	all := asl.FlowOf(s, false) // with all that a dialect may read
	demandOf := func(lanes []asl.Lane) *Demand {
		one := *all
		one.Lanes = lanes
		v := &backwardWalk{
			Demands: d, reader: reader{demanding: &d.demanding}, state: s, flow: &one, own: true, requests: requests,
		}
		return v.demandsOf().raw
	}
	reads, own := demandOf(nil), Own{Keeps: true, Drops: true}
	for i := range all.Lanes {
		raw := demandOf(all.Lanes[i : i+1])
		reads = d.join(reads, raw)
		if all.Lanes[i].To != nil {
			keeps := raw.Member(passed) != nil
			own.Keeps, own.Drops = own.Keeps && keeps, own.Drops && !keeps
		}
	}
	own.Whole = reads.beyondMembers()
	for _, m := range reads.Members() {
		if m.Name != passed {
			own.Reads = append(own.Reads, m.Name)
		}
	}
	return own
}

// passed is a member that no state reads or writes: it is required of the output, to see whether the data are kept.
const passed = "\x00"

// handed requires all members of the output, each by its name as well as passed.
func (v *backwardWalk) handed() *Demand {
	return v.leaf(Demand{Item: everything, members: leafOf(&v.spent, Required{passed, everything})})
}

// beyondMembers reports whether a demand is on the value itself, and not only on members of it.
func (d *Demand) beyondMembers() bool {
	if d == nil {
		return false
	}
	for kind, vote := range d.votes {
		if vote > 0 && Wanted(kind) != WantObject {
			return true
		}
	}
	return d.all || d.at != nil || d.Count > 0 || d.Pieces > 0 || d.Document != nil || d.Sample != nil ||
		d.Limits != nil
}

// ownly requires any part of the values from which the work in a container and a request are made.
func (v *backwardWalk) ownly(m *asl.Move) {
	whole := m.To.Register == asl.RegisterChildIn || m.Kind == asl.MoveEach ||
		v.requests && m.Kind == asl.MoveRead && m.To.Register == asl.RegisterRequest && m.Parts() == nil
	for _, from := range m.From {
		if whole {
			v.add(from.Register, everything)
		}
	}
	if m.Kind == asl.MovePut && m.To.Path != nil && m.To.Path.Len() > 1 { // it goes into an object that is there
		v.add(m.Base.Register, v.within(m.To.Path.Segment(0).Name, nil))
	}
}
