package embedded

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"asldb/engine/value"
)

// traversal returns the names of a reference: aws_lambda_function.charge[0].arn has four; nil where the expression is none.
func traversal(expr hclsyntax.Expression) []string {
	switch e := expr.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return steps(e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		if names := traversal(e.Source); names != nil {
			return append(names, steps(e.Traversal)...)
		}
	case *hclsyntax.IndexExpr:
		return traversal(e.Collection)
	case *hclsyntax.SplatExpr:
		names := traversal(e.Source)
		if each, ok := e.Each.(*hclsyntax.RelativeTraversalExpr); ok && names != nil {
			names = append(names, steps(each.Traversal)...)
		}
		return names
	case *hclsyntax.ParenthesesExpr:
		return traversal(e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		return traversal(e.Wrapped)
	}
	return nil
}

func steps(t hcl.Traversal) []string {
	var names []string
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			names = append(names, s.Name)
		case hcl.TraverseAttr:
			names = append(names, s.Name)
		case hcl.TraverseIndex:
			if text, err := convert.Convert(s.Key, cty.String); err == nil && text.IsKnown() && !text.IsNull() {
				names = append(names, text.AsString())
			}
		}
	}
	return names
}

// reference returns the name of an expression as it is written in ${Name}: the names of a traversal with dots, else the
// letters of its text.
func reference(expr hclsyntax.Expression, text string) string {
	if names := traversal(expr); names != nil {
		text = strings.Join(names, ".")
	}
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_.-", c) {
			return c
		}
		return '_'
	}, text)
	const most = 80
	if name = strings.Trim(name, "_.-"); len(name) > most {
		name = name[:most]
	}
	if name == "" {
		return "expression"
	}
	return name
}

// literal returns the text of an expression that is a string without references.
func literal(expr hclsyntax.Expression) (string, bool) {
	if expr == nil || len(expr.Variables()) > 0 {
		return "", false
	}
	v, problems := expr.Value(nil)
	if problems.HasErrors() || !v.IsKnown() || v.IsNull() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}

// target returns the expression that a reference to a local value, or to a variable with a default, means, and the JSON
// Pointer of the part of it.
func (r *reader) target(e *hclsyntax.ScopeTraversalExpr, in *scope) (target hclsyntax.Expression, pointer string, ok bool) {
	names := traversal(e)
	if in != nil || len(names) < 2 || r.active[names[0]+"."+names[1]] {
		return nil, "", false
	}
	if _, known := r.given(names[0] + "." + names[1]); known {
		return nil, "", false
	}
	switch names[0] {
	case "local":
		target = r.module.locals[names[1]]
	case "var":
		target = r.module.variables[names[1]]
	}
	for _, name := range names[2:] {
		pointer += "/" + value.EscapePointer(name)
	}
	return target, pointer, target != nil
}

// within does something while a local value is read, so that one which refers to itself is not read again.
func (r *reader) within(names []string, do func()) {
	name := names[0] + "." + names[1]
	r.active[name] = true
	defer delete(r.active, name)
	do()
}

// chosen returns the result of a condition, the first where only Terraform knows it.
func (r *reader) chosen(e *hclsyntax.ConditionalExpr, in *scope) hclsyntax.Expression {
	if v, ok := r.evaluated(e.Condition, in); ok && v == value.Bool(false) {
		return e.FalseResult
	}
	return e.TrueResult
}

// evaluated returns the value of an expression that needs nothing that only Terraform knows.
func (r *reader) evaluated(expr hclsyntax.Expression, in *scope) (value.Value, bool) {
	v := r.cty(expr, in)
	if !v.IsWhollyKnown() {
		return nil, false
	}
	data, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return nil, false
	}
	parsed, err := value.Parse(data, value.Limits{})
	return parsed, err == nil
}

