package regex

import (
	"slices"
	"strconv"
	"strings"
)

// empty reports whether a part can match nothing.
func (p *part) empty() bool {
	switch p.kind {
	case atom:
		return !p.width
	case sequence:
		return !slices.ContainsFunc(p.list, func(inside *part) bool { return !inside.empty() })
	case choice:
		return slices.ContainsFunc(p.list, (*part).empty)
	case repetition:
		return p.least == 0 || p.list[0].empty()
	case capture, cluster:
		return p.list[0].empty()
	case look, reference:
	}
	return true // look, reference
}

// emptyFirst reports whether a part that can match nothing may try that before anything else.
func (p *part) emptyFirst() bool {
	switch {
	case p.kind == repetition && p.lazy && p.empty():
		return true
	case p.kind == choice:
		for _, inside := range p.list[:len(p.list)-1] {
			if inside.empty() {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.list, (*part).emptyFirst)
}

// captures lists the groups in a part.
func (p *part) captures() (all []int) {
	if p.kind == capture {
		all = append(all, p.group)
	}
	for _, inside := range p.list {
		all = append(all, inside.captures()...)
	}
	return all
}

// optional reports whether a part can match without one of its groups.
func (p *part) optional() bool {
	switch {
	case p.kind == repetition && p.least == 0, p.kind == choice && len(p.list) > 1, p.kind == look && p.fail:
		return len(p.captures()) > 0
	}
	return slices.ContainsFunc(p.list, (*part).optional)
}

// backtracks reports whether RE2 can't do the part, or finds another match or other groups than JavaScript. For
// that a repetition has to have something inside that can match nothing, or groups that take no part in
// each round: JavaScript forgets them at the beginning of a round, and makes no round of nothing.
func (p *part) backtracks() bool {
	switch p.kind {
	case look, reference:
		return true
	case repetition:
		if p.rounds() {
			return true
		}
	default:
	}
	return slices.ContainsFunc(p.list, (*part).backtracks)
}

// rounds reports whether the rounds of a repetition have to be distinguished.
func (p *part) rounds() bool {
	inside := p.list[0]
	groups := len(inside.captures()) > 0
	return inside.empty() && (groups || inside.emptyFirst()) || p.most != 1 && groups && inside.optional()
}

// plainText writes the part for RE2.
func (p *part) plainText() string {
	var b strings.Builder
	p.writePlain(&b)
	return b.String()
}

func (p *part) writePlain(b *strings.Builder) {
	switch p.kind {
	case atom:
		b.WriteString(p.plain)
		return
	case capture:
		b.WriteByte('(')
		defer b.WriteByte(')')
	case cluster:
		b.WriteString(p.opening())
		defer b.WriteByte(')')
	case repetition:
		defer b.WriteString(p.quantifier(p.least, p.most))
	default:
	}
	for i, inside := range p.list {
		if p.kind == choice && i > 0 {
			b.WriteByte('|')
		}
		inside.writePlain(b)
	}
}

// opening is how a group that does not capture begins, with flags or without.
func (p *part) opening() string {
	if p.plain != "" {
		return p.plain
	}
	return "(?:"
}

// quantifier writes how often the part is repeated.
func (p *part) quantifier(least, most int) string {
	var text string
	switch {
	case least == 0 && most < 0:
		text = "*"
	case least == 1 && most < 0:
		text = "+"
	case least == 0 && most == 1:
		text = "?"
	case most < 0:
		text = "{" + strconv.Itoa(least) + ",}"
	default:
		text = "{" + strconv.Itoa(least) + "," + strconv.Itoa(most) + "}"
	}
	if p.lazy {
		text += "?"
	}
	return text
}

// maxText bounds a pattern as it is written for the other matcher: repetitions are written twice.
const maxText = 1 << 18

// emitter writes a pattern for the other matcher.
type emitter struct {
	next    int // the last number given to a group
	tooLong bool
}

// text writes a part. backwards says that it is matched from its end to its beginning: it looks behind.
func (e *emitter) text(p *part, backwards bool) string {
	if e.tooLong {
		return ""
	}
	switch p.kind {
	case atom:
		return p.other
	case reference: // to a group that has matched nothing it matches nothing
		number := strconv.Itoa(p.group)
		return "(?(" + number + `)\k<` + number + ">)"
	case repetition:
		return e.repetition(p, backwards)
	default:
	}
	open, shut, between := "", "", ""
	switch p.kind {
	case choice:
		between = "|"
	case capture:
		open, shut = "(?<"+strconv.Itoa(p.group)+">", ")"
	case cluster:
		open, shut = p.opening(), ")"
	case look:
		backwards = p.behind
		open, shut = map[[2]bool]string{{}: "(?=", {false, true}: "(?!", {true, false}: "(?<=", {true, true}: "(?<!"}[[2]bool{p.behind, p.fail}], ")"
	default:
	}
	var b strings.Builder
	b.WriteString(open)
	for i, inside := range p.list {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(e.text(inside, backwards))
	}
	b.WriteString(shut)
	e.tooLong = e.tooLong || b.Len() > maxText
	return b.String()
}

// repetition writes a repetition. Each round first forgets the groups of the one before, and one that is not
// asked for has to get on.
func (e *emitter) repetition(p *part, backwards bool) string {
	inside := p.list[0]
	if !p.rounds() && len(inside.captures()) == 0 {
		return "(?:" + e.text(inside, backwards) + ")" + p.quantifier(p.least, p.most)
	}
	var forget strings.Builder
	for _, group := range inside.captures() {
		number := strconv.Itoa(group)
		forget.WriteString("(?(" + number + ")(?<-" + number + ">))")
	}
	round := func(begin, end string) string {
		if backwards {
			return "(?:" + end + e.text(inside, backwards) + begin + ")"
		}
		return "(?:" + begin + e.text(inside, backwards) + end + ")"
	}
	if !inside.empty() {
		return round(forget.String(), "") + p.quantifier(p.least, p.most)
	}
	e.next++
	place := strconv.Itoa(e.next)
	begin := forget.String() + "(?=(?<" + place + `>[\s\S]*))`
	more := ""
	if p.most != p.least {
		most := -1
		if p.most >= 0 {
			most = p.most - p.least
		}
		moved, drop := `(?!\k<`+place+`>\z)`, "(?<-"+place+">)"
		if backwards {
			moved, drop = drop, moved
		}
		more = round(begin, moved+drop) + p.quantifier(0, most)
	}
	if p.least == 0 {
		return more
	}
	first := round(forget.String(), "") + "{" + strconv.Itoa(p.least) + "}"
	if backwards {
		return more + first
	}
	return first + more
}
