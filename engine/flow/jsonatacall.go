package flow

import (
	"strconv"
	"strings"
	"sync"

	"asldb/engine/jsonata"
	"asldb/engine/source"
	"asldb/engine/value"
)

// asking are the functions that ask whether there is something, or do without it. The table is never changed.
var asking = map[string]bool{
	"exists": true, "boolean": true, "not": true, "type": true, "count": true, "lookup": true, "merge": true, "append": true, "keys": true,
	"filter": true, "sift": true, "spread": true,
}

// functions is the table of the functions of Step Functions' JSONata by their names.
var functions = sync.OnceValue(func() map[string]*jsonata.Function {
	table := make(map[string]*jsonata.Function)
	for _, f := range jsonata.StepFunctions().FunctionTable() {
		table[f.Name] = &f
	}
	return table
})

// call evaluates a call, and notes one that cannot work.
func (e *evaluation) call(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	callee := t.Parts[0]
	var function *jsonata.Function
	if callee.Kind != jsonata.VariableTree {
		e.eval(callee, context, f)
	} else if _, bound := f.find(callee.Text); !bound {
		function = functions()[callee.Text]
	}
	quiet := function != nil && asking[function.Name]
	if quiet {
		e.quiet++
	}
	arguments := make([]*Shape, 0, len(t.Parts)-1)
	for _, a := range t.Parts[1:] {
		if a.Kind == jsonata.LambdaTree && len(arguments) > 0 {
			arguments = append(arguments, e.callback(callee.Text, a, context, f, arguments[0]))
			continue
		}
		arguments = append(arguments, e.eval(a, context, f))
	}
	if quiet {
		e.quiet--
	}
	if function == nil {
		return nil
	}
	if e.seeks && len(arguments) > 0 {
		switch function.Name {
		case "filter", "reverse", "sort", "distinct", "shuffle": // the items are as before
			return arguments[0]
		case "map":
			return e.space.ArrayOf(arguments[len(arguments)-1])
		}
	}
	e.checkCall(t, function, arguments)
	if !function.Result.Always && len(arguments) > 0 && arguments[0].Always(Absent) {
		return arguments[0] // nothing of nothing
	}
	return e.resultOfCall(function)
}

// checkCall notes a call with too few or too many arguments, or with one of a wrong type.
func (e *evaluation) checkCall(t *jsonata.Tree, function *jsonata.Function, arguments []*Shape) {
	least, most := function.Arity()
	if n := len(arguments); n < least || most >= 0 && n > most {
		e.cannot(t, t, function, "$"+function.Name+" takes "+arity(least, most)+", and this call has "+strconv.Itoa(n))
		return
	}
	if e.branches > 0 {
		return
	}
	for i, a := range arguments {
		if i >= len(function.Parameters) || t.Parts[i+1].Kind == jsonata.LambdaTree {
			return
		}
		p := &function.Parameters[i]
		if wrong := mismatched(p, a); wrong != nil {
			e.cannot(t, t.Parts[i+1], function,
				"the argument "+p.Name+" of $"+function.Name+" is "+p.Types.String()+", and "+
					e.sourceOf(t.Parts[i+1])+" is "+wrong.Kind().String())
			e.attribute(t, t.Parts[i+1], wrong, p.Types&jsonata.TypeNumber != 0)
			return
		}
	}
}

// cannot notes a call that fails whenever it is made, because of a part of it.
func (e *evaluation) cannot(t, part *jsonata.Tree, function *jsonata.Function, message string) {
	e.noteFault(e.node, e.span(part), e.field, e.sourceOf(t), message, function.Usage())
}

// span returns the place of a part of the expression in the file.
func (e *evaluation) span(t *jsonata.Tree) source.Span {
	raw, _ := e.node.Value.(value.String)
	before, part := strings.Index(string(raw), e.text), e.sourceOf(t)
	if e.sites == nil || before < 0 || t.Start < 0 || t.Start >= len(e.text) {
		return e.node.Span
	}
	at := strings.Index(e.text[t.Start:], part)
	if at < 0 {
		return e.node.Span
	}
	at += before + t.Start
	return source.StringPart(e.machine.Source, e.node, at, at+len(part))
}

func (e *evaluation) sourceOf(t *jsonata.Tree) string {
	if t.Start < 0 || t.End > len(e.text) || t.Start >= t.End {
		return "it"
	}
	return strings.TrimSpace(e.text[t.Start:t.End])
}

func arity(least, most int) string {
	count := func(n int) string {
		if n == 1 {
			return "1 argument"
		}
		return strconv.Itoa(n) + " arguments"
	}
	switch {
	case least == most:
		return count(least)
	case most < 0:
		return "at least " + count(least)
	}
	return "from " + strconv.Itoa(least) + " to " + count(most)
}

// mismatched returns an alternative of an argument where the parameter takes none of them; nil where it takes one.
func mismatched(p *jsonata.FunctionParameter, argument *Shape) *Shape {
	takes := p.Types
	if p.Single {
		if takes |= p.Items; p.Items == 0 {
			takes = jsonata.TypeAny
		}
	}
	var wrong *Shape
	for _, c := range argument.Cases() {
		kind := typeOf(c.Kind())
		if c.Kind() == Absent { // of nothing it gives nothing
			continue
		}
		if kind == 0 || takes&kind != 0 || takes == 0 {
			return nil
		}
		wrong = c
	}
	return wrong
}

// typeOf returns the type of JSONata of a kind, 0 where it is not known or there is no value.
func typeOf(k Kind) jsonata.Types {
	switch k {
	case Null:
		return jsonata.TypeNull
	case Bool:
		return jsonata.TypeBoolean
	case Number:
		return jsonata.TypeNumber
	case String:
		return jsonata.TypeString
	case Array:
		return jsonata.TypeArray
	case Object:
		return jsonata.TypeObject
	case Function:
		return jsonata.TypeFunction
	case Unknown, Absent, Union:
	}
	return 0
}

// resultOfCall returns the shape of a function's result, where it has one type.
func (e *evaluation) resultOfCall(function *jsonata.Function) *Shape {
	switch function.Result.Types {
	case jsonata.TypeString:
		return Scalar(String, nil)
	case jsonata.TypeNumber:
		return Scalar(Number, nil)
	case jsonata.TypeBoolean:
		return Scalar(Bool, nil)
	case jsonata.TypeArray:
		return e.space.ArrayOf(nil)
	case jsonata.TypeObject:
		return e.space.ObjectOf(nil)
	default: // several types, or one without a shape
	}
	return nil
}

// callback evaluates the function that a function of arrays is given.
func (e *evaluation) callback(name string, t *jsonata.Tree, context *Shape, f *frame, list *Shape) *Shape {
	item := e.space.Each(list, e.itemOrValue)
	switch name {
	case "map", "filter", "single":
		return e.lambda(t, context, f, []*Shape{item})
	case "sort":
		if e.seeks {
			return e.lambda(t, context, f, []*Shape{item, item})
		}
	case "reduce":
		if e.seeks {
			return e.lambda(t, context, f, []*Shape{nil, item})
		}
	}
	return e.lambda(t, context, f, nil)
}
