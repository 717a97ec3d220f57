package source

import (
	"bytes"
	"sort"
	"strconv"
	"unicode/utf8"

	"asldb/engine/value"
)

// Text is a text put together from pieces of a file, or from pieces that replace places of a file: the
// content of a string, with its escapes resolved; a text with its substitutions made. It knows the place in
// the file of each of its bytes.
type Text struct {
	Data []byte
	runs []run
}

// run says where the bytes from an offset of the Text come from.
type run struct {
	from  int
	place Position
	// follows: each character comes from the one behind the last, in the same line; else all come from place.
	follows bool
}

// Whole returns the whole text of a file.
func Whole(f *File) *Text {
	t := &Text{}
	data := bytes.TrimPrefix(f.Data, byteOrderMark)
	t.appendLines(data, Position{Offset: len(f.Data) - len(data), Line: 1, Col: 1})
	return t
}

// appendLines adds a piece as it is in the file from at on.
func (t *Text) appendLines(piece []byte, at Position) {
	for len(piece) > 0 {
		n := bytes.IndexByte(piece, '\n') + 1
		if n == 0 {
			n = len(piece)
		}
		t.append(piece[:n], at, true)
		piece = piece[n:]
		at = Position{Offset: at.Offset + n, Line: at.Line + 1, Col: 1}
	}
}

// longestRun bounds the bytes of a run that follows its file, since finding a place in it counts its characters: a
// definition may be one line of a megabyte.
const longestRun = 256

func (t *Text) append(piece []byte, place Position, follows bool) {
	for len(piece) > 0 {
		n := len(piece)
		if follows && n > longestRun {
			for n = longestRun; n > 0 && !utf8.RuneStart(piece[n]); n-- {
			}
			n = max(n, 1)
		}
		t.runs = append(t.runs, run{len(t.Data), place, follows})
		t.Data = append(t.Data, piece[:n]...)
		place.Offset += n
		place.Col += utf8.RuneCount(piece[:n])
		piece = piece[n:]
	}
}

// Insert adds a piece in place of one part of the file.
func (t *Text) Insert(piece string, place Position) { t.append([]byte(piece), place, false) }

// Add adds bytes from to before to of another text.
func (t *Text) Add(other *Text, from, to int) {
	for from < to {
		i := other.runAt(from)
		end := to
		if i+1 < len(other.runs) {
			end = min(to, other.runs[i+1].from)
		}
		t.append(other.Data[from:end], other.Position(from), other.runs[i].follows)
		from = end
	}
}

// runAt returns the run that the byte at offset is in.
func (t *Text) runAt(offset int) int {
	return sort.Search(len(t.runs), func(i int) bool { return t.runs[i].from > offset }) - 1
}

// Position returns where the byte at offset comes from; of the end of the text, the place behind the last one.
func (t *Text) Position(offset int) Position {
	i := t.runAt(offset)
	if i < 0 {
		return Position{Line: 1, Col: 1}
	}
	r := t.runs[i]
	at := r.place
	if r.follows {
		passed := t.Data[r.from:min(offset, len(t.Data))]
		at.Offset += len(passed)
		at.Col += utf8.RuneCount(passed)
		if bytes.HasSuffix(passed, []byte{'\n'}) { // behind the last line
			at.Line, at.Col = at.Line+1, 1
		}
	}
	return at
}

// Read reads the one value that the text is, as [Read] does of a file that is called name; every place is one of the
// file that the text comes from.
func (t *Text) Read(name string) (*Node, *Diagnostic) {
	root, problem := read(&File{Name: name, Data: t.Data}, nil)
	if problem != nil {
		problem.Span = t.span(problem.Span)
		return nil, problem
	}
	for n := range root.Pointers() {
		n.Span = t.span(n.Span)
		for i := range n.Members {
			n.Members[i].KeySpan = t.span(n.Members[i].KeySpan)
		}
	}
	return root, nil
}

// Stretch returns the place in the file of bytes from to before to; the zero Span where the text is one piece that
// replaces its part as a whole.
func (t *Text) Stretch(from, to int) Span {
	if len(t.runs) == 0 || len(t.runs) == 1 && !t.runs[0].follows {
		return Span{}
	}
	return t.span(Span{Start: Position{Offset: from}, End: Position{Offset: to}})
}

