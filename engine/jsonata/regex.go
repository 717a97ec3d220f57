package jsonata

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"asldb.dev/asldb/engine/value"
)

// regex is a regular expression of an expression's text.
type regex struct {
	source string // as it was written
	re     *regexp.Regexp
	behind bool // it looks at what stands before a match: ^ \b
	pos    int
}

// compileRegex compiles a pattern in JavaScript's syntax. The error says what RE2 cannot do.
func compileRegex(pattern string) (*regex, error) {
	translated, behind, err := translateRegex(pattern)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil, err
	}
	return &regex{source: pattern, re: re, behind: behind}, nil
}

// What JavaScript means by . and \s, in RE2's words.
const (
	anyCharacter = `[^\n\r\x{2028}\x{2029}]`
	spaces       = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
)

// regexTranslator writes a JavaScript pattern in RE2's syntax.
type regexTranslator struct {
	in      string
	out     strings.Builder
	inClass bool
	behind  bool
}

func translateRegex(pattern string) (string, bool, error) {
	t := regexTranslator{in: pattern}
	for i := 0; i < len(t.in); {
		width, err := t.next(i)
		if err != nil {
			return "", false, err
		}
		i += width
	}
	return t.out.String(), t.behind, nil
}

// next translates what stands at i and returns its width.
func (t *regexTranslator) next(i int) (int, error) {
	c, rest := t.in[i], t.in[i:]
	switch {
	case c == '\\':
		return t.escape(rest)
	case t.inClass:
		switch c {
		case ']':
			t.inClass = false
		case '[':
			t.out.WriteByte('\\')
		}
	case strings.HasPrefix(rest, "[^]"):
		t.out.WriteString(`[\s\S]`)
		return 3, nil
	case strings.HasPrefix(rest, "[]"):
		t.out.WriteString(`[^\s\S]`)
		return 2, nil
	case c == '[':
		t.inClass = true
		if strings.HasPrefix(rest, "[^") {
			t.out.WriteString("[^")
			return 2, nil
		}
	case c == '.':
		t.out.WriteString(anyCharacter)
		return 1, nil
	case c == '^':
		t.behind = true
	case c == '(':
		for _, look := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
			if strings.HasPrefix(rest, look) {
				return 0, fmt.Errorf("%s…) looks around, which is not supported", look)
			}
		}
	}
	_, width := utf8.DecodeRuneInString(rest)
	t.out.WriteString(rest[:width])
	return width, nil
}

// escape translates what begins with a backslash.
func (t *regexTranslator) escape(rest string) (int, error) {
	if len(rest) == 1 {
		return 0, fmt.Errorf("it ends with a backslash")
	}
	switch c := rest[1]; {
	case c == 's':
		if t.inClass {
			t.out.WriteString(spaces)
		} else {
			t.out.WriteString("[" + spaces + "]")
		}
	case c == 'S' && !t.inClass:
		t.out.WriteString("[^" + spaces + "]")
	case c == 'b' && t.inClass:
		t.out.WriteString(`\x08`)
	case c == 'b' || c == 'B':
		t.behind = true
		t.out.WriteString(rest[:2])
	case strings.IndexByte("dDwWSfnrtv", c) >= 0:
		t.out.WriteString(rest[:2])
	case c == '0':
		t.out.WriteString(`\x00`)
	case c >= '1' && c <= '9':
		return 0, fmt.Errorf("the back reference \\%c is not supported", c)
	case c == 'u':
		if code, ok := hex4(rest[2:]); ok {
			fmt.Fprintf(&t.out, `\x{%x}`, code)
			return 6, nil
		}
		t.out.WriteByte('u')
	case c == 'x' && len(rest) >= 4:
		t.out.WriteString(rest[:4])
		return 4, nil
	case c == 'c' && len(rest) > 2:
		fmt.Fprintf(&t.out, `\x{%x}`, rest[2]&0x1f)
		return 3, nil
	default:
		r, width := utf8.DecodeRuneInString(rest[1:])
		if r == '-' && t.inClass {
			t.out.WriteByte('\\')
		}
		if quoted := regexp.QuoteMeta(string(r)); r == '-' || quoted != string(r) {
			t.out.WriteString(quoted)
		} else {
			t.out.WriteRune(r)
		}
		return 1 + width, nil
	}
	return 2, nil
}

// match is one match: where it is, in bytes, and its groups.
type match struct {
	start, end int
	groups     []any
	text       string
}

// scan calls visit with one match after the other, until it returns false. A match of nothing that is
// not the first ends in an error, for it would never get on. from is the byte where the search begins.
func (re *regex) scan(s string, from int, visit func(m match) (bool, error)) error {
	if re.behind {
		return re.scanAll(s, from, visit)
	}
	for at, first := from, true; first || at < len(s); first = false {
		loc := re.re.FindStringSubmatchIndex(s[at:])
		if loc == nil {
			return nil
		}
		m := newMatch(s[at:], loc)
		m.start, m.end = m.start+at, m.end+at
		if m.text == "" && !first {
			return re.stuck()
		}
		more, err := visit(m)
		if err != nil || !more {
			return err
		}
		at = m.end
	}
	return nil
}

