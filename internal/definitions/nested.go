package definitions

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// nestedInputs returns the problems of states that start a machine of the same template with an Input that lacks data
// that each execution of it reads.
func (t *Text) nestedInputs() (problems []source.Diagnostic) {
	machine, err := t.Parse()
	if err != nil || t.machine == nil {
		return nil // its errors come first
	}
	var analysis *flow.Analysis
	for s := range machine.All() {
		sent := startsMachine(s)
		nested := t.machine(sent.Get("StateMachineArn").Text())
		if nested == nil {
			continue
		}
		child, err := nested.Parse()
		if err != nil {
			continue
		}
		o := flow.Options{LiteralFirst: true}
		if analysis == nil {
			analysis = flow.Analyse(machine, o)
		}
		input, at := inputSent(analysis, s, sent)
		if faults := flow.Unmet(child, input, o); len(faults) > 0 {
			problems = append(problems, unfit(t, nested, faults, input, at))
		}
	}
	return problems
}

// startsMachine returns the Parameters or Arguments of a state that starts an execution; nil of any other.
func startsMachine(s *asl.State) *source.Node {
	_, action, _ := strings.Cut(s.Resource, ":states:::")
	action, _, _ = strings.Cut(strings.TrimPrefix(action, "aws-sdk:"), ".")
	starts := []string{"states:startExecution", "sfn:startExecution", "sfn:startSyncExecution"}
	if s.Type != asl.Task || !slices.Contains(starts, action) {
		return nil
	}
	if n := s.Node.Get("Parameters"); n != nil {
		return n
	}
	return s.Node.Get("Arguments")
}

// inputSent returns the shape of the Input that a state gives a machine, and the place. The text of an Input is JSON.
func inputSent(analysis *flow.Analysis, s *asl.State, sent *source.Node) (*flow.Shape, source.Span) {
	space := flow.NewSpace(inputBudget)
	for _, m := range sent.Members {
		if strings.TrimSuffix(m.Key, ".$") != "Input" {
			continue
		}
		input := space.Member(analysis.Sent(s), "Input")
		if text, ok := input.Constant().(value.String); ok {
			parsed, err := value.Parse([]byte(text), value.Limits{})
			if err != nil {
				return nil, m.KeySpan
			}
			return space.Of(parsed), m.KeySpan
		}
		if !input.Always(flow.Object) {
			return nil, m.KeySpan
		}
		return input, m.KeySpan
	}
	return space.Object(nil, false), sent.Get("StateMachineArn").Span
}

const inputBudget = 1 << 16 // shapes

// unfit is the problem of an Input, with the reads that it does not fit.
func unfit(t, nested *Text, faults []flow.Fault, input *flow.Shape, at source.Span) source.Diagnostic {
	first := faults[0]
	message := first.Message
	if first.Rule == rules.NeverProvided {
		message = fmt.Sprintf("%s is missing: its Input %s", first.Read, input.Has())
	}
	d := source.Diagnostic{
		File: t.Source, Severity: source.Warning, Rule: rules.NestedInput, Span: at,
		Message: "the machine " + nested.Resource + " that it starts fails in " + first.State.Name + ": " + message,
	}
	for _, f := range faults {
		n := slices.IndexFunc(f.Reasons, func(r source.Reason) bool { return r.Span == f.Span })
		reason := source.Reason{Text: f.State.Name + " reads " + f.Read, Span: f.Span}
		if n >= 0 {
			reason.Text = f.Reasons[n].Text
		}
		d.Reasons = append(d.Reasons, reason)
	}
	for i := range d.Reasons {
		if d.Reasons[i].File = d.Reasons[i].Span.File; d.Reasons[i].File == nil {
			d.Reasons[i].File = nested.Source
		}
	}
	return d
}
