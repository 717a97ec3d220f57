package regex

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/internal/wording"
)

// part is a part of a pattern.
type part struct {
	kind partKind
	list []*part // of a sequence, the alternatives; else the one part inside

	// Of an atom, its forms for RE2 and for the other matcher.
	plain, other string
	width        bool // the atom matches one character, not a place

	group        int // of a group that captures, and of a reference
	behind, fail bool
	least, most  int // most < 0: no bound
	lazy         bool
}

type partKind uint8

const (
	atom partKind = iota
	sequence
	choice
	capture
	cluster // a group that does not capture
	look
	reference
	repetition
)

// JavaScript's classes . and \s.
const (
	anyCharacter = `[^\n\r\x{2028}\x{2029}]`
	asciiSpaces  = `\t-\r `
	spaces       = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
)

// maxDepth bounds the groups inside of each other.
const maxDepth = 200

// parser reads a pattern of JavaScript.
type parser struct {
	in, spaces  string
	at          int
	depth       int
	groups      int // begun so far
	total       int // in the whole pattern
	names       map[string]int
	looksBehind bool
	multiline   bool
}

// countGroups counts the groups that capture, so that the meaning of \2 is known before the second has come.
func countGroups(in string) int {
	count, inClass := 0, false
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c == '\\':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c != '(' || inClass:
		case !strings.HasPrefix(in[i:], "(?"), isNamed(in[i:]):
			count++
		}
	}
	return count
}

// isNamed reports whether a group with a name begins here.
func isNamed(in string) bool {
	return strings.HasPrefix(in, "(?P<") ||
		strings.HasPrefix(in, "(?<") && !strings.HasPrefix(in, "(?<=") && !strings.HasPrefix(in, "(?<!")
}

func (p *parser) parse() (*part, error) {
	p.names = map[string]int{}
	whole, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.in) {
		return nil, errors.New("a ) closes nothing")
	}
	return whole, nil
}

func (p *parser) is(text string) bool { return strings.HasPrefix(p.in[p.at:], text) }

// alternatives reads up to a closing parenthesis, or the end.
func (p *parser) alternatives() (*part, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errors.New("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	all := &part{kind: choice}
	for {
		one := &part{kind: sequence}
		for p.at < len(p.in) && !p.is("|") && !p.is(")") {
			term, err := p.term()
			if err != nil {
				return nil, err
			}
			one.list = append(one.list, term)
		}
		all.list = append(all.list, one)
		if !p.is("|") {
			return all, nil
		}
		p.at++
	}
}

// term reads an atom or a group with its quantifier.
func (p *parser) term() (*part, error) {
	t, err := p.single()
	if err != nil {
		return nil, err
	}
	least, most, ok := p.quantifier()
	if !ok {
		return t, nil
	}
	if t.kind == atom && !t.width || t.kind == look && t.behind {
		return nil, errors.New("there is nothing to repeat")
	}
	r := &part{kind: repetition, list: []*part{t}, least: least, most: most}
	if p.is("?") {
		r.lazy = true
		p.at++
	}
	if most >= 0 && most < least {
		return nil, fmt.Errorf("{%d,%d} ends before it begins", least, most)
	}
	if _, _, again := p.quantifier(); again {
		return nil, errors.New("a repetition follows a repetition")
	}
	return r, nil
}

var braces = wording.Pattern(`^\{([0-9]+)(?:(,)([0-9]*))?\}`)

// quantifier reads a quantifier; false when there is none. A brace that isn't a quantifier is a literal.
func (p *parser) quantifier() (least, most int, ok bool) {
	switch {
	case p.at == len(p.in):
		return 0, 0, false
	case p.in[p.at] == '*':
		least, most = 0, -1
	case p.in[p.at] == '+':
		least, most = 1, -1
	case p.in[p.at] == '?':
		least, most = 0, 1
	default:
		found := braces().FindStringSubmatch(p.in[p.at:])
		if found == nil {
			return 0, 0, false
		}
		p.at += len(found[0])
		least = bounded(found[1])
		switch {
		case found[2] == "":
			most = least
		case found[3] == "":
			most = -1
		default:
			most = bounded(found[3])
		}
		return least, most, true
	}
	p.at++
	return least, most, true
}

// bounded reads a number of repetitions.
func bounded(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 1<<31 - 1
	}
	return min(n, 1<<31-1)
}

