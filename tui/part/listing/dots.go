package listing

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
)

// spot is a place at which a breakpoint can be set on a line.
type spot struct {
	kind  breakpoint.Kind
	stage engine.Stage
	word  string // behind the state in the spec; "" is the state's entry
}

// spotOf returns the spot of a field of a state: after the stage in which the field is evaluated, at a retry, at a catch, and for
// every other field at the state's entry.
func spotOf(s *asl.State, field string) spot {
	switch field {
	case "Retry":
		return spot{kind: breakpoint.OnRetry, word: "retry"}
	case "Catch":
		return spot{kind: breakpoint.OnCatch, word: "catch"}
	case "":
		return spot{}
	}
	if f := asl.FieldOf(s.Type, field); f != nil && f.Stage != asl.NoStage {
		for _, info := range engine.StagesOf(s) {
			if info.Stage == f.Stage {
				return spot{kind: breakpoint.OnStage, stage: f.Stage, word: info.Field}
			}
		}
	}
	return spot{}
}

// has reports whether a breakpoint is one of a state at the spot.
func (at spot) has(b *breakpoint.Breakpoint, s *asl.State) bool {
	if b.Kind != at.kind || b.Kind == breakpoint.OnStage && b.Stage != at.stage {
		return false
	}
	if place := b.Place(); place != nil {
		return place == s
	}
	return b.Pattern != "" && breakpoint.MatchesState(b.Pattern, s)
}

// PointAt returns the breakpoint on a line, counted from 0, or nil, and else the state and the spec at which one can be set
// there. The state is nil where none can be; of a state's entry the spec is "".
func (t *Text) PointAt(points []*breakpoint.Breakpoint, line int) (b *breakpoint.Breakpoint, s *asl.State, spec string) {
	if s = t.StateAt(line); s == nil {
		return nil, nil, ""
	}
	at := spotOf(s, t.fieldAt(s, line))
	for _, b := range points {
		if at.has(b, s) {
			return b, s, ""
		}
	}
	if at.word != "" {
		spec = s.Path() + ":" + at.word
	}
	return nil, s, spec
}

// dots returns the breakpoints by the lines, from before to, on which they are drawn: that of the state's name, or the first of the
// field.
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
	if (spot{}).has(b, s) || b.Kind == breakpoint.OnError && b.Pattern != "" && breakpoint.MatchesState(b.Pattern, s) {
		return name
	}
	if s.Node == nil {
		return -1
	}
	stage := false
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		if at := spotOf(s, m.Key); at.word != "" && at.has(b, s) {
			key, _ := t.member(s.Pointer, m)
			return key.Start.Line - 1
		}
		stage = true
	}
	if stage && b.Kind == breakpoint.OnStage && (spot{kind: b.Kind, stage: b.Stage}).has(b, s) { // without a field
		return name
	}
	return -1
}
