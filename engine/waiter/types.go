package waiter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jmespath-community/go-jmespath/pkg/functions"
	"github.com/jmespath-community/go-jmespath/pkg/parsing"

	"asldb/engine/source"
)

// kind is a type of JMESPath; of an expression whose result can be of several it is anyKind.
type kind uint8

const (
	anyKind kind = iota
	nullKind
	booleanKind
	numberKind
	stringKind
	arrayKind
	objectKind
)

var kindNames = [...]string{
	anyKind: "any", nullKind: "null", booleanKind: "boolean", numberKind: "number", stringKind: "string", arrayKind: "array", objectKind: "object",
}

// String returns the name that messages have.
func (k kind) String() string { return kindNames[k] }

// shapeType is the static type of a value.
type shapeType struct {
	kind kind
	// item gives the type of an array's items and of a map's values, member the type of a structure's member; they
	// are nil where nothing is known.
	item   func() shapeType
	member func(name string) (shapeType, bool)
	// names are a structure's members.
	names []string
}

var unknown = shapeType{kind: anyKind}

// structureType is the type of a shape of the model.
func (m *Model) shapeType(id string, shape *source.Node) shapeType {
	switch m.typeOf(id, shape) {
	case "structure", "union":
		return m.structureType(shape)
	case "list", "set":
		return shapeType{kind: arrayKind, item: func() shapeType { return m.targetType(shape.Get("member")) }}
	case "map":
		return shapeType{kind: objectKind, item: func() shapeType { return m.targetType(shape.Get("value")) }}
	case "string", "enum", "blob":
		return shapeType{kind: stringKind}
	case "boolean":
		return shapeType{kind: booleanKind}
	case "byte", "short", "integer", "long", "float", "double", "biginteger", "bigdecimal", "intenum", "intEnum", "timestamp", "bigInteger", "bigDecimal":
		return shapeType{kind: numberKind}
	}
	return unknown
}

func (m *Model) targetType(reference *source.Node) shapeType {
	id, shape := m.target(reference)
	return m.shapeType(id, shape)
}

// structureType is the type of a structure; the type of nil has no members.
func (m *Model) structureType(shape *source.Node) shapeType {
	members := shape.Get("members")
	t := shapeType{kind: objectKind}
	if members != nil {
		for _, member := range members.Members {
			t.names = append(t.names, member.Key)
		}
	}
	t.member = func(name string) (shapeType, bool) {
		member := members.Get(name)
		if member == nil {
			return unknown, false
		}
		return m.targetType(member), true
	}
	return t
}

// pairType is the type of the value that inputOutput matches.
func pairType(input, output shapeType) shapeType {
	return shapeType{kind: objectKind, names: []string{"input", "output"}, member: func(name string) (shapeType, bool) {
		switch name {
		case "input":
			return input, true
		case "output":
			return output, true
		}
		return unknown, false
	}}
}

// typeProblem is something in an expression that cannot be meant, or is doubtful.
type typeProblem struct {
	severity source.Severity
	message  string
	offset   int // in the expression, in bytes
}

// checker derives the type of an expression and finds type errors in it.
type checker struct {
	text     string
	at       int // where the next name is looked for: the tree has no positions
	problems []typeProblem
}

// check returns the type that the expression gives over data of a type.
func (x *expression) check(data shapeType) (shapeType, []typeProblem) {
	c := &checker{text: x.text}
	result := c.visit(&x.tree, data)
	return result, c.problems
}

// find returns the place of a name, from where the last one was found on.
func (c *checker) find(name string) int {
	i := strings.Index(c.text[c.at:], name)
	if i < 0 {
		return min(c.at, len(c.text))
	}
	at := c.at + i
	c.at = at + len(name)
	return at
}

func (c *checker) report(severity source.Severity, offset int, format string, args ...any) {
	c.problems = append(c.problems, typeProblem{severity, fmt.Sprintf(format, args...), offset})
}

