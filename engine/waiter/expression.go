package waiter

import (
	"fmt"
	"maps"
	"slices"

	"github.com/jmespath-community/go-jmespath/pkg/functions"
	"github.com/jmespath-community/go-jmespath/pkg/interpreter"
	"github.com/jmespath-community/go-jmespath/pkg/parsing"

	"asldb/engine/value"
)

// expression is a JMESPath expression made ready.
type expression struct {
	text string
	tree parsing.ASTNode // as written
	run  parsing.ASTNode // the evaluated form
	// functions is the table of functions, which is not changed after it has been made.
	functions interpreter.FunctionCaller
}

// SyntaxError says that a text isn't a JMESPath expression.
type SyntaxError struct {
	Text   string
	Offset int // of the error, in bytes
	Msg    string
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("invalid JMESPath %q: %s", e.Text, e.Msg) }

// compile reads an expression; the error is a *SyntaxError.
func compile(text string) (x *expression, err error) {
	defer func() { // a text from a file must not end the program, whatever the library makes of it
		if fault := recover(); fault != nil {
			x, err = nil, &SyntaxError{Text: text, Msg: fmt.Sprint(fault)}
		}
	}()
	tree, err := parsing.NewParser().Parse(text)
	if err != nil {
		wrong := &SyntaxError{Text: text, Msg: err.Error()}
		if located, ok := err.(parsing.SyntaxError); ok {
			wrong.Offset = min(max(located.Offset, 0), len(text))
		}
		return nil, wrong
	}
	return &expression{text: text, tree: tree, run: ordered(tree), functions: functionTable()}, nil
}

// search evaluates the expression over data. What JMESPath leaves to the implementation, the order of an object's
// values, is the order of its keys, so that a run can be repeated.
func (x *expression) search(data value.Value) (found value.Value, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			found, err = nil, fmt.Errorf("%s cannot be evaluated: %v", x.text, fault)
		}
	}()
	plain := toPlain(data)
	result, err := interpreter.NewInterpreter(plain, x.functions, nil).Execute(x.run, plain)
	if err != nil {
		return nil, err
	}
	return fromPlain(result), nil
}

// projected is the values of an object, in order; it cannot be written in an expression.
const projected = "values of"

// ordered returns the tree with every projection of an object's values done in the order of its keys.
func ordered(n parsing.ASTNode) parsing.ASTNode {
	twin := n
	twin.Children = make([]parsing.ASTNode, len(n.Children))
	for i, child := range n.Children {
		twin.Children[i] = ordered(child)
	}
	if n.NodeType == parsing.ASTValueProjection {
		twin.NodeType = parsing.ASTProjection
		twin.Children[0] = parsing.ASTNode{
			NodeType: parsing.ASTFunctionExpression, Value: projected, Children: []parsing.ASTNode{twin.Children[0]},
		}
	}
	return twin
}

func functionTable() interpreter.FunctionCaller {
	return interpreter.NewFunctionCaller(append(functions.GetDefaultFunctions(), orderedFunctions()...)...)
}

func orderedFunctions() []functions.FunctionEntry {
	anything := []functions.ArgSpec{{Types: []functions.JpType{functions.JpAny}}}
	object := []functions.ArgSpec{{Types: []functions.JpType{functions.JpObject}}}
	return []functions.FunctionEntry{
		{Name: projected, Arguments: anything, Handler: valuesOf},
		{Name: "values", Arguments: object, Handler: valuesOf},
		{Name: "keys", Arguments: object, Handler: func(arguments []any) (any, error) {
			keys := value.Each(slices.Sorted(maps.Keys(arguments[0].(map[string]any))), func(key string) any {
				return key
			})
			return keys, nil
		}},
		padding("pad_left"), padding("pad_right"),
	}
}

// maxPadded bounds the width that a text is padded to, in characters: an expression comes from a file and may name any.
const maxPadded = 1 << 20

// padding returns the library's function of that name, which bounds the width.
func padding(name string) functions.FunctionEntry {
	for _, entry := range functions.GetDefaultFunctions() {
		if entry.Name != name {
			continue
		}
		pad := entry.Handler
		entry.Handler = func(arguments []any) (any, error) {
			if width, ok := arguments[1].(float64); ok && width > maxPadded {
				return nil, fmt.Errorf("%s makes texts of at most %d characters", name, maxPadded)
			}
			return pad(arguments)
		}
		return entry
	}
	panic("the library has no function " + name) // it cannot be: see TestPadding
}

func valuesOf(arguments []any) (any, error) {
	object, ok := arguments[0].(map[string]any)
	if !ok {
		return nil, nil // a projection of anything else gives null
	}
	values := make([]any, 0, len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) {
		values = append(values, object[key])
	}
	return values, nil
}

// toPlain returns a value as the library takes it. Every number is a double (section "Data model").
func toPlain(v value.Value) any {
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case value.Number:
		return v.Float64()
	case value.String:
		return string(v)
	case *value.Array:
		items := make([]any, 0, v.Len())
		for _, item := range v.All() {
			items = append(items, toPlain(item))
		}
		return items
	case *value.Object:
		members := make(map[string]any, v.Len())
		for key, member := range v.All() {
			members[key] = toPlain(member)
		}
		return members
	}
	return nil
}

func fromPlain(v any) value.Value {
	switch v := v.(type) {
	case bool:
		return value.Bool(v)
	case float64:
		return value.Float(v)
	case string:
		return value.String(v)
	case []any:
		items := value.Each(v, fromPlain)
		return value.NewArray(items)
	case map[string]any:
		members := make([]value.Member, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			members = append(members, value.Member{Key: key, Value: fromPlain(v[key])})
		}
		return value.NewObject(members)
	}
	return value.Null{}
}
