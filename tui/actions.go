package tui

import (
	"math"
	"strings"
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/tui/keys"
	"asldb.dev/asldb/tui/theme"
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
	u.message = ""
	switch {
	case k.action == keys.Kill && !u.running:
		u.wants.interrupt = true
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

// act does what an action says, or says why it cannot be done now.
func (u *ui) act(a keys.Action) {
	if reason := u.disabled(a); reason != "" {
		u.say(theme.Warn, u.keys.Key(a)+": "+reason)
		return
	}
	if u.actOnRun(a) || u.actOnBreaks(a) || u.actOnTime(a) || u.actOnLook(a) {
		return
	}
	u.actOnMove(a)
}

// disabled says why an action cannot be done now, or returns "".
func (u *ui) disabled(a keys.Action) string {
	s := u.session
	status := s.Status()
	switch a {
	case keys.StepStage, keys.StepState, keys.StepOver, keys.StepOut, keys.Continue, keys.RunTo:
		switch {
		case status.Done():
			return u.keys.Key(keys.Restart) + " starts again: the run is over"
		case status == engine.AwaitingAnswer && len(s.Requests()) > 0 && s.Stop().Reason == debug.StoppedForAnswer:
			return u.keys.Key(keys.Answer) + " answers the task that waits"
		case a == keys.RunTo && u.outline.state() == nil:
			return "no state is selected"
		}
	case keys.Pause:
		if !u.running {
			return "nothing is running"
		}
	case keys.Restart:
		if s.Log().Len() == 0 {
			return "nothing has run yet"
		}
	case keys.NextTimer, keys.AdvanceBy:
		if _, ok := s.NextTimer(); !ok {
			return "no timer is pending"
		}
		if status == engine.Runnable {
			return "time moves when all threads wait"
		}
	case keys.Answer:
		if len(s.Requests()) == 0 {
			return "no task waits for an answer"
		}
	case keys.FindNext, keys.FindPrevious:
		if u.needle == "" {
			return u.keys.Key(keys.Find) + " finds a text first"
		}
	case keys.DeleteBreak:
		return u.keys.Key(keys.ListBreaks) + " opens the list, where it works"
	}
	return ""
}

func (u *ui) actOnRun(a keys.Action) bool {
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
		command = debug.Command{Kind: debug.RunTo, Target: u.outline.state().Path()}
	case keys.Restart:
		u.session.Restart()
		u.asked = 0
		u.moment = nil
		u.events.reset()
		u.settle()
		u.say(theme.Plain, "Started again; breakpoints, input and seed are the same.")
		return true
	default:
		return false
	}
	u.begin(command)
	return true
}

func (u *ui) actOnBreaks(a keys.Action) bool {
	switch a {
	case keys.ToggleBreak:
		u.toggleBreak(u.target())
	case keys.BreakOnError:
		u.toggleErrorBreak()
	case keys.AddBreak:
		p := newPrompt("Stop at:", "", (*ui).addBreak)
		p.about = "STATE, STATE:STAGE, STATE:error or error, and perhaps after it: if EXPRESSION, in which $ is the data after " +
			"the stage (at a state's entry, its raw input)"
		u.dialog = p
	case keys.ListBreaks:
		u.dialog = &breakList{}
	default:
		return false
	}
	return true
}

// target is the state that an action is about: the one selected in the outline.
func (u *ui) target() *asl.State { return u.outline.state() }

func (u *ui) toggleBreak(state *asl.State) {
	if state == nil {
		return
	}
	if b := u.session.BreakpointAt(state); b != nil {
		u.session.Remove(b.ID)
		u.say(theme.Plain, "Breakpoint removed: "+breakpointText(b))
	} else {
		u.tellBreak(u.session.BreakAt(state))
	}
	u.side.refresh(u.session, u.glyphs)
}

func (u *ui) toggleErrorBreak() {
	for _, b := range u.session.Breakpoints() {
		if b.OnError && b.Pattern == "" && b.Condition == "" {
			u.session.Remove(b.ID)
			u.say(theme.Plain, "Errors do not stop the run any more.")
			u.side.refresh(u.session, u.glyphs)
			return
		}
	}
	u.addBreak("error")
}

func (u *ui) addBreak(spec string) {
	b, err := u.session.Break(spec)
	if err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.tellBreak(b)
}

func (u *ui) tellBreak(b *debug.Breakpoint) {
	u.say(theme.Plain, u.glyphs.Breakpoint+" The run will stop at: "+breakpointText(b))
	u.side.refresh(u.session, u.glyphs)
}

func (u *ui) actOnTime(a keys.Action) bool {
	switch a {
	case keys.NextTimer:
		u.moveClock(math.MaxInt64)
	case keys.AdvanceBy:
		u.dialog = newPrompt("Move the clock by (30s, 5m, 1h30m):", "", (*ui).advanceBy)
	case keys.ClockMode:
		u.session.SetClock(nextClock(u.session.Clock()))
		u.say(theme.Plain, "Time goes: "+clockText(u.session.Clock())+". "+clockMeaning(u.session.Clock()))
	case keys.Answer:
		u.ask(u.session.Requests()[0])
	default:
		return false
	}
	return true
}

func clockMeaning(c debug.Clock) string {
	switch c.Mode {
	case debug.ClockSkip:
		return "Waits are skipped: the clock jumps to the next timer."
	case debug.ClockByHand:
		return "The run stops at each wait until you move the clock."
	}
	return "The run really waits."
}

func (u *ui) advanceBy(text string) {
	text = strings.TrimSpace(text)
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		u.say(theme.Bad, "A time is a number with a unit, such as 30s, 5m or 1h30m; found "+text)
		return
	}
	u.moveClock(d)
}

