package jsonata

import "strings"

// TokenKind tells the tokens of a text apart.
type TokenKind uint8

// The kinds of tokens. A FunctionToken is a name or variable before an opening parenthesis; a WordToken is one of the
// words and, or, in, true, false, null, function.
const (
	NameToken TokenKind = iota
	VariableToken
	FunctionToken
	StringToken
	NumberToken
	OperatorToken
	WordToken
	RegexToken
)

var tokenKinds = [...]string{"property", "variable", "function", "string", "number", "operator", "keyword", "regexp"}

// String returns the kind as language servers name it.
func (k TokenKind) String() string { return tokenKinds[k] }

// Token is a token of a text, in bytes of it.
type Token struct {
	Kind       TokenKind
	Start, End int
}

// Tokens returns the tokens of an expression, or of a call of an intrinsic function or a path, which have the same
// ones, as far as they can be read. Brackets, commas and the like are left out.
func Tokens(text string) (list []Token) {
	l, infix := lexer{text: text}, false
	for l.skip() == nil && l.at < len(text) {
		if c := text[l.at]; c == '"' || c == '\'' { // an escape that is wrong does not end it
			end := quotedEnd(text, l.at)
			list, l.at, infix = append(list, Token{StringToken, l.at, end}), end, true
			continue
		}
		t, err := l.next(infix)
		if err != nil || t.end <= t.start {
			break
		}
		one := Token{OperatorToken, t.start, t.end}
		infix = t.kind != operatorToken || t.text == ")" || t.text == "]" || t.text == "}"
		switch t.kind {
		case operatorToken:
			switch {
			case t.text[0] >= 'a' && t.text[0] <= 'z': // a word
				one.Kind = WordToken
			case strings.Contains("()[]{},.;:", t.text):
				continue
			}
		case nameToken, variableToken:
			one.Kind = NameToken
			if t.kind == variableToken {
				one.Kind = VariableToken
			}
			switch called := strings.HasPrefix(strings.TrimLeft(text[t.end:], whiteSpace), "("); {
			case called && (t.text == "function" || t.text == "λ") && one.Kind == NameToken:
				one.Kind = WordToken
			case called:
				one.Kind = FunctionToken
				one.Start, list = qualified(text, one, list)
			}
		case valueToken:
			one.Kind = WordToken
		case numberToken:
			one.Kind = NumberToken
		case regexToken:
			one.Kind = RegexToken
		case endToken, stringToken:
		}
		list = append(list, one)
	}
	return list
}

// quotedEnd returns the end of a text in quotes.
func quotedEnd(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[start]:
			return i + 1
		}
	}
	return len(text)
}

// qualified returns the beginning of the name of a function and the tokens before it: States.Format is one name.
func qualified(text string, name Token, before []Token) (int, []Token) {
	if n := len(before); n > 0 && text[before[n-1].Start:name.Start] == "States." {
		return before[n-1].Start, before[:n-1]
	}
	return name.Start, before
}
