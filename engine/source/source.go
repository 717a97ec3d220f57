// Package source holds texts with the place of everything in them: it reads JSON and YAML into a tree of nodes
// that know their position, and shows problems with their lines. It knows nothing of the meaning of a text.
package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/value"
)

// File is a text with its name.
type File struct {
	Name string // a file's name, or "<stdin>" and the like
	Data []byte
	// Private: problems show no lines of it. Another file names it, and it may be anything.
	Private bool
}

// Digest identifies the text, as traces and profiles of coverage have it.
func (f *File) Digest() string {
	sum := sha256.Sum256(f.Data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Position is a place in a File. Line and Col are from 1; Col counts characters.
type Position struct {
	Line   int `json:"line"`
	Col    int `json:"column"`
	Offset int `json:"offset"` // in bytes, from 0
}

// Span is the stretch from Start to before End. The zero Span is "nowhere".
type Span struct {
	Start, End Position
	// File is the file of an included part, which is not the tree's; else nil.
	File *File
}

// Node is one value of the text with its place.
type Node struct {
	Kind  value.Kind
	Value value.Value // the whole value, containers included
	Span  Span
	// Members are an object's, in the order of the text, repeated keys included; Items are an array's.
	Members []NodeMember
	Items   []*Node
	// Unknown is set when a ${Name} without a value is in place of the value, outside of quotes: Value is then 1.
	Unknown bool
	// Repeats is set when an object in this value, or the value itself, has a key more than once.
	Repeats bool
}

// NodeMember is one member of an object with the place of its key.
type NodeMember struct {
	Key     string
	KeySpan Span
	Node    *Node
}

// fillObject makes the node an object of members.
func (n *Node) fillObject(members []NodeMember) {
	n.Kind, n.Members = value.KindObject, members
	if n.Repeats = hasRepeats(members); n.Repeats {
		var b value.ObjectBuilder
		for i := range members {
			b.Set(members[i].Key, members[i].Node.Value)
		}
		n.Value = b.Object()
		return
	}
	values := make([]value.Member, len(members))
	for i := range members {
		values[i] = value.Member{Key: members[i].Key, Value: members[i].Node.Value}
		n.Repeats = n.Repeats || members[i].Node.Repeats
	}
	n.Value = value.NewObject(values)
}

// fillArray makes the node an array of items.
func (n *Node) fillArray(items []*Node) {
	n.Kind, n.Items = value.KindArray, items
	values := make([]value.Value, len(items))
	for i, item := range items {
		values[i] = item.Value
		n.Repeats = n.Repeats || item.Repeats
	}
	n.Value = value.NewArray(values)
}

// manyMembers is the number of members from which repeated keys are found with a map.
const manyMembers = 16

func hasRepeats(members []NodeMember) bool {
	if len(members) >= manyMembers {
		seen := make(map[string]struct{}, len(members))
		for i := range members {
			seen[members[i].Key] = struct{}{}
		}
		return len(seen) < len(members)
	}
	for i := range members {
		for j := range i {
			if members[j].Key == members[i].Key {
				return true
			}
		}
	}
	return false
}

// Get returns the member called key (the last of that name), or nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == key {
			return n.Members[i].Node
		}
	}
	return nil
}

// IsText reports whether the node is a string.
func (n *Node) IsText() bool { return n.Kind == value.KindString }

// Text returns the text of a string, and "" of anything else, nil among them.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	text, _ := n.Value.(value.String)
	return string(text)
}

// Severity tells how bad a problem is.
type Severity uint8

// The severities of a Diagnostic.
const (
	Error   Severity = iota // it is refused
	Warning                 // it is legal and probably a mistake
	Hint                    // it is legal, and could be better
	// Smithy's own, of models:

	Danger // it is very likely wrong, and refused where the model does not suppress the problem
	Note   // as Hint
)

// Fails reports whether a text with such a problem is refused.
func (s Severity) Fails() bool { return s == Error || s == Danger }

// Diagnostic is one problem of a text.
type Diagnostic struct {
	Severity Severity
	// File is the file that Span is a stretch of; nil where the reader of the text does not know it. See [Own].
	File *File
	// Rule is the kind of problem in a few words with dashes, "transition-target-not-found" for example.
	Rule    string
	Message string
	// Pointer is the JSON Pointer of the value that is wrong, or of the object that lacks something.
	Pointer string
	Span    Span
	// Suggestion is the probable intention ("did you mean …?"), or empty.
	Suggestion string
	// Fix is the change that the Suggestion asks for, where it is one of a word; else nil.
	Fix *Fix
	// Expected and Found describe the expected and the actual content of the place, where the problem is of that kind.
	Expected, Found string
	// Reasons are the steps that lead to the problem, each with its place; nil where the place alone shows it.
	Reasons []Reason
	// Implied are the problems that are there only because of this one, such as states that are not reachable. Step Functions
	// reports them as separate problems.
	Implied []Diagnostic
	// Service is how Step Functions itself says it, where that is known.
	Service Reply
}

// Reason is one step in the explanation of a Diagnostic. Span is the zero Span where it has no place; File is the file that it
// is a stretch of.
type Reason struct {
	Text string
	Span Span
	File *File
}

// Reply is a problem in the words of Step Functions (ValidateStateMachineDefinition). An empty Message is "not known"; a problem
// with one, or with Refused, is an error to the service, whatever the Diagnostic's severity, but for a Warning.
type Reply struct {
	// Code is the service's where it is not the rule's.
	Code string
	// Message is the service's text.
	Message string
	// Location is the JSON Pointer of the place that the service names; empty where it is the Diagnostic's.
	Location string
	// Refused: the service refuses the definition, in words that are not known.
	Refused bool
	// Warning: the service accepts the definition and warns.
	Warning bool
	// Nowhere: the service names no place.
	Nowhere bool
	// Silent: the service does not report the problem where it reports another one with it.
	Silent bool
}