// cty evaluates an expression; the value is unknown where it cannot be.
func (r *reader) cty(expr hclsyntax.Expression, in *scope) cty.Value {
	if !r.enter() {
		r.leave()
		return cty.DynamicVal
	}
	defer r.leave()
	context := &hcl.EvalContext{Variables: make(map[string]cty.Value), Functions: functions}
	parts := make(map[string]map[string]cty.Value) // of var and local
	for _, t := range expr.Variables() {
		names := steps(t)
		if len(names) == 0 {
			return cty.DynamicVal
		}
		root := names[0]
		switch {
		case in != nil:
			context.Variables[root] = cty.DynamicVal
			if e := in.values[root]; e != nil {
				v := r.cty(e, in.outer)
				if r.standIns && !v.IsKnown() {
					v = cty.StringVal(r.reference(e, in.outer))
				}
				context.Variables[root] = v
			}
		case (root == "local" || root == "var") && len(names) > 1:
			if parts[root] == nil {
				parts[root] = make(map[string]cty.Value)
			}
			parts[root][names[1]] = r.part(root, names[1])
		case root == "path" || root == "terraform":
			context.Variables["path"] = cty.ObjectVal(map[string]cty.Value{
				"module": cty.StringVal(r.module.path), "root": cty.StringVal("."), "cwd": cty.StringVal("."),
			})
			if root == "terraform" {
				context.Variables[root] = cty.DynamicVal
			}
		default:
			context.Variables[root] = cty.DynamicVal
		}
	}
	for root, members := range parts {
		context.Variables[root] = cty.ObjectVal(members)
	}
	v, problems := expr.Value(context)
	if problems.HasErrors() {
		return cty.DynamicVal
	}
	v, _ = v.UnmarkDeep()
	return v
}

// part returns the value of a local value or variable.
func (r *reader) part(root, name string) cty.Value {
	address := root + "." + name
	if text, known := r.given(address); known {
		return cty.StringVal(text)
	}
	if v, known := r.values[address]; known {
		return v
	}
	expr := r.module.locals[name]
	if root == "var" {
		expr = r.module.variables[name]
	}
	if expr == nil || r.active[address] {
		return cty.DynamicVal
	}
	v := cty.DynamicVal
	r.within([]string{root, name}, func() { v = r.cty(expr, nil) })
	if size(v) > maxRendered {
		v = cty.DynamicVal
	}
	r.values[address] = v
	return v
}

// size returns the bytes of the texts in a value.
func size(v cty.Value) int {
	total := 0
	_ = cty.Walk(v, func(_ cty.Path, part cty.Value) (bool, error) { // the function returns no error
		if part.IsKnown() && !part.IsNull() && part.Type() == cty.String {
			total += len(part.AsString())
		}
		return true, nil
	})
	return total
}

// fileName returns the name of a file that an expression gives.
func (r *reader) fileName(expr hclsyntax.Expression, in *scope) (string, bool) {
	v := r.cty(expr, in)
	if !v.IsKnown() || v.IsNull() || v.Type() != cty.String {
		return "", false
	}
	return filepath.FromSlash(v.AsString()), true
}

// scalar returns a value as Terraform writes it into a text.
func scalar(v value.Value) (string, bool) {
	switch v := v.(type) {
	case value.String:
		return string(v), true
	case value.Bool:
		return strconv.FormatBool(bool(v)), true
	}
	if v.Kind() == value.KindNumber {
		return value.Compact(v), true
	}
	return "", false
}

// functions are the functions of Terraform that need neither files nor a clock.
var functions = map[string]function.Function{
	"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "max": stdlib.MaxFunc, "min": stdlib.MinFunc,
	"chomp": stdlib.ChompFunc, "format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc, "indent": stdlib.IndentFunc,
	"join": stdlib.JoinFunc, "lower": stdlib.LowerFunc, "upper": stdlib.UpperFunc, "title": stdlib.TitleFunc, "replace": stdlib.ReplaceFunc,
	"split": stdlib.SplitFunc, "substr": stdlib.SubstrFunc, "trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc,
	"trimsuffix": stdlib.TrimSuffixFunc, "trimspace": stdlib.TrimSpaceFunc, "coalesce": stdlib.CoalesceFunc, "concat": stdlib.ConcatFunc,
	"contains": stdlib.ContainsFunc, "distinct": stdlib.DistinctFunc, "element": stdlib.ElementFunc, "flatten": stdlib.FlattenFunc,
	"keys": stdlib.KeysFunc, "length": stdlib.LengthFunc, "lookup": stdlib.LookupFunc, "merge": stdlib.MergeFunc, "range": stdlib.RangeFunc,
	"reverse": stdlib.ReverseListFunc, "slice": stdlib.SliceFunc, "sort": stdlib.SortFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
	"jsonencode": stdlib.JSONEncodeFunc, "jsondecode": stdlib.JSONDecodeFunc,
	"tostring": stdlib.MakeToFunc(cty.String), "tonumber": stdlib.MakeToFunc(cty.Number), "tobool": stdlib.MakeToFunc(cty.Bool),
	"tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
}
