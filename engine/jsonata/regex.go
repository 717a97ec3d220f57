package jsonata

import (
	"errors"
	"math"
	"sync"
	"unicode/utf8"

	"asldb/engine/interrupt"
	"asldb/engine/jsonata/regex"
	"asldb/engine/value"
)

// regexValue is a regular expression of an expression's text.
type regexValue struct {
	source   string // as it was written
	compiled *regex.Regex
	ascii    func() *regex.Regex // with \s as ASCII's white space
	pos      int
}

// compileRegex compiles a pattern in JavaScript's syntax. The error describes the problem.
func compileRegex(pattern string) (*regexValue, error) {
	compiled, err := regex.JavaScript(pattern)
	if err != nil {
		return nil, err
	}
	ascii := sync.OnceValue(func() *regex.Regex {
		if other, err := regex.ASCIISpaces(pattern); err == nil {
			return other
		}
		return compiled
	})
	return &regexValue{source: pattern, compiled: compiled, ascii: ascii}, nil
}

// match is one match: where it is, in bytes, and its groups.
type match struct {
	start, end int
	groups     []any
	text       string
}

// scan calls visit with one match after the other, from byte from on, until it returns false. A match of
// nothing that is not the first ends in an error, for it would never get on.
func (re *regexValue) scan(r *run, s string, from int, visit func(m match) (bool, error)) error {
	compiled := re.compiled
	if r.profile.java {
		compiled = re.ascii()
	}
	search := compiled.In(s, r.env.Interrupt)
	for at, first := from, true; first || at < len(s); first = false {
		loc, err := search.Find(at)
		if errors.Is(err, regex.ErrBound) {
			// How long that takes depends on the machine: it isn't the expression's error.
			return &interrupt.Error{Reason: err}
		}
		if err != nil || loc == nil {
			return err
		}
		m := newMatch(s, loc)
		if m.text == "" && !first {
			return fail("D1004").at(re.pos).value(value.String(re.source))
		}
		more, err := visit(m)
		if err != nil || !more {
			return err
		}
		at = m.end
	}
	return nil
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
func (re *regexValue) function() *function {
	return &function{arity: 2, matcher: re, native: func(c *call) (any, error) {
		s := scriptText(c.arg(0), 0)
		from, _ := value.Double(c.arg(1)) // $map, $filter and the like pass the index of the item
		at := byteOffset(s, int(math.Max(0, math.Min(from, float64(len(s))))))
		if float64(units(s)) < from {
			return nil, nil
		}
		var all []match
		err := re.scan(c.run, s, at, func(m match) (bool, error) {
			all = append(all, m)
			return true, c.run.take(4 + len(m.groups))
		})
		return re.matchObject(s, all, err)
	}}
}

// matchObject is the first of the matches as an object. err is the error after the last.
func (re *regexValue) matchObject(s string, all []match, err error) (any, error) {
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
		return fn.matcher.scan(c.run, s, 0, func(m match) (bool, error) {
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

// customMatch reads the result of a matcher function.
func customMatch(s string, o fields) (match, any, bool) {
	start, hasStart := value.Double(o.get("start"))
	end, hasEnd := value.Double(o.get("end"))
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
