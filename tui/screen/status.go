package screen

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
)

// statusLine writes the top line of the screen and the keys in the bottom line.
type statusLine struct {
	contract
	calls   *calling
	nest    *nesting
	endings *endings
	expect  *expectations
	opening *opening
	reload  *reloading
	size    func() (w, h int) // of the screen
}

// why returns the reason for which the run has stopped; a replay's begins with REPLAY.
func (st *statusLine) why() (text string, style canvas.Style) {
	text, style = st.reason()
	if progress := st.opening.progress(); progress != "" {
		text = progress + ", " + text
	}
	if st.Session().ReadOnly() {
		text = "REPLAY " + text
	}
	return text, style
}

func (st *statusLine) reason() (text string, style canvas.Style) {
	g, s := st.Glyphs(), st.Session()
	switch {
	case st.Running() && st.calls.awaited:
		return st.calls.text(g), canvas.BarInfo
	case st.Running() && st.Paced():
		return g.Active + " RUNNING with the clock", canvas.BarInfo
	case st.Running():
		return g.Active + " RUNNING", canvas.BarInfo
	case st.expect.heading() != "":
		return st.expect.heading(), canvas.BarBad
	case !st.Newest():
		return st.barText(explain.Viewing(s, int(st.Selection().Event.Seq)))
	}
	return st.barText(explain.Standing(s, longCommand))
}

// outcome returns how the execution ended, with its style.
func (st *statusLine) outcome() (string, canvas.Style) {
	return st.barText(explain.Outcome(st.Session().Status(), st.Session().Failure()))
}

// barText returns a paragraph for the status line, with its style there.
func (st *statusLine) barText(p explain.Paragraph) (string, canvas.Style) {
	style := canvas.BarInfo
	switch p.Tone {
	case explain.ToneGood:
		style = canvas.BarGood
	case explain.ToneBad:
		style = canvas.BarBad
	case explain.ToneCaution:
		style = canvas.BarWarn
	default:
	}
	return prose.Writer(st.Glyphs(), prose.PreviewLength).Paragraph(&p), style
}

// drawStatus paints the top line: where the run is, why it has stopped, and the virtual time.
func (st *statusLine) drawStatus(area canvas.Area) {
	g, w := st.Glyphs(), area.W()
	area.Fill(0, canvas.Bar, true)
	changed := st.reload.notice()
	right := explain.SinceStart(st.Start(), st.shownTime())
	if clock := st.Session().Clock(); clock.Mode != debug.ClockSkip && w >= 60 {
		right += "  "
		if w >= 100 {
			right += "clock: "
		}
		right += explain.Clock(clock)
	}
	right += " "
	edge := area.Right(w, 0, canvas.Bar, right)
	if changed != "" {
		edge = area.Right(edge, 0, canvas.BarWarn, " "+changed+" ")
	}
	why, style := st.why()
	room := edge - 2
	switch {
	case st.expect.heading() != "":
	case st.namesCause():
		why = st.briefly(room - canvas.Width(st.nest.trail()+st.nest.title) - 3)
	case w < shortStatus:
		why, _ = cutReason(why)
	}
	why = st.makeRoom(why, room)
	why = " " + canvas.FitMiddle(why, max(min(room-14, canvas.Width(why)), 8), g.Ellipsis) + " "
	at := edge - 1 - canvas.Width(why)
	area.Text(at, 0, style, why)
	area.Text(1, 0, canvas.Bar, st.where(at-2))
}

// makeRoom shortens a reason, by parts that the panes show as well, until the place fits beside it.
func (st *statusLine) makeRoom(why string, room int) string {
	v := st.Selection().Visit
	if v == nil || st.namesCause() {
		return why
	}
	place := canvas.Width(explain.PlaceName(v)+" "+st.Glyphs().Descends+" "+st.Selection().StageName()) + 5
	for _, detail := range []string{", event ", " (hit "} {
		if at := strings.LastIndex(why, detail); at >= 0 && canvas.Width(why)+place > room {
			why = why[:at]
		}
	}
	return why
}

// failedEnd reports whether the run has failed and the screen shows its end.
func (st *statusLine) failedEnd() bool {
	return st.Newest() && !st.Running() && st.Session().Status().Done() && st.endings.failed()
}

// namesCause reports whether the top line names the cause: at the end of a run that has failed, and at an error that
// will end it.
func (st *statusLine) namesCause() bool { return st.failedEnd() || st.endings.atUncaught() }

