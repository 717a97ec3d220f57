package services

import (
	"slices"
	"strings"
)

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
	// Members are a Structure's, in the order of their names in the model.
	Members []Member
	// Key is the shape of a Map's keys; Item the shape of a Map's values or a List's items. They are nil for other
	// kinds.
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
	// its name there.
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

// leftOut are members at the top of answers that a service leaves out where it has nothing for them: what was not found
// or not asked for, and lists that S3 and SQS give only with something in them. The table is never changed.
var leftOut = map[string]bool{
	"Item": true, "Attributes": true, "ConsumedCapacity": true, "ItemCollectionMetrics": true,
	"UnprocessedItems": true, "UnprocessedKeys": true, "Contents": true, "CommonPrefixes": true, "Versions": true,
	"DeleteMarkers": true, "VersionId": true, "Messages": true, "Error": true, "Cause": true, "Output": true,
	"StopDate": true, "FunctionError": true, "LogResult": true, "UpdateCount": true, "Errors": true, "Deleted": true,
	"Failures": true, "Metadata": true,
}

// describing are the ends of names that a thing has whatever has become of it. The table is never changed.
var describing = []string{"Id", "Arn", "Name", "Status", "State"}

// Always reports whether every answer without an error has the member. The models say so of few members of answers, so
// that the others go by what services do: an answer has its members but those that it leaves out where there is nothing
// for them, and a thing in it has at least its own name, number and state. within is the name of the member around.
func (m *Member) Always(top bool, within string) bool {
	switch {
	case m.Required:
		return true
	case top:
		return !leftOut[m.Name] && !PageToken(m.Name)
	}
	return strings.HasPrefix(within, "Sdk") || slices.ContainsFunc(describing, func(end string) bool {
		thing, ends := strings.CutSuffix(m.Name, end)
		return ends && strings.HasSuffix(within, thing)
	})
}

// PageToken reports whether a member of a name is a token with which the next page of an answer is asked for.
func PageToken(name string) bool {
	switch name = strings.ToLower(name); name {
	case "lastevaluatedkey", "marker", "nextmarker", "pagetoken":
		return true
	}
	return strings.HasPrefix(name, "next") && strings.HasSuffix(name, "token") || name == "continuationtoken"
}
