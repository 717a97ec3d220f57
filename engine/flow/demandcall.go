package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// call requires what an intrinsic function does of its arguments, where something is required of its result.
func (v *backwardWalk) call(m *asl.Move, d *Demand) {
	function, arguments := m.Intrinsic.Function(), m.Intrinsic.Arguments()
	of := make([]*Demand, len(arguments))
	for i, kinds := range argumentKinds[function] {
		if i < len(of) && len(kinds) == 1 {
			of[i] = v.want(wantedAs[kinds[0]])
		}
	}
	also := func(i int, more *Demand) {
		if i < len(of) {
			of[i] = v.join(of[i], more)
		}
	}
	literal := func(i int) value.Value {
		if i < len(arguments) {
			return arguments[i].Literal
		}
		return nil
	}
	switch function {
	case "States.Array":
		for i := range of {
			of[i] = v.nth(d, i)
		}
	case "States.ArrayPartition":
		also(0, v.array(v.item(v.item(d)), 1))
	case "States.ArrayUnique":
		also(0, d)
	case "States.ArrayGetItem":
		item := v.array(d, 1)
		if n, ok := literal(1).(value.Number); ok {
			if at, whole := n.Int64(); whole && at >= 0 && at < 1000 {
				item = v.indexed(d, int(at))
			}
		} else {
			also(1, v.join(v.want(WantNumber), v.sample(value.Int(0))))
		}
		also(0, item)
	case "States.JsonMerge":
		v.merge(m, d, also)
	case "States.StringToJson":
		also(0, v.document(d))
	case "States.JsonToString":
		if d != nil {
			also(0, d.Document)
		}
	case "States.Base64Decode":
		also(0, v.sample(value.String("e30=")))
	case "States.Hash":
		also(1, v.sample(value.String("SHA-256")))
	case "States.MathRandom":
		also(1, v.sample(value.Int(10)))
	case "States.StringSplit":
		if d != nil && d.Count > 0 {
			separator, _ := literal(1).(value.String)
			also(0, v.leaf(Demand{Pieces: d.Count, Separator: string((separator + ",")[:1])}))
		}
	case "States.Format": // a template that comes from outside has a place for each value
		also(0, v.sample(value.String(strings.TrimSpace(strings.Repeat("{} ", len(of)-1)))))
	}
	parts := m.Parts()
	for i := range parts {
		if of[i] == nil || of[i].members == nil { // the value may be taken apart, or compared
			also(i, everything)
		}
		v.part(&parts[i], v.later(of[i]))
		v.early--
	}
}

// document requires a text whose content is required.
func (v *backwardWalk) document(d *Demand) *Demand {
	if d == nil {
		d = v.leaf(Demand{})
	}
	text := v.want(WantText)
	twin := *text
	twin.Document = d
	return v.seal(&twin)
}

// merge requires of each of two objects that are merged the members that it gives: of one whose members are known no
// others, and those not of the other one.
func (v *backwardWalk) merge(m *asl.Move, d *Demand, also func(int, *Demand)) {
	of, closed := [2]*Demand{d, d}, [2]bool{}
	parts := m.Parts()
	for i := 1; i >= 0 && d != nil && len(parts) > 1; i-- {
		if len(parts[i].From) != 1 || parts[i].Intrinsic != nil {
			continue
		}
		shape := v.analysis.Part(v.state, parts[i].From[0])
		if closed[i] = shape.Kind() == Object && !shape.Open(); !closed[i] || closed[1-i] {
			continue
		}
		of[i] = nil
		for _, name := range shape.Names() {
			if part := d.Member(name); part != nil {
				of[i] = v.join(of[i], v.within(name, part))
				of[1-i] = v.without(of[1-i], []string{name})
			}
		}
	}
	also(0, of[0])
	also(1, of[1])
}

// wantedAs has what is wanted where shapes of a kind are. The table is never changed.
var wantedAs = map[Kind]Wanted{
	Null: WantNull, Bool: WantBool, Number: WantNumber, String: WantText, Array: WantArray, Object: WantObject,
}
