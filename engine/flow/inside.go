package flow

import (
	"slices"
	"strings"
	"unicode"

	"asldb/engine/jsonata"
	"asldb/engine/source"
)

// marked is the name that is put in the place of the one that is typed. No definition has it.
const marked = "asldbNameThatIsTyped"

// Inside returns what is known of the members of the value to which a name at the end of an expression in JSONata
// belongs, inside of predicates and functions, too. The expression ends there, and may have brackets that are open.
func (c *Scene) Inside(before string) []MemberFact {
	text := strings.TrimRightFunc(before, IsNamePart) + marked
	compiled, err := jsonata.Compile(text+source.Unclosed(text, "\"'`"), jsonata.StepFunctions())
	if err != nil {
		return nil
	}
	v := c.visit
	v.space.Refill(budget)
	e := &evaluation{visit: v, node: v.state.Node, text: text, quiet: 1, seeks: true}
	e.eval(compiled.Tree(), nil, &frame{names: map[string]*Shape{"states": v.states()}})
	var list []MemberFact
	value := v.space.Each(e.sought, e.itemOrValue)
	for _, one := range value.Cases() {
		for _, name := range one.Names() {
			if !slices.ContainsFunc(list, func(m MemberFact) bool { return m.Name == name }) {
				list = append(list, MemberFact{name, factOf(e.member(value, name).Cases(), false, name)})
			}
		}
	}
	return list
}

// MemberFact is a member with what is known of it.
type MemberFact struct {
	Name string
	Fact Fact
}

// IsNamePart reports whether a character can be one of a name in JSONata.
func IsNamePart(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
