package source

import (
	"strings"

	"github.com/goccy/go-yaml/token"
)

// yamlSyntax returns the problem of a text that the library cannot read, in words about the text. at is the token that the library
// names.
func (r *yamlReader) yamlSyntax(tokens token.Tokens, at *token.Token, message string) *yamlError {
	e := &yamlError{rule: RuleMalformedYAML, span: r.places.token(at), message: message}
	if at == nil {
		return e
	}
	found := strings.TrimSpace(at.Value)
	if at.Type == token.DoubleQuoteType || at.Type == token.SingleQuoteType {
		found = at.Origin
	}
	found = strings.TrimSpace(found)
	line := r.lineOf(at)
	switch {
	case strings.HasSuffix(message, "must be specified"): // ',' or ']'
		open := r.open(tokens, at)
		e.message = "expected , or " + strings.Trim(message[len("',' or "):][:3], "'") + ", found " + found
		if open == nil {
			return e
		}
		e.reasons = []Reason{{Text: open.String() + " is open here", Span: r.places.token(open.token)}}
		e.suggestion = "close it with " + string(open.closer()) + ", or add a comma"
	case strings.Contains(message, "end token"): // the place is the opening bracket's
		b := flowBracket(at)
		e.message = b.String() + " is never closed"
		e.suggestion = "add " + string(b.closer())
	case strings.Contains(message, "character corresponding to"), message == notAllowed && (found == "}" || found == "]"):
		e.message = "found " + found + ", and no bracket is open that it closes"
		e.suggestion = "remove it, or add the opening bracket"
	case message == notAllowed:
		e.message = "this line is indented less than the ones before it, and like none above"
		e.suggestion = "indent it as the other keys of the same object"
	case strings.HasPrefix(message, "mapping value is not allowed") && strings.Count(line, ": ") > 1:
		e.message = "found a second \": \" in the line: a value cannot hold one without quotes"
		e.suggestion = "put the value in quotes"
	case strings.HasPrefix(message, "mapping value is not allowed"):
		e.message = "this key has a value, and the next line is indented deeper"
		e.suggestion = "indent the next line as this one, or remove the value"
	case message == "non-map value is specified" && strings.HasPrefix(found, "-"):
		e.message = "expected KEY: VALUE, found an item of a list (- ...)"
		e.suggestion = "an object has no items: remove the dash, or indent the item below its key"
	case message == "non-map value is specified", strings.HasPrefix(message, "unexpected key name"):
		e.message = "expected KEY: VALUE, found " + found + " without a colon"
		e.suggestion = "write a colon and a blank behind the key"
	case strings.HasPrefix(message, "found character '\t'"):
		e.message = "expected blanks, found a tab: YAML is not indented with tabs"
		e.suggestion = "put blanks in place of the tab"
	case strings.HasPrefix(message, "could not find end character of"):
		e.message = "the text in quotes that begins here is not closed"
		e.suggestion = "add the closing quotation mark"
	case strings.HasSuffix(message, "is a reserved character"):
		e.message = "a value cannot begin with " + strings.Trim(strings.TrimSuffix(message, " is a reserved character"), "'")
		e.suggestion = "put the value in quotes"
	case message == "found an invalid key for this map":
		e.message, e.suggestion = keyNoText, keyAdvice
	case strings.HasPrefix(message, "map key definition includes"):
		e.message = "expected a colon in the line of this key, as a key of a list must have it"
		e.suggestion = "write the colon behind the key, in the same line"
	case message == "could not find flow map content", strings.HasPrefix(message, "expected sequence element"):
		e.message = "expected a value, found a second comma"
		e.suggestion = "remove one of them"
	}
	return e
}

// notAllowed is the library's message for several problems.
const notAllowed = "value is not allowed in this context"

// lineOf returns the line of a token.
func (r *yamlReader) lineOf(t *token.Token) string {
	if t.Position == nil {
		return ""
	}
	at := r.places.position(t.Position.Line, 1).Offset
	line, _, _ := strings.Cut(string(r.places.data[at:]), "\n")
	return line
}

// flow is a bracket of a flow collection.
type flow struct {
	bracket
	token *token.Token
}

// flowBracket returns the bracket at a token, with the key before it.
func flowBracket(t *token.Token) *flow {
	b := &flow{token: t}
	if b.char = '{'; t.Type == token.SequenceStartType {
		b.char = '['
	}
	if colon := t.Prev; colon != nil && colon.Type == token.MappingValueType && colon.Prev != nil {
		b.key = `"` + strings.TrimSpace(colon.Prev.Value) + `"`
	}
	return b
}

// open returns the innermost bracket that is open before a token, or nil.
func (r *yamlReader) open(tokens token.Tokens, at *token.Token) *flow {
	var list []*flow
	for _, t := range tokens {
		if t.Position != nil && at.Position != nil && t.Position.Offset >= at.Position.Offset {
			break
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			list = append(list, flowBracket(t))
		case token.SequenceEndType, token.MappingEndType:
			if len(list) > 0 {
				list = list[:len(list)-1]
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}
