// Package listing draws the text of a definition: with numbers of lines, colours for its syntax, the stages of a visit as signs at
// the left, breakpoints as dots, and the values of the expressions at the right.
package listing

import (
	"bytes"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/intrinsic"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// Text is the text of a definition, or of the template around it.
type Text struct {
	lines  [][]rune
	tokens [][]token // of each line, in order
	states []*asl.State
}

// token is a part of a line with a style: characters from before to, from 0.
type token struct {
	from, to int
	style    canvas.Style
}

// New returns the text of a file. definition is the one read from it; nil leaves the text without colours.
func New(file *source.File, definition *asl.StateMachine) *Text {
	t := &Text{lines: linesOf(file.Data)}
	t.tokens = make([][]token, len(t.lines))
	if definition == nil {
		return t
	}
	if definition.Root != nil {
		t.color(definition.Root, false)
		for i := range t.tokens {
			slices.SortFunc(t.tokens[i], func(a, b token) int { return a.from - b.from })
		}
	}
	for state := range definition.All() {
		t.states = append(t.states, state)
	}
	slices.SortStableFunc(t.states, func(a, b *asl.State) int { return a.NameSpan.Start.Line - b.NameSpan.Start.Line })
	return t
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

// color gives styles to the names and values below a node. evaluated: the node stands behind a name that ends with ".$".
func (t *Text) color(n *source.Node, evaluated bool) {
	for i := range n.Members {
		m := &n.Members[i]
		t.paint(m.KeySpan, theme.Key)
		t.color(m.Node, strings.HasSuffix(m.Key, template.Suffix))
	}
	for _, item := range n.Items {
		t.color(item, false)
	}
	switch n.Kind {
	case value.KindString:
		style := canvas.Style(theme.Text)
		if text, _ := n.Value.(value.String); evaluated || expression(string(text)) {
			style = theme.Changed
		}
		t.paint(n.Span, style)
	case value.KindNumber:
		t.paint(n.Span, theme.Number)
	case value.KindBool, value.KindNull:
		t.paint(n.Span, theme.Word)
	case value.KindArray, value.KindObject:
	}
}

// expression reports whether a string is evaluated: a path, JSONata, or a call.
func expression(text string) bool {
	return strings.HasPrefix(text, "$") || template.IsExpression(text) || intrinsic.LooksLike(text)
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
	var found *asl.State
	for _, s := range t.states {
		if s.NameSpan.Start.Line > line+1 {
			break
		}
		if s.Span.End.Line >= line+1 && (found == nil || s.Span.End.Line <= found.Span.End.Line) {
			found = s
		}
	}
	return found
}

// FieldAt returns the field of a state on a line, counted from 0; it is "" on the line of the state's name and where none is.
func FieldAt(s *asl.State, line int) string {
	if s == nil || s.Node == nil || s.NameSpan.Start.Line == line+1 && s.Span.End.Line > line+1 {
		return ""
	}
	for i := len(s.Node.Members) - 1; i >= 0; i-- {
		m := &s.Node.Members[i]
		if m.KeySpan.Start.Line <= line+1 && line+1 <= m.Node.Span.End.Line {
			return m.Key
		}
	}
	return ""
}

// Target returns the state that the transition on a line, counted from 0, leads to, or nil.
func (t *Text) Target(line int) *asl.State {
	s := t.StateAt(line)
	if s == nil || s.Node == nil {
		return nil
	}
	var found *asl.State
	var search func(n *source.Node)
	search = func(n *source.Node) {
		if n.Span.Start.Line > line+1 || n.Span.End.Line < line+1 {
			return
		}
		for i := range n.Members {
			m := &n.Members[i]
			if m.Key != "Next" && m.Key != "Default" {
				search(m.Node)
				continue
			}
			if name, ok := m.Node.Value.(value.String); ok && m.Node.Span.Start.Line == line+1 {
				found = s.Scope.State(string(name))
			}
		}
		for _, item := range n.Items {
			search(item)
		}
	}
	if s.Span.End.Line > s.NameSpan.Start.Line { // a state on one line has more than its transition
		search(s.Node)
	}
	return found
}
