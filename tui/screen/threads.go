package screen

import (
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog/groups"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// threadPane lists the live threads as a tree: below each Parallel or Map what has become of its branches or
// iterations, and those that have not ended.
type threadPane struct {
	pickList
	threads []engine.ThreadInfo // by id
	// chosen: the person has picked a thread; until then it is the one that is looked at.
	chosen bool
}

// maxSiblings is how many branches or iterations of one state are listed.
const maxSiblings = 32

func threadsSection(p *threadPane) section {
	return section{
		title: "Threads", lines: func(*ui) int { return len(p.lines) },
		count: func(*ui) string { return countText(len(p.threads)) },
		panel: p.panel(func(u *ui) { p.refresh(u) }),
	}
}

func (p *threadPane) refresh(u *ui) {
	p.threads, p.lines = u.session.Threads(), p.lines[:0]
	children := make(map[engine.ThreadID][]*engine.ThreadInfo)
	for i := range p.threads {
		if t := &p.threads[i]; t.ID != 0 {
			children[t.Parent] = append(children[t.Parent], t)
		}
	}
	wakes := make(map[engine.ThreadID]time.Time)
	if len(p.threads) > 0 {
		for _, t := range u.side.timers.timers {
			if t.Visit != nil {
				if _, ok := wakes[t.Visit.Thread]; !ok {
					wakes[t.Visit.Thread] = t.At
				}
			}
		}
		p.addThread(u, &p.threads[0], children, wakes, 0)
	}
	if e := u.selection.Event; e != nil && !p.chosen {
		p.picked = int64(e.Thread)
	}
	if p.at() < 0 {
		p.chosen = false
	}
	p.keep()
}

func (p *threadPane) addThread(u *ui, t *engine.ThreadInfo, children map[engine.ThreadID][]*engine.ThreadInfo, wakes map[engine.ThreadID]time.Time, depth int) {
	glyph, style := u.glyphs.Active, theme.Plain
	text := "not begun"
	if t.Visit != nil {
		text = explain.PlaceName(t.Visit)
	}
	switch {
	case u.session.Status().Done():
		glyph, style = u.glyphs.Visited, theme.Dim
		text += "  the run is over"
	case t.Blocked != engine.NotBlocked:
		glyph = u.glyphs.Waiting
		text += "  waits for " + t.Blocked.String()
		if at, ok := wakes[t.ID]; ok && t.Blocked == engine.OnTime {
			text += " until " + explain.SinceStart(u.start, at)
		}
	case t.ID == u.session.Focused():
		glyph, style = u.glyphs.Current, theme.Current
		text += "  runs next"
	default:
		text += "  can run"
	}
	header, known := u.headerOf(t)
	if known {
		at := u.groups.Standing(header, u.session.Position()).Newest
		text += "  " + explain.SinceStart(u.start, u.session.Log().At(at).At())
	}
	p.add(int64(t.ID), style, 2*depth, glyph+" "+strconv.Itoa(int(t.ID)), text)
	list := children[t.ID]
	if len(list) == 0 || t.Visit == nil {
		return
	}
	if known {
		counts := u.groups.Standing(header, u.session.Position()).Counts
		p.add(noItem, theme.Dim, 2*depth+2, "", explain.Tally(counts))
	}
	for _, child := range list[:min(len(list), maxSiblings)] {
		p.addThread(u, child, children, wakes, depth+1)
	}
	if more := len(list) - maxSiblings; more > 0 {
		p.add(noItem, theme.Dim, 2*depth+2, "", explain.Grouped(more)+" more that run")
	}
}

// headerOf returns the header of the visit that a live thread is in, or of the thread itself where it has not entered
// a state; ok is false where nothing has happened in it.
func (u *ui) headerOf(t *engine.ThreadInfo) (header int, ok bool) {
	if t.Visit != nil && t.Visit.Thread == t.ID {
		return int(t.Visit.Entered) - 1, true
	}
	header, ok = u.groups.ThreadAt(t.ID, u.session.Position())
	return header, ok && header != groups.None
}

// turn picks the thread by threads further, and returns it; ok is false where none lives.
func (p *threadPane) turn(by int) (t engine.ThreadInfo, ok bool) {
	n := len(p.threads)
	if n == 0 {
		return t, false
	}
	at := 0
	for i := range p.threads {
		if int64(p.threads[i].ID) == p.picked {
			at = i
		}
	}
	t = p.threads[((at+by)%n+n)%n]
	p.picked, p.chosen = int64(t.ID), true
	p.show()
	return t, true
}

func (u *ui) threadBindings() pane.Bindings {
	picked := func() engine.ThreadID { return engine.ThreadID(u.side.threads.picked) }
	return pane.Bindings{
		{
			Action: keys.Look, Applies: func() bool { return u.onSection(sectionThreads) && u.side.threads.at() >= 0 },
			Run: plainly(func() { u.runNext(picked()) }),
		},
		{Action: keys.PreviousThread, Run: plainly(func() { u.turnThread(-1) }), Disabled: u.turnThreadDisabled},
		{Action: keys.NextThread, Run: plainly(func() { u.turnThread(1) }), Disabled: u.turnThreadDisabled},
		{
			Action: keys.StepThread, Run: plainly(func() { u.begin(debug.Command{Kind: debug.StepThread, Thread: picked()}) }),
			Disabled: func() string {
				if len(u.side.threads.threads) == 0 {
					return "the run is over"
				}
				return u.stepDisabled()
			},
		},
	}
}

func (u *ui) turnThreadDisabled() string {
	switch len(u.side.threads.threads) {
	case 0:
		return "the run is over"
	case 1:
		return "there is one thread"
	}
	return ""
}

// turnThread chooses another thread, by threads on.
func (u *ui) turnThread(by int) {
	if t, ok := u.side.threads.turn(by); ok {
		u.say(theme.Plain, "Thread "+threadText(&t)+" is chosen: "+u.keys.Key(keys.StepThread)+" steps only it.")
	}
}

// runNext gives a thread the focus of the engine.
func (u *ui) runNext(id engine.ThreadID) {
	if err := u.session.Focus(id); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.side.threads.chosen = true
	u.refresh()
	for i := range u.side.threads.threads {
		if t := &u.side.threads.threads[i]; t.ID == id {
			text := "Thread " + threadText(t) + " runs next."
			if t.Blocked != engine.NotBlocked {
				text = "Thread " + threadText(t) + " runs next once it need not wait for " + t.Blocked.String() + " any more."
			}
			u.say(theme.Plain, text)
		}
	}
}

func threadText(t *engine.ThreadInfo) string {
	text := strconv.Itoa(int(t.ID))
	if t.Visit != nil {
		text += ", " + explain.PlaceName(t.Visit) + ","
	}
	return text
}
