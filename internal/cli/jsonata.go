package cli

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"asldb/engine"
	"asldb/engine/jsonata"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/visible"
)

// evalQuery evaluates the JSONata expression of eval.
func (f *evalFlags) evalQuery(s *streams) error {
	options := jsonata.StepFunctions()
	if f.dialect == engine.Spec.String() {
		options.Extended = true
	}
	text := f.jsonata
	if template.IsExpression(text) { // copied out of a definition with its marks
		text = strings.TrimSpace(text[2 : len(text)-2])
	}
	expression, err := jsonata.Compile(text, options)
	if err != nil {
		return fmt.Errorf("--jsonata: %w%s", oneLine(err), pointAt(text, err))
	}
	input, err := readValue(s, "input", f.input)
	if err != nil {
		return err
	}
	lookup, err := f.bindingsOf(s, input)
	if err != nil {
		return err
	}
	env := jsonata.Env{
		Now: s.now(), Random: rand.NewPCG(uint64(f.seed), 0), Limits: jsonata.Limits{Steps: f.maxEvaluation, Cells: f.maxEvaluation},
	}
	result, trace, err := expression.EvalTrace(input, lookup, env)
	if f.explain {
		if written := writeTrace(s.err, trace, 0); written != nil {
			return fmt.Errorf("cannot write the explanation: %w", written)
		}
	}
	switch {
	case err != nil:
		return &exitError{StatusFailed, fmt.Errorf("the expression has no value\nerror: %s\ncause: %w%s", engine.ErrorQueryEvaluation, oneLine(err), pointAt(text, err))}
	case result == nil:
		return &exitError{StatusFailed, fmt.Errorf("the expression gives nothing (undefined)\nerror: %s", engine.ErrorQueryEvaluation)}
	}
	return printValue(s, result)
}

// bindingsOf returns the variables of an expression: those of --bindings, and $states with the input and the
// context where they have none.
func (f *evalFlags) bindingsOf(s *streams, input value.Value) (func(name string) value.Value, error) {
	context, err := readValue(s, "context", f.context)
	if err != nil {
		return nil, err
	}
	given, err := readValue(s, "bindings", f.bindings)
	if err != nil {
		return nil, err
	}
	bindings, ok := given.(*value.Object)
	if !ok {
		return nil, fmt.Errorf("--bindings is an object with the variables, and this is %s", value.KindOf(given))
	}
	if bindings.Get("states") == nil {
		bindings = bindings.With("states", value.ObjectOf(
			value.Member{Key: "input", Value: input}, value.Member{Key: "context", Value: context},
		))
	}
	return bindings.Get, nil
}

// pointAt marks the place of a fault in an expression of one line; empty where it has none.
func pointAt(text string, err error) string {
	var fault *jsonata.Error
	if !errors.As(err, &fault) || fault.Position < 0 || fault.Position > len(text) || strings.ContainsAny(text, "\n\r\t") {
		return ""
	}
	return "\n  " + text + "\n  " + strings.Repeat(" ", max(0, len([]rune(text[:fault.Position]))-1)) + "^"
}

// maxExplained bounds a value in an explanation, in characters.
const maxExplained = 100

// writeTrace writes the parts of an evaluation, each below what it is a part of.
func writeTrace(w io.Writer, t *jsonata.Trace, depth int) error {
	line := strings.Repeat("  ", depth) + strings.Join(strings.Fields(t.Text), " ") + "  =  " + outcomeOf(t)
	switch {
	case t.Item != nil:
		line += fmt.Sprintf("  (at index %d: %s)", t.Index, value.Preview(t.Item, maxExplained))
	case t.Count > 1:
		line += fmt.Sprintf("  (the first of %d)", t.Count)
	}
	if _, err := fmt.Fprintln(w, visible.Line(line)); err != nil {
		return err
	}
	for _, child := range t.Children {
		if err := writeTrace(w, child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// outcomeOf says what a part of an expression gave.
func outcomeOf(t *jsonata.Trace) string {
	switch {
	case t.Err != nil:
		return "error " + t.Err.Error()
	case t.Function:
		return "a function"
	case t.Cut:
		return "a value too large to be kept"
	case t.Value == nil:
		return "nothing"
	}
	return value.Preview(t.Value, maxExplained)
}