func (re *regex) stuck() error { return fail("D1004").at(re.pos).value(value.String(re.source)) }

// scanAll scans for a pattern that must see what stands before.
func (re *regex) scanAll(s string, from int, visit func(m match) (bool, error)) error {
	limit := 16
	for done := 0; ; limit *= 8 {
		all := re.re.FindAllStringSubmatchIndex(s, limit)
		for ; done < len(all); done++ {
			m := newMatch(s, all[done])
			if m.start < from {
				continue
			}
			if done > 0 && m.text == "" {
				if m.start >= len(s) {
					return nil
				}
				return re.stuck()
			}
			if more, err := visit(m); err != nil || !more {
				return err
			}
		}
		if len(all) < limit {
			if len(all) == 1 && all[0][0] == all[0][1] && all[0][1] < len(s) {
				return re.stuck()
			}
			return nil
		}
	}
}

func newMatch(s string, loc []int) match {
	m := match{start: loc[0], end: loc[1], text: s[loc[0]:loc[1]]}
	for i := 2; i < len(loc); i += 2 {
		if loc[i] < 0 {
			m.groups = append(m.groups, nil)
			continue
		}
		m.groups = append(m.groups, value.String(s[loc[i]:loc[i+1]]))
	}
	return m
}

// function is the matcher that the regular expression is as a value: called with a text it gives the
// first match, which has a function next for the one after it.
func (re *regex) function() *function {
	return &function{arity: 2, matcher: re, native: func(c *call) (any, error) {
		s := scriptText(c.arg(0), 0)
		from, _ := numberOf(c.arg(1)) // $map, $filter and the like pass the index of the item
		at := byteOffset(s, int(math.Max(0, math.Min(from, float64(len(s))))))
		if float64(units(s)) < from {
			return nil, nil
		}
		var all []match
		err := re.scan(s, at, func(m match) (bool, error) {
			all = append(all, m)
			return true, c.run.take(4 + len(m.groups))
		})
		return re.matchObject(s, all, err)
	}}
}

// matchObject is the first of the matches as an object. err is what comes after the last.
func (re *regex) matchObject(s string, all []match, err error) (any, error) {
	if len(all) == 0 {
		return nil, err
	}
	m, rest := all[0], all[1:]
	o := &object{}
	o.set("match", value.String(m.text))
	o.set("start", float64(units(s[:m.start])))
	o.set("end", float64(units(s[:m.end])))
	o.set("groups", &list{items: m.groups})
	o.set("next", &function{native: func(*call) (any, error) { return re.matchObject(s, rest, err) }})
	return o, nil
}

// units is the length of s in UTF-16 units.
func units(s string) int {
	n := len(s)
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			continue
		}
		n = 0
		for _, r := range s {
			if n++; r > 0xffff {
				n++
			}
		}
		return n
	}
	return n
}

// byteOffset is the inverse of units: where the UTF-16 unit n of s begins.
func byteOffset(s string, n int) int {
	for i, r := range s {
		if n <= 0 {
			return i
		}
		if n--; r > 0xffff {
			n--
		}
	}
	return len(s)
}

// matches calls visit with each match that matcher, a regular expression or a function that behaves like
// one, finds in s.
func (c *call) matches(matcher any, s string, visit func(m match) (bool, error)) error {
	fn, ok := matcher.(*function)
	if !ok {
		return fail("T1010")
	}
	if err := c.run.step(len(s)/64 + 1); err != nil {
		return err
	}
	if fn.matcher != nil {
		return fn.matcher.scan(s, 0, func(m match) (bool, error) {
			if err := c.run.step(1 + len(m.groups)); err != nil {
				return false, err
			}
			return visit(m)
		})
	}
	found, err := c.callback(fn, value.String(s))
	for err == nil && found != nil {
		if err := c.run.step(1); err != nil {
			return err
		}
		o, ok := fieldsOf(found)
		if !ok {
			return fail("T1010")
		}
		m, next, ok := customMatch(s, o)
		if !ok {
			return fail("T1010")
		}
		more, err := visit(m)
		if err != nil || !more {
			return err
		}
		if found, err = c.callback(next); err != nil {
			return err
		}
	}
	return err
}

// customMatch reads what a matcher function gave.
func customMatch(s string, o fields) (match, any, bool) {
	start, hasStart := numberOf(o.get("start"))
	end, hasEnd := numberOf(o.get("end"))
	groups, hasGroups := viewOf(o.get("groups"))
	next, hasNext := o.get("next").(*function)
	text, _ := o.get("match").(value.String)
	if !hasStart && !hasEnd && !hasGroups && !hasNext || !hasNext {
		return match{}, nil, false
	}
	m := match{text: string(text)}
	m.start = byteOffset(s, int(start))
	m.end = max(m.start, byteOffset(s, int(end)))
	if hasGroups {
		for i, n := 0, groups.len(); i < n; i++ {
			m.groups = append(m.groups, groups.at(i))
		}
	}
	return m, next, true
}
