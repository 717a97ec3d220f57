// Package listing draws the text of a definition: with numbers of lines, colours for its syntax, the stages of a visit as signs at
// the left, breakpoints as dots, and the values of the expressions at the right.
package listing

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
)

// Text is the text of a definition, or of the template around it.
type Text struct {
	lines  [][]rune
	tokens [][]token // of each line, in order
	states []shownState
	shown  map[*asl.State]int // by number in states
	file   *source.File
	layout *layout // nil where the lines are the file's
	// converted: the definition was converted from a text in another language.
	converted bool
}

// shownState is a state with the places of its name and its object in the lines.
type shownState struct {
	*asl.State
	name, span source.Span
}

// token is a part of a line with a style: characters from before to, from 0.
type token struct {
	from, to int
	style    canvas.Style
}

// New returns the text of a file. definition is the one read from it; nil leaves the text without colours.
func New(file *source.File, definition *asl.StateMachine) *Text {
	t := &Text{file: file, shown: make(map[*asl.State]int)}
	if definition != nil {
		t.layout, t.converted = layoutOf(definition), IsConverted(definition)
	}
	if t.layout != nil {
		t.lines = t.layout.lines
	} else {
		t.lines = linesOf(file.Data)
	}
	t.tokens = make([][]token, len(t.lines))
	if definition == nil {
		return t
	}
	switch {
	case t.converted:
		t.colorLines()
	case definition.Root != nil:
		t.color("", definition.Root, false)
		for i := range t.tokens {
			slices.SortFunc(t.tokens[i], func(a, b token) int { return a.from - b.from })
		}
	}
	for state := range definition.All() {
		t.states = append(t.states, shownState{state, t.at(state.Pointer, true, state.NameSpan), t.at(state.Pointer, false, state.Span)})
	}
	slices.SortStableFunc(t.states, func(a, b shownState) int { return a.name.Start.Line - b.name.Start.Line })
	for i := range t.states {
		t.shown[t.states[i].State] = i
	}
	return t
}

// at returns the place in the lines of a key or a value of the definition: inFile is its place in the file.
func (t *Text) at(pointer string, key bool, inFile source.Span) source.Span {
	if t.layout == nil {
		return inFile
	}
	p := t.layout.places[pointer]
	switch {
	case t.converted && inFile.Start.Line > 0: // of the model, where several parts of the definition have one place
		return t.layout.moved(inFile)
	case key:
		return p.key
	}
	return p.span
}

// stateOf returns a state with its places.
func (t *Text) stateOf(s *asl.State) shownState {
	if i, ok := t.shown[s]; ok {
		return t.states[i]
	}
	return shownState{State: s, name: s.NameSpan, span: s.Span}
}

// Name returns the place of a state's name in the lines.
func (t *Text) Name(s *asl.State) source.Position { return t.stateOf(s).name.Start }

// place returns the place in the lines of a field of a state, as [asl.State.Place] finds it.
func (t *Text) place(s *asl.State, field string) (key, span source.Span) {
	return t.placed(s.Place(field))
}

// placed returns the place in the lines of a place in the file. Of a state as a whole both are its name.
func (t *Text) placed(p asl.Place) (key, span source.Span) {
	if p.Key == p.Span {
		name := t.at(p.Pointer, true, p.Key)
		return name, name
	}
	if p.Key.Start.Line > 0 {
		key = t.at(p.Pointer, true, p.Key)
	}
	return key, t.at(p.Pointer, false, p.Span)
}

// beginning returns the line, from 1, on which a field of a state begins.
func (t *Text) beginning(s *asl.State, field string) int {
	key, span := t.place(s, field)
	if key.Start.Line > 0 {
		return key.Start.Line
	}
	return span.Start.Line
}

// About names the origin of a definition that is not its whole file; else it is "".
func (t *Text) About() string {
	if t.layout == nil {
		return ""
	}
	return t.layout.about
}

// Origin returns the place in its file of a line, counted from 0.
func (t *Text) Origin(line int) (*source.File, source.Position) {
	if t.layout != nil {
		if line < 0 || line >= len(t.layout.origins) {
			return t.file, source.Position{Line: 1, Col: 1}
		}
		o := t.layout.origins[line]
		return o.file, o.at
	}
	col := 1
	if line >= 0 && line < len(t.lines) {
		col += len(t.lines[line]) - len([]rune(strings.TrimLeft(string(t.lines[line]), " ")))
	}
	return t.file, source.Position{Line: line + 1, Col: col}
}

// Number returns the number that a line, counted from 0, has on the screen.
func (t *Text) Number(line int) int {
	if t.layout != nil {
		return line + t.layout.first
	}
	return line + 1
}

// ofProblem returns the place in the lines of a problem. Of one outside of them, and of another file, it is the first line, and
// outside is set.
func (t *Text) ofProblem(d *source.Diagnostic) (at source.Position, outside bool) {
	l := t.layout
	if l == nil {
		return d.Span.Start, d.File != nil && d.File.Name != t.file.Name
	}
	if p, ok := l.places[d.Pointer]; ok && d.Pointer != "" && !t.converted {
		if p.key.Start.Line > 0 && d.Span.Start.Offset < p.node.Span.Start.Offset {
			return p.key.Start, false
		}
		return p.span.Start, false
	}
	file := t.file
	if d.File != nil {
		file = d.File
	}
	return l.nearest(file, d.Span.Start)
}

