package listing

import (
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
)

// PointAt returns the breakpoint on a line, counted from 0, or nil, and else the state and the spec at which one can be set
// there. The state is nil where none can be; of a state's entry the spec is "".
func (t *Text) PointAt(points []*breakpoint.Breakpoint, line int) (b *breakpoint.Breakpoint, s *asl.State, spec string) {
	if s = t.StateAt(line); s == nil {
		return nil, nil, ""
	}
	at := breakpoint.SpotOf(s, t.fieldAt(s, line))
	for _, b := range points {
		if at.Has(b, s) {
			return b, s, ""
		}
	}
	if at.Word != "" {
		spec = s.Path() + ":" + at.Word
	}
	return nil, s, spec
}

// dots returns the breakpoints by the lines, from before to, on which they are drawn: the line of the state's name, or
// the first of the field.
func (t *Text) dots(points []*breakpoint.Breakpoint, from, to int) map[int]*breakpoint.Breakpoint {
	found := make(map[int]*breakpoint.Breakpoint)
	if len(points) == 0 {
		return found
	}
	for _, s := range t.states {
		if s.name.Start.Line > to {
			break
		}
		if s.span.End.Line <= from {
			continue
		}
		for _, b := range points {
			if line := t.lineOf(b, s); line >= from && line < to {
				found[line] = b
			}
		}
	}
	return found
}

// lineOf returns the line, from 0, on which a breakpoint is drawn in a state, or -1.
func (t *Text) lineOf(b *breakpoint.Breakpoint, of shownState) int {
	name, s := of.name.Start.Line-1, of.State
	if (breakpoint.Spot{}).Has(b, s) || b.Kind == breakpoint.OnError && b.Pattern != "" && breakpoint.MatchesState(b.Pattern, s) {
		return name
	}
	if s.Node == nil || !(breakpoint.Spot{Kind: b.Kind, Stage: b.Stage}).Has(b, s) {
		return -1 // before the fields: a text without lines has all states in one
	}
	stage := false
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		if at := breakpoint.SpotOf(s, m.Key); at.Word != "" && at.Has(b, s) {
			key, _ := t.member(s.Pointer, m)
			return key.Start.Line - 1
		}
		stage = true
	}
	if stage && b.Kind == breakpoint.OnStage && (breakpoint.Spot{Kind: b.Kind, Stage: b.Stage}).Has(b, s) { // without a field
		return name
	}
	return -1
}
