package dap

import (
	"strings"

	"github.com/google/go-dap"

	"asldb/engine/console"
	"asldb/engine/value"
)

// inspect answers the requests that look at the session.
func (a viewer) inspect(request dap.RequestMessage) (answered bool, err error) {
	switch r := request.(type) {
	case *dap.StackTraceRequest:
		return true, a.stackTrace(r)
	case *dap.ScopesRequest:
		return true, a.scopes(r)
	case *dap.VariablesRequest:
		return true, a.variables(r)
	case *dap.EvaluateRequest:
		return true, a.evaluate(r)
	case *dap.CompletionsRequest:
		return true, a.completions(r)
	case *dap.ExceptionInfoRequest:
		return true, a.changes.exceptionInfo(r)
	case *dap.DataBreakpointInfoRequest:
		return true, a.breaks.dataBreakpointInfo(r)
	}
	return false, nil
}

// evaluate answers with the value of an expression at a frame. In the repl, a text that begins with a colon is a command.
func (a viewer) evaluate(r *dap.EvaluateRequest) error {
	f, err := a.frameOf(r.Arguments.FrameId)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(r.Arguments.Expression)
	if line, is := strings.CutPrefix(text, ":"); is && r.Arguments.Context == "repl" {
		return a.changes.execute(r, &f, line)
	}
	v, err := f.level.session.Watches().Evaluate(text, f.event)
	if err != nil {
		return err
	}
	if r.Arguments.Context == "clipboard" {
		a.out.respond(r, &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{Result: value.Pretty(v), Type: value.KindOf(v)}})
		return nil
	}
	shown := a.shown(member{path: text, value: v}, nil)
	a.out.respond(r, &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{
		Result: shown.Value, Type: shown.Type, VariablesReference: shown.VariablesReference,
		NamedVariables: shown.NamedVariables, IndexedVariables: shown.IndexedVariables, PresentationHint: shown.PresentationHint,
	}})
	return nil
}

// completions answers with the ways in which a line of the repl can continue.
func (a viewer) completions(r *dap.CompletionsRequest) error {
	f, err := a.frameOf(r.Arguments.FrameId)
	if err != nil {
		return err
	}
	lines := strings.Split(r.Arguments.Text, "\n")
	line := lines[len(lines)-1]
	if n := r.Arguments.Line - a.lineOffset; n >= 1 && n <= len(lines) {
		line = lines[n-1]
	}
	typed := []rune(line)
	typed = typed[:min(max(characters(line, r.Arguments.Column-a.columnOffset)-1, 0), len(typed))]
	a.out.respond(r, &dap.CompletionsResponse{Body: dap.CompletionsResponseBody{Targets: a.complete(&f, string(typed))}})
	return nil
}

// complete returns the ways in which a text can continue. Each replaces the text as a whole.
func (a viewer) complete(f *frame, text string) []dap.CompletionItem {
	whole := units(text, len([]rune(text))+1) - 1
	list := []dap.CompletionItem{}
	if line, is := strings.CutPrefix(text, ":"); is {
		for _, c := range commands {
			if strings.HasPrefix(c.name, line) {
				list = append(list, dap.CompletionItem{Label: ":" + c.name, Text: ":" + c.name + " ", Detail: strings.TrimSpace(c.argument + "  " + c.about), Type: "keyword", Start: a.columnOffset + 1, Length: whole})
			}
		}
		name, argument, isWhole := strings.Cut(line, " ")
		switch {
		case !isWhole:
		case name == "watch":
			return a.expressions(f, text[:len(text)-len(argument)], argument)
		case name == "break":
			return a.states(f, text[:len(text)-len(argument)], argument)
		}
		return list
	}
	return a.expressions(f, "", text)
}

// states returns the states whose paths begin with a text, after the text before.
func (a viewer) states(f *frame, before, text string) []dap.CompletionItem {
	whole := units(before+text, len([]rune(before+text))+1) - 1
	list := []dap.CompletionItem{}
	for state := range f.level.session.Machine().Definition().All() {
		if path := state.Path(); strings.HasPrefix(strings.ToLower(path), strings.ToLower(text)) {
			list = append(list, dap.CompletionItem{Label: path, Text: before + path, Detail: state.Type.String(), Type: "class", Start: a.columnOffset + 1, Length: whole})
		}
	}
	return list
}

// expressions returns the ways in which an expression after the text before can continue: from the data at the event of
// the frame.
func (a viewer) expressions(f *frame, before, text string) []dap.CompletionItem {
	whole := units(before+text, len([]rune(before+text))+1) - 1
	list := []dap.CompletionItem{}
	s := f.level.session
	env := s.Watches().EnvAt(f.event)
	for _, c := range console.Complete(text, env, console.VariableNames(s.Machine().Definition())) {
		item := dap.CompletionItem{Label: c.Name, Text: before + c.Text, Detail: c.About, Type: "function", Start: a.columnOffset + 1, Length: whole}
		if c.Value != nil {
			item.Type, item.Detail = "property", value.Preview(c.Value, 60)
		}
		list = append(list, item)
	}
	return list
}
