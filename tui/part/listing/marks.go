package listing

import (
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/tui/part/canvas"
)

// Marks are the signs and values around the text.
type Marks struct {
	// State is the selected state, and Field its current field as [asl.State.Place] takes it; they may be empty.
	State *asl.State
	Field string
	// Stages are the visit's, Now is the index of the current one or -1.
	Stages *runlog.VisitStages
	Now    int
	// Values are the values of the expressions, in the order of the text.
	Values []explain.FieldValue
	// Problems are the findings in the definition.
	Problems []source.Diagnostic
	// Breakpoints are all that are set.
	Breakpoints []*breakpoint.Breakpoint
}

// FieldOf returns the field that does the work of a stage as [asl.State.Place] takes it: the catcher's where one has
// taken over the visit. It is "" where the text has none.
func FieldOf(s *asl.State, stage engine.Stage, caught *asl.Catcher) string {
	if s == nil || s.Node == nil {
		return ""
	}
	if k := slices.Index(s.Catch, caught); caught != nil && k >= 0 {
		switch stage {
		case engine.StageAssign, engine.StageResultPath, engine.StageOutputPath:
			prefix := "Catch/" + strconv.Itoa(k)
			for _, name := range []string{"Assign", "ResultPath", "Output"} {
				f := asl.FieldNamed("Catch").Part(name)
				if _, n := s.Node.Find("/" + prefix + "/" + name); n != nil && f != nil && f.Stage == stage {
					return prefix + "/" + name
				}
			}
			return prefix
		}
	}
	for _, f := range asl.FieldsAt(s.Type, s.QueryLanguage, stage) {
		if s.Node.Get(f.Name) != nil {
			return f.Name
		}
	}
	return ""
}

// sign is a glyph at the left of a line with its style.
type sign struct {
	glyph string
	style canvas.Style
}

// placed are the marks by their lines, counted from 0.
type placed struct {
	signs       map[int]sign
	values      map[int][]*explain.FieldValue
	first, last int // of the state, from 1; 0 for none
	// from and to are the place of the current field; the zero places are none.
	from, to source.Position
}

// place puts the marks on the lines of a text.
func (m *Marks) place(t *Text, g *canvas.Glyphs) *placed {
	p := &placed{signs: make(map[int]sign), values: make(map[int][]*explain.FieldValue)}
	if m.State == nil {
		return p
	}
	of := t.stateOf(m.State)
	p.first, p.last = of.name.Start.Line, of.span.End.Line
	key, span := t.place(m.State, m.Field)
	p.from, p.to = span.Start, span.End
	if key.Start.Line > 0 {
		p.from = key.Start
	}
	if p.to.Line > p.from.Line { // of a value of several lines, the first
		p.to = source.Position{Line: p.from.Line, Col: t.length(p.from.Line) + 1}
	}
	for i := range m.Values {
		v := &m.Values[i]
		line := t.lineOfValue(v)
		p.values[line] = append(p.values[line], v)
	}
	if m.Stages != nil && m.Stages.Visit != nil && m.Stages.Visit.State == m.State {
		m.placeStages(p, t, g)
	}
	p.signs[p.from.Line-1] = sign{g.Current, canvas.Current}
	return p
}

// placeStages puts a sign beside the field of each stage that has run.
func (m *Marks) placeStages(p *placed, t *Text, g *canvas.Glyphs) {
	for i := range m.Stages.Stages {
		mark := &m.Stages.Stages[i]
		field := FieldOf(m.State, mark.Info.Stage, m.Stages.Caught)
		if field == "" {
			continue
		}
		line := t.beginning(m.State, field) - 1
		switch mark.State {
		case runlog.StageCompleted:
			p.signs[line] = sign{g.Visited, canvas.Good}
		case runlog.StageFailed:
			p.signs[line] = sign{g.Failed, canvas.Bad}
		case runlog.StageBegun:
			p.signs[line] = sign{g.Waiting, canvas.Warn}
		case runlog.StagePending, runlog.StageAbsent:
		}
	}
}

// lineOfValue returns the line, from 0, of a value.
func (t *Text) lineOfValue(v *explain.FieldValue) int {
	_, span := t.placed(v.Place)
	return span.Start.Line - 1
}

// PlainLines returns the text as numbered lines for --plain: the line under the cursor is named, and the problems come
// last.
func (v *View) PlainLines() (lines []string) {
	if about := v.About(); about != "" {
		lines = append(lines, about)
	}
	for i := range v.Len() {
		number := strconv.Itoa(v.Number(i))
		if i == v.Cursor() {
			number += ", here"
		}
		lines = append(lines, number+": "+v.Line(i))
	}
	for i := range v.marks.Problems {
		d := &v.marks.Problems[i]
		line := d.Message
		if at := v.problems[i]; !at.outside {
			line = "line " + strconv.Itoa(v.Number(at.at.Line-1)) + ": " + line
		}
		lines = append(lines, d.Severity.String()+", "+line)
	}
	return lines
}
