package path

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/jsonata/regex"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// filter reads [?(…)]. pos is at the '?'.
func (p *parser) filter(start, open int) error {
	p.refuseInReference(p.pos)
	p.pos++
	p.blanks()
	if p.at(0) != '(' {
		return p.errorAt(p.pos, "a filter is written in parentheses: [?(@.a == 1)], found %s", p.shown())
	}
	if err := p.deeper(); err != nil {
		return err
	}
	c, err := p.operand()
	if err != nil {
		return err
	}
	p.nesting--
	if err := p.closeBracket(open); err != nil {
		return err
	}
	p.add(step{kind: filterStep, more: &selector{filter: c}}, start)
	return nil
}

func (p *parser) deeper() error {
	if p.nesting++; p.nesting > maxNesting {
		return p.errorAt(p.pos, "filters and parentheses are nested deeper than %d", maxNesting)
	}
	return nil
}

// or reads conditions joined by || , which binds weaker than && .
func (p *parser) or() (*condition, error) { return p.joined("||", anyOf, p.and) }

func (p *parser) and() (*condition, error) { return p.joined("&&", allOf, p.operand) }

func (p *parser) joined(operator string, kind conditionKind, next func() (*condition, error)) (*condition, error) {
	first, err := next()
	if err != nil {
		return nil, err
	}
	parts := []*condition{first}
	for {
		p.blanks()
		if !strings.HasPrefix(p.text[p.pos:p.end], operator) {
			break
		}
		p.pos += len(operator)
		part, err := next()
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if len(parts) == 1 {
		return first, nil
	}
	return &condition{kind: kind, parts: parts}, nil
}

// operand reads (…), !(…) or a comparison.
func (p *parser) operand() (*condition, error) {
	p.blanks()
	if p.at(0) == '!' {
		before := p.pos
		p.pos++
		p.blanks()
		if c := p.at(0); c != '@' && c != '$' {
			if err := p.deeper(); err != nil {
				return nil, err
			}
			part, err := p.operand()
			p.nesting--
			return &condition{kind: noneOf, parts: []*condition{part}}, err
		}
		p.pos = before // !@.a is one test, of absence
	}
	if p.at(0) != '(' {
		return p.comparison()
	}
	open := p.pos
	if err := p.deeper(); err != nil {
		return nil, err
	}
	p.pos++
	c, err := p.or()
	if err != nil {
		return nil, err
	}
	p.nesting--
	p.blanks()
	if p.pos >= p.end {
		return nil, p.errorAt(open, "'(' is not closed")
	}
	if p.at(0) != ')' {
		return nil, p.errorAt(p.pos, "expected ')', && or ||, found %s", p.shown())
	}
	p.pos++
	return c, nil
}

// comparison reads "left operator right", or a path alone, which tests that something is there.
func (p *parser) comparison() (*condition, error) {
	start := p.pos
	absent := p.at(0) == '!'
	left, err := p.value()
	if err != nil {
		return nil, err
	}
	p.blanks()
	rest := p.text[p.pos:p.end]
	if rest == "" || rest[0] == ')' || strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "||") {
		if left.path == nil {
			return nil, p.errorAt(start, "a constant alone is not a condition: compare it, or test a path")
		}
		return &condition{kind: exists, left: left, absent: absent}, nil
	}
	relation, err := p.relation()
	if err != nil {
		return nil, err
	}
	p.blanks()
	right, err := p.value()
	if err != nil {
		return nil, err
	}
	// In "!@.a == 1" Jayway drops the exclamation mark, and so does this.
	return &condition{kind: compare, relation: relation, left: left, right: right}, nil
}

const relationCharacters = "<>=~!"

func (p *parser) relation() (relation, error) {
	start := p.pos
	for p.pos < p.end && strings.IndexByte(relationCharacters, p.at(0)) >= 0 {
		p.pos++
	}
	if p.pos == start {
		for p.pos < p.end && p.at(0) != ' ' {
			p.pos++
		}
	}
	word := p.text[start:p.pos]
	r, ok := wording.KindNamed[relation](relationNames[:], strings.ToLower(word))
	if !ok {
		return 0, p.errorAt(start, "%q is not an operator of filters", shorten(word))
	}
	return r, nil
}