func (u *ui) actOnLook(a keys.Action) bool {
	switch a {
	case keys.DataView:
		u.data.setView((u.data.view+1)%viewCount, u.data.unfold, u.glyphs)
	case keys.Unfold:
		u.data.setView(u.data.view, !u.data.unfold, u.glyphs)
	case keys.Look:
		u.lookAtSelected()
	case keys.Now:
		if u.following && u.mode.zoom {
			u.setMode(mode{focus: u.mode.focus})
		}
		u.settle()
	case keys.Zoom:
		u.setMode(mode{focus: u.mode.focus, zoom: !u.mode.zoom})
	case keys.FocusNext:
		u.focus((u.mode.focus + 1) % paneCount)
	case keys.FocusPrevious:
		u.focus((u.mode.focus + paneCount - 1) % paneCount)
	case keys.FocusData, keys.FocusOutline, keys.FocusEvents, keys.FocusSide:
		u.focus(pane(a - keys.FocusData))
	case keys.Help:
		u.dialog = &helpPage{}
	case keys.Find:
		label := "Find:"
		if u.needle != "" {
			label = "Find (" + u.needle + "):"
		}
		u.dialog = newPrompt(label, u.needle, (*ui).find)
	case keys.FindNext:
		u.findAgain(1)
	case keys.FindPrevious:
		u.findAgain(-1)
	case keys.Redraw:
		u.wants.redraw = true
	case keys.Suspend:
		u.wants.suspend = true
	case keys.Quit:
		u.wants.quit = true
	default:
		return false
	}
	return true
}

// lookAtSelected shows the newest event of the state selected in the outline; elsewhere it zooms.
func (u *ui) lookAtSelected() {
	if u.mode.focus != paneOutline {
		u.act(keys.Zoom)
		return
	}
	state, log := u.outline.state(), u.session.Log()
	for i := log.Len() - 1; i >= 0; i-- {
		if v := log.At(i).Visit; v != nil && v.State == state {
			u.look(i)
			return
		}
	}
	u.say(theme.Warn, "The run has not been in this state.")
}

func (u *ui) find(text string) {
	u.needle = text
	u.findAgain(1)
}

func (u *ui) findAgain(by int) {
	if u.needle == "" {
		return
	}
	found := false
	switch u.mode.focus {
	case paneData:
		found = u.data.find(u.needle, by)
	case paneOutline:
		found = u.outline.find(u.needle, by)
	case paneEvents:
		if found = u.events.find(u.needle, by, u.session.Log(), u.start, u.glyphs); found {
			u.look(u.events.cursor)
		}
	}
	if !found {
		u.say(theme.Warn, "Not found from here on: "+u.needle)
	}
}

// far is further than anything scrolls.
const far = 1 << 30

func (u *ui) actOnMove(a keys.Action) {
	rows, cells := 0, 0
	page := max(u.pageHeight()-1, 1)
	switch a {
	case keys.Up:
		rows = -1
	case keys.Down:
		rows = 1
	case keys.PageUp:
		rows = -page
	case keys.PageDown:
		rows = page
	case keys.Top:
		rows = -far
	case keys.Bottom:
		rows = far
	case keys.Left:
		cells = -8
	case keys.Right:
		cells = 8
	}
	u.move(u.mode.focus, rows, cells)
}

func (u *ui) pageHeight() int {
	switch u.mode.focus {
	case paneOutline:
		return u.outline.height
	case paneEvents:
		return u.events.height
	case paneSide:
		return u.side.height
	}
	return u.data.rows
}

// move scrolls a pane, or moves its selection.
func (u *ui) move(p pane, rows, cells int) {
	switch p {
	case paneData:
		u.data.scroll(rows, cells)
	case paneOutline:
		u.outline.move(rows)
	case paneEvents:
		if u.session.Log().Len() > 0 && rows != 0 {
			u.events.move(rows, u.session.Log())
			u.look(u.events.cursor)
		}
	case paneSide:
		u.side.scroll(rows)
	}
}

// click gives the focus to the pane at x, y and selects what is there.
func (u *ui) click(x, y int) {
	if u.running || u.dialog != nil {
		return
	}
	p, ok := u.places.at(x, y)
	if !ok {
		return
	}
	line := y - u.places.panes[p].Y - 1
	u.focus(p)
	switch p {
	case paneOutline:
		u.outline.selectAt(line)
	case paneEvents:
		if line >= 0 && line < u.events.height && u.session.Log().Len() > 0 {
			u.events.selectAt(line, u.session.Log())
			u.look(u.events.cursor)
		}
	}
}

// wheel scrolls the pane at x, y by rows.
func (u *ui) wheel(x, y, rows int) {
	if p, ok := u.places.at(x, y); ok && u.dialog == nil && !u.running {
		u.move(p, rows, 0)
	}
}