// NewArray returns an array of items at a place.
func NewArray(items []*Node, at Span) *Node {
	n := &Node{Span: at}
	n.fillArray(items)
	return n
}

// NewObject returns an object of members at a place.
func NewObject(members []NodeMember, at Span) *Node {
	n := &Node{Span: at}
	n.fillObject(members)
	return n
}

// NewString returns a string at a place.
func NewString(text string, at Span) *Node {
	return &Node{Kind: value.KindString, Value: value.String(text), Span: at}
}

// Map returns a container with f applied to each of its parts; keys and places stay. Where f returns nil the part is left out.
func (n *Node) Map(f func(*Node) *Node) *Node {
	twin := &Node{Span: n.Span}
	if n.Kind == value.KindArray {
		items := make([]*Node, 0, len(n.Items))
		for _, item := range n.Items {
			if part := f(item); part != nil {
				items = append(items, part)
			}
		}
		twin.fillArray(items)
		return twin
	}
	members := make([]NodeMember, 0, len(n.Members))
	for _, m := range n.Members {
		if m.Node = f(m.Node); m.Node != nil {
			members = append(members, m)
		}
	}
	twin.fillObject(members)
	return twin
}

// Of returns a value as a tree, all at one place.
func Of(v value.Value, at Span) *Node {
	n := &Node{Kind: v.Kind(), Value: v, Span: at}
	switch v := v.(type) {
	case *value.Object:
		members := make([]NodeMember, 0, v.Len())
		for key, held := range v.All() {
			members = append(members, NodeMember{Key: key, KeySpan: at, Node: Of(held, at)})
		}
		n.fillObject(members)
	case *value.Array:
		items := make([]*Node, v.Len())
		for i, item := range v.All() {
			items[i] = Of(item, at)
		}
		n.fillArray(items)
	}
	return n
}

// Item returns item i of an array, nil where it has none.
func (n *Node) Item(i int) *Node {
	if n == nil || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// TextOf returns the text of a string; ok is false for anything else.
func TextOf(n *Node) (text string, ok bool) {
	if n == nil {
		return "", false
	}
	s, ok := n.Value.(value.String)
	return string(s), ok
}

// M returns a member of an object that is not in a text: its key has the place of its value.
func M(key string, n *Node) NodeMember { return NodeMember{Key: key, KeySpan: n.Span, Node: n} }

// With returns an object with a member, which has the place of the object: in place of the one with that key, or behind
// the others.
func (n *Node) With(key string, v value.Value) *Node {
	member := NodeMember{Key: key, KeySpan: n.Span, Node: Of(v, n.Span)}
	members := slices.Clone(n.Members)
	if i := slices.IndexFunc(members, func(m NodeMember) bool { return m.Key == key }); i >= 0 {
		members[i] = member
		return NewObject(members, n.Span)
	}
	return NewObject(append(members, member), n.Span)
}

// Without returns an object without a member.
func (n *Node) Without(key string) *Node {
	members := slices.Clone(n.Members)
	return NewObject(slices.DeleteFunc(members, func(m NodeMember) bool { return m.Key == key }), n.Span)
}

// Replace returns a tree with a node replaced, in all places where it is: an alias in YAML is in several.
func (n *Node) Replace(old, replacement *Node) *Node {
	switch {
	case n == old:
		return replacement
	case !n.encloses(old):
		return n
	}
	return n.Map(func(part *Node) *Node { return part.Replace(old, replacement) })
}

// encloses reports whether a node is below another.
func (n *Node) encloses(part *Node) bool {
	for i := range n.Members {
		if n.Members[i].Node == part || n.Members[i].Node.encloses(part) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, func(item *Node) bool { return item == part || item.encloses(part) })
}

// Read reads the one value of a file, JSON or YAML, as a tree with positions. A name that ends in .json, .yaml or
// .yml says which; another text is JSON where it begins with a bracket or a brace or is empty, and else YAML. A
// YAML file that is JSON as well is read as JSON, to which tabs are white space. tags may be nil; see [ReadYAML].
// The tree is nil when the text cannot be read: then the diagnostic says why.
func Read(f *File, tags Tags) (*Node, *Diagnostic) {
	root, problem := read(f, tags)
	if problem != nil {
		problem.File = f
	}
	return root, problem
}

func read(f *File, tags Tags) (*Node, *Diagnostic) {
	head := bytes.TrimLeft(bytes.TrimPrefix(f.Data, byteOrderMark), " \t\r\n")
	bracket := len(head) == 0 || head[0] == '{' || head[0] == '['
	switch strings.ToLower(filepath.Ext(f.Name)) {
	case ".json":
		return ReadJSON(f.Data)
	case ".yaml", ".yml":
		if len(head) == 0 || !bracket {
			return ReadYAML(f.Data, tags)
		}
		if root, problem := ReadJSON(f.Data); problem == nil {
			return root, nil
		}
		return ReadYAML(f.Data, tags)
	}
	if bracket {
		return ReadJSON(f.Data)
	}
	return ReadYAML(f.Data, tags)
}

// Article puts the article before a kind, as messages need it: "an object", "a string", "null".
func Article(kind value.Kind) string {
	switch kind {
	case value.KindArray, value.KindObject:
		return "an " + kind.String()
	case value.KindNull:
		return "null"
	case value.KindBool, value.KindNumber, value.KindString:
	}
	return "a " + kind.String()
}
