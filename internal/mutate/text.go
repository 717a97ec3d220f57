package mutate

import (
	"bytes"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// text finds the stretches of a file that belong to the values of a tree: of JSON and of what is written like it (objects and arrays
// in brackets), and of YAML in blocks.
type text struct {
	file *source.File
	data []byte
}

func newText(file *source.File) *text { return &text{file, file.Data} }

// edit returns the change of a stretch; nil unless ok.
func (t *text) edit(ok bool, from, to int, with string) []source.Edit {
	if !ok || from < 0 || to < from || to > len(t.data) {
		return nil
	}
	return []source.Edit{{File: t.file, Span: source.Span{Start: t.position(from), End: t.position(to)}, Text: with}}
}

// position returns the place of a byte.
func (t *text) position(at int) source.Position {
	line := bytes.Count(t.data[:at], []byte{'\n'}) + 1
	return source.Position{Offset: at, Line: line, Col: len([]rune(string(t.data[t.lineStart(at):at]))) + 1}
}

func (t *text) lineStart(at int) int { return bytes.LastIndexByte(t.data[:at], '\n') + 1 }

func (t *text) lineEnd(at int) int {
	if i := bytes.IndexByte(t.data[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(t.data)
}

// isFlow reports whether an object or array is written in brackets.
func (t *text) isFlow(n *source.Node) bool {
	at := n.Span.Start.Offset
	return at < len(t.data) && (t.data[at] == '{' || t.data[at] == '[')
}

// indent returns the blanks that bring a line to the column of a place.
func (t *text) indent(at int) string { return strings.Repeat(" ", t.position(at).Col-1) }

// beginsLine reports whether only blanks are before a place in its line.
func (t *text) beginsLine(at int) bool {
	return len(bytes.TrimLeft(t.data[t.lineStart(at):at], " \t")) == 0
}

// memberStretch returns the stretch to remove for a member.
func (t *text) memberStretch(object *source.Node, i int) (from, to int, ok bool) {
	from = object.Members[i].KeySpan.Start.Offset
	switch {
	case !t.isFlow(object) && t.beginsLine(from):
		if to, ok = t.memberEnd(object, i); !ok {
			return 0, 0, false
		}
		return t.lineStart(from), min(t.lineEnd(to)+1, len(t.data)), true
	case i+1 < len(object.Members):
		to = object.Members[i+1].KeySpan.Start.Offset
		return from, to, to > from
	case i > 0:
		before, known := t.memberEnd(object, i-1)
		to, ok = t.memberEnd(object, i)
		return before, to, ok && known
	}
	to, ok = t.memberEnd(object, i)
	return from, to, ok && t.isFlow(object)
}

// memberEnd returns the end of the value of a member.
func (t *text) memberEnd(object *source.Node, i int) (int, bool) {
	m := &object.Members[i]
	if t.isFlow(object) {
		return t.flowEnd(m.Node.Span.Start.Offset)
	}
	key := m.KeySpan.Start.Offset
	return t.blockEnd(key, m.Node.Kind == value.KindArray), true
}

// itemStretch returns the stretch to remove for an item.
func (t *text) itemStretch(array *source.Node, i int) (from, to int, ok bool) {
	from = array.Items[i].Span.Start.Offset
	if t.isFlow(array) {
		if i+1 < len(array.Items) {
			to = array.Items[i+1].Span.Start.Offset
			return from, to, to > from
		}
		to, ok = t.flowEnd(from)
		if i > 0 {
			before, known := t.flowEnd(array.Items[i-1].Span.Start.Offset)
			return before, to, ok && known
		}
		return from, to, ok
	}
	dash := t.dash(from)
	if dash < 0 || !t.beginsLine(dash) {
		return 0, 0, false
	}
	return t.lineStart(dash), min(t.lineEnd(t.blockEnd(dash, false))+1, len(t.data)), true
}

// itemText returns the stretch of an item alone.
func (t *text) itemText(array *source.Node, i int) (from, to int, ok bool) {
	from = array.Items[i].Span.Start.Offset
	if t.isFlow(array) {
		to, ok = t.flowEnd(from)
		return from, to, ok
	}
	dash := t.dash(from)
	if dash < 0 {
		return 0, 0, false
	}
	return from, t.blockEnd(dash, false), true
}

// dash returns the place of the dash of an item of a block; -1 where there is none.
func (t *text) dash(at int) int {
	if at > len(t.data) {
		return -1
	}
	i := bytes.LastIndexByte(t.data[t.lineStart(at):at], '-')
	if i < 0 {
		return -1
	}
	i += t.lineStart(at)
	if len(bytes.TrimSpace(t.data[i+1:at])) > 0 {
		return -1
	}
	return i
}

// blockEnd returns the end of what is in a block of YAML that begins at a place: of its line and the ones that are further in, or,
// of a list, that begin with a dash in the same column.
func (t *text) blockEnd(at int, list bool) int {
	column := t.position(at).Col
	end := t.lineEnd(at)
	for next := end + 1; next < len(t.data); next = t.lineEnd(next) + 1 {
		line := t.data[next:t.lineEnd(next)]
		content := bytes.TrimLeft(line, " ")
		trimmed := bytes.TrimSpace(content)
		inside := len(line)-len(content) >= column
		if len(trimmed) == 0 || trimmed[0] == '#' && !inside {
			continue // the next line decides
		}
		if !inside && !(list && len(line)-len(content) == column-1 && trimmed[0] == '-') {
			break
		}
		end = t.lineEnd(next)
	}
	for end > at && (t.data[end-1] == ' ' || t.data[end-1] == '\r') {
		end--
	}
	return end
}

// flowEnd returns the end of a value that is written in brackets, in quotes, or plain up to a comma or a bracket.
func (t *text) flowEnd(at int) (int, bool) {
	depth := 0
	for i := at; i < len(t.data); i++ {
		switch c := t.data[i]; c {
		case '"', '\'':
			end, ok := t.quoted(i)
			if !ok {
				return 0, false
			}
			i = end - 1
			if depth == 0 {
				return end, true
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return t.trimmed(at, i), i > at
			}
			if depth--; depth == 0 {
				return i + 1, true
			}
		case ',', '\n':
			if depth == 0 {
				return t.trimmed(at, i), i > at
			}
		}
	}
	return 0, false
}

// trimmed returns the end of a stretch without the blanks at its end.
func (t *text) trimmed(from, to int) int {
	return from + len(bytes.TrimRight(t.data[from:to], " \t\r"))
}

// quoted returns the end of a text in quotes.
func (t *text) quoted(at int) (int, bool) {
	quote := t.data[at]
	for i := at + 1; i < len(t.data); i++ {
		switch {
		case quote == '"' && t.data[i] == '\\':
			i++
		case t.data[i] == quote && quote == '\'' && i+1 < len(t.data) && t.data[i+1] == quote:
			i++
		case t.data[i] == quote:
			return i + 1, true
		}
	}
	return 0, false
}

var (
	comment = wording.Pattern(`\s#.*$`)
	name    = wording.Pattern(`^\$\{[^}]*\}`) // in place of a value
)

// scalarEnd returns the end of a scalar of one line.
func (t *text) scalarEnd(at int) (int, bool) {
	if at >= len(t.data) {
		return 0, false
	}
	if t.data[at] == '"' || t.data[at] == '\'' {
		return t.quoted(at)
	}
	line := comment().ReplaceAll(t.data[at:t.lineEnd(at)], nil)
	name := name().Find(line)
	if i := bytes.IndexAny(line[len(name):], ",]}"); i >= 0 {
		line = line[:len(name)+i]
	}
	end := at + len(bytes.TrimRight(line, " \t\r"))
	return end, end > at
}

var plainWord = wording.Pattern(`^[A-Za-z][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*$`)

// written writes a scalar as the one at a place is: in its quotes, or without.
func (t *text) written(v value.Value, at int) string {
	s, ok := v.(value.String)
	if !ok || !plainWord().MatchString(string(s)) || t.data[at] == '"' {
		return value.Compact(v)
	}
	if t.data[at] == '\'' {
		return "'" + string(s) + "'"
	}
	return string(s)
}

// key writes a key as the one at a place is.
func (t *text) key(key string, at int) string {
	if t.data[at] == '"' || t.data[at] == '\'' {
		return string(t.data[at]) + key + string(t.data[at])
	}
	return key
}

// word returns the place of a key, without its quotes.
func (t *text) word(at int, key string) (int, bool) {
	if at < len(t.data) && (t.data[at] == '"' || t.data[at] == '\'') {
		at++
	}
	return at, bytes.HasPrefix(t.data[min(at, len(t.data)):], []byte(key))
}

// added returns the text that adds a member to an object, and its place.
func (t *text) added(object *source.Node, key, v string) (at int, text string, ok bool) {
	n := len(object.Members)
	if n == 0 {
		return 0, "", false
	}
	last := object.Members[n-1].KeySpan.Start.Offset
	if at, ok = t.memberEnd(object, n-1); !ok || last >= len(t.data) {
		return 0, "", false
	}
	text = t.key(key, last) + ": " + v
	if !t.isFlow(object) {
		return at, "\n" + t.indent(last) + text, true
	}
	if t.beginsLine(last) {
		return at, ",\n" + string(t.data[t.lineStart(last):last]) + text, true
	}
	return at, ", " + text, true
}
