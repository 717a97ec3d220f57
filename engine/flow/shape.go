// Describes the values that may be at a place of a definition: their types, constants,
// members and items, as far as the text tells. Shapes are immutable and share their parts, so that a value
// at three places is one shape.

package flow

import (
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// Kind is the type of a shape's values.
type Kind uint8

// The kinds of shapes. Unknown is the kind of a nil Shape: nothing is known of the value. Absent is the kind of a place
// that has no value. A Union is one of several shapes.
const (
	Unknown Kind = iota
	Absent
	Null
	Bool
	Number
	String
	Array
	Object
	Function // of JSONata; no value of JSON
	Union
)

// String returns the kind in words: "a string".
func (k Kind) String() string {
	switch k {
	case Unknown:
		return "unknown"
	case Absent:
		return "absent"
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "an array"
	case Object:
		return "an object"
	case Function:
		return "a function"
	case Union:
	}
	return "one of several"
}

// Scalar reports whether values of the kind have neither members nor items.
func (k Kind) Scalar() bool { return k >= Null && k <= String }

// A Shape is the knowledge of a value. A nil Shape is an unknown value. Shapes never change once they
// are made.
type Shape struct {
	kind     Kind
	constant value.Value   // of a scalar, where it is known
	words    []string      // of a string that is one of them, as the models of services say
	members  *node[Member] // of an object
	open     bool          // the object may have other members too, the array other items
	items    []*Shape      // of an array, the first ones
	item     *Shape        // of an open array the items behind the first ones; of an open object the members not listed
	cases    []*Shape      // of a Union
	why      *Step
	lack     *Lack
	hash     uint64
	height   int
}

// A Member is one of an object.
type Member struct {
	Name  string
	Shape *Shape
	// Maybe tells that the member may be missing for reasons outside of the definition.
	Maybe bool
}

// A Lack says why a place is absent: Owner has no member or item Name.
type Lack struct {
	Owner *Shape
	Name  string
	// variable: Owner has the variables.
	variable bool
}

// instead says what there is in place of what is missing: "has only id", "is an array, not an object".
func (l *Lack) instead() string {
	item := strings.HasPrefix(l.Name, "[")
	switch kind := l.Owner.Kind(); {
	case kind == Object && !item:
		return path.HasOnly(l.Owner.Names())
	case kind == Array && item:
		return path.HasItems(len(l.Owner.items))
	default:
		return path.IsOther(kind.String(), item)
	}
}

// A Step is one of those that made a value, linked to the step before it.
type Step struct {
	// By is the state that took it.
	By   *asl.State
	Text string
	Span source.Span
	// Way tells that the step is one of several ways, such as a catcher's.
	Way bool
	// discards: it belongs to a catcher that leaves the Error Output out.
	discards bool
	catcher  int // the number of the catcher that replaces the data, from 1
	before   *Step
	count    int
}

// maxSteps bounds the steps that are kept of one value.
const maxSteps = 6

// Steps returns the steps that made the value, the first one first.
func (s *Shape) Steps() []*Step {
	if s == nil {
		return nil
	}
	var list []*Step
	for step := s.why; step != nil; step = step.before {
		list = append([]*Step{step}, list...)
	}
	return list
}

// By returns the state that made the value last, or nil.
func (s *Shape) By() *asl.State {
	if s == nil || s.why == nil {
		return nil
	}
	return s.why.By
}

// Kind returns the kind of the shape, [Unknown] of nil.
func (s *Shape) Kind() Kind {
	if s == nil {
		return Unknown
	}
	return s.kind
}

// Constant returns the value of a scalar where it is known, else nil.
func (s *Shape) Constant() value.Value {
	if s == nil {
		return nil
	}
	return s.constant
}

// Lack says why the shape is absent; nil of any other.
func (s *Shape) Lack() *Lack {
	if s == nil {
		return nil
	}
	return s.lack
}

// Members returns the members of an object, sorted by their names.
func (s *Shape) Members() []Member {
	if s == nil {
		return nil
	}
	return s.members.list()
}

// Open reports whether the object may have members that are not listed, or the array items.
func (s *Shape) Open() bool { return s == nil || s.open }

// Items returns the first items of an array, and the shape of those behind them where it is open.
func (s *Shape) Items() (first []*Shape, rest *Shape) {
	if s == nil {
		return nil, nil
	}
	return s.items, s.item
}

// Cases returns the alternatives of a Union, and of any other shape the shape alone.
func (s *Shape) Cases() []*Shape {
	if s != nil && s.kind == Union {
		return s.cases
	}
	return []*Shape{s}
}

// Equal reports whether two shapes say the same, whichever steps made them.
func Equal(a, b *Shape) bool { return a == b || hashOf(a) == hashOf(b) }

// Every reports whether each alternative satisfies the condition.
func (s *Shape) Every(f func(*Shape) bool) bool {
	return !slices.ContainsFunc(s.Cases(), func(c *Shape) bool { return !f(c) })
}

// Certain reports whether there is certainly something at the end of a path of names, whatever it is.
func (s *Shape) Certain(names []string) bool {
	if len(names) == 0 {
		return s.Every(func(c *Shape) bool { return c.Kind() != Absent })
	}
	return s.Every(func(c *Shape) bool {
		if c.Kind() != Object {
			return false
		}
		m := c.members.get(names[0])
		return m != nil && !m.Maybe && m.Shape.Certain(names[1:])
	})
}

// Always reports whether every value of the shape is of one of the kinds.
func (s *Shape) Always(kinds ...Kind) bool {
	return s.Every(func(c *Shape) bool {
		return slices.ContainsFunc(kinds, func(k Kind) bool { return c.Kind() == k })
	})
}

// Has describes the shape in words that follow a subject: "is an array", "has only Error and Cause".
func (s *Shape) Has() string {
	if s == nil {
		return "is not known"
	}
	switch s.kind {
	case Object:
	case String:
		if text, ok := s.constant.(value.String); ok && len(text) < 20 {
			return "is the string " + value.Compact(text)
		}
		if s.words != nil {
			return "is one of " + fewOf(s.words)
		}
		return "is " + s.kind.String()
	default:
		return "is " + s.kind.String()
	}
	return path.HasOnly(s.Names())
}

// is names the value in a sentence: "the string \"41\"" where it is known, else "a string".
func (s *Shape) is() string {
	if s.Constant() != nil {
		return template.Is(s.Constant())
	}
	return s.Kind().String()
}

// fewOf joins words, of many the first ones.
func fewOf(words []string) string {
	const most = 8
	if len(words) > most {
		return strings.Join(words[:most], ", ") + ", and more"
	}
	return strings.Join(words, ", ")
}

// Names returns the names of an object's members.
func (s *Shape) Names() []string {
	return value.Each(s.Members(), func(m Member) string { return m.Name })
}
