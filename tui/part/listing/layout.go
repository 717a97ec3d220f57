package listing

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// A definition is shown in one of three forms: the whole of a separate file; the lines of a template that it takes,
// moved to the left; or, where its file has it as a string with escapes, in pieces or in an expression of another
// language, decoded and formatted. The last two show lines other than the file's, and know the place in the file of
// each.

// place is where a key and its value are in the lines shown; the key of an item is the zero Span.
type place struct {
	key, span source.Span
	node      *source.Node // of the definition
}

// origin is the place in its file of a line shown.
type origin struct {
	file *source.File
	at   source.Position
}

// layout are the lines in which a definition is shown inside of another text.
type layout struct {
	lines [][]rune
	// places are the places of everything in the definition, by its JSON Pointer.
	places map[string]place
	// origins are the places of the lines.
	origins []origin
	// first is the number of the first line.
	first int
	// about says where the definition comes from.
	about string
	// moved returns the place in the lines of one in the file, where the lines are the file's.
	moved func(source.Span) source.Span
}

// layoutOf returns the layout of a definition, nil for one that is all of its file.
func layoutOf(definition *asl.StateMachine) *layout {
	root, file := definition.Root, definition.Source
	switch {
	case root == nil || file == nil:
		return nil
	case IsConverted(definition):
		return cut(definition, source.Span{Start: definition.Top.States[0].NameSpan.Start, End: root.Span.End})
	case isWhole(file, root.Span):
		return nil
	case inLines(file, root):
		return cut(definition, root.Span)
	}
	return decoded(definition)
}

// IsConverted reports whether a definition was converted from another format, as a waiter's is: its text has no fields.
func IsConverted(definition *asl.StateMachine) bool {
	return definition.Origin != nil && definition.Root != nil && !isWhole(definition.Source, definition.Root.Span)
}

// isWhole reports whether a file has nothing but comments and marks of documents around a stretch.
func isWhole(file *source.File, at source.Span) bool {
	if at.Start.Offset > len(file.Data) || at.End.Offset > len(file.Data) || at.End.Offset < at.Start.Offset {
		return true
	}
	for _, part := range [][]byte{bytes.TrimPrefix(file.Data[:at.Start.Offset], []byte("\ufeff")), file.Data[at.End.Offset:]} {
		for line := range bytes.SplitSeq(part, []byte("\n")) {
			line = bytes.TrimSpace(line)
			if len(line) > 0 && line[0] != '#' && line[0] != '%' && !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")) {
				return false
			}
		}
	}
	return true
}

// inLines reports whether a file has a definition as JSON or YAML that is laid out in lines: each key is there as it is, and each
// state begins a new line.
func inLines(file *source.File, root *source.Node) bool {
	last, ok := 0, true
	var check func(n *source.Node)
	check = func(n *source.Node) {
		if n.Span.File != nil || n.Span.Start.Offset < root.Span.Start.Offset || n.Span.End.Offset > root.Span.End.Offset {
			ok = false
		}
		for i := 0; ok && i < len(n.Members); i++ {
			m := &n.Members[i]
			if ok = isKey(file.Data, m); ok {
				check(m.Node)
			}
			if m.Key != "States" {
				continue
			}
			for j := range m.Node.Members {
				line := m.Node.Members[j].KeySpan.Start.Line
				ok = ok && line != last
				last = line
			}
		}
		for i := 0; ok && i < len(n.Items); i++ {
			check(n.Items[i])
		}
	}
	check(root)
	return ok
}

// isKey reports whether a text has the key of a member at its place as JSON and YAML have it, without escapes.
func isKey(data []byte, m *source.NodeMember) bool {
	from, to := m.KeySpan.Start.Offset, m.KeySpan.End.Offset
	if m.KeySpan.File != nil || from < 0 || to > len(data) || from >= to {
		return false
	}
	text := data[from:to]
	if text[0] == '"' || text[0] == '\'' {
		text = bytes.Trim(text, string(text[0]))
	}
	return string(text) == m.Key && bytes.HasPrefix(bytes.TrimLeft(data[to:], " \t"), []byte(":"))
}

