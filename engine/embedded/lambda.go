package embedded

import (
	"cmp"
	"strconv"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
)

// Function is a Lambda function of a container, with the Timeout in seconds that the container gives it.
type Function struct {
	Name    string
	Timeout int64
	// Span and File are the place of the Timeout.
	Span source.Span
	File *source.File
}

// functions returns the functions of a template with a Timeout, by the texts that mean them in a definition.
func (t *Template) functions(o Options) map[string]Function {
	found := make(map[string]Function)
	for i := range t.resources {
		one := &t.resources[i]
		kind := one.kind()
		n := one.node.Get("Properties").Get("Timeout")
		switch {
		case kind != "AWS::Lambda::Function" && kind != "AWS::Serverless::Function":
			continue
		case n == nil && kind == "AWS::Serverless::Function":
			n = t.root.Get("Globals").Get("Function").Get("Timeout")
		}
		if n == nil {
			continue
		}
		q := t.quiet(one, o)
		if n = q.branch(n); n == nil {
			continue
		}
		if timeout, err := strconv.ParseInt(value.Plain(q.resolve(n).Value), 10, 64); err == nil {
			f := Function{one.name, timeout, n.Span, cmp.Or(n.Span.File, t.file)}
			found[one.name], found[q.home.arn(kind, one.name)] = f, f
		}
	}
	return found
}

// functions returns the functions of a configuration with a timeout, by the placeholders for them in a definition.
func (r *reader) functions() map[string]Function {
	found := make(map[string]Function)
	for address, attributes := range r.module.resources {
		name, isFunction := strings.CutPrefix(address, "aws_lambda_function.")
		expr := attributes["timeout"]
		if !isFunction || expr == nil {
			continue
		}
		v, known := r.evaluated(expr, nil)
		if number, ok := v.(value.Number); known && ok {
			if timeout, err := strconv.ParseInt(number.Text(), 10, 64); err == nil {
				f := Function{name, timeout, r.module.span(expr.Range()), r.fileOf(expr)}
				found["${"+address+".arn}"], found["${"+address+".function_name}"] = f, f
			}
		}
	}
	return found
}
