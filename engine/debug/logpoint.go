package debug

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// Message is what a logpoint wrote.
type Message struct {
	// Event is the event's place in the log, from 0, Breakpoint the logpoint's number.
	Event, Breakpoint int
	Text              string
}

// The bounds of what is kept.
const (
	maxMessages = 10_000
	// shownValue is how much of a value stands in a message, in characters.
	shownValue = 200
)

// messageText is a logpoint's message, taken apart: texts and expressions.
type messageText []templatePart

type templatePart struct {
	text string
	expr *expr.Expression // nil: the text itself
}

// readTemplate takes a message apart. Expressions stand in braces; {{ and }} are braces themselves. The error is for
// people.
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

// bracedExpression reads the expression in braces that text begins with. Expressions may have braces of their own, so
// the first } up to which there is an expression closes it.
func bracedExpression(text string) (compiled *expr.Expression, length int, err error) {
	var fault error
	for end := 1; ; end++ {
		at := strings.IndexByte(text[end:], '}')
		if at < 0 {
			break
		}
		end += at
		compiled, err := expr.Compile(text[1:end])
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

// fill writes the message over what an expression sees. A string is written as it is, other values as JSON; what
// cannot be had is said in brackets.
func (t messageText) fill(env *expr.Env) (text string, err error) {
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

func (s *Session) keepMessage(b *Breakpoint, event *engine.Event) {
	i := int(event.Seq) - 1
	text, err := b.message.fill(s.envAt(i))
	b.Fault = err
	if len(s.messages) == maxMessages {
		s.messages = append(s.messages[:0:0], s.messages[maxMessages/2:]...)
	}
	at := len(s.messages) // logpoints that count afterwards come in between
	for at > 0 && (s.messages[at-1].Event > i || s.messages[at-1].Event == i && s.messages[at-1].Breakpoint > b.ID) {
		at--
	}
	s.messages = slices.Insert(s.messages, at, Message{Event: i, Breakpoint: b.ID, Text: text})
}

// Messages returns what the logpoints wrote, the oldest first; of very many only the newest.
func (s *Session) Messages() []Message { return s.messages }

// forgetMessages drops the messages of event n and later ones.
func (s *Session) forgetMessages(n int) {
	for len(s.messages) > 0 && s.messages[len(s.messages)-1].Event >= n {
		s.messages = s.messages[:len(s.messages)-1]
	}
}
