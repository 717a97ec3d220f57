package jsonata

import (
	"math"
	"strconv"
	"strings"

	"asldb/engine/value"
)

// limitArg returns the argument that bounds the number of matches; without one there is no bound.
func (c *call) limitArg(i int, code string) (float64, error) {
	limit, ok := value.Double(c.arg(i))
	if !ok {
		return math.Inf(1), nil
	}
	if limit < 0 {
		return 0, fail(code).argument(i + 1).value(limit)
	}
	return limit, nil
}

func matchFunction(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	limit, err := c.limitArg(2, "D3040")
	if err != nil {
		return nil, err
	}
	out := newSequence()
	if limit <= 0 {
		return out, nil
	}
	offset, at := 0, 0 // units before byte at
	err = c.matches(c.arg(1), s, func(m match) (bool, error) {
		if m.start >= at {
			offset += units(s[at:m.start])
			at = m.start
		}
		o := &object{}
		o.set("match", value.String(m.text))
		o.set("index", float64(offset))
		o.set("groups", &list{items: m.groups})
		out.push(o)
		return float64(len(out.items)) < limit, c.run.take(4 + len(m.groups))
	})
	return out, err
}

func containsPattern(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	if token, ok := c.textArg(1); ok {
		return value.Bool(strings.Contains(s, token)), nil
	}
	if c.arg(1) == nil {
		return nil, nil
	}
	found := false
	err := c.matches(c.arg(1), s, func(match) (bool, error) {
		found = true
		return false, nil
	})
	return value.Bool(found), err
}

func split(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	limit, err := c.limitArg(2, "D3020")
	if err != nil {
		return nil, err
	}
	out := &list{}
	if limit <= 0 {
		return out, nil
	}
	if separator, ok := c.textArg(1); ok {
		if !math.IsInf(limit, 0) {
			limit = math.Mod(math.Floor(limit), 1<<32) // JavaScript makes 32 bits of it
		}
		return c.splitText(s, separator, limit)
	}
	if c.arg(1) == nil {
		return &list{items: []any{value.String(s)}}, nil
	}
	at := 0
	err = c.matches(c.arg(1), s, func(m match) (bool, error) {
		out.push(value.String(s[at:max(at, m.start)]))
		at = m.end
		return float64(len(out.items)) < limit, c.run.take(2)
	})
	if err == nil && float64(len(out.items)) < limit {
		out.push(value.String(s[min(at, len(s)):]))
	}
	return out, err
}

func (c *call) splitText(s, separator string, limit float64) (any, error) {
	if err := c.run.take(2); err != nil {
		return nil, err
	}
	n := -1
	if limit < float64(len(s)+1) {
		n = int(limit) + 1
	}
	parts := strings.SplitN(s, separator, n)
	if n > 0 && len(parts) >= n {
		parts = parts[:n-1]
	}
	out := &list{items: make([]any, 0, len(parts))}
	for _, part := range parts {
		out.push(value.String(part))
	}
	return out, c.run.take(2 * len(parts))
}

func replace(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	pattern, isText := c.textArg(1)
	if isText && pattern == "" {
		return nil, fail("D3010").argument(2).value(c.arg(1))
	}
	limit, err := c.limitArg(3, "D3011")
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		return value.String(s), nil
	}
	if isText {
		return c.replaceText(s, pattern, limit)
	}
	if c.arg(1) == nil {
		return nil, fail("T0410").argument(2)
	}
	var b strings.Builder
	at, done := 0, 0.0
	err = c.matches(c.arg(1), s, func(m match) (bool, error) {
		text, err := c.replacement(m)
		if err != nil {
			return false, err
		}
		b.WriteString(s[at:max(at, m.start)])
		b.WriteString(text)
		at = m.start + len(m.text)
		done++
		return done < limit, c.run.takeText(len(text) + m.end - m.start)
	})
	if err != nil {
		return nil, err
	}
	b.WriteString(s[min(at, len(s)):])
	return value.String(b.String()), c.run.takeText(len(s))
}

func (c *call) replaceText(s, pattern string, limit float64) (any, error) {
	with, err := c.run.textOf(c.arg(2), false)
	if err != nil {
		return nil, err
	}
	n := strings.Count(s, pattern)
	if limit < float64(n) {
		n = int(math.Ceil(limit))
	}
	if err := c.run.takeText(len(s) + n*len(with)); err != nil {
		return nil, err
	}
	return value.String(strings.Replace(s, pattern, with, n)), nil
}

// replacement makes the substitute for a match: the result of a function, or a text with $0, $1, … in it.
func (c *call) replacement(m match) (string, error) {
	if template, ok := c.textArg(2); ok {
		return substitute(template, m), nil
	}
	if c.arg(2) == nil {
		return "", fail("T1006")
	}
	o := &object{}
	o.set("match", value.String(m.text))
	o.set("start", float64(m.start))
	o.set("end", float64(m.end))
	o.set("groups", &list{items: m.groups})
	v, err := c.callback(c.arg(2), o)
	if err != nil {
		return "", err
	}
	text, ok := v.(value.String)
	if !ok {
		return "", fail("D3012").value(v)
	}
	return string(text), nil
}

// substitute puts the groups of a match in a template.
func substitute(template string, m match) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(template, '$')
		if at < 0 {
			b.WriteString(template)
			return b.String()
		}
		b.WriteString(template[:at])
		template = template[at+1:]
		switch {
		case strings.HasPrefix(template, "$"):
			b.WriteByte('$')
			template = template[1:]
		case strings.HasPrefix(template, "0"):
			b.WriteString(m.text)
			template = template[1:]
		default:
			template = template[writeGroup(&b, template, m.groups):]
		}
	}
}

// writeGroup writes the group whose number begins template and returns the width of the number. Without
// a number the $ means itself.
func writeGroup(b *strings.Builder, template string, groups []any) int {
	most := len(strconv.Itoa(max(1, len(groups))))
	index, width, ok := leadingNumber(template, most)
	if most > 1 && index > len(groups) {
		index, width, ok = leadingNumber(template, most-1)
	}
	if !ok {
		b.WriteByte('$')
		return 0
	}
	if index >= 1 && index <= len(groups) {
		text, _ := groups[index-1].(value.String)
		b.WriteString(string(text))
	}
	return width
}

// leadingNumber reads a number of at most most digits.
func leadingNumber(s string, most int) (n, width int, ok bool) {
	for width < len(s) && width < most && s[width] >= '0' && s[width] <= '9' {
		n = n*10 + int(s[width]-'0')
		width++
	}
	return n, width, width > 0
}