func (c *checker) visit(n *parsing.ASTNode, current shapeType) shapeType {
	child := func(i int) *parsing.ASTNode { return &n.Children[i] }
	switch n.NodeType {
	case parsing.ASTField:
		return c.field(n.Value.(string), current)
	case parsing.ASTSubexpression, parsing.ASTPipe, parsing.ASTIndexExpression:
		return c.visit(child(1), c.visit(child(0), current))
	case parsing.ASTIndex:
		return c.items(current)
	case parsing.ASTProjection, parsing.ASTFilterProjection:
		return c.projection(n, current)
	case parsing.ASTValueProjection:
		left := c.visit(child(0), current)
		if left.kind != objectKind && left.kind != anyKind {
			c.report(source.Danger, min(c.at, len(c.text)), "Object projection performed on %s", left.kind)
			c.visit(child(1), unknown)
			return shapeType{kind: nullKind}
		}
		return c.listOf(child(1), itemType(left))
	case parsing.ASTFlatten:
		left := c.visit(child(0), current)
		if inner := itemType(left); left.kind == arrayKind && inner.kind == arrayKind {
			return inner
		}
		return left
	case parsing.ASTComparator:
		return c.comparison(n, current)
	case parsing.ASTFunctionExpression:
		return c.function(n, current)
	case parsing.ASTLiteral:
		return literalType(n.Value)
	case parsing.ASTNotExpression:
		c.visit(child(0), current)
		return shapeType{kind: booleanKind}
	case parsing.ASTOrExpression, parsing.ASTAndExpression:
		left, right := c.visit(child(0), current), c.visit(child(1), current)
		if left.kind == right.kind {
			return left
		}
		return unknown
	case parsing.ASTMultiSelectList, parsing.ASTMultiSelectHash:
		return c.multiSelect(n, current)
	case parsing.ASTIdentity, parsing.ASTCurrentNode, parsing.ASTRootNode:
		return current
	}
	return unknown
}

func (c *checker) field(name string, current shapeType) shapeType {
	at := c.find(name)
	switch {
	case current.kind == objectKind && current.member != nil:
		found, ok := current.member(name)
		if !ok {
			c.report(source.Danger, at, "Object field '%s' does not exist in object with properties [%s]", name, strings.Join(slices.Sorted(slices.Values(current.names)), ", "))
		}
		return found
	case current.kind == objectKind:
		return itemType(current)
	case current.kind != anyKind:
		c.report(source.Danger, at, "Object field '%s' extraction performed on %s", name, current.kind)
	}
	return unknown
}

func itemType(t shapeType) shapeType {
	if t.item == nil {
		return unknown
	}
	return t.item()
}

func (c *checker) items(current shapeType) shapeType {
	switch current.kind {
	case arrayKind:
		return itemType(current)
	case anyKind:
		return unknown
	default:
	}
	c.report(source.Danger, min(c.at, len(c.text)), "Array index extraction performed on %s", current.kind)
	return unknown
}

// projection is [*], [], a slice or a filter: its right side is applied to each item of its left side's result.
func (c *checker) projection(n *parsing.ASTNode, current shapeType) shapeType {
	left, operation := &n.Children[0], "Array projection"
	switch {
	case n.NodeType == parsing.ASTFilterProjection:
		operation = "Filter projection"
	case left.NodeType == parsing.ASTFlatten:
		operation = "Array flatten"
	case left.NodeType == parsing.ASTIndexExpression && left.Children[1].NodeType == parsing.ASTSlice:
		left, operation = &left.Children[0], "Slice"
	}
	list := c.visit(left, current)
	if list.kind != arrayKind && list.kind != anyKind {
		c.report(source.Danger, min(c.at, len(c.text)), "%s performed on %s", operation, list.kind)
		list = unknown
	}
	item := itemType(list)
	if n.NodeType == parsing.ASTFilterProjection {
		c.visit(&n.Children[2], item)
	}
	return c.listOf(&n.Children[1], item)
}

func (c *checker) listOf(right *parsing.ASTNode, item shapeType) shapeType {
	result := c.visit(right, item)
	return shapeType{kind: arrayKind, item: func() shapeType { return result }}
}

func (c *checker) comparison(n *parsing.ASTNode, current shapeType) shapeType {
	left := c.visit(&n.Children[0], current)
	sign := map[any]string{parsing.TOKLT: "<", parsing.TOKLTE: "<=", parsing.TOKGT: ">", parsing.TOKGTE: ">="}[n.Value]
	at := c.at // of the right operand, which is where Smithy reports it
	if i := strings.Index(c.text[at:], sign); i >= 0 {
		at += i + len(sign)
		at += len(c.text[at:]) - len(strings.TrimLeft(c.text[at:], " "))
	}
	right := c.visit(&n.Children[1], current)
	if sign == "" {
		return shapeType{kind: booleanKind}
	}
	for _, side := range []shapeType{left, right} {
		if side.kind != numberKind && side.kind != anyKind {
			c.report(source.Warning, at, "Invalid comparator '%s' for %s", sign, side.kind)
			return shapeType{kind: nullKind}
		}
	}
	return shapeType{kind: booleanKind}
}

