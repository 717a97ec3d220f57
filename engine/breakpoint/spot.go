package breakpoint

import (
	"fmt"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
)

// Spot is a place in the text of a state at which a breakpoint can be set. The zero Spot is the state's entry.
type Spot struct {
	Kind  Kind
	Stage engine.Stage
	// Rule is the number of a Choice rule, from 1; 0 is any.
	Rule int
	// Word follows the state in the spec; "" is the state's entry.
	Word string
}

// SpotOf returns the spot of a field of a state: after the stage in which the field is evaluated, at a retry, at a catch, and for
// every other field at the state's entry.
func SpotOf(s *asl.State, field string) Spot {
	switch field {
	case "Retry":
		return Spot{Kind: OnRetry, Word: "retry"}
	case "Catch":
		return Spot{Kind: OnCatch, Word: "catch"}
	case "":
		return Spot{}
	}
	if f := asl.FieldOf(s.Type, field); f != nil && f.Stage != asl.NoStage {
		for _, info := range engine.StagesOf(s) {
			if info.Stage == f.Stage {
				return Spot{Kind: OnStage, Stage: f.Stage, Word: info.Field}
			}
		}
	}
	return Spot{}
}

// ruleSpot returns the spot of a rule of a Choice state: where the state is left by it. index counts from 0.
func ruleSpot(index int) Spot {
	return Spot{Kind: OnStage, Stage: engine.StageChoices, Rule: index + 1, Word: fmt.Sprintf("%s[%d]", choicesField, index)}
}

// choicesField is the field with the rules of a Choice state.
const choicesField = "Choices"

// Has reports whether a breakpoint is one of a state at the spot.
func (at Spot) Has(b *Breakpoint, s *asl.State) bool {
	if b.Kind != at.Kind || b.Kind == OnStage && b.Stage != at.Stage || at.Rule > 0 && b.Rule != at.Rule {
		return false
	}
	if place := b.Place(); place != nil {
		return place == s
	}
	return b.Pattern != "" && MatchesState(b.Pattern, s)
}

// Location is a spot with its place in a text.
type Location struct {
	State *asl.State
	Spot  Spot
	// Key is the name of the state or of the field, or the beginning of a rule; Whole is all that belongs to it.
	Key, Whole source.Span
	// File is the file of both.
	File *source.File
}

// Locations returns the locations of a state: its entry, the fields that have their own spot, and the rules of a Choice
// state, in the order of the text but for the entry, which is first.
func Locations(s *asl.State) []Location {
	whole := source.Span{Start: s.NameSpan.Start, End: s.Span.End, File: s.NameSpan.File}
	list := []Location{{State: s, Key: s.NameSpan, Whole: whole, File: fileOf(s, s.NameSpan)}}
	if s.Node == nil || s.NameSpan == (source.Span{}) {
		return list[:min(len(list), 1)]
	}
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		spot := SpotOf(s, m.Key)
		if spot.Word == "" || m.KeySpan == (source.Span{}) {
			continue
		}
		whole := source.Span{Start: m.KeySpan.Start, End: m.Node.Span.End, File: m.KeySpan.File}
		list = append(list, Location{State: s, Spot: spot, Key: m.KeySpan, Whole: whole, File: fileOf(s, m.KeySpan)})
		if m.Key != choicesField || s.Type != asl.Choice {
			continue
		}
		for index, item := range m.Node.Items {
			list = append(list, Location{State: s, Spot: ruleSpot(index), Key: item.Span, Whole: item.Span, File: fileOf(s, item.Span)})
		}
	}
	return list
}

// fileOf returns the file of a stretch of a state's text.
func fileOf(s *asl.State, span source.Span) *source.File {
	if span.File != nil {
		return span.File
	}
	return s.Source()
}

// LocationAt returns the location for a line of a file and a column, both from 1; column 0 is the whole line. in reports whether a
// file is the one that is meant. With a column it is the innermost location there. Of a whole line it is the first state whose
// name is on the line, else the innermost location across it. ok is false where there is no state.
func LocationAt(definition *asl.StateMachine, in func(*source.File) bool, line, column int) (found Location, ok bool) {
	for state := range definition.All() {
		list := Locations(state)
		for i, l := range list {
			if l.Whole == (source.Span{}) || l.File == nil || !in(l.File) {
				continue
			}
			if i == 0 && column == 0 && l.Key.Start.Line == line {
				return l, true
			}
			if covers(l.Whole, line, column) && (!ok || !before(l.Whole.Start, found.Whole.Start)) {
				found, ok = l, true
			}
		}
	}
	return found, ok
}

// covers reports whether a stretch has a place; column 0 is any of the line.
func covers(span source.Span, line, column int) bool {
	if column == 0 {
		return span.Start.Line <= line && line <= span.End.Line
	}
	at := source.Position{Line: line, Col: column}
	return !before(at, span.Start) && before(at, span.End)
}

func before(a, b source.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
}

// AddSpot adds a breakpoint at a spot of a state of the definition, with the clauses of a spec behind it (see [Help]). The state's
// name is not taken for a pattern. The error is a *[SpecError].
func (l *List) AddSpot(state *asl.State, at Spot, clauses string) (*Breakpoint, error) {
	b := &Breakpoint{Kind: at.Kind, Pattern: state.Path(), Stage: at.Stage, Rule: at.Rule, state: state}
	if at.Kind == OnStage {
		b.Field = at.Word
	}
	if err := b.readClauses(strings.TrimSpace(clauses), clauses); err != nil {
		return nil, err
	}
	return l.add(b), nil
}

// ruleNamed reads the word of a rule, as Choices[1], of the states that a pattern matches.
func ruleNamed(definition *asl.StateMachine, pattern, word string) (Spot, bool) {
	for state := range definition.All() {
		if state.Type != asl.Choice || !MatchesState(pattern, state) {
			continue
		}
		for index := range state.Choices {
			if spot := ruleSpot(index); strings.EqualFold(spot.Word, word) {
				return spot, true
			}
		}
	}
	return Spot{}, false
}
