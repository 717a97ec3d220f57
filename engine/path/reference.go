package path

import (
	"fmt"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// ParseReference parses a Reference Path: a Path that names one node and has no operators. The error
// is a *[SyntaxError].
func ParseReference(text string) (*Path, error) {
	p, err := Parse(text)
	if err != nil {
		return nil, err
	}
	if err := p.CheckReference(); err != nil {
		return nil, err
	}
	return p, nil
}

// CheckReference returns a *[SyntaxError] when the path isn't a Reference Path (specification, section
// "Reference Paths"): it may have names and indexes, and none of '@', ',', ':', '?', wildcards, ".." and
// functions. Which roots a field allows is the field's matter: see [Path.Root].
func (p *Path) CheckReference() error {
	if p.operator >= 0 {
		return &SyntaxError{Text: p.text, Offset: p.operator, Msg: fmt.Sprintf(
			"a Reference Path names one place with names and indexes only, it cannot have %s", p.operatorText())}
	}
	for i := range p.steps {
		// The 2020 text is silent on indexes from the end. They name one node, but where a write
		// would go depends on the data, so they are refused.
		if s := &p.steps[i]; s.kind == indexStep && s.index < 0 {
			return &SyntaxError{Text: p.text, Offset: p.spans[i].start, Msg: fmt.Sprintf(
				"a Reference Path counts items from 0, it cannot have the index %d", s.index)}
		}
	}
	return nil
}

// operatorText returns the text of an operator that CheckReference refuses.
func (p *Path) operatorText() string {
	switch rest := p.text[p.operator:]; {
	case len(rest) > 1 && rest[:2] == "..":
		return "'..'"
	case rest[0] == '?':
		return "a filter ('?')"
	case rest[0] == '(' || rest[0] == ')':
		return "a function"
	default:
		return fmt.Sprintf("%q", rest[0])
	}
}

// ConflictError says why a value cannot be written where a Reference Path points.
type ConflictError struct {
	Path *Path
	// Found is the part of the path's text that leads to a value, "$.order.total".
	Found string
	// Missing is the segment that the value at Found cannot have: a key such as city or an index such as [3].
	Missing string
	// At is the value at Found. It is nil where there is nothing and an index would have to make an array.
	At value.Value
}

// Error implements error.
func (e *ConflictError) Error() string {
	if list, ok := e.At.(*value.Array); ok && e.Missing != "" && e.Missing[0] == '[' {
		return fmt.Sprintf("%s cannot be written: %s has %s, so there is no %s to replace",
			e.Path.text, e.Found, wording.Count(list.Len(), "item"), e.Missing)
	}
	if e.At == nil {
		return fmt.Sprintf("%s cannot be written: there is no array at %s that could have an item %s", e.Path.text, e.Found, e.Missing)
	}
	return fmt.Sprintf("%s cannot be written: %s is %s, which cannot have %s", e.Path.text, e.Found, source.Article(e.At.Kind()), e.Missing)
}

// Set returns root with v in the place that the path names. It shares with root everything that is
// not on the path. Objects that are missing on the way are created; an array has to have the item
// that an index names, for the specification knows no way to make or grow one. A null is a value:
// it is in the way as other scalars do. The error is a *[ConflictError], and a *[SyntaxError] when
// the path isn't a Reference Path.
//
// The path's own kind of root is ignored: the path starts from root.
func (p *Path) Set(root, v value.Value) (value.Value, error) {
	if err := p.CheckReference(); err != nil {
		return nil, err
	}
	return p.set(0, root, v)
}

func (p *Path) set(i int, at, v value.Value) (value.Value, error) {
	if i == len(p.steps) {
		return v, nil
	}
	s := &p.steps[i]
	switch c := at.(type) {
	case *value.Object:
		if s.kind == keyStep {
			member, err := p.set(i+1, c.Get(s.key), v)
			if err != nil {
				return nil, err
			}
			return c.With(s.key, member), nil
		}
	case *value.Array:
		if s.kind == indexStep && s.index < c.Len() {
			item, err := p.set(i+1, c.At(s.index), v)
			if err != nil {
				return nil, err
			}
			return c.With(s.index, item), nil
		}
	case nil:
		if s.kind == keyStep {
			member, err := p.set(i+1, nil, v)
			if err != nil {
				return nil, err
			}
			return value.ObjectOf(value.Member{Key: s.key, Value: member}), nil
		}
	}
	return nil, &ConflictError{Path: p, Found: p.text[:p.spans[i].start], Missing: p.segmentText(i), At: at}
}