// cut returns the lines of the file that a definition takes, without the blanks that all of them have.
func cut(definition *asl.StateMachine, at source.Span) *layout {
	file := definition.Source
	all := linesOf(file.Data)
	first, last := max(at.Start.Line, 1), min(at.End.Line, len(all))
	if at.End.Col == 1 && last > first { // behind the last line end
		last--
	}
	l := &layout{first: first}
	head := min(at.Start.Col-1, len(all[first-1]))
	blanks := -1
	for i := first; i <= last; i++ {
		line := all[i-1]
		n := 0
		for n < len(line) && line[n] == ' ' {
			n++
		}
		if i == first && n < head { // other text is before the definition on its line
			continue
		}
		if n < len(line) && (blanks < 0 || n < blanks) {
			blanks = n
		}
	}
	blanks = max(blanks, 0)
	moved := func(p source.Position) source.Position {
		cols := blanks
		if p.Line == first {
			cols = max(head, blanks)
		}
		return source.Position{Offset: p.Offset, Line: p.Line - first + 1, Col: max(p.Col-cols, 1)}
	}
	for i := first; i <= last; i++ {
		line := all[i-1]
		if i == at.End.Line && at.End.Col-1 < len(line) {
			line = line[:max(at.End.Col-1, 0)]
		}
		from := min(blanks, len(line))
		if i == first {
			from = min(max(head, blanks), len(line))
		}
		l.lines = append(l.lines, line[from:])
		col := from
		for col < len(line) && line[col] == ' ' {
			col++
		}
		l.origins = append(l.origins, origin{file, source.Position{Line: i, Col: col + 1}})
	}
	l.moved = func(s source.Span) source.Span {
		if s.Start.Line == 0 {
			return source.Span{}
		}
		return source.Span{Start: moved(s.Start), End: moved(s.End)}
	}
	l.places = make(map[string]place)
	l.put("", definition.Root, source.Span{})
	l.about = about(definition, first, last, "")
	return l
}

// put enters the places of a node and of all below it.
func (l *layout) put(pointer string, n *source.Node, key source.Span) {
	l.places[pointer] = place{l.moved(key), l.moved(n.Span), n}
	for i := range n.Members {
		m := &n.Members[i]
		l.put(pointer+"/"+value.EscapePointer(m.Key), m.Node, m.KeySpan)
	}
	for i, item := range n.Items {
		l.put(pointer+"/"+strconv.Itoa(i), item, source.Span{})
	}
}

// nearest returns the place in the lines of the innermost part of the definition around a place in a file. Where none is around it,
// it is the first line, and outside is set.
func (l *layout) nearest(file *source.File, at source.Position) (shown source.Position, outside bool) {
	var found *place
	for _, p := range l.places {
		s := p.node.Span
		switch {
		case s.File != nil && s.File.Name != file.Name || at.Offset < s.Start.Offset || at.Offset >= s.End.Offset:
		case found == nil || s.End.Offset-s.Start.Offset < found.node.Span.End.Offset-found.node.Span.Start.Offset,
			s == found.node.Span && p.span.Start.Offset < found.span.Start.Offset:
			found = &p
		}
	}
	switch {
	case len(l.origins) == 0 || l.origins[0].file.Name != file.Name && found == nil:
	case l.moved != nil && at.Line >= l.first && at.Line < l.first+len(l.lines):
		return l.moved(source.Span{Start: at, End: at}).Start, false
	case found != nil:
		return found.span.Start, false
	}
	return source.Position{Line: 1, Col: 1}, true
}

// about says where a definition comes from.
func about(definition *asl.StateMachine, first, last int, form string) string {
	text := filepath.Base(definition.Source.Name)
	if definition.Name != "" {
		text = definition.Name + " in " + text
	}
	if first == last {
		text += ", line " + strconv.Itoa(first)
	} else {
		text += ", lines " + strconv.Itoa(first) + " to " + strconv.Itoa(last)
	}
	return text + form
}

// shortArray is the number of characters up to which an array of scalars is one line.
const shortArray = 60

// decoded returns a definition as formatted JSON.
func decoded(definition *asl.StateMachine) *layout {
	f := &formatter{
		layout: layout{first: 1, places: make(map[string]place)}, file: definition.Source, lowest: definition.Root.Span.Start.Line, highest: definition.Root.Span.End.Line,
	}
	f.node("", definition.Root, source.Span{}, source.Span{})
	f.end(origin{f.file, last(definition.Root.Span)})
	f.about = about(definition, f.lowest, f.highest, "; decoded and formatted")
	return &f.layout
}

