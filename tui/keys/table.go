package keys

// table is what the keys do. Plain letters come first, since every terminal passes them on; function
// keys are second names for hands that know them from other debuggers.
func table() []Binding {
	return []Binding{
		{StepStage, []string{"i", "f7"}, "stage", "step one stage: the smallest thing that happens", GroupRun},
		{StepState, []string{"s", "f11"}, "state", "step to the entry of the next state, in whichever branch", GroupRun},
		{StepOver, []string{"o", "f10"}, "over", "step over this state: a Parallel, a Map or a chain of retries is one step", GroupRun},
		{StepOut, []string{"f", "f12"}, "out", "finish this branch or iteration; at the top, run to the end", GroupRun},
		{Continue, []string{"c", "f5"}, "continue", "run on to a breakpoint, a question or the end", GroupRun},
		{RunTo, []string{"R"}, "run to", "run to the state selected in the outline", GroupRun},
		{Pause, []string{"p"}, "pause", "stop a run that goes on (any other key does it too)", GroupRun},
		{Restart, []string{"r"}, "restart", "start again: breakpoints, input and seed stay", GroupRun},

		{ToggleBreak, []string{"b", "f9"}, "break", "set or remove a breakpoint on the selected (or the current) state", GroupBreaks},
		{AddBreak, []string{"+"}, "add", "type a breakpoint: STATE, STATE:STAGE, error, ... if EXPRESSION", GroupBreaks},
		{ListBreaks, []string{"B"}, "breakpoints", "list the breakpoints: switch on and off, delete, add", GroupBreaks},
		{BreakOnError, []string{"E"}, "on error", "stop at any error, caught or not (again: no more)", GroupBreaks},
		{DeleteBreak, []string{"delete", "backspace"}, "delete", "in the list of breakpoints: delete the selected one", GroupBreaks},

		{NextTimer, []string{"a"}, "next timer", "move the clock to the next timer", GroupClock},
		{AdvanceBy, []string{"A"}, "by a time", "move the clock by a time that you type", GroupClock},
		{ClockMode, []string{"t"}, "clock", "change how time goes: skip, real, x60, by hand", GroupClock},
		{Answer, []string{"x"}, "answer", "answer the task that waits: a result, or an error", GroupClock},

		{DataView, []string{"d"}, "view", "show the data as diff, before or after the stage", GroupLook},
		{Unfold, []string{" "}, "unfold", "fold or unfold what did not change", GroupLook},
		{Look, []string{"enter"}, "look", "in the states: look at the selected one; in another pane: zoom it, and back", GroupLook},
		{Now, []string{"esc"}, "now", "back to where the run stands; closes what is open", GroupLook},
		{Zoom, []string{"z"}, "zoom", "give the whole screen to the focused pane, and back", GroupLook},
		{FocusNext, []string{"tab"}, "focus", "go to the next pane", GroupLook},
		{FocusPrevious, []string{"shift+tab"}, "", "go to the pane before", GroupLook},
		{FocusData, []string{"1"}, "", "go to the data", GroupLook},
		{FocusOutline, []string{"2"}, "", "go to the states", GroupLook},
		{FocusEvents, []string{"3"}, "", "go to the events", GroupLook},
		{FocusSide, []string{"4"}, "", "go to the timers and breakpoints, where they are on the screen", GroupLook},

		{Up, []string{"up", "k"}, "", "up; among the events: look at the one before", GroupMove},
		{Down, []string{"down", "j"}, "", "down", GroupMove},
		{Left, []string{"left", "h"}, "", "scroll to the left", GroupMove},
		{Right, []string{"right", "l"}, "", "scroll to the right", GroupMove},
		{PageUp, []string{"pgup", "ctrl+u"}, "", "a page up", GroupMove},
		{PageDown, []string{"pgdown", "ctrl+d"}, "", "a page down", GroupMove},
		{Top, []string{"home", "g"}, "", "to the beginning", GroupMove},
		{Bottom, []string{"end", "G"}, "", "to the end", GroupMove},
		{Find, []string{"/"}, "find", "find a text in the focused pane", GroupMove},
		{FindNext, []string{"n"}, "", "find it again, downwards", GroupMove},
		{FindPrevious, []string{"N"}, "", "find it again, upwards", GroupMove},

		{Help, []string{"?", "f1"}, "help", "this page", GroupOther},
		{Redraw, []string{"ctrl+l"}, "", "paint the screen anew", GroupOther},
		{Suspend, []string{"ctrl+z"}, "", "leave to the shell for a while", GroupOther},
		{Quit, []string{"q"}, "quit", "quit", GroupOther},
		{Kill, []string{"ctrl+c"}, "", "stop a run that goes on; otherwise quit from anywhere", GroupOther},
	}
}
