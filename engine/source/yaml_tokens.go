package source

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// The library does not read three forms that YAML 1.2 has in flow collections: a plain scalar that continues in the
// next line (section 7.3.3), and a value right behind the colon of a key in quotes in a sequence, ["a":1] (section
// 7.4.2), and the colon of an object's key in a later line (section 7.4.2). Their tokens are mended
// before it reads them.

// Inside of an object the library also takes each colon for the one between a key and its value. In YAML 1.2 a colon is that only where a
// blank, a line break, a bracket or a comma follows, or behind a key in quotes (sections 7.3.3 and 7.4.2): {Fn::Sub: a} has one key, and
// [arn:aws:x] one text. The colons of texts are hidden from the library while it looks for tokens.

// tokenize returns the tokens of a text.
func tokenize(text string) token.Tokens {
	stand := standIn(text)
	hidden := []byte(text)
	var before byte // the last character that is not blank
	found := false
	for i := range hidden {
		c := hidden[i]
		switch {
		case strings.IndexByte(" \t\n", c) >= 0:
			continue
		case c == ':' && i+1 < len(hidden) && strings.IndexByte(" \t\n,[]{}", hidden[i+1]) < 0 && strings.IndexByte("\"']}", before) < 0:
			hidden[i], found = stand, true
		}
		before = c
	}
	tokens := lexer.Tokenize(string(hidden))
	if !found || stand == ':' {
		return tokens
	}
	shown := strings.NewReplacer(string(rune(stand)), ":")
	for _, t := range tokens {
		t.Value, t.Origin, t.Error = shown.Replace(t.Value), shown.Replace(t.Origin), shown.Replace(t.Error)
	}
	return tokens
}

// standIn returns the character in the place of hidden colons: a control character, which a YAML text has only as an escape, and this text not
// even so. A text with the escapes of all that are tried gets the colon itself: its colons are not hidden.
func standIn(text string) byte {
	for c := byte(1); c <= 6; c++ {
		if !strings.Contains(text, fmt.Sprintf(`\x%02d`, c)) && !strings.Contains(text, fmt.Sprintf(`\u%04d`, c)) &&
			!strings.Contains(text, fmt.Sprintf(`\U%08d`, c)) {
			return c
		}
	}
	return ':'
}

// flowTokens returns the tokens of a text with those forms as the library reads them.
func flowTokens(tokens token.Tokens) token.Tokens {
	var mended token.Tokens
	var open []token.Type // the brackets
	changed := false
	for i, t := range tokens {
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			open = append(open, t.Type)
		case token.MappingEndType, token.SequenceEndType:
			open = open[:max(0, len(open)-1)]
		}
		var before *token.Token
		if len(mended) > 0 {
			before = mended[len(mended)-1]
		}
		switch {
		case len(open) == 0 || before == nil:
		case isPlain(t) && isPlain(before) && t.Position.Line > before.Position.Line && !isKey(tokens, i):
			mended[len(mended)-1] = joinTokens(before, t)
			changed = true
			continue
		case isPlain(t) && strings.HasPrefix(t.Value, ":") && isQuoted(before) && isBehind(tokens[i-1], t):
			mended = append(mended, split(t)...)
			changed = true
			continue
		}
		if t.Type == token.MappingValueType && len(open) > 0 && open[len(open)-1] == token.MappingStartType &&
			isKeyOf(mended) &&
			lastLine(before) < t.Position.Line {
			t, changed = token.MappingValue(raised(t.Position, lastLine(before))), true
		}
		mended = append(mended, t)
	}
	if !changed {
		return tokens
	}
	linked(mended)
	return mended
}

// strayColon returns the first text without quotes in a flow collection that has a colon before a blank or at its end, where a comma
// or quotes are missing; the library takes it as part of the text.
func strayColon(tokens token.Tokens) *token.Token {
	open := 0
	for _, t := range tokens {
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			open++
		case token.MappingEndType, token.SequenceEndType:
			open--
		case token.StringType:
			isKey := t.Next != nil && t.Next.Type == token.MappingValueType
			if open > 0 && (strings.Contains(t.Value, ": ") || strings.HasSuffix(t.Value, ":") && !isKey) {
				return t
			}
		}
	}
	return nil
}

