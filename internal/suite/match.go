package suite

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"asldb/engine/console"
	"asldb/engine/jsonata"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Match is a matcher of values. All kinds are in this package.
type Match interface {
	written() value.Value
	match()
}

type (
	// Literal matches a scalar that is equal.
	Literal struct{ Value value.Value }
	// Object matches an object whose members match.
	Object struct{ Members []Member }
	// Array matches an array of the same length whose items match.
	Array struct{ Items []*Value }
	// Any matches any value of a type.
	Any struct{ Type AnyType }
	// Regex matches a string.
	Regex struct{ Expression *regexp.Regexp }
	// Absent matches a member that is not there.
	Absent struct{}
	// Condition holds for the value.
	Condition struct {
		Text       string
		Expression *console.Expression
	}
)

// Member is a member of an Object.
type Member struct {
	Key  string
	Want *Value
}

// AnyType is the type that an Any wants.
type AnyType uint8

// The types.
const (
	AnyValue AnyType = iota
	AnyString
	AnyNumber
	AnyBoolean
	AnyObject
	AnyArray
	AnyUUID
	AnyDate
)

var anyTypes = [...]string{"", "string", "number", "boolean", "object", "array", "uuid", "date"}

func (Literal) match()   {}
func (Object) match()    {}
func (Array) match()     {}
func (Any) match()       {}
func (Regex) match()     {}
func (Absent) match()    {}
func (Condition) match() {}

func (m Literal) written() value.Value {
	if text, ok := m.Value.(value.String); ok && strings.HasPrefix(string(text), "$") {
		return "$" + text
	}
	return m.Value
}

func (m Object) written() value.Value {
	members := value.Each(m.Members, func(member Member) value.Member {
		return value.Member{Key: member.Key, Value: member.Want.Match.written()}
	})
	return value.NewObject(members)
}

func (m Array) written() value.Value {
	items := value.Each(m.Items, func(item *Value) value.Value { return item.Match.written() })
	return value.NewArray(items)
}

func (m Any) written() value.Value {
	if m.Type == AnyValue {
		return value.String("$any")
	}
	return value.String("$any(" + anyTypes[m.Type] + ")")
}

func (m Regex) written() value.Value     { return value.String("$regex(" + m.Expression.String() + ")") }
func (m Absent) written() value.Value    { return value.String("$absent") }
func (m Condition) written() value.Value { return value.String(m.Text) }

// Exactly returns a wanted value that is equal to a node, at all places: it has no matchers.
func Exactly(node *source.Node) *Value {
	v := &Value{At: node.Span.Start, Exact: true}
	switch node.Kind {
	case value.KindObject:
		var object Object
		for _, member := range node.Members {
			object.Members = append(object.Members, Member{Key: member.Key, Want: Exactly(member.Node)})
		}
		v.Match = object
	case value.KindArray:
		var array Array
		for _, item := range node.Items {
			array.Items = append(array.Items, Exactly(item))
		}
		v.Match = array
	default:
		v.Match = Literal{node.Value}
	}
	return v
}

// Difference is one place at which a found value is not the wanted one, with the place of the wanted value in the suite.
type Difference struct {
	value.Difference
	At source.Position
}

// Compare returns the places at which a found value is not the wanted one; found may be nil, of a value that is not there. env has
// the values that conditions read besides; it may be nil.
func (v *Value) Compare(found value.Value, env *console.Env) []Difference {
	c := &comparison{exact: v.Exact, env: env}
	c.value("$", v, found)
	return c.found
}

type comparison struct {
	exact bool
	env   *console.Env
	found []Difference
}

func (c *comparison) differs(path string, want *Value, found value.Value, reason string) {
	c.found = append(c.found, Difference{value.Difference{Path: path, Wanted: want.Match.written(), Found: found, Reason: reason}, want.At})
}

func (c *comparison) value(path string, want *Value, found value.Value) {
	if _, absent := want.Match.(Absent); absent {
		if found != nil {
			c.differs(path, want, found, "")
		}
		return
	}
	if found == nil {
		c.differs(path, want, nil, "")
		return
	}
	switch m := want.Match.(type) {
	case Literal:
		if !value.Equal(m.Value, found) {
			c.differs(path, want, found, "")
		}
	case Object:
		c.object(path, want, m, found)
	case Array:
		c.array(path, want, m, found)
	case Any:
		if !m.Type.has(found) {
			c.differs(path, want, found, "is not "+wording.A(anyTypes[m.Type]))
		}
	case Regex:
		if text, ok := found.(value.String); !ok || !m.Expression.MatchString(string(text)) {
			c.differs(path, want, found, "does not match")
		}
	case Condition:
		c.condition(path, want, m, found)
	case Absent:
	}
}

func (c *comparison) object(path string, want *Value, m Object, found value.Value) {
	object, ok := found.(*value.Object)
	if !ok {
		c.differs(path, want, found, "")
		return
	}
	wanted := make(map[string]bool, len(m.Members))
	for _, member := range m.Members {
		wanted[member.Key] = true
		c.value(path+value.Step(member.Key), member.Want, object.Get(member.Key))
	}
	if !c.exact {
		return
	}
	for key, v := range object.All() {
		if !wanted[key] {
			c.found = append(c.found, Difference{value.Difference{Path: path + value.Step(key), Found: v}, want.At})
		}
	}
}

func (c *comparison) array(path string, want *Value, m Array, found value.Value) {
	array, ok := found.(*value.Array)
	if !ok || array.Len() != len(m.Items) {
		reason := ""
		if ok {
			reason = value.Lengths(len(m.Items), array.Len())
		}
		c.differs(path, want, found, reason)
		return
	}
	for i, item := range m.Items {
		c.value(path+"["+strconv.Itoa(i)+"]", item, array.At(i))
	}
}

// condition evaluates a condition with the found value as the data.
func (c *comparison) condition(path string, want *Value, m Condition, found value.Value) {
	env := console.Env{Profile: jsonata.Service()}
	if c.env != nil {
		env = *c.env
	}
	env.Data = found
	env.States = withOutput(env.States, found)
	switch holds, err := m.Expression.Truth(&env); {
	case err != nil:
		c.differs(path, want, found, err.Error())
	case !holds:
		c.differs(path, want, found, "is false")
	}
}

// withOutput returns $states with the value that a condition is about as its output; of a value that belongs to no state it is the input, too.
func withOutput(states func() value.Value, found value.Value) func() value.Value {
	return func() value.Value {
		members := []value.Member{{Key: "output", Value: found}}
		if states == nil {
			return value.NewObject(append(members, value.Member{Key: "input", Value: found}))
		}
		if object, ok := states().(*value.Object); ok {
			for key, v := range object.All() {
				if key != "output" {
					members = append(members, value.Member{Key: key, Value: v})
				}
			}
		}
		return value.NewObject(members)
	}
}

var uuid = wording.Pattern(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)

// has reports whether a value is of the type.
func (t AnyType) has(v value.Value) bool {
	text, isText := v.(value.String)
	switch t {
	case AnyString:
		return isText
	case AnyNumber:
		_, ok := v.(value.Number)
		return ok
	case AnyBoolean:
		_, ok := v.(value.Bool)
		return ok
	case AnyObject:
		_, ok := v.(*value.Object)
		return ok
	case AnyArray:
		_, ok := v.(*value.Array)
		return ok
	case AnyUUID:
		return isText && uuid().MatchString(string(text))
	case AnyDate:
		return isText && isDate(string(text))
	case AnyValue:
	}
	return true
}

// isDate reports whether a text is a date, or a time in RFC 3339.
func isDate(text string) bool {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly, time.DateTime} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}
