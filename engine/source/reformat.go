package source

import (
	"bytes"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// step is the number of blanks of a level.
const step = 2

// Reformat returns the changes after which a value has the white space that asldb writes: JSON as [value.Pretty], a
// block of YAML with two blanks for each level. The level of the value itself stays, and nothing but white space
// changes. There are none where the text is written in another way.
func (l *Layout) Reformat(n *Node) []Edit {
	from := n.Span.Start.Offset
	switch {
	case n.Span.Start.Line == 0 || from >= len(l.data) || n.Kind != value.KindObject:
		return nil
	case l.Flow(n):
		end := "\n"
		if bytes.Contains(l.data, []byte("\r\n")) {
			end = "\r\n"
		}
		line := l.data[l.lineStart(from):from]
		base := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
		w := &spaces{Layout: l, at: from, newLine: end + base, terraform: strings.HasSuffix(l.File.Name, ".tf")}
		if !w.value(0) {
			return nil
		}
		return w.edits
	}
	b := &blocks{Layout: l, rows: make(map[int]row)}
	if !b.object(n, n.Span.Start.Col-1) {
		return nil
	}
	return b.checked(n.Span.Start.Line, from)
}

// spaces changes the white space between the tokens of a value in JSON.
type spaces struct {
	*Layout
	at        int
	newLine   string
	terraform bool // ${...} may have quotes
	edits     []Edit
}

func (w *spaces) next() byte {
	for at := w.at; at < len(w.data); at++ {
		if strings.IndexByte(" \t\r\n", w.data[at]) < 0 {
			return w.data[at]
		}
	}
	return 0
}

// gap passes white space, which should be a text.
func (w *spaces) gap(want string) {
	from := w.at
	for w.at < len(w.data) && strings.IndexByte(" \t\r\n", w.data[w.at]) >= 0 {
		w.at++
	}
	if string(w.data[from:w.at]) != want {
		w.edits = append(w.edits, w.Edit(true, from, w.at, want)...)
	}
}

func (w *spaces) line(depth int) { w.gap(w.newLine + strings.Repeat(" ", step*depth)) }

// value passes a value, and reports whether it is JSON.
func (w *spaces) value(depth int) bool {
	switch c := w.next(); c {
	case '{', '[':
		w.at++
		end := c + 2
		if w.next() == end {
			w.gap("")
			w.at++
			return true
		}
		for {
			w.line(depth + 1)
			if c == '{' && !w.key() || !w.value(depth+1) {
				return false
			}
			switch w.next() {
			case ',':
				w.gap("")
				w.at++
			case end:
				w.line(depth)
				w.at++
				return true
			default:
				return false
			}
		}
	case '"':
		return w.text()
	}
	from := w.at
	for w.at < len(w.data) && strings.IndexByte(" \t\r\n,]}\"", w.data[w.at]) < 0 {
		if !w.name() {
			w.at++
		}
	}
	return w.at > from
}

// key passes a key with its colon.
func (w *spaces) key() bool {
	if !w.text() || w.next() != ':' {
		return false
	}
	w.gap("")
	w.at++
	w.gap(" ")
	return true
}

// text passes a text in quotes.
func (w *spaces) text() bool {
	if w.at >= len(w.data) || w.data[w.at] != '"' {
		return false
	}
	for w.at++; w.at < len(w.data); {
		switch c := w.data[w.at]; {
		case c == '"':
			w.at++
			return true
		case c == '\n':
			return false
		case c == '\\':
			w.at += 2
		case !w.terraform || !w.name():
			w.at++
		}
	}
	return false
}

// name passes ${...}, and reports whether it is there.
func (w *spaces) name() bool {
	if !bytes.HasPrefix(w.data[w.at:], []byte("${")) {
		return false
	}
	for depth, i := 0, w.at; i < len(w.data) && w.data[i] != '\n'; i++ {
		switch w.data[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				w.at = i + 1
				return true
			}
		}
	}
	return false
}

// blocks changes the indents of a block of YAML.
type blocks struct {
	*Layout
	rows  map[int]row
	edits []Edit
	last  int // the line of the last key or dash
}

