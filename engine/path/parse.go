package path

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNesting bounds how deep filters and their parentheses are nested.
const maxNesting = 32

// Parse parses a Path. The error is a *[SyntaxError].
func Parse(text string) (*Path, error) {
	p := &parser{text: text, end: len(text)}
	if len(text) > MaxBytes {
		return nil, p.errorAt(MaxBytes, "a path has at most %d bytes, this one has %d", MaxBytes, len(text))
	}
	for p.end > 0 && text[p.end-1] <= ' ' { // blanks at the end do no harm, blanks before the $ do
		p.end--
	}
	return p.parse()
}

// parser reads the stretch of text from pos to end.
type parser struct {
	text     string
	pos, end int
	nesting  int
	path     Path
}

func (p *parser) errorAt(offset int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Text: p.text, Offset: min(max(offset, 0), len(p.text)), Msg: fmt.Sprintf(format, args...)}
}

// at returns the byte i places beyond pos, 0 beyond the end.
func (p *parser) at(i int) byte {
	if p.pos+i < p.end {
		return p.text[p.pos+i]
	}
	return 0
}

func (p *parser) blanks() {
	for p.pos < p.end && p.text[p.pos] == ' ' {
		p.pos++
	}
}

// shown describes the character at pos, for messages.
func (p *parser) shown() string {
	if p.pos >= p.end {
		return "the end"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:p.end])
	return strconv.QuoteRune(r)
}

func (p *parser) parse() (*Path, error) {
	p.path = Path{text: p.text, operator: -1}
	if p.at(0) != '$' {
		return nil, p.errorAt(p.pos, "a path begins with $, $$ or $variable, found %s", p.shown())
	}
	p.root()
	if err := p.segments(); err != nil {
		return nil, err
	}
	return &p.path, nil
}

// root reads $, $$ or $name. A $ with the first character of an identifier after it is a variable.
func (p *parser) root() {
	p.pos++
	if p.at(0) == '$' {
		p.pos++
		p.path.root = ContextRoot
		return
	}
	start := p.pos
	for p.pos < p.end {
		r, size := utf8.DecodeRuneInString(p.text[p.pos:p.end])
		if !isIdentifier(r, p.pos > start) {
			break
		}
		p.pos += size
	}
	if p.pos > start {
		p.path.root, p.path.variable = VariableRoot, p.text[start:p.pos]
	}
}

// isIdentifier tells Unicode's ID_Start (first) and ID_Continue (further), as variable names have them.
func isIdentifier(r rune, further bool) bool {
	if r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) {
		return true
	}
	return further && unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)
}

// segments reads all that follows the root.
func (p *parser) segments() error {
	for p.pos < p.end {
		if err := p.segment(); err != nil {
			return err
		}
	}
	p.path.finish()
	return nil
}

func (p *parser) segment() error {
	start := p.pos
	switch p.at(0) {
	case '.':
		p.pos++
		if p.at(0) == '.' {
			p.pos++
			p.refuseInReference(start)
			p.add(step{kind: descentStep}, start)
			start = p.pos
		}
		return p.afterDot(start)
	case '[':
		return p.bracket(start)
	}
	if start == 1 && p.path.root == DataRoot {
		return p.errorAt(start, "expected '.', '[' or the name of a variable after $, found %s", p.shown())
	}
	return p.errorAt(start, "expected '.' or '[', found %s", p.shown())
}

func (p *parser) afterDot(start int) error {
	switch {
	case p.pos >= p.end:
		return p.errorAt(p.pos, "a path must not end with '.'")
	case p.at(0) == '.':
		return p.errorAt(p.pos, "three dots in a row")
	case p.at(0) == '[': // $.abc.['def ghi'] is common
		return p.bracket(start)
	case p.at(0) == '*':
		p.refuseInReference(p.pos)
		p.pos++
		p.add(step{kind: wildcardStep}, start)
		return nil
	}
	return p.name(start)
}

func (p *parser) add(s step, start int) {
	p.path.steps = append(p.path.steps, s)
	p.path.spans = append(p.path.spans, span{start, p.pos})
}

// refuseInReference notes the first thing that a Reference Path does not have.
func (p *parser) refuseInReference(offset int) {
	if p.path.operator < 0 {
		p.path.operator = offset
	}
}

