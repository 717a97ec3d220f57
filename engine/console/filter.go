package console

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/expr"
	"asldb/engine/value"
)

// Kind is the kind of a filter.
type Kind uint8

// The kinds.
const (
	// None shows everything.
	None Kind = iota
	// Failed shows failures: "failed".
	Failed
	// State shows one state: "state NAME".
	State
	// Thread shows one thread: "thread 3".
	Thread
	// Expression shows the rows over which an expression is true: "$.n > 3".
	FilterText
	// Text shows the rows that contain a text, in small letters or capitals.
	Text
)

// Filter is a filter of a list. The zero value shows everything.
type Filter struct {
	Kind Kind
	// Source is the filter as it was typed.
	Source string
	// Name is the state's, or the text in small letters.
	Name string
	// Thread is the number of the thread.
	Thread int64

	expression *Expression
}

// operators are the parts of a text by which it is read as an expression.
var operators = []string{"==", "!=", "=~", "!~", "<", ">", "&&", "||", "$", "{%"}

// Read reads a filter. The error comes from [console.Compile], for a text that is an expression.
func Read(text string) (Filter, error) {
	text = strings.TrimSpace(text)
	f := Filter{Source: text, Kind: Text, Name: strings.ToLower(text)}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case text == "":
		return Filter{}, nil
	case text == "failed":
		f.Kind = Failed
		return f, nil
	case word == "state" && rest != "" && !looksLikeExpression(rest):
		f.Kind, f.Name = State, rest
		return f, nil
	case word == "thread" && rest != "":
		if n, err := strconv.ParseInt(rest, 10, 64); err == nil {
			f.Kind, f.Thread = Thread, n
			return f, nil
		}
	}
	if !looksLikeExpression(text) {
		return f, nil
	}
	compiled, err := Compile(text)
	if err != nil {
		return Filter{}, err
	}
	f.Kind, f.expression = FilterText, compiled
	return f, nil
}

func looksLikeExpression(text string) bool {
	return slices.ContainsFunc(operators, func(operator string) bool { return strings.Contains(text, operator) })
}

// Contains reports whether a text has the text of the filter.
func (f *Filter) Contains(text string) bool {
	return strings.Contains(strings.ToLower(text), f.Name)
}

// True reports whether the filter's expression is true over data, with names besides it. Where it cannot be evaluated it is not.
func (f *Filter) True(data value.Value, fields map[string]value.Value) bool {
	met, err := f.expression.Truth(&Env{Env: expr.Env{Data: data, Fields: fields}})
	return err == nil && met
}
