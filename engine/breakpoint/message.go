package breakpoint

import (
	"fmt"
	"strings"

	"asldb/engine/console"
	"asldb/engine/value"
)

// Message is a message of a logpoint.
type Message struct {
	// Event is the index of the event in the log, from 0; Breakpoint is the logpoint's number.
	Event, Breakpoint int
	Text              string
}

// shownValue is the most characters of a value in a message.
const shownValue = 200

// messageText is a logpoint's message, taken apart: texts and expressions.
type messageText []templatePart

type templatePart struct {
	text string
	expr *console.Expression // nil: the text itself
}

// readTemplate takes a message apart. Expressions are in braces; {{ and }} are braces themselves. The error continues a
// sentence that begins with the spec.
func readTemplate(message string) (messageText, error) {
	var parts messageText
	var text strings.Builder
	for i := 0; i < len(message); {
		rest := message[i:]
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			text.WriteByte(rest[0])
			i += 2
		case rest[0] == '}':
			return nil, fmt.Errorf("has a message with a } that closes nothing: write }} for the brace itself")
		case rest[0] == '{':
			compiled, length, err := bracedExpression(rest)
			if err != nil {
				return nil, err
			}
			parts = append(parts, templatePart{text: text.String()}, templatePart{expr: compiled})
			text.Reset()
			i += length
		default:
			text.WriteByte(rest[0])
			i++
		}
	}
	return append(parts, templatePart{text: text.String()}), nil
}

// bracedExpression reads the expression in braces that text begins with. Expressions may have their own braces, so
// the first } up to which there is an expression closes it.
func bracedExpression(text string) (compiled *console.Expression, length int, err error) {
	var fault error
	for end := 1; ; end++ {
		at := strings.IndexByte(text[end:], '}')
		if at < 0 {
			break
		}
		end += at
		compiled, err := console.Compile(text[1:end])
		if err == nil {
			return compiled, end + 1, nil
		}
		if fault == nil {
			fault = fmt.Errorf("has a message with an expression %q that cannot be read: %w", text[1:end], err)
		}
	}
	if fault == nil {
		fault = fmt.Errorf("has a message with a { that is not closed: write {{ for the brace itself")
	}
	return nil, 0, fault
}

// fill writes the message over the data of an event. A string is written as it is, other values as JSON; an
// error is written in brackets.
func (t messageText) fill(env *console.Env) (text string, err error) {
	var b strings.Builder
	for _, part := range t {
		if part.expr == nil {
			b.WriteString(part.text)
			continue
		}
		v, fault := part.expr.Look(env)
		switch text, isText := v.(value.String); {
		case fault != nil:
			err = fault
			b.WriteString("[" + fault.Error() + "]")
		case isText:
			b.WriteString(shorten(string(text)))
		default:
			b.WriteString(value.Preview(v, shownValue))
		}
	}
	return b.String(), err
}

func shorten(text string) string {
	if len(text) <= shownValue {
		return text
	}
	if runes := []rune(text); len(runes) > shownValue {
		return string(runes[:shownValue-1]) + "…"
	}
	return text
}
