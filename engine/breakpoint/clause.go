package breakpoint

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"asldb/engine/console"
)

// timeForm is the form of an instant: RFC 3339.
const timeForm = time.RFC3339Nano

// maxAfter bounds the time of "at +T", so that the sum with the start is an instant: a century.
const maxAfter = 100 * 365 * 24 * time.Hour

// lastClause returns where the last clause before a place begins, which is at the blank before its word; -1 where
// there is none.
func lastClause(spec string, before int) int {
	last := -1
	for _, word := range []string{ifWord, hitsWord, onceWord, logWord} {
		for end := before; end > 0; {
			at := strings.LastIndex(spec[:end], " "+word)
			if at < 0 {
				break
			}
			if rest := spec[at+1+len(word):]; (rest == "" || rest[0] == ' ') && at < before {
				last = max(last, at)
				break
			}
			end = at + len(word)
		}
	}
	return last
}

// readEvent reads a kind of event with its further words, or change with its expression. Both results are nil for
// other texts.
func readEvent(spec, text string) (*Breakpoint, error) {
	if word, expression, _ := strings.Cut(text, " "); strings.EqualFold(word, changeWord) {
		return readChange(spec, strings.TrimSpace(expression))
	}
	for _, w := range eventWords {
		if len(text) < len(w.word) || !strings.EqualFold(text[:len(w.word)], w.word) {
			continue
		}
		names := text[len(w.word):]
		if names == "" {
			return &Breakpoint{Kind: w.kind}, nil
		}
		if names[0] != ' ' {
			continue
		}
		if !w.named {
			return nil, &SpecError{Spec: spec, Msg: fmt.Sprintf("has %q after %s, where nothing but if, hits, once or log may stand", strings.TrimSpace(names), w.word)}
		}
		pattern, err := readName(spec, strings.TrimSpace(names))
		if err != nil {
			return nil, err
		}
		return &Breakpoint{Kind: w.kind, Names: pattern}, nil
	}
	return nil, nil
}

func readChange(spec, expression string) (*Breakpoint, error) {
	if expression == "" {
		return nil, &SpecError{Spec: spec, Msg: "lacks what to watch after change, such as $.order.total"}
	}
	compiled, err := console.Compile(expression)
	if err != nil {
		return nil, &SpecError{Spec: spec, Msg: "watches an expression that cannot be read: " + err.Error(), Err: err}
	}
	return &Breakpoint{Kind: OnChange, Watched: expression, watched: compiled}, nil
}

// readName reads a pattern for Error Names: one word, or any text in quotes.
func readName(spec, text string) (string, error) {
	if strings.HasPrefix(text, `"`) {
		name, err := strconv.Unquote(text)
		if err != nil || name == "" {
			return "", &SpecError{Spec: spec, Msg: "has an Error Name in quotes that cannot be read: " + text}
		}
		return name, nil
	}
	if strings.ContainsAny(text, " \t") {
		return "", &SpecError{Spec: spec, Msg: fmt.Sprintf("has an Error Name of several words: write it in quotes, %q", text)}
	}
	if isClauseWord(text) {
		return "", &SpecError{Spec: spec, Msg: fmt.Sprintf("has %q in the place of an Error Name: write it in quotes if that is the name", text)}
	}
	return text, nil
}

func isClauseWord(word string) bool {
	switch word {
	case ifWord, hitsWord, onceWord, logWord:
		return true
	}
	return false
}

// quotedName writes an Error Name's pattern so that readName reads it.
func quotedName(name string) string {
	if plain := strconv.Quote(name); len(plain) != len(name)+2 || strings.ContainsAny(name, " \t") || isClauseWord(name) {
		return plain
	}
	return name
}

// readTime reads "at +5m" and "at 2026-01-01T09:05:00Z". Both results are nil for other texts.
func readTime(spec, text string) (*Breakpoint, error) {
	word, at, _ := strings.Cut(text, " ")
	if !strings.EqualFold(word, atWord) {
		return nil, nil
	}
	at = strings.TrimSpace(at)
	if after, ok := strings.CutPrefix(at, "+"); ok {
		if d, err := time.ParseDuration(after); err == nil && d >= 0 && d <= maxAfter {
			return &Breakpoint{Kind: OnTime, After: d}, nil
		}
	} else if instant, err := time.Parse(timeForm, at); err == nil && !instant.IsZero() {
		return &Breakpoint{Kind: OnTime, At: instant.UTC()}, nil
	}
	return nil, &SpecError{Spec: spec, Msg: fmt.Sprintf("has a time that cannot be read, %q: expected +5m or +1h30m after the start, or an instant such as 2026-01-01T09:05:00Z", at)}
}

// readClauses reads the clauses of a spec; rest begins with the blank before the first.
func (b *Breakpoint) readClauses(spec, rest string) error {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return nil
	}
	word, rest, _ := strings.Cut(rest, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case onceWord:
		b.Once = true
		return b.readClauses(spec, rest)
	case hitsWord:
		count, length, err := readHitCount(rest)
		if err != nil {
			return &SpecError{Spec: spec, Msg: err.Error()}
		}
		b.HitCount = count
		return b.readClauses(spec, rest[length:])
	case ifWord:
		return b.readCondition(spec, rest)
	case logWord:
		return b.readMessage(spec, rest)
	}
	return &SpecError{Spec: spec, Msg: fmt.Sprintf("has %q where if, hits, once or log may stand", word)}
}

// readCondition reads a condition, and the clauses behind it. It may have the words of clauses in a string, so the
// longest text that is an expression is the condition.
func (b *Breakpoint) readCondition(spec, text string) error {
	var fault error
	for end := len(text); end >= 0; end = lastClause(text, end) {
		condition := strings.TrimSpace(text[:end])
		if condition == "" {
			break
		}
		compiled, err := console.Compile(condition)
		if err != nil {
			// The fault of the shortest text is about the condition alone.
			fault = &SpecError{Spec: spec, Msg: "has a condition that cannot be read: " + err.Error(), Err: err}
			continue
		}
		b.Condition, b.condition = condition, compiled
		return b.readClauses(spec, text[end:])
	}
	if fault == nil {
		fault = &SpecError{Spec: spec, Msg: "lacks the condition after if, such as $.total > 100"}
	}
	return fault
}

// readMessage reads the message of a logpoint: all the rest, or a text in quotes.
func (b *Breakpoint) readMessage(spec, text string) error {
	if message, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		text = message
	}
	if strings.TrimSpace(text) == "" {
		return &SpecError{Spec: spec, Msg: "lacks the message after log, such as total is {$.total}"}
	}
	parts, err := readTemplate(text)
	if err != nil {
		return &SpecError{Spec: spec, Msg: err.Error(), Err: err}
	}
	b.Message, b.message = text, parts
	return nil
}

// quotedMessage writes a message so that readMessage reads it.
func quotedMessage(message string) string {
	if strings.HasPrefix(message, `"`) || message != strings.TrimSpace(message) || strings.ContainsFunc(message, isControl) {
		return strconv.Quote(message)
	}
	return message
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
