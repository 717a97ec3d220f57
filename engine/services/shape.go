package services

import "strings"

// Kind is the type of a value in a request or an answer.
type Kind uint8

// The kinds of values. Step Functions writes a timestamp and a blob as strings.
const (
	String Kind = iota
	Integer
	Float
	Boolean
	Timestamp
	Blob
	Structure
	List
	Map
	// Any is a JSON value of any type.
	Any
	kinds // their number
)

// String returns the kind's name, as models write it.
func (k Kind) String() string {
	return [...]string{
		"string", "integer", "float", "boolean", "timestamp", "blob", "structure", "list", "map", "any",
	}[k]
}

// A Shape is the type of a value with its constraints. Shapes may contain themselves.
type Shape struct {
	Kind Kind
	// Members are those of a Structure, in the order of their names in the model.
	Members []Member
	// Key is the shape of a Map's keys; Item that of a Map's values or a List's items. They are nil for other kinds.
	Key, Item *Shape
	// Min and Max bound a number, the length of a string or blob, or the number of items or entries; nil where there is no
	// bound.
	Min, Max *float64
	// JSON tells that a String or Blob holds a JSON document as text.
	JSON bool
	// Enum has the words that a String takes, in the model's order; empty where it takes any.
	Enum []string
}

// A Member is one of a Structure.
type Member struct {
	// Name is Step Functions' name in an SDK integration: "DbInstanceIdentifier"; in the [Result] of an optimized integration,
	// that which it has there.
	Name string
	// Model is the model's own name: "DBInstanceIdentifier", "launchType". The optimized integrations keep it,
	// with a capital letter at its beginning.
	Model string
	// Required tells that a request must have the member, or that an answer always has it.
	Required bool
	Shape    *Shape
}

// Member returns the member of that name ([Member.Name]), false where the structure has none. A name that the model writes in
// capital letters alone ("BOOL", "ACL") is taken as it is too.
func (s *Shape) Member(name string) (*Member, bool) {
	for i := range s.Members {
		if m := &s.Members[i]; m.Name == name || m.Model == name && strings.ToUpper(name) == name {
			return &s.Members[i], true
		}
	}
	return nil, false
}
