package screen

import (
	"strings"

	"asldb/engine"
	"asldb/engine/console"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// maxCompletions bounds how many completions are looked for.
const maxCompletions = 200

// completeCommand returns the completions of a command line: names of commands, and then their argument.
func (pr *prompts) completeCommand(line string) []view.Completion {
	name, argument, named := strings.Cut(line, " ")
	if named {
		a, _, err := pr.Keys().Command(name)
		if err != nil {
			return nil
		}
		b := pr.Keys().Binding(a)
		list := pr.complete(b.Arg, argument)
		for i := range list {
			list[i].Text = name + " " + list[i].Text
		}
		if len(list) == 0 && argument == "" {
			list = []view.Completion{{Text: line, Shown: b.Usage(), About: b.Help, Reason: pr.Disabled(a)}}
		}
		return list
	}
	var list []view.Completion
	for _, b := range pr.Keys().Bindings() {
		for i, candidate := range b.Names {
			if !strings.HasPrefix(candidate, name) {
				continue
			}
			shown := b.Usage()
			if i > 0 { // an alias: it names the command
				shown = ":" + candidate + " " + b.Arg.String()
			}
			text := candidate
			if b.Arg != keys.NoArg {
				text += " "
			}
			list = append(list, view.Completion{Text: text, Shown: shown, About: b.Help, Reason: pr.Disabled(b.Action)})
			break
		}
	}
	return list
}

// complete returns the completions of an argument.
func (pr *prompts) complete(arg keys.Arg, text string) []view.Completion {
	switch arg {
	case keys.MaybeState:
		return pr.completeState(text, false)
	case keys.Spec:
		return pr.completeSpec(text)
	case keys.Text:
		return dialog.CompleteWord(text, pr.focused().Words())
	case keys.Path, keys.MaybePath, keys.Expression:
		return pr.completeExpression(text)
	default:
	}
	var list []view.Completion
	for _, word := range arg.Words() {
		if strings.HasPrefix(word, text) {
			list = append(list, view.Completion{Text: word, Shown: word})
		}
	}
	return list
}

// completeSpec completes where to stop: a state, its stage, and the data in the condition.
func (pr *prompts) completeSpec(text string) []view.Completion {
	if before, condition, ok := strings.Cut(text, " if "); ok {
		list := pr.completeExpression(condition)
		for i := range list {
			list[i].Text = before + " if " + list[i].Text
		}
		return list
	}
	if state, stage, ok := cutLast(text, ":"); ok {
		return pr.completeStage(state, stage)
	}
	list := pr.completeState(text, true)
	if strings.HasPrefix("error", text) {
		list = append(list, view.Completion{Text: "error", Shown: "error", About: "any error, in any state"})
	}
	return list
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// completeState offers the states whose name begins with text, and then those that contain it.
func (pr *prompts) completeState(text string, always bool) []view.Completion {
	if text == "" && always {
		return nil // all of them would say little
	}
	folded := strings.ToLower(text)
	named := pr.named()
	var first, rest []view.Completion
	for state := range pr.Session().Machine().Definition().All() {
		c := view.Completion{Text: state.Name, About: state.Type.String()}
		if named[state.Name] > 1 {
			c.Text = state.Path()
		}
		c.Shown = c.Text
		name := strings.ToLower(state.Name)
		switch {
		case strings.HasPrefix(name, folded):
			first = append(first, c)
		case strings.Contains(name, folded):
			rest = append(rest, c)
		}
		if len(first) == maxCompletions {
			break
		}
	}
	return append(first, rest...)
}

// named counts the states of each name: their paths distinguish them where there are several.
func (pr *prompts) named() map[string]int {
	named := make(map[string]int)
	for state := range pr.Session().Machine().Definition().All() {
		named[state.Name]++
	}
	return named
}

func (pr *prompts) completeStage(name, stage string) []view.Completion {
	folded := strings.ToLower(stage)
	var list []view.Completion
	for state := range pr.Session().Machine().Definition().All() {
		if state.Name != name && state.Path() != name {
			continue
		}
		for _, info := range engine.StagesOf(state) {
			if strings.HasPrefix(strings.ToLower(info.Field), folded) {
				list = append(list, view.Completion{Text: name + ":" + info.Field, Shown: info.Field, About: explain.Purpose(state, info.Stage)})
			}
		}
		if strings.HasPrefix("error", folded) {
			list = append(list, view.Completion{Text: name + ":error", Shown: "error", About: "any error in this state"})
		}
		break
	}
	return list
}

// completeExpression offers the ways in which an expression over the data on the screen can continue.
func (pr *prompts) completeExpression(text string) []view.Completion {
	s := pr.Selection()
	env := pr.Session().Watches().EnvAt(s.Index)
	if doc := pr.Document(); doc != nil {
		env.Data = doc
	}
	if pr.variables == nil || pr.of != pr.Session().Machine().Definition() {
		pr.of = pr.Session().Machine().Definition()
		pr.variables = console.VariableNames(pr.of)
	}
	var list []view.Completion
	for _, c := range console.Complete(text, env, pr.variables) {
		about := c.About
		if c.Value != nil {
			about = value.Preview(c.Value, 60)
		}
		list = append(list, view.Completion{Text: c.Text, Shown: c.Name, About: about})
	}
	return list
}
