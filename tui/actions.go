package tui

import (
	"asldb/engine"
	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/part/theme"
)

// press is one key: its name, what the table makes of it, what it writes, and the message for text fields. A pasted
// text is a press, too.
type press struct {
	name   string
	action keys.Action
	text   string
	msg    any
}

// handle takes one key.
func (u *ui) handle(k press) {
	u.messages.clear()
	switch {
	case k.action == keys.Kill && !u.running:
		u.kill()
	case u.running && u.live.awaited && k.action == keys.Answer:
		u.cancelCalls()
	case u.running:
		if k.action == keys.Quit {
			u.wants.quit = true
		}
		u.interrupt()
	case u.dialog != nil:
		u.dialog.handle(u, k)
	case k.action != keys.None:
		u.act(k.action)
	}
}

func runRoom() room {
	return room{
		actions: []keys.Action{
			keys.StepStage, keys.StepState, keys.StepOver, keys.StepOut, keys.Continue, keys.RunTo, keys.Pause, keys.Restart,
		},
		act: (*ui).actOnRun, disabled: (*ui).runDisabled,
	}
}

func (u *ui) runDisabled(a keys.Action) string {
	s := u.session
	status := s.Status()
	switch {
	case a == keys.Pause:
		return "nothing is running"
	case a == keys.Restart && s.Log().Len() == 0:
		return "nothing has run yet"
	case a == keys.Restart:
		return ""
	case s.Replaying() && s.AtEnd() && !status.Done():
		return "nothing more was recorded"
	case status.Done():
		return "the run is over; " + u.keys.Key(keys.Restart) + " starts again"
	case status == engine.AwaitingAnswer && len(s.Requests()) > 0 && s.Stop().Reason == debug.StoppedForAnswer:
		return u.keys.Key(keys.Answer) + " answers the task that waits"
	}
	return ""
}

func (u *ui) actOnRun(a keys.Action, argument string) bool {
	command := debug.Command{}
	switch a {
	case keys.StepStage:
		command.Kind = debug.StepStage
	case keys.StepState:
		command.Kind = debug.StepState
	case keys.StepOver:
		command.Kind = debug.StepOver
	case keys.StepOut:
		command.Kind = debug.StepOut
	case keys.Continue:
		command.Kind = debug.Continue
	case keys.RunTo:
		if argument == "" {
			state := u.target()
			if state == nil {
				u.say(theme.Warn, "No state is selected.")
				return true
			}
			argument = state.Path()
		}
		command = debug.Command{Kind: debug.RunTo, Target: argument}
	case keys.Restart:
		u.session.Restart()
		u.settle()
		if u.session.Replaying() {
			u.say(theme.Plain, "Back at the beginning of the recording.")
			return true
		}
		u.say(theme.Plain, "Started again; breakpoints, input and seed are the same.")
		return true
	default:
		return false
	}
	u.begin(command)
	return true
}
