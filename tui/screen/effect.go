package screen

import (
	"time"

	"asldb/engine/source"
	"asldb/fixtures/live"
)

// Effect is a request of the screen to the program around it.
type Effect interface{ effect() }

// The effects.
type (
	// Advance asks for [Screen.Advance], after other messages have been handled.
	Advance struct{}
	// Tick asks for [Screen.Tick] with Generation when the time After has passed.
	Tick struct {
		After      time.Duration
		Generation int
	}
	// AwaitCalls asks for [Screen.Called] when Calls.Wait has returned.
	AwaitCalls struct{ Calls *live.Calls }
	// CallTick asks for [Screen.CallTick] when the time After has passed.
	CallTick struct{ After time.Duration }
	// Redraw asks for a frame on a cleared terminal.
	Redraw struct{}
	// Copy asks to put Text on the terminal's clipboard.
	Copy struct{ Text string }
	// Edit asks to open Text in the user's editor, and to pass the new text or the error to Done.
	Edit struct {
		Text string
		Done func(text string, err error)
	}
	// OpenFile asks to open a file in the user's editor at a line and column, from 1, and to call Done with the error.
	OpenFile struct {
		Name      string
		Line, Col int
		Done      func(err error)
	}
	// Check asks for [Screen.Checked] with the result of Find, which may take its time.
	Check struct{ Find func() []source.Diagnostic }
	// Open asks for [Screen.Opened] with the result of Do, which takes its time, and OpenTick for [Screen.OpenTick]
	// when the time After has passed.
	Open     struct{ Do func() Opened }
	OpenTick struct{ After time.Duration }
	// Extend asks for [Screen.Extended] with the result of Do, which is called when the time After has passed.
	Extend struct {
		After time.Duration
		Do    func() Extended
	}
	// Watch asks for [Screen.FilesChanged] with the result of Look, which is called when the time After has passed.
	Watch struct {
		After time.Duration
		Look  func() string
	}
	// Suspend asks to stop the program, as the key Ctrl+Z does in a shell.
	Suspend struct{}
	// Back ends the program as Quit does, for the list that the session was opened from: see [Options].
	Back struct{}
	// Quit ends the program, Interrupt ends it with [Interrupted] for its caller.
	Quit      struct{}
	Interrupt struct{}
)

func (Advance) effect()    {}
func (Tick) effect()       {}
func (AwaitCalls) effect() {}
func (CallTick) effect()   {}
func (Redraw) effect()     {}
func (Copy) effect()       {}
func (Edit) effect()       {}
func (OpenFile) effect()   {}
func (Check) effect()      {}
func (Open) effect()       {}
func (OpenTick) effect()   {}
func (Extend) effect()     {}
func (Watch) effect()      {}
func (Suspend) effect()    {}
func (Back) effect()       {}
func (Quit) effect()       {}
func (Interrupt) effect()  {}

// effects are the effects that a screen has asked for since they were taken last.
type effects struct {
	advance, tick, redraw, suspend bool
	// quit ends the program, interrupt as the key Ctrl+C does, and back for a list.
	quit, interrupt, back bool
	// calls waits for a result of calls, and callTick repaints a little later to show the time that has passed.
	calls, callTick bool
	copy            string
	edit            *Edit
	open            *OpenFile
	// check looks for problems of the definition, and watch at its files.
	check, watch bool
	// opens opens the recording and reread reads its events, openTick looks at the progress of both, and extend reads
	// what was added to the recording.
	opens, reread, openTick, extend bool
	// screen is shown in place of this one.
	screen *ui
}

// takeEffects returns the effects of one screen and forgets them.
func (u *ui) takeEffects() []Effect {
	e := u.effects
	u.effects = effects{}
	switch {
	case e.interrupt:
		return []Effect{Interrupt{}}
	case e.quit:
		return []Effect{Quit{}}
	case e.back:
		return []Effect{Back{}}
	}
	var list []Effect
	if e.advance {
		list = append(list, Advance{})
	}
	if e.tick {
		list = append(list, Tick{After: tickEvery, Generation: u.run.ticks})
	}
	if e.calls {
		list = append(list, AwaitCalls{u.calls.calls})
	}
	if e.callTick {
		list = append(list, CallTick{callsEvery})
	}
	if e.check {
		list = append(list, Check{u.reload.check})
	}
	if e.watch {
		list = append(list, Watch{reloadEvery, u.nest.root().reload.of.Changed})
	}
	if e.opens {
		list = append(list, Open{u.opening.of.Open})
	}
	if e.reread {
		list = append(list, Open{u.opening.of.Reread})
	}
	if e.openTick {
		list = append(list, OpenTick{openTickEvery})
	}
	if e.extend {
		list = append(list, Extend{extendEvery, u.opening.of.Extend})
	}
	if e.redraw {
		list = append(list, Redraw{})
	}
	if e.copy != "" {
		list = append(list, Copy{e.copy})
	}
	if e.edit != nil {
		list = append(list, *e.edit)
	}
	if e.open != nil {
		list = append(list, *e.open)
	}
	if e.suspend {
		list = append(list, Suspend{})
	}
	return list
}
