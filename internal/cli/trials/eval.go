// Package trials has the commands that run a part of a definition alone: eval for an expression, state for a state.
package trials

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

// evalFlags are the flags of the eval command.
type evalFlags struct {
	path, reference, template, intrinsic, jsonata string

	context, bindings string
	parts             bool
	launch.Given
}

// NewEval returns the command "eval".
func NewEval(s *command.Streams) *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "eval (--path P | --reference-path P | --template JSON | --intrinsic EXPR | --jsonata EXPR)",
		Short: "Evaluate a path, a payload template, an intrinsic function or JSONata",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("eval takes its expression by a flag, such as --path %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneExpression(cmd); err != nil {
				return err
			}
			return f.eval(s)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	flags.VarP(command.NewFilled(&f.path, ""), "path", "p", "a `PATH`: evaluate it")
	flags.VarP(command.NewFilled(&f.reference, ""), "reference-path", "r", "evaluate the Reference Path `P`")
	flags.VarP(command.NewFilled(&f.template, ""), "template", "t", "evaluate a payload template: a `FILE`, JSON text, or -")
	flags.VarP(command.NewFilled(&f.intrinsic, ""), "intrinsic", "x", "evaluate `EXPR`, a call of an intrinsic function")
	flags.VarP(command.NewFilled(&f.jsonata, ""), "jsonata", "j", "evaluate `EXPR`, a JSONata expression")
	flags.BoolVar(&f.parts, "parts", false, "with --jsonata: print the result of each part of the expression")
	command.Alias(cmd, "explain", "parts")
	flags.Var(command.NewFilled(&f.bindings, "{}"), "bindings", "with --jsonata: an object with variables: a `FILE`, JSON text, or -")
	rows.Row("input", "\n(the value of $; default: {})")
	flags.VarP(command.NewFilled(&f.context, "{}"), "context", "c", "the context object: a `FILE`, JSON text, or -; the value of $$")
	rows.Row("seed", " (default: 1)").Row("max-evaluation").Row("dialect", "\n(and JSONata's reference implementation)")
	return cmd
}

