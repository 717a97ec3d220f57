package expr

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

// Joint says how the parts of a [Condition] are joined.
type Joint int

// The joints.
const (
	// Alone is an expression that is not taken apart.
	Alone Joint = iota
	// All is "a && b && …", Any is "a || b || …", and Not is "!(a)".
	All
	Any
	Not
)

// Condition is an expression taken apart at its logical operators. The truth of the whole is the logic of its parts, which are
// evaluated from the left as far as it takes; an error of a part is one of the whole.
type Condition struct {
	Joint Joint
	Parts []*Condition // of All and Any; of Not there is one
	// Expression is the part itself, where it stands alone.
	Expression *Expression
	// Comparison is the expression as a comparison of a name with constants; nil: it is something else.
	Comparison *Comparison
	// Sure reports that the evaluation of an expression that stands alone cannot fail, if [Env].Fields has its names.
	Sure bool
}

// Comparator is the operator of a [Comparison].
type Comparator int

// The comparators: == != < <= > >= in =~ !~.
const (
	Equal Comparator = iota
	Unequal
	Less
	AtMost
	Greater
	AtLeast
	In
	Like
	Unlike
)

// comparators are the operators as they are written.
var comparators = map[string]Comparator{
	"==": Equal, "!=": Unequal, "<": Less, "<=": AtMost, ">": Greater, ">=": AtLeast, "in": In, "=~": Like, "!~": Unlike,
}

// mirrored are the comparators with their operands exchanged.
var mirrored = map[Comparator]Comparator{Equal: Equal, Unequal: Unequal, Less: Greater, AtMost: AtLeast, Greater: Less, AtLeast: AtMost}

// Comparison is the comparison of a name with a constant, or, of In, with the items of a list of constants.
type Comparison struct {
	Name      string
	By        Comparator
	Constants []value.Value
}

// Condition takes the expression apart.
func (x *Expression) Condition() *Condition {
	s, err := scan(x.text)
	if err != nil {
		return &Condition{Expression: x}
	}
	c := taking{text: []rune(x.text), bare: []rune(s.rewritten()), operands: s.operands}
	for i := 0; i < len(c.bare); i++ { // what an operand covers is no blank
		if wordKind(c.bare[i]) == markWord {
			for covered := utf8.RuneCountInString(c.operands[c.bare[i]-firstMark].text) - 1; covered > 0; covered-- {
				i++
				c.bare[i] = cover
			}
		}
	}
	return c.part(0, len(c.bare), x)
}

// cover stands in the text with marks for the characters of an operand but its first, where its mark stands.
const cover = '\ufffd'

// taking takes an expression apart. The text and the text with marks for its operands have as many characters.
type taking struct {
	text, bare []rune
	operands   []operand
}

// part takes the text from start to end apart; known is the expression that it is, nil where it is not compiled.
func (t *taking) part(start, end int, known *Expression) *Condition {
	for start < end && t.bare[start] == ' ' {
		start++
	}
	for start < end && t.bare[end-1] == ' ' {
		end--
	}
	whole := func() *Condition {
		x := known
		if x == nil {
			var err error
			if x, err = Compile(string(t.text[start:end])); err != nil {
				return nil
			}
		}
		alone := &Condition{Expression: x}
		t.compare(alone, start, end)
		return alone
	}
	if start < end && t.bare[start] == '(' && t.closing(start, end) == end-1 {
		if inner := t.part(start+1, end-1, nil); inner != nil {
			return inner
		}
		return whole()
	}
	if start+1 < end && t.bare[start] == '!' && t.bare[start+1] == '(' && t.closing(start+1, end) == end-1 {
		if inner := t.part(start+2, end-1, nil); inner != nil {
			return &Condition{Joint: Not, Parts: []*Condition{inner}}
		}
		return whole()
	}
	ors, ands, splits := t.joints(start, end)
	switch {
	case !splits:
	case len(ors) > 0:
		if parts := t.parts(start, end, ors); parts != nil {
			return &Condition{Joint: Any, Parts: parts}
		}
	case len(ands) > 0:
		if parts := t.parts(start, end, ands); parts != nil {
			return &Condition{Joint: All, Parts: parts}
		}
	}
	return whole()
}

// parts takes the texts between operators of two characters apart; nil where one of them is no expression by itself.
func (t *taking) parts(start, end int, at []int) []*Condition {
	parts := make([]*Condition, 0, len(at)+1)
	for _, stop := range append(at[:len(at):len(at)], end) {
		part := t.part(start, stop, nil)
		if part == nil {
			return nil
		}
		parts = append(parts, part)
		start = stop + 2
	}
	return parts
}