// bracketIn returns the problem of the first text without quotes in a flow collection that has a bracket right behind it, as
// {Fulfil/Branches[1]: ...}: a bracket ends a text there, and the library reports a place further on, or another problem.
func (r *yamlReader) bracketIn(tokens token.Tokens) error {
	open := 0
	for _, t := range tokens {
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			before := r.places.token(t.Prev)
			if open > 0 && t.Prev != nil && isPlain(t.Prev) && before.End.Offset == r.places.token(t).Start.Offset {
				rest, _, _ := strings.Cut(string(r.places.data[before.Start.Offset:]), "\n")
				word, noun := rest, "text"
				if end := strings.IndexAny(rest, " \t,"); end >= 0 {
					word = rest[:end]
				}
				if trimmed, is := strings.CutSuffix(word, ":"); is {
					word, noun = trimmed, "key"
				}
				for _, pair := range []string{"[]", "{}", "[]"} { // what closes a bracket outside of the word
					for strings.HasSuffix(word, pair[1:]) && strings.Count(word, pair[1:]) > strings.Count(word, pair[:1]) {
						word = word[:len(word)-1]
					}
				}
				return &yamlError{
					rule: RuleMalformedYAML, span: before,
					message:    "a " + noun + " without quotes cannot hold " + t.Value + " between brackets",
					suggestion: "quote the " + noun + ": \"" + word + "\"",
				}
			}
			open++
		case token.MappingEndType, token.SequenceEndType:
			open--
		default:
		}
	}
	return nil
}

// isKeyOf reports whether the last token is a plain scalar in the place of an object's key.
func isKeyOf(tokens token.Tokens) bool {
	n := len(tokens)
	if n < 2 || !isPlain(tokens[n-1]) {
		return false
	}
	switch tokens[n-2].Type {
	case token.MappingStartType, token.CollectEntryType:
		return true
	}
	return false
}

// lastLine returns the line in which a scalar ends.
func lastLine(t *token.Token) int {
	return t.Position.Line + strings.Count(strings.TrimSpace(t.Origin), "\n")
}

// raised returns a position in another line.
func raised(at *token.Position, line int) *token.Position {
	p := *at
	p.Line = line
	return &p
}

// linked sets the neighbours of tokens.
func linked(tokens token.Tokens) {
	for i, t := range tokens {
		t.Prev, t.Next = nil, nil
		if i > 0 {
			t.Prev, tokens[i-1].Next = tokens[i-1], t
		}
	}
}

// isPlain reports whether a token is a plain scalar.
func isPlain(t *token.Token) bool {
	switch t.Type {
	case token.StringType,
		token.IntegerType,
		token.FloatType,
		token.BoolType,
		token.NullType,
		token.InfinityType,
		token.NanType,
		token.BinaryIntegerType,
		token.OctetIntegerType,
		token.HexIntegerType:
		return t.Value != "" // an empty one is a value that is left out
	}
	return false
}

// isKey reports whether the token of an index is a key: where one follows a scalar in the line before, a bracket or a comma is missing.
func isKey(tokens token.Tokens, i int) bool {
	return i+1 < len(tokens) && tokens[i+1].Type == token.MappingValueType
}

func isQuoted(t *token.Token) bool {
	return t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType
}

// isBehind reports whether a token begins right behind a quoted one in the same line.
func isBehind(quoted, t *token.Token) bool {
	text := strings.TrimSpace(quoted.Origin)
	return t.Position.Line == quoted.Position.Line && t.Position.Column == quoted.Position.Column+len([]rune(text))
}

// joinTokens returns the plain scalar that continues with another token in a later line. Its lines are joined by
// blanks, and by a line feed for each empty line between.
func joinTokens(first, more *token.Token) *token.Token {
	between := strings.Count(first.Origin[len(strings.TrimRight(first.Origin, " \t\n")):], "\n") +
		strings.Count(more.Origin[:len(more.Origin)-len(strings.TrimLeft(more.Origin, " \t\n"))], "\n")
	by := " "
	if between > 1 {
		by = strings.Repeat("\n", between-1)
	}
	return token.New(first.Value+by+strings.TrimSpace(more.Value), first.Origin+more.Origin, first.Position)
}

// split returns the colon and the value of a token such as ":1".
func split(t *token.Token) token.Tokens {
	colon := token.MappingValue(t.Position)
	tokens := token.Tokens{colon}
	for _, rest := range tokenize(t.Value[1:]) {
		rest.Position.Line, rest.Position.Column = t.Position.Line, t.Position.Column+rest.Position.Column
		tokens = append(tokens, rest)
	}
	return tokens
}
