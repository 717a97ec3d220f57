package screen

import (
	"asldb/engine"
	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// handle takes one key.
func (u *ui) handle(k keys.Press) {
	u.messages.clear()
	switch {
	case k.Action == keys.Kill && !u.running:
		u.kill()
	case u.running && u.live.awaited && k.Action == keys.Answer:
		u.cancelCalls()
	case u.running:
		if k.Action == keys.Quit {
			u.effects.quit = true
		}
		u.interrupt()
	case u.dialog != nil:
		u.dialog.Handle(u.context(), k)
	case k.Action != keys.None:
		u.act(k.Action)
	}
}

// stepActions are the commands that go on, with the actions that do so forward and back.
var stepActions = [...]struct {
	forward, back keys.Action
	kind          debug.CommandKind
}{
	{keys.StepStage, keys.BackStage, debug.StepStage},
	{keys.StepState, keys.BackState, debug.StepState},
	{keys.StepOver, keys.BackOver, debug.StepOver},
	{keys.StepOut, keys.BackOut, debug.StepOut},
	{keys.Continue, keys.BackContinue, debug.Continue},
}

func (u *ui) runBindings() pane.Bindings {
	list := pane.Bindings{
		{Action: keys.RunTo, Run: u.runTo, Disabled: u.stepDisabled},
		{Action: keys.Pause, Run: plainly(func() {}), Disabled: func() string { return "nothing is running" }},
		{Action: keys.Restart, Run: plainly(u.restart), Disabled: u.nothingRun},
	}
	for _, step := range stepActions {
		list = append(list, pane.Binding{
			Action: step.forward, Run: plainly(func() { u.begin(debug.Command{Kind: step.kind}) }), Disabled: u.stepDisabled,
		})
	}
	return list
}

// stepDisabled is the reason why the run cannot go on.
func (u *ui) stepDisabled() string {
	s := u.session
	status := s.Status()
	switch {
	case s.ReadOnly() && s.AtEnd() && !status.Done():
		return "nothing more was recorded"
	case status.Done():
		return "the run is over; " + u.keys.Key(keys.Restart) + " starts again"
	case status == engine.AwaitingAnswer && len(s.Requests()) > 0 && s.Stop().Reason == debug.StoppedForAnswer:
		return u.keys.Key(keys.Answer) + " answers the task that waits"
	}
	return ""
}

// runTo goes on to a state: the selected one where none is given.
func (u *ui) runTo(target string) {
	if target == "" {
		state := u.states.Selected()
		if state == nil {
			u.say(theme.Warn, "No state is selected.")
			return
		}
		target = state.Path()
	}
	u.begin(debug.Command{Kind: debug.RunTo, Target: target})
}

func (u *ui) restart() {
	u.session.Restart()
	u.sync()
	if u.session.ReadOnly() {
		u.say(theme.Plain, "Back at the beginning of the recording.")
		return
	}
	u.say(theme.Plain, "Started again; breakpoints, input and seed are the same.")
}
