package screen

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

// why returns the reason for which the run has stopped; that of a replay begins with REPLAY.
func (u *ui) why() (text string, style canvas.Style) {
	text, style = u.reason()
	if u.session.ReadOnly() {
		text = "REPLAY " + text
	}
	return text, style
}

func (u *ui) reason() (text string, style canvas.Style) {
	g, s := u.glyphs, u.session
	switch {
	case u.running && u.live.awaited:
		return u.callWord(g), theme.BarInfo
	case u.running && u.paced:
		return g.Active + " RUNNING with the clock", theme.BarInfo
	case u.running:
		return g.Active + " RUNNING", theme.BarInfo
	case !u.following:
		return "LOOKING at event " + strconv.FormatInt(u.selection.Event.Seq, 10) + " of " + strconv.Itoa(s.Log().Len()), theme.BarInfo
	case s.AtEnd() && s.Stop().Reason == debug.StoppedByInterrupt && s.Stop().Err == nil:
		return "STOPPED by a key", theme.BarInfo
	}
	return u.barText(explain.Standing(s, longCommand))
}

// outcome returns how the execution ended, with its style.
func (u *ui) outcome() (string, canvas.Style) {
	return u.barText(explain.Outcome(u.session.Status(), u.session.Failure()))
}

// barText returns a paragraph for the status line, with its style there.
func (u *ui) barText(p explain.Paragraph) (string, canvas.Style) {
	style := theme.BarInfo
	switch p.Tone {
	case explain.ToneGood:
		style = theme.BarGood
	case explain.ToneBad:
		style = theme.BarBad
	case explain.ToneCaution:
		style = theme.BarWarn
	}
	return prose.Writer(u.glyphs, prose.PreviewLength).Paragraph(&p), style
}

// drawStatus paints the top line: where the run is, why it stands still, and the virtual time.
func (u *ui) drawStatus(area canvas.Area) {
	g, w := u.glyphs, area.W()
	area.Fill(0, theme.Bar, true)
	right := explain.SinceStart(u.start, u.shownTime()) + "  " + clockText(u.session.Clock()) + " "
	if w >= 100 {
		right = explain.SinceStart(u.start, u.shownTime()) + "  clock: " + clockText(u.session.Clock()) + " "
	}
	if w < 60 {
		right = explain.SinceStart(u.start, u.shownTime()) + " "
	}
	edge := area.Right(w, 0, theme.Bar, right)
	why, style := u.why()
	room := edge - 2
	if w < shortStatus {
		why, _ = cutReason(why)
	}
	why = u.makeRoom(why, room)
	why = " " + canvas.FitMiddle(why, max(min(room-14, canvas.Width(why)), 8), g.Ellipsis) + " "
	at := edge - 1 - canvas.Width(why)
	area.Text(at, 0, style, why)
	area.Text(1, 0, theme.Bar, u.where(at-2))
}

// makeRoom shortens a reason, by parts that the panes show as well, until the place fits beside it.
func (u *ui) makeRoom(why string, room int) string {
	v := u.selection.Visit
	if v == nil {
		return why
	}
	place := canvas.Width(explain.PlaceName(v)+" "+u.glyphs.Descends+" "+u.selection.StageName()) + 5
	for _, detail := range []string{", event ", " (hit "} {
		if at := strings.LastIndex(why, detail); at >= 0 && canvas.Width(why)+place > room {
			why = why[:at]
		}
	}
	return why
}

// shortStatus is the width below which the status line has only the first word of the reason.
const shortStatus = 70

// cutReason cuts a reason into what a few cells can hold, its sign and its first word, and the rest.
func cutReason(why string) (first, rest string) {
	first, rest, _ = strings.Cut(why, " ")
	if canvas.Width(first) == 1 {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		first += " " + word
	}
	return first, rest
}

// cutReason returns the part of the reason for which the status line is too narrow, or "".
func (u *ui) cutReason() string {
	if w, _ := u.canvas.Size(); w >= shortStatus || u.running {
		return ""
	}
	switch u.session.Stop().Reason {
	case debug.StoppedAtStart, debug.StoppedByStep, debug.StoppedForTime, debug.StoppedForAnswer:
		if u.following {
			return "" // what is on the screen says it
		}
	}
	why, _ := u.why()
	_, rest := cutReason(why)
	return rest
}

