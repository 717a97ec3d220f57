package screen

import (
	"asldb/engine/asl"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// prompts ask for commands and for the arguments of actions in the bottom line.
type prompts struct {
	contract
	histories view.Histories
	focused   func() view.Pane
	// variables are the names of the variables of the definition of.
	variables []string
	of        *asl.StateMachine
}

// ask asks in the bottom line for the argument of an action and carries it out. fallback is the text that is
// used when nothing is typed, and about describes the possible inputs; both may be empty.
func (pr *prompts) ask(a keys.Action, label, fallback, about string) {
	arg := pr.Keys().Binding(a).Arg
	p := dialog.NewPrompt(pr, label, fallback, func(text string) { pr.Do(a, text) })
	p.About, p.History = about, pr.histories.Of(arg.String())
	p.Complete = func(text string) []view.Completion { return pr.complete(arg, text) }
	pr.Open(p)
}

// askForCommand opens the prompt for commands.
func (pr *prompts) askForCommand(text string) {
	p := dialog.NewPrompt(pr, ":", "", pr.command)
	p.History, p.Complete = pr.histories.Of(":"), pr.completeCommand
	p.Set(text)
	pr.Open(p)
}

// command carries out a command line.
func (pr *prompts) command(line string) {
	a, argument, err := pr.Keys().Command(line)
	if err != nil {
		pr.Say(canvas.Bad, err.Error())
		return
	}
	pr.Do(a, argument)
}

// lines returns the lines that were typed, by the kind of argument, the oldest first.
func (pr *prompts) lines() map[string][]string {
	all := make(map[string][]string)
	for kind, h := range pr.histories {
		if lines := h.Lines(); len(lines) > 0 {
			all[kind] = lines
		}
	}
	return all
}

// restore puts back the lines of earlier sessions.
func (pr *prompts) restore(lines map[string][]string) {
	for kind, list := range lines {
		pr.histories.Of(kind).Restore(list)
	}
}
