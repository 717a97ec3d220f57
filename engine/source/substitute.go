package source

import (
	"bytes"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// substitution is a reference that Step Functions' deployment tools replace in a definition: ${Name}. A name in a CloudFormation
// template may have an attribute (${Function.Arn}) or a namespace (${AWS::Region}).
var substitution = wording.Pattern(`\$\{([A-Za-z0-9_][A-Za-z0-9_.:-]*)\}`)

var substitutionHere = wording.Pattern(`^` + substitution().String())

// Substitutions returns the replacement for a name in ${Name}.
type Substitutions func(name string) (text string, known bool)

// Substitute returns the text with every ${Name} replaced whose name is known. unknown are the others with their
// places, in order. Without values no name is known.
func (t *Text) Substitute(values Substitutions) (replaced *Text, unknown []Named) {
	matches := substitution().FindAllSubmatchIndex(t.Data, -1)
	if len(matches) == 0 {
		return t, nil
	}
	replaced = &Text{}
	done := 0
	for _, m := range matches {
		name := string(t.Data[m[2]:m[3]])
		text, known := "", false
		if values != nil {
			text, known = values(name)
		}
		if !known {
			unknown = append(unknown, Named{Name: name, Span: t.span(Span{Start: Position{Offset: m[0]}, End: Position{Offset: m[1]}})})
			continue
		}
		replaced.Add(t, done, m[0])
		replaced.Insert(text, t.Position(m[0]))
		done = m[1]
	}
	replaced.Add(t, done, len(t.Data))
	return replaced, unknown
}

// placeholder replaces in JSON a ${Name} without a value that is not inside of a string: CloudFormation and Terraform
// replace names before the text is read, so that any value may be there.
const placeholder = "1"

// ReadSubstituted reads the one value that the text is, as [Text.Read] does. Where a ${Name} that is left in it is
// alone in place of a value, outside of quotes, its node is [Node.Unknown].
func (t *Text) ReadSubstituted(name string) (*Node, *Diagnostic) {
	_, unknown := t.Substitute(nil)
	if len(unknown) == 0 {
		return t.Read(name)
	}
	readable := t.withPlaceholders()
	root, problem := readable.Read(name)
	if problem != nil {
		return nil, problem
	}
	bare := make(map[Position]bool)
	for _, n := range unknown {
		bare[n.Span.Start] = true
	}
	for n := range root.Pointers() {
		text, _ := n.Value.(value.String)
		number := n.Kind == value.KindNumber && readable != t
		if plain := substitution().FindString(string(text)) == string(text) && text != "" && n.Span.End.Offset-n.Span.Start.Offset <= len(text); !number && !plain || !bare[n.Span.Start] {
			continue
		}
		n.Unknown, n.Kind = true, value.KindNumber
		n.Value, _ = value.ParseNumber(placeholder)
	}
	return root, nil
}

// withPlaceholders returns a text of JSON with each ${Name} outside of strings replaced; of another text, the text itself.
func (t *Text) withPlaceholders() *Text {
	if head := bytes.TrimLeft(t.Data, " \t\r\n"); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return t
	}
	replaced, done, quoted := &Text{}, 0, false
	for i := 0; i < len(t.Data); i++ {
		switch c := t.Data[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == '$' && !quoted:
			if m := substitutionHere().FindIndex(t.Data[i:]); m != nil {
				replaced.Add(t, done, i)
				replaced.Insert(placeholder, t.Position(i))
				done = i + m[1]
				i = done - 1
			}
		}
	}
	if done == 0 {
		return t
	}
	replaced.Add(t, done, len(t.Data))
	return replaced
}

// Named is a name with its place.
type Named struct {
	Name string
	Span Span
}
