package source

import (
	"math/big"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"asldb/engine/value"
)

// isPlainScalar reports whether node is a scalar that YAML reads as something else than text.
func isPlainScalar(node ast.Node) bool {
	switch node.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return true
	}
	return false
}

// The message about a key that isn't a text, and the advice.
const (
	keyNoText = "a key must be a text: JSON has no key that is a list, an object or a value with a tag"
	keyAdvice = "write the key in quotes"
)

// keyText returns a mapping's key as a string: JSON has no other keys.
func (r *yamlReader) keyText(key ast.Node) (string, error) {
	switch key := key.(type) {
	case *ast.MappingKeyNode:
		if key.Value == nil {
			return "", r.places.errorf(key.GetToken(), "the key is missing")
		}
		return r.keyText(key.Value)
	case *ast.StringNode:
		return key.Value, nil
	case *ast.LiteralNode:
		return key.Value.Value, nil
	case *ast.AnchorNode:
		if _, err := r.anchor(key, 0); err != nil {
			return "", err
		}
		return r.keyText(key.Value)
	case *ast.AliasNode:
		entry, err := r.alias(key, 0)
		if err != nil {
			return "", err
		}
		if text, ok := entry.node.Value.(value.String); ok {
			return string(text), nil
		}
	}
	if isPlainScalar(key) {
		return key.GetToken().Value, nil // as written
	}
	return "", &yamlError{
		rule:       RuleMalformedYAML,
		span:       r.places.token(key.GetToken()),
		message:    keyNoText,
		suggestion: keyAdvice,
	}
}

// scalarValue returns the JSON value of a scalar.
func (r *yamlReader) scalarValue(node ast.Node) (value.Value, error) {
	t := node.GetToken()
	switch node := node.(type) {
	case *ast.NullNode:
		return value.Null{}, nil
	case *ast.BoolNode:
		return value.Bool(node.Value), nil
	case *ast.StringNode:
		// The library takes 1e3 and integers beyond 64 bits for text; to JSON they are numbers.
		if t.Type == token.StringType {
			if n, err := value.ParseNumber(node.Value); err == nil {
				return n, nil
			}
		}
		return value.String(node.Value), nil
	case *ast.LiteralNode:
		return value.String(node.Value.Value), nil
	case *ast.IntegerNode, *ast.FloatNode:
		return r.numberValue(t)
	case *ast.InfinityNode, *ast.NanNode:
		return nil, r.places.errorf(t, "%s has no JSON form", t.Value)
	case nil:
		return value.Null{}, nil
	}
	return nil, r.places.errorf(t, "this is not a value: %s", t.Value)
}

// numberValue keeps a number's text where JSON has the same form, and rewrites it where YAML allows more.
func (r *yamlReader) numberValue(t *token.Token) (value.Value, error) {
	text := t.Value
	if n, err := value.ParseNumber(text); err == nil {
		return n, nil
	}
	plain := strings.TrimPrefix(text, "+")
	negative := strings.HasPrefix(plain, "-")
	digits := strings.TrimPrefix(plain, "-")
	if strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0o") {
		if n, ok := new(big.Int).SetString(digits, 0); ok && !strings.Contains(digits, "_") {
			if negative {
				n.Neg(n)
			}
			return r.numberOf(n.String(), t)
		}
	}
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	digits = strings.Replace(digits, ".e", ".0e", 1)
	if strings.HasSuffix(digits, ".") {
		digits += "0"
	}
	if negative {
		digits = "-" + digits
	}
	return r.numberOf(digits, t)
}

func (r *yamlReader) numberOf(text string, t *token.Token) (value.Value, error) {
	n, err := value.ParseNumber(text)
	if err != nil {
		return nil, r.places.errorf(t,
			"%s can be read as different numbers; write it as JSON does, or in quotes where it is text", t.Value)
	}
	return n, nil
}