// linesOf breaks a text into lines without their line ends. A tab takes one cell.
func linesOf(data []byte) [][]rune {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var lines [][]rune
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		line = bytes.ReplaceAll(bytes.TrimSuffix(line, []byte("\r")), []byte("\t"), []byte(" "))
		lines = append(lines, []rune(string(line)))
	}
	return lines
}

// Len returns the number of lines.
func (t *Text) Len() int { return len(t.lines) }

// Line returns a line, counted from 0.
func (t *Text) Line(i int) string {
	if i < 0 || i >= len(t.lines) {
		return ""
	}
	return string(t.lines[i])
}

// length returns the number of characters of a line, counted from 1.
func (t *Text) length(line int) int {
	if line < 1 || line > len(t.lines) {
		return 0
	}
	return len(t.lines[line-1])
}

// color gives styles to the names and values below a node. evaluated: the node is behind a name that ends with ".$".
func (t *Text) color(pointer string, n *source.Node, evaluated bool) {
	inside := t.layout != nil
	at := "" // pointers are needed only for other lines than the file's
	for i := range n.Members {
		m := &n.Members[i]
		if inside {
			at = pointer + "/" + value.EscapePointer(m.Key)
		}
		t.paint(t.at(at, true, m.KeySpan), canvas.Key)
		t.color(at, m.Node, strings.HasSuffix(m.Key, template.Suffix))
	}
	for i, item := range n.Items {
		if inside {
			at = pointer + "/" + strconv.Itoa(i)
		}
		t.color(at, item, false)
	}
	span := t.at(pointer, false, n.Span)
	switch n.Kind {
	case value.KindString:
		style := canvas.Style(canvas.Text)
		if text, _ := n.Value.(value.String); evaluated || expression(string(text)) {
			style = canvas.Changed
		}
		t.paint(span, style)
	case value.KindNumber:
		t.paint(span, canvas.Number)
	case value.KindBool, value.KindNull:
		t.paint(span, canvas.Word)
	case value.KindArray, value.KindObject:
	}
}

// expression reports whether a string is evaluated: a path, JSONata, or a call.
func expression(text string) bool {
	return strings.HasPrefix(text, "$") || template.IsExpression(text) || template.LooksLike(text)
}

// paint gives a style to a stretch of the text.
func (t *Text) paint(span source.Span, style canvas.Style) {
	for line := span.Start.Line; line >= 1 && line <= min(span.End.Line, len(t.lines)); line++ {
		from, to := 0, len(t.lines[line-1])
		if line == span.Start.Line {
			from = min(span.Start.Col-1, to)
		} else {
			for from < to && t.lines[line-1][from] == ' ' {
				from++
			}
		}
		if line == span.End.Line {
			to = min(span.End.Col-1, to)
		}
		if from < to {
			t.tokens[line-1] = append(t.tokens[line-1], token{from, to, style})
		}
	}
}

// StateAt returns the innermost state on a line, counted from 0, or nil.
func (t *Text) StateAt(line int) *asl.State {
	var found *shownState
	for i := range t.states {
		s := &t.states[i]
		if s.name.Start.Line > line+1 {
			break
		}
		if s.span.End.Line >= line+1 && (found == nil || s.span.End.Line <= found.span.End.Line) {
			found = s
		}
	}
	if found == nil {
		return nil
	}
	return found.State
}

// fieldAt returns the field of a state on a line, counted from 0; it is "" on the line of the state's name and where none is.
func (t *Text) fieldAt(s *asl.State, line int) string {
	if s == nil || s.Node == nil || t.converted {
		return ""
	}
	if of := t.stateOf(s); of.name.Start.Line == line+1 && of.span.End.Line > line+1 {
		return ""
	}
	for i := len(s.Node.Members) - 1; i >= 0; i-- {
		m := &s.Node.Members[i]
		if key, span := t.member(s.Pointer, m); key.Start.Line <= line+1 && line+1 <= span.End.Line {
			return m.Key
		}
	}
	return ""
}

// member returns the places in the lines of a member of the object at a pointer.
func (t *Text) member(pointer string, m *source.NodeMember) (key, span source.Span) {
	at := pointer + "/" + value.EscapePointer(m.Key)
	return t.at(at, true, m.KeySpan), t.at(at, false, m.Node.Span)
}

// Target returns the state that the transition on a line, counted from 0, leads to, or nil.
func (t *Text) Target(line int) *asl.State {
	s := t.StateAt(line)
	if s == nil || s.Node == nil || t.converted {
		return nil
	}
	var found *asl.State
	var search func(pointer string, n *source.Node)
	search = func(pointer string, n *source.Node) {
		if at := t.at(pointer, false, n.Span); at.Start.Line > line+1 || at.End.Line < line+1 {
			return
		}
		for i := range n.Members {
			m := &n.Members[i]
			at := pointer + "/" + value.EscapePointer(m.Key)
			if m.Key != "Next" && m.Key != "Default" {
				search(at, m.Node)
				continue
			}
			if name, ok := m.Node.Value.(value.String); ok && t.at(at, false, m.Node.Span).Start.Line == line+1 {
				found = s.Scope.State(string(name))
			}
		}
		for i, item := range n.Items {
			search(pointer+"/"+strconv.Itoa(i), item)
		}
	}
	if of := t.stateOf(s); of.span.End.Line > of.name.Start.Line { // a state on one line has more than its transition
		search(s.Pointer, s.Node)
	}
	return found
}