// briefly names the cause of a failure, in the longest of its forms that fits into cells cells.
func (st *statusLine) briefly(cells int) string {
	text, replay := "", ""
	if st.Session().ReadOnly() {
		replay = "REPLAY "
	}
	for _, p := range st.endings.shown().Brief() {
		text, _ = st.barText(p)
		if text = replay + text; canvas.Width(text) <= cells {
			break
		}
	}
	return text
}

// shortStatus is the width below which the status line has only the first word of the reason.
const shortStatus = 70

// cutReason divides a reason into its short form, the sign and the first word, and the rest.
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
func (st *statusLine) cutReason() string {
	if w, _ := st.size(); w >= shortStatus || st.expect.heading() != "" || st.Running() || st.namesCause() {
		return ""
	}
	switch st.Session().Stop().Reason {
	case debug.StoppedAtStart, debug.StoppedByStep, debug.StoppedForTime, debug.StoppedForAnswer:
		if st.Newest() {
			return "" // the screen says it
		}
	default:
	}
	why, _ := st.why()
	first, rest := cutReason(why)
	if strings.HasSuffix(first, "BREAKPOINT") {
		return "breakpoint " + rest // a number alone says nothing
	}
	return rest
}

// where says where the run is, in at most cells cells: the definition, the state's path and the stage.
// What is left out first is the definition, then the path before the state.
func (st *statusLine) where(cells int) string {
	g, v := st.Glyphs(), st.Selection().Visit
	if v == nil || st.namesCause() {
		if trail := st.nest.trail() + st.nest.title; canvas.Width(trail) <= cells {
			return trail
		}
		return canvas.FitMiddle(st.nest.title, cells, g.Ellipsis)
	}
	separator := " " + g.Descends + " "
	stage := separator + st.Selection().StageName()
	full := st.nest.title + separator + v.Path() + stage
	if st.nest.outer != nil {
		into := g.To + " "
		for _, text := range []string{st.nest.trail() + full, into + full, into + st.nest.title + separator + v.Path(), into + v.Path() + stage} {
			if canvas.Width(text) <= cells {
				return text
			}
		}
	}
	if st.expect.heading() != "" { // the case says more than the path
		name, place := st.expect.of.Name, explain.PlaceName(v)
		for _, text := range []string{full, st.nest.title + separator + place, name + separator + place, name} {
			if canvas.Width(text) <= cells {
				return text
			}
		}
		return canvas.FitMiddle(name, cells, g.Ellipsis)
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

// The widths below which the bottom line has no way out beside the help, and from which it has as many dim keys as
// bright ones.
const (
	narrowHints = 60
	wideHints   = 100
	brightHints = 3
)

// drawHint paints the bottom line: keys and their actions.
func (st *statusLine) drawHint(f widget.Frame) {
	area := f.Area
	if st.Running() {
		text := "any key stops the run"
		if st.calls.awaited {
			text = st.Key(keys.Answer) + " cancels the call; any other key leaves it to itself"
		}
		if st.Paced() {
			text = "time goes (" + explain.Clock(st.Session().Clock()) + "); " + text
		}
		area.Fit(1, 0, area.W()-2, canvas.Hint, text)
		return
	}
	fixed := []hint{{keys.Quit, "quit"}, {keys.Help, "keys"}}
	if area.W() < narrowHints {
		fixed = fixed[1:]
	}
	right := area.W() - 1
	for _, h := range fixed {
		right -= st.hintWidth(h)
		st.drawHintAt(f, right, h, false)
		right -= 2
	}
	x, most := 1, brightHints
	if area.W() >= wideHints {
		most *= 2
	}
	hints := st.hints()
	for i, h := range hints[:min(most, len(hints))] {
		if x+st.hintWidth(h) > right {
			break
		}
		x = st.drawHintAt(f, x, h, i < brightHints) + 2
	}
}

func (st *statusLine) hintWidth(h hint) int { return canvas.Width(st.Key(h.action) + " " + h.word) }

// drawHintAt writes a key and its word; the best next keys are bright.
func (st *statusLine) drawHintAt(f widget.Frame, x int, h hint, bright bool) int {
	key, word, from := canvas.Hint, canvas.Hint, x
	if bright {
		key, word = canvas.HintKey, canvas.Plain
	}
	x = f.Text(x, 0, key, st.Key(h.action))
	x = f.Text(x+1, 0, word, h.word)
	f.Click(canvas.Rect{X: from, W: x - from, H: 1}, func() { st.Do(h.action, "") })
	return x
}

// shownTime is the virtual time of the selected event.
func (st *statusLine) shownTime() time.Time {
	if st.Newest() || st.Selection().Event == nil {
		return st.Session().Now()
	}
	return st.Selection().Event.At()
}
