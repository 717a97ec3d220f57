package events

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// runsList are the what-ifs: the continuations of the run, and the session is in one of them.
type runsList struct {
	widget.List[debug.Fork]
	screen Screen
}

// read reads the forks. The cursor is at the current one until it is moved.
func (r *runsList) read() {
	list := r.screen.Session().Forks().All()
	if len(list) != r.Len() || r.Cursor >= len(list) {
		r.Cursor = max(0, slices.IndexFunc(list, func(b debug.Fork) bool { return b.Current }))
	}
	r.Rows, r.Resting = widget.Slice[debug.Fork](list), true
}

// selected returns the fork under the cursor.
func (r *runsList) selected() debug.Fork {
	r.read()
	return r.At(r.Cursor)
}

// pair returns the forks to compare: the selected one and the one that the session is in, or that one's parent and it;
// ok is false where there is no other.
func (r *runsList) pair() (a, b int, ok bool) {
	chosen := r.selected()
	if a, b = chosen.ID, r.screen.Session().Forks().Current(); a == b {
		a = chosen.Parent
	}
	return a, b, a != 0
}

// draw paints the what-ifs, and returns a note for the title, of at most some cells.
func (r *runsList) draw(f widget.Frame, cells int) (foot string) {
	r.read()
	r.Paint = func(line canvas.Area, b debug.Fork, _ []int) { drawFork(line, &b) }
	r.Draw(f)
	return r.foot(cells)
}

// drawFork paints a fork: its number, its beginning, and how far it has come.
func drawFork(line canvas.Area, b *debug.Fork) {
	g := line.Glyphs()
	style, mark := canvas.Plain, " "
	if b.Current {
		style, mark = canvas.Strong, g.Current
	}
	sign, tone := statusSign(b.Status, g)
	status := b.Status.String()
	if !b.Status.Done() {
		status = "not over"
	}
	text := status + ", " + wording.Count(b.Events, "event")
	end := line.W() - 1
	if end < timedRow {
		text = wording.Grouped(b.Events)
	}
	end = line.Right(end, 0, canvas.Dim, text) - 1
	line.Text(end-1, 0, tone, sign)
	x := line.Text(1, 0, style, mark+" "+strconv.Itoa(b.ID)) + 2
	line.Fit(x, 0, end-x-2, style, strings.ReplaceAll(forkText(b), "…", g.Ellipsis))
}

// statusSign returns the sign of a status.
func statusSign(status engine.Status, g *canvas.Glyphs) (string, canvas.Style) {
	switch status {
	case engine.Succeeded:
		return g.Visited, canvas.Good
	case engine.Failed, engine.TimedOut:
		return g.Failed, canvas.Bad
	case engine.Aborted:
		return g.Aborted, canvas.Warn
	case engine.Runnable, engine.AwaitingAnswer, engine.AwaitingTime:
	}
	return g.Active, canvas.Dim
}

// forkText says how a fork began.
func forkText(b *debug.Fork) string {
	switch {
	case b.Parent == 0:
		return "the first run"
	case b.Shared == 0:
		return b.Cause
	}
	return b.Cause + " after event " + strconv.Itoa(b.Shared) + " of what-if " + strconv.Itoa(b.Parent)
}

// foot has the keys, as many as fit, and how many what-ifs are gone.
func (r *runsList) foot(cells int) string {
	var hints []string
	if r.screen.Session().ReadOnly() {
		hints = append(hints, r.screen.Key(keys.EditData)+" make it live")
	}
	if r.Len() > 1 {
		hints = append(hints, r.screen.Key(keys.Look)+" switch", r.screen.Keys().Any(keys.DataView)+" compare")
	}
	hints = append(hints, "esc back")
	if gone := r.screen.Session().Forks().Dropped(); gone > 0 {
		hints = append(hints, wording.CountOf(gone, "older what-if is", "older what-ifs are")+" not kept")
	}
	return widget.Hints(cells, hints...)
}

// runBindings are about the what-ifs.
func (p *Pane) runBindings() view.Bindings {
	here := func() bool { return p.view == asRuns && p.screen.Focused() == view.Drawer }
	return view.Bindings{
		{Action: keys.WhatIfs, Run: view.Run(func() { p.show(asRuns) }), Disabled: p.disabled},
		{Action: keys.Look, Applies: here, Run: view.Run(p.switchRun)},
		{Action: keys.Fold, Applies: here, Run: view.Run(p.switchRun)},
		{Action: keys.DataView, Applies: here, Bare: true, Run: view.Run(func() {
			a, b, ok := p.runs.pair()
			if !ok {
				p.screen.Say(canvas.Warn, "This is the current what-if; choose another one to compare with.")
				return
			}
			p.CompareRuns(a, b)
		})},
		{Action: keys.EditData, Applies: here, Run: view.Run(p.goLive)},
		{Action: keys.Now, Applies: here, Run: view.Run(p.back)},
	}
}

// switchRun switches to the selected what-if.
func (p *Pane) switchRun() {
	chosen := p.runs.selected()
	if err := p.screen.Switch(chosen.ID); err != nil {
		p.screen.Say(canvas.Bad, err.Error())
		return
	}
	p.screen.Sync()
	p.screen.Say(canvas.Plain, "This is what-if "+strconv.Itoa(chosen.ID)+" of the run.")
}

// goLive lets a recorded run be changed: another outcome begins a what-if, and the recording stays unchanged.
func (p *Pane) goLive() {
	session := p.screen.Session()
	if !session.ReadOnly() {
		p.screen.Say(canvas.Warn, "The run is already live.")
		return
	}
	if err := session.GoLive(session.Options().Source); err != nil {
		p.screen.Say(canvas.Bad, err.Error())
		return
	}
	p.screen.Sync()
	p.screen.Say(canvas.Plain, "The run is live: every change starts a what-if; the recording stays as it is.")
}
