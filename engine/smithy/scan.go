package smithy

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"asldb/engine/source"
)

// The rules of the problems of a model, which are the ids of Smithy's own events.
const (
	RuleSyntax     = "Model"
	RuleUnresolved = "Model.UnresolvedTrait"
	RuleTarget     = "Target"
)

// bailout ends the reading of a statement; the problem has been noted.
type bailout struct{}

// scanner reads the characters and tokens of a file in the IDL.
type scanner struct {
	file *source.File
	data []byte
	at   source.Position
	// docs are the documentation comments in the white space that was skipped last.
	docs []string
	// long is the last string in quotes that goes over several lines, which a missing quote brings about.
	long     source.Span
	problems []source.Diagnostic
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func newScanner(f *source.File) *scanner {
	return &scanner{file: f, data: f.Data, at: source.Position{Offset: len(f.Data) - len(bytes.TrimPrefix(f.Data, byteOrderMark)), Line: 1, Col: 1}}
}

// fail notes a problem and ends the statement.
func (s *scanner) fail(at source.Span, format string, args ...any) {
	s.report(at, format, args...)
	panic(bailout{})
}

func (s *scanner) report(at source.Span, format string, args ...any) *source.Diagnostic {
	s.problems = append(s.problems, source.Diagnostic{Rule: RuleSyntax, Span: at, Message: fmt.Sprintf(format, args...)})
	return &s.problems[len(s.problems)-1]
}

// expected says that the text ahead is not the expected one, and ends the statement.
func (s *scanner) expected(wanted string) {
	at, found := s.ahead()
	d := s.report(at, "expected %s, and found %s", wanted, found)
	d.Expected, d.Found = wanted, found
	if line := s.long.End.Line; line > 0 && at.Start.Line-line <= 1 {
		d.Reasons = []source.Reason{{Text: "the string before it goes over several lines: is a quote missing?", Span: s.long}}
	}
	panic(bailout{})
}

// unclosed is expected inside of brackets: at the end of the file the problem names the open bracket.
func (s *scanner) unclosed(wanted string, opened source.Span) {
	if !s.ended() {
		s.expected(wanted)
	}
	open := string(s.data[opened.Start.Offset:opened.End.Offset])
	d := s.report(s.here(), "the file ends, and the %s of line %d is not closed", open, opened.Start.Line)
	d.Reasons = []source.Reason{{Text: "opened here: " + open, Span: opened}}
	panic(bailout{})
}

// ahead returns the place and a description of the next token.
func (s *scanner) ahead() (source.Span, string) {
	if s.ended() {
		return s.here(), "the end of the file"
	}
	n := 0
	rest := s.data[s.at.Offset:]
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	if n == 0 {
		_, n = utf8.DecodeRune(rest)
	}
	if rest[0] == '\n' || rest[0] == '\r' {
		return s.here(), "the end of the line"
	}
	span := source.Span{Start: s.at, End: s.at}
	span.End.Offset += n
	span.End.Col += utf8.RuneCount(rest[:n])
	return span, fmt.Sprintf("%q", rest[:n])
}

func (s *scanner) ended() bool { return s.at.Offset >= len(s.data) }

// here is the place of the next character.
func (s *scanner) here() source.Span { return source.Span{Start: s.at, End: s.at} }

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte { return s.peekAt(0) }

func (s *scanner) peekAt(n int) byte {
	if i := s.at.Offset + n; i < len(s.data) {
		return s.data[i]
	}
	return 0
}

func (s *scanner) startsWith(text string) bool {
	return bytes.HasPrefix(s.data[min(s.at.Offset, len(s.data)):], []byte(text))
}

// skip passes n bytes, which end with a whole character.
func (s *scanner) skip(n int) { s.skipTo(s.at.Offset + n) }

func (s *scanner) skipTo(offset int) {
	for s.at.Offset < min(offset, len(s.data)) {
		size := 1
		switch c := s.data[s.at.Offset]; {
		case c == '\n':
			s.at.Line, s.at.Col = s.at.Line+1, 0
		case c >= utf8.RuneSelf:
			_, size = utf8.DecodeRune(s.data[s.at.Offset:])
		}
		s.at.Offset += size
		s.at.Col++
	}
}

// restOfLine returns the text up to the end of the line and passes it.
func (s *scanner) restOfLine() string {
	rest := s.data[s.at.Offset:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	s.skip(len(rest))
	return string(bytes.TrimSuffix(rest, []byte{'\r'}))
}

// space passes blanks and tabs.
func (s *scanner) space() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.skip(1)
	}
}

// white passes white space, to which commas and comments belong, and keeps the documentation comments in it.
func (s *scanner) white() {
	from := s.at.Offset
	var docs []string
	for !s.ended() {
		switch c := s.peek(); {
		case c == ' ', c == '\t', c == '\r', c == '\n', c == ',':
			s.skip(1)
			continue
		case s.startsWith("///"):
			s.skip(3)
			s.docs = nil
			line := s.restOfLine()
			if len(line) > 0 && line[0] == ' ' {
				line = line[1:]
			}
			docs = append(docs, line)
			continue
		case s.startsWith("//"):
			s.restOfLine()
			continue
		}
		break
	}
	if s.at.Offset > from {
		s.docs = docs
	}
}

// lineEnd passes the end of a statement that must be followed by a new line.
func (s *scanner) lineEnd() {
	s.space()
	for s.peek() == ',' {
		s.skip(1)
		s.space()
	}
	if !s.ended() && s.peek() != '\n' && s.peek() != '\r' && !s.startsWith("//") {
		s.expected("the end of the line")
	}
	s.white()
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) }

// word returns the identifier ahead without passing it, "" where there is none.
func (s *scanner) word() string {
	if !isLetter(s.peek()) {
		return ""
	}
	n := 1
	for isWord(s.peekAt(n)) {
		n++
	}
	return string(s.data[s.at.Offset : s.at.Offset+n])
}

// identifier reads an identifier; wanted names it in a message.
func (s *scanner) identifier(wanted string) (string, source.Span) {
	name := s.word()
	if name == "" {
		s.expected(wanted)
	}
	start := s.at
	s.skip(len(name))
	return name, source.Span{Start: start, End: s.at}
}

// shapeName reads the id of a shape, relative or absolute, with a member or without.
func (s *scanner) shapeName(wanted string) (string, source.Span) {
	start := s.at
	_, _ = s.identifier(wanted)
	more := func(mark byte) bool { return s.peek() == mark && isLetter(s.peekAt(1)) }
	for more('.') {
		s.skip(1)
		s.identifier(wanted)
	}
	if s.peek() == '#' {
		s.skip(1)
		s.identifier("the name of a shape after #")
	}
	if more('$') {
		s.skip(1)
		s.identifier(wanted)
	}
	return string(s.data[start.Offset:s.at.Offset]), source.Span{Start: start, End: s.at}
}

// symbol passes a symbol that must be next, and returns its place.
func (s *scanner) symbol(text string) source.Span {
	if !s.startsWith(text) {
		s.expected(fmt.Sprintf("%q", text))
	}
	start := s.at
	s.skip(len(text))
	return source.Span{Start: start, End: s.at}
}

// accept passes a symbol if it is next.
func (s *scanner) accept(text string) bool {
	if !s.startsWith(text) {
		return false
	}
	s.skip(len(text))
	return true
}