// value reads a path or a constant.
func (p *parser) value() (operand, error) {
	p.blanks()
	if p.at(0) == '!' {
		p.pos++
		p.blanks()
		if c := p.at(0); c != '@' && c != '$' {
			return operand{}, p.errorAt(p.pos, "expected a path after '!', found %s", p.shown())
		}
	}
	start := p.pos
	switch c := p.at(0); c {
	case '@', '$':
		return p.innerPath()
	case '\'', '"':
		text, err := p.quoted(c)
		return operand{constant: node{kind: stringNode, text: text}}, err
	case '/':
		return p.pattern()
	case '[', '{':
		v, err := p.lenientJSON(maxNesting)
		return operand{constant: node{kind: jsonNode, value: v}}, err
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(p.text[p.pos:p.end], word) {
			p.pos += len(word)
			if word == "null" {
				return operand{constant: node{kind: nullNode}}, nil
			}
			return operand{constant: node{kind: booleanNode, value: value.Bool(word == "true")}}, nil
		}
	}
	for p.pos < p.end && strings.IndexByte("0123456789-.eE", p.at(0)) >= 0 {
		p.pos++
	}
	if n, ok := decimalOf(p.text[start:p.pos]); ok {
		return operand{constant: n}, nil
	}
	p.pos = start
	if word := p.word(); word != "" {
		return operand{constant: node{kind: stringNode, text: word}}, nil
	}
	return operand{}, p.errorAt(start, "expected a path (@.a), a number, a string in quotes, true, false, null, [list] or /pattern/, found %s", p.shown())
}

// word reads a word without quotes; "" when there is none here.
func (p *parser) word() string {
	start := p.pos
	for p.pos < p.end {
		r, width := utf8.DecodeRuneInString(p.text[p.pos:p.end])
		if !unicode.IsLetter(r) && r != '_' && (p.pos == start || !unicode.IsDigit(r) && r != '-' && r != '.') {
			break
		}
		p.pos += width
	}
	if p.pos < p.end && strings.IndexByte(" )&|", p.at(0)) < 0 {
		p.pos = start
	}
	word := p.text[start:p.pos]
	p.path.word = cmp.Or(p.path.word, word)
	return word
}

// innerPath reads a path that begins with @ (the value under test) or $ (the root of the whole path).
// It ends at a blank, an operator made of <>=~! or the parenthesis around it. As in Jayway & and |
// do not end it: write "@.a && @.b" with blanks.
func (p *parser) innerPath() (operand, error) {
	start := p.pos
	p.pos++
	if c := p.at(0); p.text[start] == '$' && (c == '$' || isIdentifier(rune(c), false)) {
		return operand{}, p.errorAt(start, "in a filter $ is the root of the whole path; $$ and variables cannot be used there")
	}
	for p.pos < p.end {
		c := p.at(0)
		if c == '[' {
			p.skipBracket()
			continue
		}
		if strings.HasPrefix(p.text[p.pos:p.end], "()") {
			p.pos += 2
			continue
		}
		if c == ' ' || c == ')' || strings.IndexByte(relationCharacters, c) >= 0 {
			break
		}
		p.pos++
	}
	inner := parser{text: p.text, pos: start + 1, end: p.pos, nesting: p.nesting}
	inner.path = Path{text: p.text[start:p.pos], operator: -1}
	if err := inner.segments(); err != nil {
		return operand{}, err
	}
	if p.path.word == "" {
		p.path.word = inner.path.word
	}
	for i := range inner.path.spans { // from here on the text is the inner path's own
		inner.path.spans[i].start -= start
		inner.path.spans[i].end -= start
	}
	return operand{path: &inner.path, fromRoot: p.text[start] == '$'}, nil
}