// results are the types that the functions of JMESPath give; of the others it depends on their arguments.
var results = map[string]kind{
	"abs": numberKind, "avg": numberKind, "ceil": numberKind, "contains": booleanKind, "ends_with": booleanKind, "floor": numberKind,
	"join": stringKind, "keys": arrayKind, "length": numberKind, "map": arrayKind, "merge": objectKind, "sort": arrayKind, "sort_by": arrayKind,
	"starts_with": booleanKind, "sum": numberKind, "to_array": arrayKind, "to_string": stringKind, "type": stringKind, "values": arrayKind,
	"max": anyKind, "max_by": anyKind, "min": anyKind, "min_by": anyKind, "not_null": anyKind, "reverse": anyKind, "to_number": anyKind,
}

// parameters are the parameters of those functions.
var parameters = func() map[string][]functions.ArgSpec {
	table := make(map[string][]functions.ArgSpec)
	for _, entry := range functions.GetDefaultFunctions() {
		table[entry.Name] = entry.Arguments
	}
	return table
}()

// kinds are the kinds of the types of parameters.
var kinds = map[functions.JpType]kind{
	functions.JpNumber: numberKind, functions.JpString: stringKind, functions.JpObject: objectKind,
	functions.JpArray: arrayKind, functions.JpArrayNumber: arrayKind, functions.JpArrayString: arrayKind,
}

// items are the kinds of the items of an array, of parameters that take such an array alone.
var items = map[functions.JpType]kind{functions.JpArrayNumber: numberKind, functions.JpArrayString: stringKind}

// accepts reports whether a parameter takes an argument. Of an array the items are asked where they are of one type.
func accepts(types []functions.JpType, argument shapeType) bool {
	item := itemType(argument).kind
	return argument.kind == anyKind || slices.ContainsFunc(types, func(t functions.JpType) bool {
		itemFits := len(types) > 1 || items[t] == anyKind || item == anyKind || item == items[t]
		return t == functions.JpAny || kinds[t] == argument.kind && itemFits
	})
}

func (c *checker) function(n *parsing.ASTNode, current shapeType) shapeType {
	name := n.Value.(string)
	at := c.find(name)
	given := make([]shapeType, len(n.Children))
	for i := range n.Children {
		if n.Children[i].NodeType != parsing.ASTExpRef { // its operand's type is unknown here
			given[i] = c.visit(&n.Children[i], current)
		}
	}
	result, known := results[name]
	if !known {
		c.report(source.Error, at, "Unknown function: %s", name)
		return unknown
	}
	takes := parameters[name]
	variadic := takes[len(takes)-1].Variadic
	if len(given) < len(takes) || len(given) > len(takes) && !variadic {
		c.report(source.Error, at, "%s function expected %d arguments, but was given %d", name, len(takes), len(given))
		return shapeType{kind: result}
	}
	for i, argument := range given {
		types, found := takes[min(i, len(takes)-1)].Types, argument.kind.String()
		fits := accepts(types, argument)
		if n.Children[i].NodeType == parsing.ASTExpRef {
			fits, found = types[0] == functions.JpExpref, string(functions.JpExpref)
		}
		if !fits {
			c.report(source.Error, at,
				"%s function argument %d error: expected one of %v, but found %s", name, i, types, found)
		}
	}
	return shapeType{kind: result}
}
func (c *checker) multiSelect(n *parsing.ASTNode, current shapeType) shapeType {
	for i := range n.Children {
		part := &n.Children[i]
		if part.NodeType == parsing.ASTKeyValPair {
			part = &part.Children[0]
		}
		c.visit(part, current)
	}
	if n.NodeType == parsing.ASTMultiSelectList {
		return shapeType{kind: arrayKind}
	}
	return shapeType{kind: objectKind}
}

func literalType(literal any) shapeType {
	switch literal.(type) {
	case bool:
		return shapeType{kind: booleanKind}
	case float64:
		return shapeType{kind: numberKind}
	case string:
		return shapeType{kind: stringKind}
	case []any:
		return shapeType{kind: arrayKind}
	case map[string]any:
		return shapeType{kind: objectKind}
	case nil:
		return shapeType{kind: nullKind}
	}
	return unknown
}
