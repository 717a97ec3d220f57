package jsonata

import (
	"strings"

	"asldb/engine/value"
)

// signature says which arguments a function takes. Its symbols: s string, n number, b boolean, l null,
// o object, a array, f function, j any JSON, x anything, (sn) a choice; behind one of them - takes the
// context for a missing argument, ? makes it optional, + lets it repeat, <n> is the type of an array's items.
type signature struct {
	text   string // as it is written; of functions that the table describes
	params []parameter
	fixed  bool // no + anywhere: arguments can be matched one by one
}

// parameter is one parameter of a signature.
type parameter struct {
	symbols  string // the argument symbols that it takes
	array    bool
	subtype  string // the type of an array's items, "" for any
	context  bool
	optional bool
	repeated bool
}

// Kinds of items as errors name them.
var pluralOf = map[string]string{"a": "arrays", "b": "booleans", "f": "functions", "n": "numbers", "o": "objects", "s": "strings"}

// maxParameters bounds a signature.
const maxParameters = 64

// parseSignature reads text, which begins with <. The int is where in text an error is.
func parseSignature(text string) (*signature, int, *Error) {
	sig := &signature{fixed: true}
	for i := 1; i < len(text) && text[i] != ':'; i++ {
		symbol := text[i]
		switch symbol {
		case 's', 'n', 'b', 'l', 'o':
			sig.add(parameter{symbols: string(symbol) + "m"})
		case 'a':
			sig.add(parameter{symbols: "asnblfom", array: true})
		case 'f':
			sig.add(parameter{symbols: "f"})
		case 'j':
			sig.add(parameter{symbols: "asnblom"})
		case 'x':
			sig.add(parameter{symbols: "asnblfom"})
		case '(':
			end := closing(text, i, '(', ')')
			choice := text[i+1 : min(end, len(text))]
			if strings.Contains(choice, "<") {
				return nil, i, fail("S0402").value(value.String(choice))
			}
			sig.add(parameter{symbols: choice + "m"})
			i = end
		default:
			end, err := sig.modify(text, i)
			if err != nil {
				return nil, i, err
			}
			i = end
		}
		if len(sig.params) > maxParameters {
			return nil, i, stopped("a signature has too many parameters")
		}
	}
	return sig, 0, nil
}

func (s *signature) add(p parameter) { s.params = append(s.params, p) }

// modify applies the modifiers behind a parameter and returns the offset of their end.
func (s *signature) modify(text string, i int) (int, *Error) {
	var last *parameter
	if len(s.params) > 0 {
		last = &s.params[len(s.params)-1]
	}
	switch text[i] {
	case '-', '?', '+':
		if last == nil {
			return i, nil
		}
		switch text[i] {
		case '-':
			last.context, last.optional = true, true
		case '?':
			last.optional = true
		case '+':
			last.repeated, s.fixed = true, false
		}
	case '<':
		if last == nil || !last.array && last.symbols != "f" {
			kind := ""
			if last != nil {
				kind = last.symbols[:1]
			}
			return i, fail("S0401").value(value.String(kind))
		}
		end := closing(text, i, '<', '>')
		last.subtype = text[i+1 : min(end, len(text))]
		return end, nil
	}
	return i, nil
}

// closing returns where the bracket that opens at start is closed, the end of text when it is not.
func closing(text string, start int, open, shut byte) int {
	depth := 1
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case shut:
			if depth--; depth == 0 {
				return i
			}
		case open:
			depth++
		}
	}
	return len(text)
}

// mustSignature is for the signatures of this package's own functions.
func mustSignature(text string) *signature {
	sig, _, err := parseSignature(text)
	if err != nil {
		panic(err.Error())
	}
	sig.text = text
	return sig
}

// symbolOf is the symbol of an argument.
func symbolOf(v any) byte {
	switch v := v.(type) {
	case value.String:
		return 's'
	case float64, value.Number:
		return 'n'
	case value.Bool:
		return 'b'
	case value.Null:
		return 'l'
	case *value.Array, *list:
		return 'a'
	case *value.Object, *object:
		return 'o'
	case *function:
		if v == nil {
			return 'm'
		}
		return 'f'
	}
	return 'm'
}

