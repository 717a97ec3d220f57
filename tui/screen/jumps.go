package screen

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// place is an event of a fork; index is -1 before the first event.
type place struct{ fork, index int }

// maxJumps bounds how many places are remembered.
const maxJumps = 100

// jumps are the places that were left by a jump, the oldest first.
type jumps struct {
	contract
	list []place
	at   int // the place in the list that is on the screen, its length where that is none of them
}

func (j *jumps) bindings() view.Bindings {
	return view.Bindings{
		{Action: keys.JumpBack, Run: plainly(j.back), Disabled: func() string {
			if j.at == 0 {
				return "no earlier position"
			}
			return ""
		}},
		{Action: keys.JumpForward, Run: plainly(j.forward), Disabled: func() string {
			if j.at+1 >= len(j.list) {
				return "no later position"
			}
			return ""
		}},
	}
}

// here is the place on the screen.
func (j *jumps) here() place {
	return place{j.Session().Forks().Current(), j.Selection().Index}
}

// jumping reports whether an action that changes the event on the screen is a jump, and no step or movement of a
// cursor.
func jumping(a keys.Action) bool {
	switch a {
	case keys.Up, keys.Down, keys.Left, keys.Right, keys.PageUp, keys.PageDown, keys.StepStage, keys.StepState, keys.StepOver, keys.StepThread,
		keys.BackStage, keys.BackState, keys.BackOver, keys.NextTimer, keys.AdvanceBy, keys.JumpBack, keys.JumpForward:
		return false
	default:
		return true
	}
}

// left remembers a place that was left by a jump.
func (j *jumps) left(from place) {
	j.list = j.list[:min(j.at, len(j.list))]
	if n := len(j.list); n > 0 && j.list[n-1] == from {
		n--
		j.list = j.list[:n]
	}
	if len(j.list) == maxJumps {
		j.list = append(j.list[:0], j.list[1:]...)
	}
	j.list = append(j.list, from)
	j.at = len(j.list)
}

func (j *jumps) back() {
	here := j.here()
	if j.at == len(j.list) {
		j.list = append(j.list, here)
	}
	j.at--
	if j.list[j.at] == here && j.at > 0 {
		j.at--
	}
	j.to(j.list[j.at])
}

func (j *jumps) forward() {
	j.at++
	j.to(j.list[j.at])
}

// to shows an event, in the fork that has it.
func (j *jumps) to(p place) {
	if p.fork != j.here().fork {
		if err := j.Switch(p.fork); err != nil {
			j.Say(canvas.Bad, err.Error())
			return
		}
	}
	j.StandAt(p.index)
}
