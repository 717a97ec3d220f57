package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/jsonata"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/visible"

	"github.com/mattn/go-runewidth"
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
		for _, line := range explain.Plain(maxExplained).Lines(explain.Trace(trace)) {
			if _, written := fmt.Fprintln(s.err, visible.Line(line)); written != nil {
				return fmt.Errorf("cannot write the explanation: %w", written)
			}
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

// pointAt marks the place of a fault in an expression of one line, and says what to write instead; empty where the fault has none.
func pointAt(text string, err error) string {
	var fault *jsonata.Error
	if !errors.As(err, &fault) {
		return ""
	}
	start, end, ok := fault.Place(text)
	mistake, known := fault.Mistake(text, jsonata.StepFunctions().FunctionTable())
	if known {
		start, end = mistake.Start, mistake.End
	}
	out := ""
	if ok && !strings.ContainsAny(text, "\n\r\t") {
		out = "\n  " + text + "\n  " + strings.Repeat(" ", runewidth.StringWidth(text[:start])) + strings.Repeat("^", max(1, runewidth.StringWidth(text[start:end])))
	}
	if known {
		out += "\n  " + visible.Line(mistake.String())
	}
	return out
}

// maxExplained bounds a value in an explanation, in characters.
const maxExplained = 100