// validate returns the arguments as the function takes them: the context where one is missing, arrays
// where arrays are wanted.
func (s *signature) validate(args []any, context any, extended bool) ([]any, error) {
	var buffer [8]byte
	supplied := buffer[:0]
	for _, arg := range args {
		supplied = append(supplied, symbolOf(arg))
	}
	var counts [8]int
	matched := counts[:0]
	if len(s.params) > len(counts) {
		matched = make([]int, 0, len(s.params))
	}
	matched, ok := s.match(supplied, matched)
	if !ok {
		bad := s.firstBad(supplied)
		var v any
		if bad < len(args) {
			v = args[bad]
		}
		return nil, fail("T0410").argument(bad + 1).value(v)
	}
	return s.fixUp(args, matched, context, extended)
}

// match assigns the supplied symbols to the parameters, each as many as it can take. It gives the
// number for each parameter.
func (s *signature) match(supplied []byte, counts []int) ([]int, bool) {
	at := len(counts)
	if at == len(s.params) {
		return counts, len(supplied) == 0
	}
	p := &s.params[at]
	most := 0
	for most < len(supplied) && strings.IndexByte(p.symbols, supplied[most]) >= 0 {
		most++
		if !p.repeated {
			break
		}
	}
	least := 1
	if p.optional {
		least = 0
	}
	for n := most; n >= least; n-- {
		if out, ok := s.match(supplied[n:], append(counts, n)); ok {
			return out, true
		}
	}
	return counts, false
}

// firstBad returns the index of the first argument that does not fit.
func (s *signature) firstBad(supplied []byte) int {
	good := 0
	for i := 1; i <= len(s.params); i++ {
		part := signature{params: s.params[:i]}
		reach := -1
		for n := len(supplied); n >= 0; n-- { // the longest beginning that the first i parameters take
			if _, ok := part.match(supplied[:n], nil); ok {
				reach = n
				break
			}
		}
		if reach < 0 {
			return good
		}
		good = reach
	}
	return good
}

func (s *signature) fixUp(args []any, matched []int, context any, extended bool) ([]any, error) {
	out := make([]any, 0, max(len(s.params), len(args)))
	at := 0
	for i := range s.params {
		p := &s.params[i]
		if matched[i] == 0 {
			if !p.context { // the argument at that place goes here, as in the reference implementation
				out = append(out, argumentAt(args, at))
				at++
				continue
			}
			if strings.IndexByte(p.symbols, symbolOf(context)) < 0 {
				return nil, fail("T0411").argument(at + 1).value(context)
			}
			out = append(out, context)
			continue
		}
		first := argumentAt(args, at)
		for n := 0; n < matched[i]; n++ {
			arg := argumentAt(args, at)
			if p.repeated && !p.array && !extended { // 2.0 repeats the first of several
				arg = first
			}
			if p.array {
				fixed, err := p.asArray(arg, symbolOf(arg), at)
				if err != nil {
					return nil, err
				}
				arg = fixed
			}
			out = append(out, arg)
			at++
		}
	}
	return out, nil
}

// argumentAt returns argument i, nothing when there is none.
func argumentAt(args []any, i int) any {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// asArray returns the argument as the array that the parameter wants.
func (p *parameter) asArray(arg any, symbol byte, at int) (any, error) {
	if symbol == 'm' {
		return nil, nil
	}
	if symbol == 'a' {
		if p.subtype != "" {
			items, _ := viewOf(arg)
			for i, n := 0, items.len(); i < n; i++ {
				if symbolOf(items.at(i)) != p.subtype[0] {
					return nil, fail("T0412").argument(at + 1).value(arg).kind(pluralOf[p.subtype])
				}
			}
		}
		return arg, nil
	}
	if p.subtype != "" && string(symbol) != p.subtype {
		return nil, fail("T0412").argument(at + 1).value(arg).kind(pluralOf[p.subtype])
	}
	return &list{items: []any{arg}}, nil
}