// name reads a dotted name up to the next '.' or '['. A backslash makes the next character part of it.
func (p *parser) name(start int) error {
	var b strings.Builder
	for p.pos < p.end {
		c := p.at(0)
		switch c {
		case '.', '[':
			return p.endOfName(b.String(), start)
		case ' ':
			return p.errorAt(p.pos, "a name with a blank needs brackets and quotes: ['a name']")
		case '\\':
			p.pos++
			if p.pos >= p.end {
				return p.errorAt(p.pos, "nothing follows the backslash")
			}
			_, size := utf8.DecodeRuneInString(p.text[p.pos:p.end])
			b.WriteString(p.text[p.pos : p.pos+size])
			p.pos += size
			continue
		case '(':
			// Jayway calls a function here. Step Functions has none, so this is all one name.
			p.refuseInReference(p.pos)
			from := p.pos
			if err := p.parentheses(); err != nil {
				return err
			}
			b.WriteString(p.text[from:p.pos])
			continue
		case '@', ',', ':', '?', '*', ')':
			p.refuseInReference(p.pos)
		}
		b.WriteByte(c)
		p.pos++
	}
	return p.endOfName(b.String(), start)
}

func (p *parser) endOfName(name string, start int) error {
	if name == "" {
		return p.errorAt(p.pos, "a name is missing")
	}
	p.add(step{kind: keyStep, key: name}, start)
	return nil
}

// parentheses moves beyond the parenthesis that closes the one at pos.
func (p *parser) parentheses() error {
	open, start := 0, p.pos
	for ; p.pos < p.end; p.pos++ {
		switch p.at(0) {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				p.pos++
				return nil
			}
		}
	}
	return p.errorAt(start, "'(' is not closed")
}

// bracket reads one segment in brackets. It begins at start; pos is at the '['.
func (p *parser) bracket(start int) error {
	open := p.pos
	p.pos++
	p.blanks()
	c := p.at(0)
	switch {
	case c == '\'' || c == '"':
		return p.quotedNames(start, c)
	case c >= '0' && c <= '9' || c == '-' || c == ':':
		return p.indexes(start)
	case c == '*':
		p.refuseInReference(p.pos)
		p.pos++
		if err := p.closeBracket(open); err != nil {
			return err
		}
		p.add(step{kind: wildcardStep}, start)
		return nil
	case c == '?':
		return p.filter(start, open)
	}
	return p.errorAt(p.pos, "expected a name in quotes, an index, a slice, * or ?(…) in the brackets, found %s", p.shown())
}

func (p *parser) closeBracket(open int) error {
	p.blanks()
	if p.pos >= p.end {
		return p.errorAt(open, "'[' is not closed")
	}
	if p.at(0) != ']' {
		return p.errorAt(p.pos, "expected ']', found %s", p.shown())
	}
	p.pos++
	return nil
}

// quotedNames reads 'a' or 'a','b' and the bracket that closes. All names have the same quotes.
func (p *parser) quotedNames(start int, quote byte) error {
	var names []string
	for {
		if p.at(0) != quote {
			return p.errorAt(p.pos, "expected a name in %c quotes, found %s", quote, p.shown())
		}
		from := p.pos + 1
		name, err := p.quoted(quote)
		if err != nil {
			return err
		}
		if quote == '\'' {
			name, _ = unescape(keptQuotes.Replace(p.text[from : p.pos-1]))
		}
		names = append(names, name)
		p.blanks()
		if p.at(0) != ',' {
			break
		}
		p.refuseInReference(p.pos)
		p.pos++
		for p.pos < p.end && strings.IndexByte(" \t\r\n", p.at(0)) >= 0 {
			p.pos++
		}
	}
	if err := p.closeBracket(start); err != nil {
		return err
	}
	if len(names) == 1 {
		p.add(step{kind: keyStep, key: names[0]}, start)
	} else {
		p.add(step{kind: keysStep, more: &selector{keys: names}}, start)
	}
	return nil
}

// quoted reads the text in quotes at pos, and its escapes.
func (p *parser) quoted(quote byte) (string, error) {
	open := p.pos
	p.pos++
	from := p.pos
	for p.pos < p.end && p.at(0) != quote {
		if p.at(0) == '\\' {
			p.pos++
		}
		p.pos++
	}
	if p.pos >= p.end {
		return "", p.errorAt(open, "the quote is not closed")
	}
	raw := p.text[from:p.pos]
	p.pos++
	if strings.IndexByte(raw, '\\') < 0 {
		return raw, nil
	}
	if quote == '\'' {
		raw = keptQuotes.Replace(raw)
	}
	text, bad := unescape(raw)
	if bad >= 0 {
		return "", p.errorAt(from+bad, "\\u needs four hexadecimal digits")
	}
	return text, nil
}