// single reads a group, a class, an escape or a character.
func (p *parser) single() (*part, error) {
	switch c := p.in[p.at]; c {
	case '(':
		return p.openGroup()
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	case '.':
		p.at++
		return &part{plain: anyCharacter, other: otherClass(anyCharacter), width: true}, nil
	case '^':
		p.at++
		p.looksBehind = true
		if p.multiline {
			return &part{plain: "^", other: `(?<=\A|[\n\r\u2028\u2029])`}, nil
		}
		return &part{plain: "^", other: `\A`}, nil
	case '$':
		p.at++
		if p.multiline {
			return &part{plain: "$", other: `(?=[\n\r\u2028\u2029]|\z)`}, nil
		}
		return &part{plain: "$", other: `\z`}, nil
	case '*', '+', '?':
		return nil, errors.New("there is nothing to repeat")
	}
	if braces().MatchString(p.in[p.at:]) {
		return nil, errors.New("there is nothing to repeat")
	}
	r, width := utf8.DecodeRuneInString(p.in[p.at:])
	text := p.in[p.at : p.at+width]
	p.at += width
	if r == utf8.RuneError && width == 1 { // half of a surrogate pair, which no text has
		return &part{plain: text, other: `[^\s\S]`, width: true}, nil
	}
	return character(r), nil
}

// character is the atom of one character.
func character(r rune) *part {
	quoted := regexp.QuoteMeta(string(r))
	if r == '#' || r == ' ' || r < ' ' || r == utf8.RuneError {
		return &part{plain: quoted, other: fmt.Sprintf(`\u%04x`, r), width: true}
	}
	return &part{plain: quoted, other: quoted, width: true}
}

// openGroup reads a construct that begins with a parenthesis.
func (p *parser) openGroup() (*part, error) {
	g := &part{kind: capture}
	switch {
	case p.is("(?:"):
		g.kind = cluster
		p.at += 3
	case p.is("(?="), p.is("(?!"):
		g.kind, g.fail = look, p.in[p.at+2] == '!'
		p.at += 3
	case p.is("(?<="), p.is("(?<!"):
		g.kind, g.behind, g.fail = look, true, p.in[p.at+3] == '!'
		p.at += 4
	case isNamed(p.in[p.at:]):
		if err := p.name(); err != nil {
			return nil, err
		}
	case p.is("(?"):
		return p.flags()
	default:
		p.at++
	}
	if g.kind == capture {
		p.groups++
		g.group = p.groups
	}
	return p.close(g)
}

// close reads the content of a group, and its end.
func (p *parser) close(g *part) (*part, error) {
	inside, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if !p.is(")") {
		return nil, errors.New("a ( is not closed")
	}
	p.at++
	g.list = []*part{inside}
	return g, nil
}

// name reads the name of a group.
func (p *parser) name() error {
	p.at += strings.IndexByte(p.in[p.at:], '<') + 1
	end := strings.IndexByte(p.in[p.at:], '>')
	if end <= 0 {
		return errors.New("the name of a group is not closed by >")
	}
	name := p.in[p.at : p.at+end]
	if _, twice := p.names[name]; twice {
		return fmt.Errorf("two groups have the name %s", name)
	}
	p.names[name] = p.groups + 1
	p.at += end + 1
	return nil
}

var inlineFlags = wording.Pattern(`^\(\?([a-zA-Z]*(?:-[a-zA-Z]+)?)([:)])`)

// flags reads (?im) and (?im:…). The flags behind an expression come in this form, too.
func (p *parser) flags() (*part, error) {
	found := inlineFlags().FindStringSubmatch(p.in[p.at:])
	if found == nil {
		end := min(p.at+3, len(p.in))
		return nil, fmt.Errorf("%s is not a group", p.in[p.at:end])
	}
	first := p.at == 0
	p.at += len(found[0])
	if found[2] == ")" {
		if first {
			p.multiline = strings.Contains(found[1], "m")
		}
		text := strings.ReplaceAll("(?"+found[1]+")", "m", "") // ^ and $ are written out for the other matcher
		if text == "(?)" {
			text = ""
		}
		return &part{plain: found[0], other: text}, nil
	}
	g := &part{kind: cluster, plain: found[0]}
	return p.close(g)
}