// closing returns the place of the bracket that closes the one at start, -1 where there is none.
func (t *taking) closing(start, end int) int {
	depth := 0
	for i := start; i < end; i++ {
		switch t.bare[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// joints returns the places of "||" and "&&" outside of brackets. Where an operator binds weaker than these, as ?: and ?? do, the text
// does not split.
func (t *taking) joints(start, end int) (ors, ands []int, splits bool) {
	depth := 0
	for i := start; i < end; i++ {
		switch c := t.bare[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '?':
			if depth == 0 {
				return nil, nil, false
			}
		case '|', '&':
			if depth > 0 || i+1 >= end || t.bare[i+1] != c {
				continue
			}
			if c == '|' {
				ors = append(ors, i)
			} else {
				ands = append(ands, i)
			}
			i++
		}
	}
	return ors, ands, true
}

// compare finds out whether an expression is a comparison.
func (t *taking) compare(c *Condition, start, end int) {
	var words [][]rune // operands and operators, in their order
	for i := start; i < end; {
		from := i
		switch kind := wordKind(t.bare[i]); kind {
		case noWord:
			if t.bare[i] != ' ' && t.bare[i] != cover {
				if list := t.closing(i, end); t.bare[i] == '[' && list > 0 {
					words, i = append(words, t.bare[i:list+1]), list+1
					continue
				}
				return
			}
			i++
		default:
			for i < end && wordKind(t.bare[i]) == kind {
				if i++; kind == markWord {
					break
				}
			}
			words = append(words, t.bare[from:i])
		}
	}
	switch len(words) {
	case 1:
		_, _, c.Sure = t.operand(words[0])
	case 3:
		t.comparison(c, words)
	}
}

// comparison notes the comparison of two operands.
func (t *taking) comparison(c *Condition, words [][]rune) {
	by, known := comparators[string(words[1])]
	if !known {
		return
	}
	name, left, ok := t.operand(words[0])
	if !ok {
		return
	}
	var other string
	var right []value.Value
	if by == In && words[2][0] == '[' {
		if right, ok = t.list(words[2]); !ok {
			return
		}
	} else {
		var constant value.Value
		if other, constant, ok = t.operand(words[2]); !ok {
			return
		}
		if constant != nil {
			right = []value.Value{constant}
		}
	}
	if pattern := by == Like || by == Unlike; pattern {
		if len(right) != 1 || !isPattern(right[0]) {
			return // it may be no pattern when it is evaluated
		}
	}
	c.Sure = true
	switch swapped, can := mirrored[by]; {
	case name != "" && right != nil && (by != In || words[2][0] == '['):
		c.Comparison = &Comparison{Name: name, By: by, Constants: right}
	case other != "" && left != nil && can:
		c.Comparison = &Comparison{Name: other, By: swapped, Constants: []value.Value{left}}
	}
}

func isPattern(v value.Value) bool {
	text, ok := v.(value.String)
	if !ok {
		return false
	}
	_, err := regexp.Compile(string(text))
	return err == nil
}

// The kinds of words in the text with marks.
const (
	noWord = iota
	markWord
	nameWord
	operatorWord
)

func wordKind(r rune) int {
	switch {
	case r >= firstMark && r <= lastMark:
		return markWord
	case r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		return nameWord
	case strings.ContainsRune("=!<>~", r):
		return operatorWord
	}
	return noWord
}

// operand returns a bare name or a constant; both are empty for a path. ok is false where the word is another thing or the evaluation of
// it can fail.
func (t *taking) operand(word []rune) (name string, constant value.Value, ok bool) {
	if i := int(word[0] - firstMark); i >= 0 && i < len(t.operands) && len(word) == 1 {
		if o := &t.operands[i]; o.path != nil {
			return "", nil, o.path.Definite()
		}
		return "", value.String(t.operands[i].str), true
	}
	switch text := string(word); {
	case text == "true", text == "false":
		return "", value.Bool(text == "true"), true
	case text == "null":
		return "", value.Null{}, true
	case word[0] >= '0' && word[0] <= '9':
		n, err := value.ParseNumber(text)
		if err != nil {
			return "", nil, false
		}
		return "", n, true
	case wordKind(word[0]) == nameWord && word[0] != '.' && !strings.Contains(text, ".") && text != "in":
		return text, nil, true
	}
	return "", nil, false
}

// list returns the items of a list of constants.
func (t *taking) list(word []rune) (items []value.Value, ok bool) {
	items = []value.Value{}
	if strings.TrimSpace(string(word[1:len(word)-1])) == "" {
		return items, true
	}
	from := 1
	for i := 1; i < len(word); i++ {
		if word[i] != ',' && i < len(word)-1 {
			continue
		}
		item := []rune(strings.Trim(string(word[from:i]), " "+string(cover)))
		if len(item) == 0 {
			return nil, false
		}
		_, constant, ok := t.operand(item)
		if !ok || constant == nil {
			return nil, false
		}
		items = append(items, constant)
		from = i + 1
	}
	return items, true
}