// keptQuotes lets a \" in single quotes keep its backslash, as AWS was recorded doing it
// (escape_sequence_parsing.ESCAPE_SEQUENCES_JSONPATH); Jayway drops it.
var keptQuotes = strings.NewReplacer(`\\`, `\\`, `\"`, `\\\"`)

// controls are the escapes that mean something other than the character itself.
var controls = strings.NewReplacer("b", "\b", "f", "\f", "n", "\n", "r", "\r", "t", "\t")

// unescape resolves \n, \u0041 and the like; before any other character the backslash is dropped.
// bad is the offset of a malformed \u, otherwise -1.
func unescape(raw string) (text string, bad int) {
	var b strings.Builder
	for i := 0; i < len(raw); {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			i++
			continue
		}
		if raw[i+1] != 'u' {
			b.WriteString(controls.Replace(raw[i+1 : i+2]))
			i += 2
			continue
		}
		first, ok := hex4(raw, i+2)
		if !ok {
			return "", i
		}
		size := 6
		if utf16.IsSurrogate(first) && strings.HasPrefix(raw[i+6:], `\u`) {
			if second, ok := hex4(raw, i+8); ok {
				if pair := utf16.DecodeRune(first, second); pair != unicode.ReplacementChar {
					first, size = pair, 12
				}
			}
		}
		b.WriteRune(first)
		i += size
	}
	return b.String(), -1
}

func hex4(s string, at int) (rune, bool) {
	if at+4 > len(s) {
		return 0, false
	}
	n, err := strconv.ParseUint(s[at:at+4], 16, 32)
	return rune(n), err == nil
}

// indexes reads [1], [1,2] or a slice.
func (p *parser) indexes(start int) error {
	from := p.pos
	length := strings.IndexByte(p.text[from:p.end], ']')
	if length < 0 {
		return p.errorAt(start, "'[' is not closed")
	}
	content := strings.TrimRight(p.text[from:from+length], " ")
	if at := strings.IndexFunc(content, func(r rune) bool { return !strings.ContainsRune("0123456789-,: ", r) }); at >= 0 {
		p.pos = from + at
		return p.errorAt(p.pos, "an index or a slice is made of digits, '-', ',' and ':', found %s", p.shown())
	}
	s, err := p.indexStep(content, from)
	if err != nil {
		return err
	}
	p.pos = from + length + 1
	p.add(s, start)
	return nil
}

func (p *parser) indexStep(content string, from int) (step, error) {
	if at := strings.IndexByte(content, ':'); at >= 0 {
		p.refuseInReference(from + at)
		return p.slice(content, from)
	}
	parts := strings.Split(content, ",")
	numbers := make([]int, len(parts))
	for i, part := range parts {
		n, ok := index(strings.Trim(part, " "))
		if !ok {
			return step{}, p.errorAt(from, "%q is not an index", part)
		}
		numbers[i] = n
	}
	if len(numbers) == 1 {
		return step{kind: indexStep, index: numbers[0]}, nil
	}
	p.refuseInReference(from + len(parts[0]))
	return step{kind: indexesStep, more: &selector{indexes: numbers}}, nil
}

// slice reads from:to. The text behind a second colon is ignored, as Jayway does.
func (p *parser) slice(content string, from int) (step, error) {
	parts := strings.Split(content, ":")
	var s selector
	ok := strings.IndexByte(content, ',') < 0 && strings.IndexByte(content, ' ') < 0
	if ok && parts[0] != "" {
		s.from, ok = index(parts[0])
		s.hasFrom = true
	}
	if ok && parts[1] != "" {
		s.to, ok = index(parts[1])
		s.hasTo = true
	}
	if !ok {
		return step{}, p.errorAt(from, "[%s] is not a slice", content)
	}
	if !s.hasFrom && !s.hasTo {
		return step{}, p.errorAt(from, "a slice needs a start or an end: [1:], [:3] or [1:3]; for all items write [*]")
	}
	return step{kind: sliceStep, more: &s}, nil
}

func index(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err == nil
}
