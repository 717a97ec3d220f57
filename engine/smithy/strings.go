package smithy

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"asldb/engine/source"
	"asldb/engine/value"
)

// literal is a string of the IDL that was read: its text in pieces. A piece is a stretch of the file, or a text in
// place of a part of it.
type literal struct {
	pieces []piece
	end    int // the offset behind the literal
}

type piece struct {
	from, to int    // in bytes of the file
	text     string // where it is not empty, in place of the stretch
}

// literalError is a mistake in a string.
type literalError struct {
	from, to int
	message  string
}

func (l *literal) stretch(from, to int) {
	if from < to {
		l.pieces = append(l.pieces, piece{from: from, to: to})
	}
}

func (l *literal) text(data []byte) string {
	var out bytes.Buffer
	for _, p := range l.pieces {
		if p.text != "" {
			out.WriteString(p.text)
		} else {
			out.Write(data[p.from:p.to])
		}
	}
	return out.String()
}

const tripleQuote = `"""`

// readLiteral reads the string at an offset, which is a quote.
func readLiteral(data []byte, at int) (*literal, *literalError) {
	if bytes.HasPrefix(data[at:], []byte(tripleQuote)) {
		return readBlock(data, at)
	}
	l := &literal{}
	from := at + 1
	for i := from; i < len(data); {
		switch data[i] {
		case '"':
			l.stretch(from, i)
			l.end = i + 1
			return l, nil
		case '\\':
			l.stretch(from, i)
			n, err := l.escape(data, i)
			if err != nil {
				return nil, err
			}
			i += n
			from = i
		case '\r':
			l.stretch(from, i)
			i += newline(data[i:])
			l.pieces = append(l.pieces, piece{from: i - 1, to: i, text: "\n"})
			from = i
		default:
			i++
		}
	}
	return nil, &literalError{at, at + 1, "the string that begins here is not closed"}
}