func (t *Text) span(s Span) Span {
	moved := Span{Start: t.Position(s.Start.Offset)}
	moved.End = moved.Start
	if s.End.Offset > s.Start.Offset {
		last := s.End.Offset - 1
		for last > s.Start.Offset && !utf8.RuneStart(t.Data[last]) {
			last--
		}
		moved.End = t.Position(last)
		if t.runs[t.runAt(last)].follows {
			moved.End.Offset += s.End.Offset - last
			moved.End.Col++
		}
	}
	if moved.End.Offset < moved.Start.Offset { // pieces of the file in another order
		moved.End = moved.Start
	}
	return moved
}

// StringText returns the text of a string of the file with the place of every character in it: of a literal in JSON
// or in YAML, in quotes, plain, or as a block. Where the spelling cannot be followed, all of it has the place of the
// string.
func StringText(f *File, n *Node) *Text {
	text, _ := n.Value.(value.String)
	if n.Span.File != nil {
		f = n.Span.File
	}
	if from := n.Span.Start.Offset; from < len(f.Data) {
		t := &Text{}
		switch rest := f.Data[from:]; rest[0] {
		case '"':
			t.unquote(rest, n.Span.Start)
		case '\'':
			t.unquoteSingle(rest, n.Span.Start)
		case '|':
			t.block(f.Data, n.Span.Start, string(text))
		default:
			if bytes.HasPrefix(rest, []byte(text)) {
				t.append([]byte(text), n.Span.Start, true)
			}
		}
		if string(t.Data) == string(text) {
			return t
		}
		if t = folded(f.Data, n.Span.Start, string(text)); t != nil {
			return t
		}
		if t = escapedText(f.Data, n.Span.Start, string(text)); t != nil {
			return t
		}
	}
	t := &Text{}
	t.Insert(string(text), n.Span.Start)
	return t
}

// StringPart returns the place of the bytes from to before to of a string; the place of the whole string where its
// spelling cannot be followed.
func StringPart(f *File, n *Node, from, to int) Span {
	if f != nil {
		if at := StringText(f, n).Stretch(from, to); at != (Span{}) {
			at.File = n.Span.File
			return at
		}
	}
	return n.Span
}

// folded returns the text of a string of YAML that goes over several lines, which are joined by blanks: in quotes without
// escapes, plain, or as a folded block. It returns nil where the spelling is another one.
func folded(data []byte, at Position, text string) *Text {
	rest := data[at.Offset:]
	switch rest[0] {
	case '>':
		line := bytes.IndexByte(rest, '\n') + 1
		if line == 0 {
			return nil
		}
		at = Position{Offset: at.Offset + line, Line: at.Line + 1, Col: 1}
	case '"', '\'':
		at.Offset++
		at.Col++
	}
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
	// skip passes the white space from at on, and reports whether a line ends in it.
	skip := func() (ends bool) {
		for at.Offset < len(data) && blank(data[at.Offset]) {
			at.Col++
			if data[at.Offset] == '\n' {
				ends = true
				at.Line, at.Col = at.Line+1, 1
			}
			at.Offset++
		}
		return ends
	}
	t := &Text{}
	if rest[0] == '>' {
		skip()
	}
	for i := 0; i < len(text); {
		from := i
		place := at
		for i < len(text) && at.Offset < len(data) && text[i] == data[at.Offset] && !blank(text[i]) {
			if utf8.RuneStart(text[i]) {
				at.Col++
			}
			at.Offset++
			i++
		}
		t.append([]byte(text[from:i]), place, true)
		if i == len(text) {
			return t
		}
		from, place = i, at
		for i < len(text) && blank(text[i]) {
			i++
		}
		if from == i {
			return nil
		}
		if before := at.Offset; !skip() && string(data[before:at.Offset]) != text[from:i] {
			return nil
		}
		t.Insert(text[from:i], place)
	}
	return t
}

