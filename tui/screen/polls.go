package screen

import (
	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/view"
	"asldb/tui/view/data"
)

// pollBindings step through a waiter: a step is a poll, to the moment at which the next one begins. Where the text or
// the states that it was made into are shown, it is a stage.
func (rn *runner) pollBindings() view.Bindings {
	shown := func() bool { return rn.u.states.Polls.Shown() && rn.u.data.View() != data.Definition }
	return view.Bindings{
		{Action: keys.StepStage, Applies: shown, Disabled: rn.stepDisabled, Run: plainly(func() {
			if rn.Session().Position() == 0 { // the first poll begins at once
				if _, err := rn.Session().Do(debug.Command{Kind: debug.StepState}); err != nil {
					return
				}
			}
			rn.begin(rn.pollCommand())
		})},
		{Action: keys.BackStage, Applies: shown, Disabled: rn.backDisabled,
			Run: plainly(func() { rn.goBack(rn.pollCommand()) })},
	}
}

// pollCommand goes to the next poll.
func (rn *runner) pollCommand() debug.Command {
	return debug.Command{Kind: debug.RunTo, Target: rn.u.states.Polls.Operation()}
}