// oneExpression checks that exactly one flag gives an expression.
func oneExpression(cmd *cobra.Command) error {
	var given []string
	for _, name := range []string{"path", "reference-path", "template", "intrinsic", "jsonata"} {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	switch len(given) {
	case 0:
		return errors.New("which expression? give one of --path, --reference-path, --template, --intrinsic and --jsonata")
	case 1:
		return nil
	}
	return fmt.Errorf("one expression at a time: %s were given", strings.Join(given, " and "))
}

func (f *evalFlags) eval(s *command.Streams) error {
	dialect := f.Spec.Dialect
	if err := f.checkStdin(); err != nil {
		return err
	}
	if f.jsonata != "" {
		return f.evalQuery(s, dialect)
	}
	if f.parts || f.bindings != "{}" {
		return errors.New("--parts and --bindings go with --jsonata")
	}
	evaluate, words, err := f.compile(s)
	if err != nil {
		return err
	}
	for _, word := range words {
		if dialect.Does(rules.RefusesWordsWithoutQuotes) {
			return fmt.Errorf("the word %s has no quotes in the filter of a path, which the dialect %s does not have: "+
				"write '%s'", word, dialect, word)
		}
		fmt.Fprintf(s.Err, "warning: the word %s has no quotes in the filter: AWS's answer is not known; compared as text here\n", wording.Line(word))
	}
	roots := &path.Roots{ScalarsOnly: dialect.Does(rules.FormatsScalarsOnly)}
	if dialect.Does(rules.ReadsNullPastTheEnd) {
		roots.PastEnd = value.Null{}
	}
	if roots.Data, err = command.ReadValue(s, "input", cmp.Or(f.Spec.Input.Text, "{}")); err != nil {
		return err
	}
	if roots.Context, err = command.ReadValue(s, "context", f.context); err != nil {
		return err
	}
	result, err := evaluate(roots)
	if err != nil {
		return command.Exit(command.StatusFailed, fmt.Errorf("the expression has no value\nerror: %s\ncause: %w", f.errorName(err, dialect), command.OneLine(err)))
	}
	return command.PrintValue(s, result)
}

// checkStdin refuses a second flag that would read standard input.
func (f *evalFlags) checkStdin() error {
	reads := 0
	for _, argument := range []string{f.template, f.Spec.Input.Text, f.context, f.bindings} {
		if argument == files.Stdin {
			reads++
		}
	}
	if reads > 1 {
		return errors.New("only one of --template, --input, --context and --bindings can be standard input")
	}
	return nil
}

// compile reads the expression and returns its evaluation, and the words in filters without quotes.
func (f *evalFlags) compile(s *command.Streams) (evaluate func(*path.Roots) (value.Value, error), words []string, err error) {
	random := rand.NewPCG(uint64(f.Seed()), 0)
	note := func(p *path.Path) {
		if word := p.UnquotedWord(); word != "" {
			words = append(words, word)
		}
	}
	switch {
	case f.path != "":
		p, err := path.Parse(f.path)
		if err != nil {
			return nil, nil, fmt.Errorf("--path: %s", wording.Line(command.Clip(err.Error(), command.MaxFault)))
		}
		note(p)
		return p.Get, words, nil
	case f.reference != "":
		p, err := path.ParseReference(f.reference)
		if err != nil {
			return nil, nil, fmt.Errorf("--reference-path: %s", wording.Line(command.Clip(err.Error(), command.MaxFault)))
		}
		return p.Get, nil, nil
	case f.template != "":
		v, repeated, err := command.ReadNoting(s, "template", f.template)
		switch {
		case err != nil:
			return nil, nil, err
		case len(repeated) > 0:
			return nil, nil, fmt.Errorf("--template: %s", files.DescribeRepeated(repeated[0]))
		}
		t, err := template.Compile(v)
		if err != nil {
			return nil, nil, fmt.Errorf("--template: %s", wording.Line(command.Clip(err.Error(), command.MaxFault)))
		}
		for _, p := range t.Paths() {
			note(p)
		}
		return func(r *path.Roots) (value.Value, error) { return t.Eval(r, random) }, words, nil
	case f.intrinsic != "":
		call, err := template.Parse(f.intrinsic)
		if err != nil {
			return nil, nil, fmt.Errorf("--intrinsic: %s", wording.Line(command.Clip(err.Error(), command.MaxFault)))
		}
		for p := range call.Paths() {
			note(p)
		}
		return func(r *path.Roots) (value.Value, error) { return call.Eval(r, random) }, words, nil
	}
	return nil, nil, errors.New("the expression is empty")
}

// errorName is the Error Name that a state with this expression would fail with.
func (f *evalFlags) errorName(err error, dialect engine.Dialect) string {
	var miss *path.MissError
	var fault *template.Error
	switch {
	case errors.As(err, &fault) && dialect.Does(rules.NamesIntrinsicFailure):
		return engine.ErrorIntrinsicFailure
	case errors.As(err, &miss) && f.template != "" && dialect.Does(rules.NamesParameterPathFailure):
		return engine.ErrorParameterPathFailure
	}
	return engine.ErrorRuntime
}

// evalQuery evaluates the JSONata expression of eval.
func (f *evalFlags) evalQuery(s *command.Streams, dialect engine.Dialect) error {
	options := jsonata.StepFunctions()
	options.Extended = !dialect.Does(rules.RunsServiceJSONata)
	text := f.jsonata
	if template.IsExpression(text) { // copied out of a definition with its marks
		text = strings.TrimSpace(text[2 : len(text)-2])
	}
	expression, err := jsonata.Compile(text, options)
	if err != nil {
		return fmt.Errorf("--jsonata: %w%s", command.OneLine(err), pointAt(text, err))
	}
	input, err := command.ReadValue(s, "input", cmp.Or(f.Spec.Input.Text, "{}"))
	if err != nil {
		return err
	}
	lookup, err := f.bindingsOf(s, input)
	if err != nil {
		return err
	}
	env := jsonata.Env{
		Now: s.Now(), Random: rand.NewPCG(uint64(f.Seed()), 0), Profile: dialect.Profile(),
		Limits: jsonata.Limits{Steps: f.Spec.Limits.Evaluation, Cells: f.Spec.Limits.Evaluation},
	}
	result, trace, err := expression.EvalTrace(input, lookup, env)
	if f.parts {
		for _, line := range explain.Plain(maxExplained).Lines(explain.Trace(trace)) {
			if _, written := fmt.Fprintln(s.Err, wording.Line(line)); written != nil {
				return fmt.Errorf("cannot write the explanation: %w", written)
			}
		}
	}
	switch {
	case err != nil:
		return command.Exit(command.StatusFailed, fmt.Errorf("the expression has no value\nerror: %s\ncause: %w%s", engine.ErrorQueryEvaluation, command.OneLine(err), pointAt(text, err)))
	case result == nil:
		return command.Exit(command.StatusFailed, fmt.Errorf("the expression gives nothing (undefined)\nerror: %s", engine.ErrorQueryEvaluation))
	}
	return command.PrintValue(s, result)
}

// bindingsOf returns the variables of an expression: the ones of --bindings, and $states with the input and the
// context where they have none.
func (f *evalFlags) bindingsOf(s *command.Streams, input value.Value) (func(name string) value.Value, error) {
	context, err := command.ReadValue(s, "context", f.context)
	if err != nil {
		return nil, err
	}
	given, err := command.ReadValue(s, "bindings", f.bindings)
	if err != nil {
		return nil, err
	}
	bindings, ok := given.(*value.Object)
	if !ok {
		return nil, fmt.Errorf("--bindings is an object with the variables, not %s", value.KindOf(given))
	}
	if bindings.Get("states") == nil {
		bindings = bindings.With("states", value.ObjectOf(
			value.Member{Key: "input", Value: input}, value.Member{Key: "context", Value: context},
		))
	}
	return bindings.Get, nil
}

// pointAt marks the place of a fault in an expression of one line, and says what to write instead; empty where the
// fault has none.
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
		out += "\n  " + wording.Line(mistake.String())
	}
	if fault.Own {
		out += "\n  this bound is asldb's, not Step Functions': --max-evaluation raises it"
	}
	return out
}

// maxExplained bounds a value in an explanation, in characters.
const maxExplained = 100