// skipBracket moves beyond the bracket that closes the one at pos, quotes taken into account.
func (p *parser) skipBracket() {
	open := 0
	var quote byte
	for ; p.pos < p.end; p.pos++ {
		switch c := p.at(0); {
		case quote != 0:
			if c == '\\' {
				p.pos++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			open++
		case c == ']':
			if open--; open == 0 {
				p.pos++
				return
			}
		}
	}
	p.pos = p.end
}

// pattern reads /regular expression/flags.
func (p *parser) pattern() (operand, error) {
	start := p.pos
	p.pos++
	for p.pos < p.end && p.at(0) != '/' {
		if p.at(0) == '\\' {
			p.pos++
		}
		p.pos++
	}
	if p.pos >= p.end {
		return operand{}, p.errorAt(start, "the pattern is not closed by '/'")
	}
	body := p.text[start+1 : p.pos]
	p.pos++
	flags := ""
	for ; p.pos < p.end && strings.IndexByte("dimsuU", p.at(0)) >= 0; p.pos++ {
		if strings.IndexByte("ims", p.at(0)) >= 0 { // the others concern Java's matcher alone
			flags += string(p.at(0))
		}
	}
	matcher, err := regex.Java(body, flags)
	if err != nil {
		return operand{}, p.errorAt(start, "the pattern cannot be used: %v", err)
	}
	return operand{constant: node{kind: patternNode, pattern: matcher}}, nil
}

// lenientJSON reads a list or an object in a filter. Names and strings may have single quotes or none.
func (p *parser) lenientJSON(depth int) (value.Value, error) {
	start := p.pos
	switch c := p.at(0); c {
	case '[', '{':
		if depth == 0 {
			return nil, p.errorAt(start, "nested deeper than %d", maxNesting)
		}
		p.pos++
		if c == '[' {
			return p.lenientArray(start, depth-1)
		}
		return p.lenientObject(start, depth-1)
	case '\'', '"':
		text, err := p.quoted(c)
		return value.String(text), err
	}
	for p.pos < p.end && strings.IndexByte(",:]}) \t\r\n", p.at(0)) < 0 {
		p.pos++
	}
	switch word := p.text[start:p.pos]; word {
	case "":
		return nil, p.errorAt(start, "a value is missing")
	case "true", "false":
		return value.Bool(word == "true"), nil
	case "null":
		return value.Null{}, nil
	default:
		if n, err := value.ParseNumber(word); err == nil {
			return n, nil
		}
		return value.String(word), nil
	}
}

func (p *parser) lenientArray(open, depth int) (value.Value, error) {
	var items []value.Value
	for {
		if done, err := p.lenientNext(open, ']', len(items) > 0); err != nil || done {
			return value.NewArray(items), err
		}
		item, err := p.lenientJSON(depth)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
}

func (p *parser) lenientObject(open, depth int) (value.Value, error) {
	var b value.ObjectBuilder
	for first := true; ; first = false {
		if done, err := p.lenientNext(open, '}', !first); err != nil || done {
			return b.Object(), err
		}
		at := p.pos
		key, err := p.lenientJSON(0)
		if err != nil {
			return nil, err
		}
		name, ok := key.(value.String)
		p.blanks()
		if !ok || p.at(0) != ':' {
			return nil, p.errorAt(at, "expected a name and ':'")
		}
		p.pos++
		p.blanks()
		v, err := p.lenientJSON(depth)
		if err != nil {
			return nil, err
		}
		b.Set(string(name), v)
	}
}

// lenientNext moves to the next item: beyond the comma, or beyond the closing character.
func (p *parser) lenientNext(open int, closing byte, comma bool) (done bool, err error) {
	p.blanks()
	if p.at(0) == closing {
		p.pos++
		return true, nil
	}
	if p.pos >= p.end {
		return false, p.errorAt(open, "'%c' is missing", closing)
	}
	if comma {
		if p.at(0) != ',' {
			return false, p.errorAt(p.pos, "expected ',' or '%c', found %s", closing, p.shown())
		}
		p.pos++
		p.blanks()
	}
	return false, nil
}