// row is a line that begins with a key or a dash: its indent, and the columns from 0 of the last key in it, as it was
// and as it is to be.
type row struct{ indent, from, to int }

// begin gives the line of a key or dash its indent. A line that is above the last one is another part of the text,
// which an alias names.
func (b *blocks) begin(at Position, indent int) bool {
	if at.Line < b.last {
		return false
	}
	b.last = at.Line
	if b.beginsLine(at.Offset) {
		b.rows[at.Line] = row{indent, at.Col - 1, indent}
	} else if one, known := b.rows[at.Line]; known {
		b.rows[at.Line] = row{one.indent, at.Col - 1, indent}
	}
	return true
}

// object reports whether the indents of an object are found.
func (b *blocks) object(n *Node, indent int) bool {
	for i := range n.Members {
		m := &n.Members[i]
		if !b.begin(m.KeySpan.Start, indent) || m.Node.Span.Start.Line < m.KeySpan.Start.Line {
			return false
		}
		if m.Node.Span.Start.Line > m.KeySpan.Start.Line && !b.below(m.Node, indent+step) {
			return false
		}
	}
	return true
}

// below finds the indents of the value below a key, or behind a dash.
func (b *blocks) below(n *Node, indent int) bool {
	if len(n.Members)+len(n.Items) == 0 || b.Flow(n) {
		return true
	}
	if n.Items == nil {
		return b.object(n, indent)
	}
	for _, item := range n.Items {
		dash := b.dash(item.Span.Start.Offset)
		if dash < 0 || !b.beginsLine(dash) || !b.begin(b.position(dash), indent) {
			return false
		}
		b.edits = append(b.edits, b.gap(dash+1, item.Span.Start.Offset)...)
		if !b.below(item, indent+step) {
			return false
		}
	}
	return true
}

// gap makes one blank of several.
func (l *Layout) gap(from, to int) []Edit { return l.Edit(to != from+1, from, to, " ") }

var opensBlock = wording.Pattern(`[|>][-+0-9]*\s*(\s#.*)?$`)

// checked returns the edits of the lines from one on, after which the text has the same values. Lines between keys move
// with the key before them, comments with the one behind.
func (b *blocks) checked(line, from int) []Edit {
	var above row
	block := false // the text below is a scalar, in which # begins no comment
	for at := b.lineStart(from); at < len(b.data); line++ {
		end := b.lineEnd(at)
		text := bytes.TrimRight(b.data[at:end], "\r")
		rest := bytes.TrimLeft(text, " ")
		had := len(text) - len(rest)
		one, known := b.rows[line]
		switch {
		case known:
			above, block = one, opensBlock().Match(text)
			b.indent(at, had, one.indent)
			trimmed := len(bytes.TrimRight(text, " \t"))
			b.edits = append(b.edits, b.Edit(trimmed < len(text), at+trimmed, at+len(text), "")...)
		case len(bytes.TrimSpace(rest)) == 0:
		case line > b.last && had <= above.from: // behind the block
			at = len(b.data)
		case rest[0] == '#' && (!block || had <= above.from):
			b.indent(at, had, had+b.behind(line, end, above.to-above.from))
		default:
			b.indent(at, had, had+above.to-above.from)
		}
		at = max(at, end+1)
	}
	edits := Separate(b.edits)
	before, problem := Read(b.File, nil)
	if problem != nil {
		return nil
	}
	formatted := &File{Name: b.File.Name, Data: Apply(b.File, edits)}
	if after, problem := Read(formatted, nil); problem != nil || !value.Equal(before.Value, after.Value) {
		return nil
	}
	return edits
}

// indent gives a line its indent.
func (b *blocks) indent(at, had, want int) {
	b.edits = append(b.edits, b.Edit(had != want, at, at+had, strings.Repeat(" ", max(0, want)))...)
}

// behind returns by how much the next key behind a line moves; else where there is none.
func (b *blocks) behind(line, end, otherwise int) int {
	for ; line < b.last && end < len(b.data); line++ {
		from := end + 1
		end = b.lineEnd(from)
		if one, known := b.rows[line+1]; known {
			text := b.data[from:end]
			return one.indent - (len(text) - len(bytes.TrimLeft(text, " ")))
		}
	}
	return otherwise
}
