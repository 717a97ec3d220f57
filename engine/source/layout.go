package source

import (
	"bytes"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// Layout finds the stretches of a file that belong to the values of a tree: of JSON and of what is written like it
// (objects and arrays in brackets), and of YAML in blocks.
type Layout struct {
	File *File
	data []byte
}

// LayoutOf returns the layout of a file.
func LayoutOf(file *File) *Layout { return &Layout{file, file.Data} }

// Edit returns the change of a stretch; nil unless ok.
func (l *Layout) Edit(ok bool, from, to int, with string) []Edit {
	if !ok || from < 0 || to < from || to > len(l.data) {
		return nil
	}
	return []Edit{{File: l.File, Span: Span{Start: l.position(from), End: l.position(to)}, Text: with}}
}

// position returns the place of a byte.
func (l *Layout) position(at int) Position {
	line := bytes.Count(l.data[:at], []byte{'\n'}) + 1
	return Position{Offset: at, Line: line, Col: len([]rune(string(l.data[l.lineStart(at):at]))) + 1}
}

func (l *Layout) lineStart(at int) int { return bytes.LastIndexByte(l.data[:at], '\n') + 1 }

func (l *Layout) lineEnd(at int) int {
	if i := bytes.IndexByte(l.data[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(l.data)
}

// Flow reports whether an object or array is written in brackets.
func (l *Layout) Flow(n *Node) bool {
	at := n.Span.Start.Offset
	return at < len(l.data) && (l.data[at] == '{' || l.data[at] == '[')
}

// Indent returns the blanks that bring a line to the column of a place.
func (l *Layout) Indent(at int) string { return strings.Repeat(" ", l.position(at).Col-1) }

// beginsLine reports whether only blanks are before a place in its line.
func (l *Layout) beginsLine(at int) bool {
	return len(bytes.TrimLeft(l.data[l.lineStart(at):at], " \t")) == 0
}

// MemberStretch returns the stretch to remove for a member.
func (l *Layout) MemberStretch(object *Node, i int) (from, to int, ok bool) {
	from = object.Members[i].KeySpan.Start.Offset
	switch {
	case !l.Flow(object) && l.beginsLine(from):
		if to, ok = l.MemberEnd(object, i); !ok {
			return 0, 0, false
		}
		return l.lineStart(from), min(l.lineEnd(to)+1, len(l.data)), true
	case i+1 < len(object.Members):
		to = object.Members[i+1].KeySpan.Start.Offset
		return from, to, to > from
	case i > 0:
		before, known := l.MemberEnd(object, i-1)
		to, ok = l.MemberEnd(object, i)
		return before, to, ok && known
	}
	to, ok = l.MemberEnd(object, i)
	return from, to, ok && l.Flow(object)
}

// MemberEnd returns the end of the value of a member.
func (l *Layout) MemberEnd(object *Node, i int) (int, bool) {
	m := &object.Members[i]
	if l.Flow(object) {
		return l.flowEnd(m.Node.Span.Start.Offset)
	}
	key := m.KeySpan.Start.Offset
	return l.blockEnd(key, m.Node.Kind == value.KindArray), true
}

// ItemStretch returns the stretch to remove for an item.
func (l *Layout) ItemStretch(array *Node, i int) (from, to int, ok bool) {
	from = array.Items[i].Span.Start.Offset
	if l.Flow(array) {
		if i+1 < len(array.Items) {
			to = array.Items[i+1].Span.Start.Offset
			return from, to, to > from
		}
		to, ok = l.flowEnd(from)
		if i > 0 {
			before, known := l.flowEnd(array.Items[i-1].Span.Start.Offset)
			return before, to, ok && known
		}
		return from, to, ok
	}
	dash := l.dash(from)
	if dash < 0 || !l.beginsLine(dash) {
		return 0, 0, false
	}
	return l.lineStart(dash), min(l.lineEnd(l.blockEnd(dash, false))+1, len(l.data)), true
}

// ItemText returns the stretch of an item alone.
func (l *Layout) ItemText(array *Node, i int) (from, to int, ok bool) {
	from = array.Items[i].Span.Start.Offset
	if l.Flow(array) {
		to, ok = l.flowEnd(from)
		return from, to, ok
	}
	dash := l.dash(from)
	if dash < 0 {
		return 0, 0, false
	}
	return from, l.blockEnd(dash, false), true
}

// dash returns the place of the dash of an item of a block; -1 where there is none.
func (l *Layout) dash(at int) int {
	if at > len(l.data) {
		return -1
	}
	i := bytes.LastIndexByte(l.data[l.lineStart(at):at], '-')
	if i < 0 {
		return -1
	}
	i += l.lineStart(at)
	if len(bytes.TrimSpace(l.data[i+1:at])) > 0 {
		return -1
	}
	return i
}

// blockEnd returns the end of a block of YAML that begins at a place: of its line and the ones that are further in, or,
// of a list, that begin with a dash in the same column.
func (l *Layout) blockEnd(at int, list bool) int {
	column := l.position(at).Col
	end := l.lineEnd(at)
	for next := end + 1; next < len(l.data); next = l.lineEnd(next) + 1 {
		line := l.data[next:l.lineEnd(next)]
		content := bytes.TrimLeft(line, " ")
		trimmed := bytes.TrimSpace(content)
		inside := len(line)-len(content) >= column
		if len(trimmed) == 0 || trimmed[0] == '#' && !inside {
			continue // the next line decides
		}
		if !inside && !(list && len(line)-len(content) == column-1 && trimmed[0] == '-') {
			break
		}
		end = l.lineEnd(next)
	}
	for end > at && (l.data[end-1] == ' ' || l.data[end-1] == '\r') {
		end--
	}
	return end
}

// flowEnd returns the end of a value that is written in brackets, in quotes, or plain up to a comma or a bracket.
func (l *Layout) flowEnd(at int) (int, bool) {
	depth := 0
	for i := at; i < len(l.data); i++ {
		switch c := l.data[i]; c {
		case '"', '\'':
			end, ok := l.quoted(i)
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
				return l.trimmed(at, i), i > at
			}
			if depth--; depth == 0 {
				return i + 1, true
			}
		case ',', '\n':
			if depth == 0 {
				return l.trimmed(at, i), i > at
			}
		}
	}
	return 0, false
}

// trimmed returns the end of a stretch without the blanks at its end.
func (l *Layout) trimmed(from, to int) int {
	return from + len(bytes.TrimRight(l.data[from:to], " \t\r"))
}

// quoted returns the end of a text in quotes.
func (l *Layout) quoted(at int) (int, bool) {
	quote := l.data[at]
	for i := at + 1; i < len(l.data); i++ {
		switch {
		case quote == '"' && l.data[i] == '\\':
			i++
		case l.data[i] == quote && quote == '\'' && i+1 < len(l.data) && l.data[i+1] == quote:
			i++
		case l.data[i] == quote:
			return i + 1, true
		}
	}
	return 0, false
}

var (
	comment = wording.Pattern(`\s#.*$`)
	name    = wording.Pattern(`^\$\{[^}]*\}`) // in place of a value
)

// ScalarEnd returns the end of a scalar of one line.
func (l *Layout) ScalarEnd(at int) (int, bool) {
	if at >= len(l.data) {
		return 0, false
	}
	if l.data[at] == '"' || l.data[at] == '\'' {
		return l.quoted(at)
	}
	line := comment().ReplaceAll(l.data[at:l.lineEnd(at)], nil)
	name := name().Find(line)
	if i := bytes.IndexAny(line[len(name):], ",]}"); i >= 0 {
		line = line[:len(name)+i]
	}
	end := at + len(bytes.TrimRight(line, " \t\r"))
	return end, end > at
}

var plainWord = wording.Pattern(`^[A-Za-z][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*$`)

// Written writes a scalar as the one at a place is: in its quotes, or without.
func (l *Layout) Written(v value.Value, at int) string {
	s, ok := v.(value.String)
	if !ok || !plainWord().MatchString(string(s)) || l.data[at] == '"' {
		return value.Compact(v)
	}
	if l.data[at] == '\'' {
		return "'" + string(s) + "'"
	}
	return string(s)
}

// Key writes a key as the one at a place is.
func (l *Layout) Key(key string, at int) string {
	if l.data[at] == '"' || l.data[at] == '\'' {
		return string(l.data[at]) + key + string(l.data[at])
	}
	return key
}

// Word returns the place of a key, without its quotes.
func (l *Layout) Word(at int, key string) (int, bool) {
	if at < len(l.data) && (l.data[at] == '"' || l.data[at] == '\'') {
		at++
	}
	return at, bytes.HasPrefix(l.data[min(at, len(l.data)):], []byte(key))
}

// Remove returns the edit that takes a member out of an object; nil where the text does not show how.
func (l *Layout) Remove(object *Node, key string) []Edit {
	for i := range object.Members {
		if object.Members[i].Key == key {
			from, to, ok := l.MemberStretch(object, i)
			if ok && !l.Flow(object) && bytes.Contains(l.data[from:to], []byte(" #")) {
				return nil // a comment would be lost
			}
			return l.Edit(ok, from, to, "")
		}
	}
	return nil
}

// Insert returns the edit that gives an object a member before the one with a key; nil where the text does not show
// how. The value is JSON in one line.
func (l *Layout) Insert(object *Node, before, key, v string) []Edit {
	i := slices.IndexFunc(object.Members, func(m NodeMember) bool { return m.Key == before })
	if i < 0 {
		return nil
	}
	at := object.Members[i].KeySpan.Start.Offset
	if at < object.Span.Start.Offset || at >= len(l.data) {
		return nil
	}
	word, plain := l.Word(at, before) // else it is a text in a string, with escapes
	behind := bytes.TrimLeft(l.data[min(word+len(before), len(l.data)):], "\"' \t")
	if !plain || !bytes.HasPrefix(behind, []byte{':'}) {
		return nil
	}
	text := l.Key(key, at) + ": " + v
	switch {
	case !l.Flow(object):
		text += "\n" + l.Indent(at)
	case l.beginsLine(at):
		text += ",\n" + string(l.data[l.lineStart(at):at])
	default:
		text += ", "
	}
	return l.Edit(true, at, at, text)
}

// Set returns the edit that gives an object a member, in place of the one with that key, or behind the others; nil
// where the text does not show how. The value is JSON in one line.
func (l *Layout) Set(object *Node, key, v string) []Edit {
	at := -1 // the last one that is written here: others come from elsewhere, by a merge
	for i := range object.Members {
		if from := object.Members[i].KeySpan.Start.Offset; from < object.Span.Start.Offset || from >= len(l.data) {
			continue
		}
		if at = i; object.Members[i].Key == key {
			from := object.Members[i].Node.Span.Start.Offset
			to, ok := l.MemberEnd(object, i)
			return l.Edit(ok && from < to, from, to, v)
		}
	}
	if at < 0 {
		return nil
	}
	last := object.Members[at].KeySpan.Start.Offset
	end, ok := l.MemberEnd(object, at)
	word, plain := l.Word(last, object.Members[at].Key) // else it is a text in a string, with escapes
	behind := bytes.TrimLeft(l.data[min(word+len(object.Members[at].Key), len(l.data)):], "\"' \t")
	if !plain || !bytes.HasPrefix(behind, []byte{':'}) {
		return nil
	}
	text := l.Key(key, last) + ": " + v
	switch {
	case !ok:
		return nil
	case !l.Flow(object):
		text = "\n" + l.Indent(last) + text
	case l.beginsLine(last):
		text = ",\n" + string(l.data[l.lineStart(last):last]) + text
	default:
		text = ", " + text
	}
	return l.Edit(true, end, end, text)
}