// last returns the position of the last character of a stretch.
func last(s source.Span) source.Position {
	if s.End.Offset > s.Start.Offset && s.End.Col > 1 {
		s.End.Offset--
		s.End.Col--
		return s.End
	}
	return s.Start
}

// formatter writes a tree as JSON.
type formatter struct {
	layout
	file            *source.File
	line            []rune
	depth           int
	from            *origin // of the line, once it has begun
	lowest, highest int     // lines of the file that parts come from
}

// end ends the line. otherwise is its place where nothing of the definition begins in it.
func (f *formatter) end(otherwise origin) {
	if f.from == nil {
		f.from = &otherwise
	}
	f.lines, f.origins = append(f.lines, f.line), append(f.origins, *f.from)
	f.line, f.from = []rune(strings.Repeat("  ", f.depth)), nil
}

// here is the position behind the text that has been written. Its offset orders positions.
func (f *formatter) here() source.Position {
	return source.Position{Offset: len(f.lines)<<32 + len(f.line), Line: len(f.lines) + 1, Col: len(f.line) + 1}
}

func (f *formatter) write(text string) { f.line = append(f.line, []rune(text)...) }

// begins notes that something of the file begins on the line.
func (f *formatter) begins(at source.Span) {
	if at.Start.Line == 0 {
		return
	}
	file := f.file
	if at.File != nil {
		file = at.File
	} else {
		f.lowest, f.highest = min(f.lowest, at.Start.Line), max(f.highest, at.Start.Line)
	}
	if f.from == nil {
		f.from = &origin{file, at.Start}
	}
}

func (f *formatter) node(pointer string, n *source.Node, key, shownKey source.Span) {
	f.begins(key)
	f.begins(n.Span)
	shown := source.Span{Start: f.here()}
	switch {
	case n.Unknown:
		f.write(f.unknown(n))
	case len(n.Members) > 0:
		f.open("{")
		for i := range n.Members {
			m := &n.Members[i]
			f.begins(m.KeySpan)
			at := source.Span{Start: f.here()}
			f.write(string(value.AppendQuoted(nil, m.Key)))
			at.End = f.here()
			f.write(": ")
			f.node(pointer+"/"+value.EscapePointer(m.Key), m.Node, m.KeySpan, at)
			f.next(i+1 < len(n.Members), n)
		}
		f.write("}")
	case len(n.Items) > 0 && !isShort(n):
		f.open("[")
		for i, item := range n.Items {
			f.node(pointer+"/"+strconv.Itoa(i), item, source.Span{}, source.Span{})
			f.next(i+1 < len(n.Items), n)
		}
		f.write("]")
	case len(n.Items) > 0:
		f.write("[")
		for i, item := range n.Items {
			if i > 0 {
				f.write(", ")
			}
			f.node(pointer+"/"+strconv.Itoa(i), item, source.Span{}, source.Span{})
		}
		f.write("]")
	default:
		f.write(value.Compact(n.Value))
	}
	shown.End = f.here()
	f.places[pointer] = place{shownKey, shown, n}
}

// open begins a container.
func (f *formatter) open(bracket string) {
	f.write(bracket)
	f.depth++
	f.end(origin{f.file, source.Position{}})
}

// next ends the line of a part of a container, and begins the line of the next part or of the closing bracket.
func (f *formatter) next(more bool, of *source.Node) {
	file := f.file
	if of.Span.File != nil {
		file = of.Span.File
	}
	closing := origin{file, last(of.Span)}
	if more {
		f.write(",")
		f.end(closing)
		return
	}
	f.depth--
	f.end(closing)
	f.from = &closing
}

// isShort reports whether an array is written in one line.
func isShort(n *source.Node) bool {
	length := 2
	for _, item := range n.Items {
		if len(item.Members)+len(item.Items) > 0 {
			return false
		}
		length += len(value.Compact(item.Value)) + 2
	}
	return length <= shortArray
}

// unknown returns the ${Name} that a value has in its text.
func (f *formatter) unknown(n *source.Node) string {
	file := f.file
	if n.Span.File != nil {
		file = n.Span.File
	}
	if from := n.Span.Start.Offset; from >= 0 && from < len(file.Data) {
		rest := file.Data[from:]
		if end := bytes.IndexByte(rest, '}'); end > 0 && bytes.HasPrefix(rest, []byte("${")) {
			return string(rest[:end+1])
		}
	}
	return "${...}"
}
