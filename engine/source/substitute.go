package source

import (
	"regexp"
)

// substitution is a reference that Step Functions' deployment tools replace in a definition: ${Name}. A name in a CloudFormation
// template may have an attribute (${Function.Arn}) or a namespace (${AWS::Region}).
var substitution = regexp.MustCompile(`\$\{([A-Za-z0-9_][A-Za-z0-9_.:-]*)\}`)

// Substitutions returns the replacement for a name in ${Name}.
type Substitutions func(name string) (text string, known bool)

// Substitute returns the text with every ${Name} replaced whose name is known. unknown are the others with their
// places, in order. Without values no name is known.
func (t *Text) Substitute(values Substitutions) (replaced *Text, unknown []Named) {
	matches := substitution.FindAllSubmatchIndex(t.Data, -1)
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

// Named is a name with its place.
type Named struct {
	Name string
	Span Span
}
