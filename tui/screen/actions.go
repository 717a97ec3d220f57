package screen

import (
	"cmp"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// stepActions are the commands that continue, with the actions that do so forward and back.
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

func (rn *runner) runBindings() view.Bindings {
	list := view.Bindings{
		{Action: keys.RunTo, Run: rn.runTo, Disabled: rn.stepDisabled},
		{Action: keys.Pause, Run: plainly(func() {}), Disabled: func() string { return "nothing is running" }},
		{Action: keys.Forget, Run: plainly(rn.forget), Disabled: func() string { return cmp.Or(readOnly(rn.contract), nothingRun(rn.contract)()) }},
		{Action: keys.Restart, Run: plainly(rn.restart), Disabled: rn.restartDisabled},
	}
	for _, step := range stepActions {
		list = append(list, view.Binding{
			Action: step.forward, Run: plainly(func() { rn.begin(debug.Command{Kind: step.kind}) }), Disabled: rn.stepDisabled,
		})
	}
	return list
}

// stepDisabled is the reason why the run cannot continue.
func (rn *runner) stepDisabled() string {
	s := rn.Session()
	status := s.Status()
	_, _, grows := debug.GrowthOf(s).Progress()
	switch {
	case grows: // a command executes the recording on
		return ""
	case !debug.GrowthOf(s).Driven() && debug.GrowthOf(s).Followed() && s.AtEnd() && !status.Done() && rn.Newest():
		return "nothing more has been recorded yet"
	case !rn.Newest() && !rn.u.aside: // it continues at the event on the screen
		return ""
	case s.ReadOnly() && s.AtEnd() && !status.Done():
		return "nothing more was recorded"
	case status.Done():
		return "the run is over; " + rn.Key(keys.Restart) + " starts again"
	case status == engine.AwaitingAnswer && s.Stop().Object != nil:
		return rn.Key(keys.Answer) + " gives the ItemReader its items"
	case status == engine.AwaitingAnswer && len(s.Requests()) > 0 && s.Stop().Reason == debug.StoppedForAnswer:
		return rn.Key(keys.Answer) + " answers the task that waits"
	}
	return ""
}

// runTo runs to a state: the selected one where none is given.
func (rn *runner) runTo(target string) {
	if target == "" {
		state := rn.State()
		if state == nil {
			rn.Say(canvas.Warn, "No state is selected.")
			return
		}
		target = state.Path()
	}
	rn.begin(debug.Command{Kind: debug.RunTo, Target: target})
}

// restartDisabled is the reason why the run cannot begin again. Before the first event its files can be read again.
func (rn *runner) restartDisabled() string {
	if rn.reload.of != nil {
		return ""
	}
	return nothingRun(rn.contract)()
}

// forget begins again, and asks for every answer.
func (rn *runner) forget() {
	rn.Session().Restart()
	rn.Sync()
	rn.Say(canvas.Plain, "Restarted without the answers before: tasks ask again.")
}

func (rn *runner) restart() {
	if rn.reload.of != nil && rn.Session().Executable() {
		rn.reload.reload()
		return
	}
	rn.Session().Restart()
	rn.Sync()
	if rn.Session().ReadOnly() {
		rn.Say(canvas.Plain, "Back at the beginning of the recording.")
		return
	}
	rn.Say(canvas.Plain, "Restarted with the same input, seed and breakpoints.")
}
