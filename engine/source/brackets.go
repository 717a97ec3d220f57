package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/value"
)

// bracket is an opening bracket of a text.
type bracket struct {
	char   byte
	offset int
	key    string // of the member whose value it begins, in quotes; "" of an item or the whole text
	// indent is the indentation of its line in bytes.
	indent int
}

// closer returns the bracket that closes it.
func (b *bracket) closer() byte {
	if b.char == '[' {
		return ']'
	}
	return '}'
}

// String names the bracket: `the [ of "Choices"`.
func (b *bracket) String() string {
	text := "the " + string(b.char)
	if b.key != "" {
		text += " of " + b.key
	}
	return text
}

// odd is a pair of brackets in lines that are indented differently: one that is missing is probably inside of it.
type odd struct {
	open bracket
	end  int
}

// brackets scans JSON up to an offset, and returns the brackets that are open there, and the innermost pair in lines that are
// indented differently, or nil.
func brackets(text []byte, end int) (open []bracket, unlike *odd) {
	key, indent, blank := "", 0, true
	for i := 0; i < min(end, len(text)); i++ {
		c := text[i]
		switch c {
		case '\n':
			indent, blank = 0, true
			continue
		case ' ', '\t', '\r':
			if blank {
				indent++
			}
			continue
		case '"':
			from := i
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			key = string(text[from:min(i+1, len(text))])
		case '[', '{':
			open = append(open, bracket{c, i, key, indent})
			key = ""
		case ']', '}':
			key = ""
			if len(open) == 0 || open[len(open)-1].closer() != c {
				break
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if unlike == nil && blank && last.indent != indent && bytes.IndexByte(text[last.offset:i], '\n') >= 0 {
				unlike = &odd{last, i}
			}
		case ',':
			key = ""
		}
		blank = false
	}
	return open, unlike
}

// explainJSON puts the problem of a text that isn't JSON into words about the text: what was expected and found, the
// bracket that is open at its place, and what to do.
func explainJSON(d *Diagnostic, text []byte, base int) {
	at := d.Span.Start.Offset - base
	x := &explanation{Diagnostic: d, text: text, base: base, at: at}
	x.open, x.unlike = brackets(text, at)
	message := strings.TrimPrefix(d.Message, notJSON)
	switch {
	case at >= len(text):
		x.ended()
	case strings.HasPrefix(message, "a comma before"):
		d.Suggestion = "remove the comma"
	case text[at] == ']' || text[at] == '}':
		x.closed()
	case strings.Contains(message, "(expecting ',' or '"):
		x.separated()
	case strings.Contains(message, "expecting ':'"):
		x.say(":", "after the key", "write a colon between the key and its value")
	case strings.Contains(message, "in string"):
		x.inText(message)
	case text[at] == '\'':
		x.say("a double quotation mark", "", `JSON has " for texts and keys`)
	case text[at] == '/' || text[at] == '#':
		d.Message, d.Suggestion = notJSON+"it has no comments", `remove it, or write a "Comment"`
	case constants[x.word()] != "" && !x.inKey():
		x.Expected, x.Found = "a value", x.word()
		x.Message, x.Suggestion = notJSON+"expected a value, found "+x.Found, "write "+constants[x.Found]
	case strings.Contains(message, "at start of value") && x.inKey():
		x.say("a key in double quotes", "", `write the key in "..."`)
	case strings.Contains(message, "at start of value"), strings.Contains(message, "in literal"):
		x.say("a value", "", `a text is written in "..."`)
	}
}

// explanation is a Diagnostic that is being put into words.
type explanation struct {
	*Diagnostic
	text     []byte
	base, at int
	open     []bracket
	unlike   *odd
}

// found returns the character at the place of the problem.
func (x *explanation) found() string {
	r, _ := utf8.DecodeRune(x.text[x.at:])
	return string(r)
}

// constants are the words of other languages for JSON's. The table is never changed.
var constants = map[string]string{
	"True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
	"None": "null", "Null": "null", "NULL": "null", "nil": "null", "undefined": "null",
}

// word returns the letters at the place of the problem.
func (x *explanation) word() string {
	rest := x.text[x.at:]
	return string(rest[:len(rest)-len(bytes.TrimLeftFunc(rest, unicode.IsLetter))])
}

// say makes the message of what is expected and found.
func (x *explanation) say(expected, where, suggestion string) {
	x.Expected, x.Found = expected, x.found()
	x.Message = notJSON + "expected " + expected
	if where != "" {
		x.Message += " " + where
	}
	x.Message += ", found " + x.Found
	x.Suggestion = suggestion
}

// unexpectedEnd begins the message about a text that ends within its value.
const unexpectedEnd = "unexpected end of file: "

// ended explains a text that ends inside of the value.
func (x *explanation) ended() {
	if quote := OpenQuote(x.text); quote >= 0 {
		x.Message = unexpectedEnd + "a string is never closed"
		x.reason("the string begins here", quote)
		x.Suggestion = "add the closing quotation mark"
		return
	}
	if len(x.open) == 0 {
		return
	}
	last := x.open[len(x.open)-1]
	x.Message = unexpectedEnd + last.String() + " is never closed"
	x.Expected, x.Found = string(last.closer()), "the end of the text"
	x.bracket()
	if x.unlike == nil {
		x.Suggestion = "add " + string(last.closer())
	}
}

// closed explains a closing bracket that closes none.
func (x *explanation) closed() {
	if len(x.open) == 0 {
		x.Message = fmt.Sprintf("%sfound %c, and no bracket is open that it closes", notJSON, x.text[x.at])
		x.Suggestion = "remove it"
		return
	}
	last := x.open[len(x.open)-1]
	if last.closer() == x.text[x.at] {
		x.say("a value", "", "write a value before it")
		return
	}
	x.Message = fmt.Sprintf("%sexpected %c, found %c: %s is open", notJSON, last.closer(), x.text[x.at], last.String())
	x.Expected, x.Found = string(last.closer()), x.found()
	x.bracket()
	x.Suggestion = "add " + string(last.closer()) + " before it"
}

// separated explains a character where a comma or a closing bracket belongs.
func (x *explanation) separated() {
	if len(x.open) == 0 {
		return
	}
	last := x.open[len(x.open)-1]
	suggestion := "add a comma before it, or close the bracket with " + string(last.closer())
	if c := x.text[x.at]; c == ':' && last.char == '[' {
		suggestion = "an array has no keys: close it with ] before the key"
	} else if c >= '0' && c <= '9' {
		suggestion = "a number does not begin with 0, unless it is 0 or has a decimal point behind it"
	}
	x.say(", or "+string(last.closer()), "", suggestion)
	x.bracket()
}

// inText explains a character that a string cannot have.
func (x *explanation) inText(message string) {
	switch {
	case x.text[x.at] == '\n' || x.text[x.at] == '\r':
		x.Message, x.Suggestion = notJSON+"the line ends inside of a string", `add the closing quotation mark; a line break in a string is written \n`
	case x.text[x.at] < ' ':
		x.Message, x.Suggestion = notJSON+"found a control character in a string", fmt.Sprintf(`write \u%04X`, x.text[x.at])
	case strings.Contains(message, "escape"):
		x.Suggestion = `a backslash is written \\`
	}
}

// inKey reports whether a key of an object belongs to the place.
func (x *explanation) inKey() bool {
	before := bytes.TrimRight(x.text[:x.at], " \t\r\n")
	return len(x.open) > 0 && x.open[len(x.open)-1].char == '{' && len(before) > 0 && before[len(before)-1] != ':'
}

// bracket adds where the bracket was opened, and a pair of brackets that one is probably missing inside of.
func (x *explanation) bracket() {
	last := x.open[len(x.open)-1]
	x.reason(last.String()+" is open here", last.offset)
	if x.unlike != nil {
		line, _ := value.LineCol(x.text, int64(x.unlike.end))
		x.reason(fmt.Sprintf("%s is closed in line %d, which is indented differently: is a %c missing before it?", x.unlike.open.String(), line, x.unlike.open.closer()), x.unlike.open.offset)
	}
}

// reason adds a reason with its place, a character.
func (x *explanation) reason(text string, offset int) {
	line, col := value.LineCol(x.text, int64(offset))
	start := Position{Offset: offset + x.base, Line: line, Col: col}
	end := Position{Offset: start.Offset + 1, Line: line, Col: col + 1}
	x.Reasons = append(x.Reasons, Reason{Text: text, Span: Span{Start: start, End: end}})
}

// OpenQuote returns the offset of the quotation mark that begins the string in which a text ends, or -1.
func OpenQuote[T string | []byte](text T) int {
	open := -1
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && open >= 0:
			i++
		case text[i] == '"' && open >= 0:
			open = -1
		case text[i] == '"':
			open = i
		}
	}
	return open
}

// Unclosed returns the ends of the brackets that are open at the end of a text, but for those between quotes.
func Unclosed(text, quotes string) string {
	var ends []byte
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case strings.IndexByte(quotes, c) >= 0:
			quote = c
		case c == '{' || c == '[':
			ends = append(ends, c+2) // the end of each is two characters behind it
		case c == '(':
			ends = append(ends, ')')
		case len(ends) > 0 && c == ends[len(ends)-1]:
			ends = ends[:len(ends)-1]
		}
	}
	slices.Reverse(ends)
	return string(ends)
}