// newline returns the length of the new line at the beginning of a text, 0 where there is none.
func newline(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case len(text) > 0 && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

var escapes = map[byte]string{'"': `"`, '\\': `\`, '/': "/", '\'': "'", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

// escape adds what the escape at an offset means, and returns its length (section "String escape characters").
func (l *literal) escape(data []byte, at int) (int, *literalError) {
	rest := data[at+1:]
	if n := newline(rest); n > 0 {
		return 1 + n, nil
	}
	if len(rest) > 0 && rest[0] == 'u' {
		return l.unicode(data, at)
	}
	if len(rest) > 0 && escapes[rest[0]] != "" {
		l.pieces = append(l.pieces, piece{from: at, to: at + 2, text: escapes[rest[0]]})
		return 2, nil
	}
	_, size := utf8.DecodeRune(rest)
	return 0, &literalError{at, at + 1 + size, fmt.Sprintf(`there is no escape %s; a backslash itself is \\`, data[at:at+1+size])}
}

// unicode adds the character of \uHHHH, or of two of them that are a surrogate pair.
func (l *literal) unicode(data []byte, at int) (int, *literalError) {
	char, ok := hex4(data[at:])
	if !ok {
		return 0, &literalError{at, min(at+2, len(data)), `\u is followed by four hexadecimal digits`}
	}
	n := 6
	if utf16.IsSurrogate(char) {
		low, paired := hex4(data[at+6:])
		if char = utf16.DecodeRune(char, low); paired && char != utf8.RuneError {
			n = 12
		} else {
			char = utf8.RuneError
		}
	}
	l.pieces = append(l.pieces, piece{from: at, to: at + n, text: string(char)})
	return n, nil
}

func hex4(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	code, err := strconv.ParseUint(string(text[2:6]), 16, 32)
	return rune(code), err == nil
}

// stretchOf is a line of a text block, without its new line.
type stretchOf struct{ from, to, end int }

// readBlock reads a text block (section "Text blocks").
func readBlock(data []byte, at int) (*literal, *literalError) {
	from := at + len(tripleQuote)
	for from < len(data) && (data[from] == ' ' || data[from] == '\t') {
		from++
	}
	n := newline(data[min(from, len(data)):])
	if n == 0 {
		return nil, &literalError{at, at + len(tripleQuote), `the opening """ of a text block is followed by a new line`}
	}
	from += n
	closing := blockEnd(data, from)
	if closing < 0 {
		return nil, &literalError{at, at + len(tripleQuote), "the text block that begins here is not closed"}
	}
	lines := textLines(data, from, closing)
	indent := commonIndent(data, lines)
	l := &literal{end: closing + len(tripleQuote)}
	for i, line := range lines {
		text := data[line.from:line.to]
		blanks := len(text) - len(bytes.TrimLeft(text, " "))
		start := line.from + min(indent, blanks)
		stop := line.from + len(bytes.TrimRight(text, " "))
		joined, err := l.line(data, start, max(start, stop))
		if err != nil {
			return nil, err
		}
		if i < len(lines)-1 && !joined {
			l.pieces = append(l.pieces, piece{from: line.to, to: line.end, text: "\n"})
		}
	}
	return l, nil
}

// blockEnd returns the offset of the closing quotes, -1 where there are none.
func blockEnd(data []byte, from int) int {
	for i := from; i < len(data); i++ {
		if data[i] == '\\' {
			i++
		} else if data[i] == '"' && bytes.HasPrefix(data[i:], []byte(tripleQuote)) {
			return i
		}
	}
	return -1
}

func textLines(data []byte, from, to int) []stretchOf {
	var lines []stretchOf
	for i := from; i < to; i++ {
		if n := newline(data[i:to]); n > 0 {
			lines = append(lines, stretchOf{from, i, i + n})
			i += n - 1
			from = i + 1
		}
	}
	return append(lines, stretchOf{from, to, to})
}

// commonIndent is the number of blanks that all lines have in common (section "Incidental white space removal").
func commonIndent(data []byte, lines []stretchOf) int {
	indent := -1
	for i, line := range lines {
		text := data[line.from:line.to]
		if len(bytes.TrimSpace(text)) == 0 && i < len(lines)-1 {
			continue
		}
		if n := len(text) - len(bytes.TrimLeft(text, " ")); indent < 0 || n < indent {
			indent = n
		}
	}
	return max(indent, 0)
}

// line adds a line of a text block. It is joined to the next where it ends with a backslash.
func (l *literal) line(data []byte, from, to int) (joined bool, err *literalError) {
	start := from
	for i := from; i < to; {
		if data[i] != '\\' {
			i++
			continue
		}
		l.stretch(start, i)
		if i+1 == to {
			return true, nil
		}
		n, err := l.escape(data, i)
		if err != nil {
			return false, err
		}
		i += n
		start = i
	}
	l.stretch(start, to)
	return false, nil
}

// stringNode reads a string in quotes or a text block.
func (s *scanner) stringNode() *source.Node {
	start := s.at
	l, wrong := readLiteral(s.data, s.at.Offset)
	if wrong != nil {
		s.skipTo(wrong.from)
		from := s.at
		s.skipTo(wrong.to)
		s.fail(source.Span{Start: from, End: s.at}, "%s", wrong.message)
	}
	block := s.startsWith(tripleQuote)
	s.skipTo(l.end)
	at := source.Span{Start: start, End: s.at}
	if !block && at.End.Line > at.Start.Line {
		s.long = at
	}
	return source.NewString(l.text(s.data), at)
}

// StringText returns the text of a string with the place of every character in it, as [source.StringText] does, also for
// strings and text blocks of the IDL.
func StringText(f *source.File, n *source.Node) *source.Text {
	at := n.Span.Start.Offset
	if text, ok := n.Value.(value.String); ok && IsIDL(f) && at < len(f.Data) && f.Data[at] == '"' {
		if l, wrong := readLiteral(f.Data, at); wrong == nil && l.text(f.Data) == string(text) {
			whole, located := source.Whole(f), &source.Text{}
			base := len(f.Data) - len(whole.Data)
			for _, p := range l.pieces {
				if p.text != "" {
					located.Insert(p.text, whole.Position(p.from-base))
				} else {
					located.Add(whole, p.from-base, p.to-base)
				}
			}
			return located
		}
	}
	return source.StringText(f, n)
}
