package screen

import (
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// askFor asks in the bottom line for the argument of an action and carries it out with that. fallback is what is
// meant when nothing is typed, and about says what may be typed; both may be empty.
func (u *ui) askFor(a keys.Action, label, fallback, about string) {
	arg := u.keys.Binding(a).Arg
	p := dialog.NewPrompt(label, fallback, func(text string) { u.do(a, text) })
	p.About, p.History = about, u.histories.Of(arg.String())
	p.Complete = func(text string) []pane.Completion { return u.completeArgument(arg, text) }
	u.dialog = p
}

// askForCommand opens the prompt for commands.
func (u *ui) askForCommand(text string) {
	p := dialog.NewPrompt(":", "", u.command)
	p.History, p.Complete = u.histories.Of(":"), u.completeCommand
	p.Set(text)
	u.dialog = p
}

// command carries out a command line.
func (u *ui) command(line string) {
	a, argument, err := u.keys.Command(line)
	if err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.do(a, argument)
}