// where says where the run is, in at most cells cells: the definition, the state's path and the stage.
// What is left out first is the definition, then the path before the state.
func (u *ui) where(cells int) string {
	g, v := u.glyphs, u.selection.Visit
	if v == nil {
		if trail := u.trail() + u.title; canvas.Width(trail) <= cells {
			return trail
		}
		return canvas.FitMiddle(u.title, cells, g.Ellipsis)
	}
	separator := " " + g.Descends + " "
	stage := separator + u.selection.StageName()
	full := u.title + separator + v.Path() + stage
	if u.nest.outer != nil {
		into := g.To + " "
		for _, text := range []string{u.trail() + full, into + full, into + u.title + separator + v.Path(), into + v.Path() + stage} {
			if canvas.Width(text) <= cells {
				return text
			}
		}
	}
	if v.Thread != 0 && canvas.Width(full)+12 <= cells {
		return full + "  thread " + strconv.Itoa(int(v.Thread))
	}
	for _, text := range []string{full, v.Path() + stage, explain.PlaceName(v) + stage} {
		if canvas.Width(text) <= cells {
			return text
		}
	}
	return canvas.FitMiddle(explain.PlaceName(v)+stage, cells, g.Ellipsis)
}

// hints are the actions that the bottom line offers, the most useful first.
func (u *ui) hints() []keys.Action {
	s := u.session
	switch {
	case !u.following && u.looksInto():
		return []keys.Action{keys.StepInto, keys.Now, keys.Up, keys.DataView, keys.Fold, keys.Zoom, keys.StepStage, keys.StepState}
	case !u.following:
		return []keys.Action{keys.Now, keys.Up, keys.DataView, keys.Fold, keys.Zoom, keys.StepStage, keys.StepState}
	case s.Status().Done():
		return []keys.Action{keys.Restart, keys.BackStage, keys.BackState, keys.BackContinue, keys.FocusNext, keys.DataView, keys.Zoom, keys.ListBreaks}
	}
	var list []keys.Action
	if u.looksInto() {
		list = append(list, keys.StepInto)
	}
	if len(s.Requests()) > 0 && s.Status() == engine.AwaitingAnswer {
		list = append(list, keys.Answer)
	}
	if s.Stop().Reason == debug.StoppedForTime {
		list = append(list, keys.NextTimer, keys.AdvanceBy)
	}
	return append(list, keys.StepStage, keys.StepState, keys.StepOver, keys.StepOut, keys.Continue, keys.ToggleBreak,
		keys.DataView, keys.BackStage, keys.BackState, keys.BackContinue, keys.FocusNext, keys.Zoom, keys.ListBreaks, keys.ClockMode, keys.Restart)
}

// narrowHints is the width below which the bottom line has only the most useful keys.
const narrowHints = 60

// drawHint paints the bottom line: keys and their actions.
func (u *ui) drawHint(area canvas.Area) {
	if u.running {
		text := "any key stops the run"
		if u.live.awaited {
			text = u.keys.Key(keys.Answer) + " cancels the call; any other key leaves it to itself"
		}
		if u.paced {
			text = "time goes (" + clockText(u.session.Clock()) + "); " + text
		}
		area.Fit(1, 0, area.W()-2, theme.Hint, text)
		return
	}
	fixed, hints := []keys.Action{keys.Quit, keys.Help}, u.hints()
	if area.W() < narrowHints {
		fixed = fixed[1:]
		if at := slices.Index(hints, keys.Continue); at > 2 { // before the rarer steps
			hints = slices.Insert(slices.Delete(hints, at, at+1), at-2, keys.Continue)
		}
	}
	right := area.W() - 1
	for _, a := range fixed {
		right -= hintWidth(u.keys, a)
		u.drawHintAt(area, right, a)
		right -= 2
	}
	x := 1
	for _, a := range hints {
		if u.disabled(a) != "" || u.keys.Binding(a).Short == "" {
			continue
		}
		if x+hintWidth(u.keys, a) > right {
			break
		}
		x = u.drawHintAt(area, x, a) + 2
	}
}

func hintWidth(m *keys.Map, a keys.Action) int {
	return canvas.Width(m.Key(a)) + 1 + canvas.Width(m.Binding(a).Short)
}

func (u *ui) drawHintAt(area canvas.Area, x int, a keys.Action) int {
	from := x
	x = area.Text(x, 0, theme.HintKey, u.keys.Key(a))
	x = area.Text(x+1, 0, theme.Hint, u.keys.Binding(a).Short)
	u.mouse.add(area.Place(canvas.Rect{X: from, W: x - from, H: 1}), func() { u.act(a) })
	return x
}