// escapedText returns the text of a literal of JSON inside a string of JSON in the file, so that its quotes are
// escaped, and its escapes too. It returns nil where the spelling is another one.
func escapedText(data []byte, at Position, text string) *Text {
	if !bytes.HasPrefix(data[at.Offset:], []byte(`\"`)) || at.Offset == 0 {
		return nil
	}
	outer := &Text{}
	before := at
	before.Offset--
	before.Col--
	// The bound is far above the length of the longest spelling.
	outer.unquote(data[before.Offset:min(len(data), before.Offset+16*len(text)+64)], before)
	inner := &Text{}
	literal := outer.Data
	for i := 1; i < len(literal) && literal[i] != '"'; {
		n := 1
		if literal[i] != '\\' {
			inner.Add(outer, i, i+n)
			i += n
			continue
		}
		for n = 2; n <= 12 && i+n <= len(literal); n++ { // the shortest escape that is one
			char, err := value.Parse(append(append([]byte{'"'}, literal[i:i+n]...), '"'), value.Limits{})
			if s, ok := char.(value.String); ok && err == nil && !isSurrogate(literal[i:i+n]) || ok && err == nil && n == 12 {
				inner.Insert(string(s), outer.Position(i))
				break
			}
		}
		i += n
	}
	if string(inner.Data) != text {
		return nil
	}
	return inner
}

// unquote adds the content of a literal in double quotes.
func (t *Text) unquote(literal []byte, at Position) {
	for i := 1; i < len(literal) && literal[i] != '"' && literal[i] != '\n'; {
		from := i
		for i < len(literal) && literal[i] != '\\' && literal[i] != '"' && literal[i] != '\n' {
			i++
		}
		place := at
		place.Offset += from
		place.Col += utf8.RuneCount(literal[:from])
		t.append(literal[from:i], place, true)
		if i+1 < len(literal) && literal[i] == '\\' {
			n := 2
			if literal[i+1] == 'u' {
				n = 6
				if next := i + n; next+6 <= len(literal) && isSurrogate(literal[i:]) && literal[next] == '\\' {
					n = 12
				}
			}
			n = min(n, len(literal)-i)
			char, err := value.Parse(append(append([]byte{'"'}, literal[i:i+n]...), '"'), value.Limits{})
			s, ok := char.(value.String)
			if err != nil || !ok {
				return
			}
			place.Offset, place.Col = at.Offset+i, at.Col+utf8.RuneCount(literal[:i])
			t.Insert(string(s), place)
			i += n
		}
	}
}

// isSurrogate reports whether the escape \uXXXX at the beginning is the first half of a pair.
func isSurrogate(escape []byte) bool {
	if len(escape) < 6 {
		return false
	}
	code, err := strconv.ParseUint(string(escape[2:6]), 16, 32)
	return err == nil && code >= 0xD800 && code < 0xDC00
}

// unquoteSingle adds the content of a literal in single quotes.
func (t *Text) unquoteSingle(literal []byte, at Position) {
	from := 1
	for i := 1; i < len(literal) && literal[i] != '\n'; i++ {
		if literal[i] != '\'' {
			continue
		}
		doubled := i+1 < len(literal) && literal[i+1] == '\''
		end := i
		if doubled {
			end++
		}
		place := at
		place.Offset += from
		place.Col += utf8.RuneCount(literal[:from])
		t.append(literal[from:end], place, true)
		if !doubled {
			return
		}
		i++
		from = i + 1
	}
}

// block adds the lines of a literal block (YAML's |) whose indicator is at at.
func (t *Text) block(data []byte, at Position, text string) {
	next := at
	indent := -1
	for lines := bytes.SplitAfter([]byte(text), []byte("\n")); len(lines) > 0; lines = lines[1:] {
		line := lines[0]
		end := bytes.IndexByte(data[next.Offset:], '\n')
		if end < 0 || len(line) == 0 {
			return
		}
		next = Position{Offset: next.Offset + end + 1, Line: next.Line + 1, Col: 1}
		if body := bytes.TrimRight(line, "\n"); indent < 0 && len(body) > 0 {
			shown := data[next.Offset:]
			indent = max(bytes.Index(shown, body), 0)
		}
		place := next
		if len(bytes.TrimRight(line, "\n")) > 0 {
			place.Offset += indent
			place.Col += indent
		}
		t.append(line, place, true)
	}
}

// Replace returns the text with every old replaced by text, which has the place of old's beginning.
func (t *Text) Replace(old, text string) *Text {
	replaced, done := &Text{}, 0
	for {
		i := bytes.Index(t.Data[done:], []byte(old))
		if i < 0 {
			break
		}
		replaced.Add(t, done, done+i)
		replaced.Insert(text, t.Position(done+i))
		done += i + len(old)
	}
	if done == 0 {
		return t
	}
	replaced.Add(t, done, len(t.Data))
	return replaced
}
