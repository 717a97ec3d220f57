package breakpoint

import (
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
)

// Matches reports whether a pattern names the state of a visit. A pattern is a state's name or its
// path ("Order/Branches[1]/Charge"); in it * means any characters but /, ** any at all, and [*] every branch or
// iteration. A name alone matches the state wherever it is.
func Matches(pattern string, visit *engine.Visit) bool {
	name := visit.State.Name
	if pattern == name || (!strings.Contains(pattern, "/") && wildcard(pattern, name)) {
		return true
	}
	return strings.ContainsAny(pattern, "/*") && wildcard(pattern, visit.Path())
}

// MatchesState reports whether a pattern can name a state of the definition: some visit of it, in
// whichever iteration.
func MatchesState(pattern string, state *asl.State) bool {
	if pattern == state.Name || (!strings.Contains(pattern, "/") && wildcard(pattern, state.Name)) {
		return true
	}
	return strings.ContainsAny(pattern, "/*") && wildcard(anyIteration(pattern), state.Path())
}

// anyIteration turns the numbers of iterations in a path into [*], as definitions have them.
func anyIteration(pattern string) string {
	const mark = "/Iterations["
	rest, found := pattern, true
	var b strings.Builder
	for {
		var before string
		before, rest, found = strings.Cut(rest, mark)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		number, after, closed := strings.Cut(rest, "]")
		if !closed {
			number, after = rest, ""
		}
		if strings.Trim(number, "0123456789") == "" {
			number = "*"
		}
		b.WriteString(mark + number + "]")
		rest = after
	}
}

// wildcard matches the whole of text. Definition paths have a literal [*], which * matches as well.
func wildcard(pattern, text string) bool {
	star, deep, mark := -1, false, 0
	deepStar, deepMark := -1, 0 // of the last **, to which a * that meets a / gives back
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			deep = strings.HasPrefix(pattern[p:], "**")
			star, mark = p, t
			if deep {
				deepStar, deepMark = p, t
			}
			for p < len(pattern) && pattern[p] == '*' {
				p++
			}
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0 && (deep || text[mark] != '/'):
			mark++
			t, p = mark, star
			for p < len(pattern) && pattern[p] == '*' {
				p++
			}
		case deepStar >= 0 && star != deepStar:
			deepMark++
			t, p = deepMark, deepStar
			star, deep, mark = deepStar, true, deepMark
			for p < len(pattern) && pattern[p] == '*' {
				p++
			}
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
