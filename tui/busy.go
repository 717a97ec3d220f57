package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/interrupt"
	"asldb/internal/work"
	"asldb/tui/screen"
)

// What a message brings about may take long: an expression of the definition, a watch, a condition. It is done in a
// goroutine of its own, for which Update waits a little while, so that a quick one is done when Update returns. One that is
// not goes on behind a frame that says so. Meanwhile nothing else touches the screen: messages wait their turn, but for
// the keys that interrupt it.

// patienceOfRun is how long a message may take before the screen says that it goes on.
const patienceOfRun = 100 * time.Millisecond

// busyTickEvery is how often the screen looks again at the work.
const busyTickEvery = 500 * time.Millisecond

// leaveGrace is how long the end of the program waits for interrupted work.
const leaveGrace = time.Second

// maxWaiting bounds the messages that wait.
const maxWaiting = 256

// worked is the result of a message.
type worked struct {
	cmd   tea.Cmd
	frame screen.Still
	fault *work.Fault
}

// busy is work in a goroutine of its own.
type busy struct {
	done    chan worked
	waiting []tea.Msg
	looks   uint64 // of evaluations at the flag, before
	// stopped: the user has interrupted it, and leave: in order to leave.
	stopped, leave bool
	size           *tea.WindowSizeMsg // of the window now, where it has changed
}

// doneMsg brings its result; busyTickMsg lets the screen look again.
type (
	doneMsg struct {
		of *busy
		worked
	}
	busyTickMsg struct{ of *busy }
)

// do handles a message. The command is nil where the work goes on.
func (a *App) do(f func() tea.Cmd) tea.Cmd {
	if a.patience == 0 {
		a.frame = screen.Still{}
		return f()
	}
	b := &busy{done: make(chan worked, 1), looks: a.flag.Looks()}
	go func() {
		var w worked
		w.fault = work.Catch(func() {
			w.cmd = f()
			w.frame = a.screen.Still()
		})
		b.done <- w
	}()
	timer := time.NewTimer(a.patience)
	defer timer.Stop()
	select {
	case w := <-b.done:
		return a.finish(w)
	case <-timer.C:
		a.busy = b
		return tea.Batch(func() tea.Msg { return doneMsg{b, <-b.done} }, a.busyTick(b))
	}
}

func (a *App) busyTick(b *busy) tea.Cmd {
	return a.later(busyTickEvery, func(time.Time) tea.Msg { return busyTickMsg{b} })
}

// finish takes over the result of a message.
func (a *App) finish(w worked) tea.Cmd {
	if w.fault != nil {
		panic(w.fault)
	}
	a.frame = w.frame
	return w.cmd
}

// whileBusy handles a message while another one goes on.
func (a *App) whileBusy(msg tea.Msg) tea.Cmd {
	b := a.busy
	switch msg := msg.(type) {
	case doneMsg:
		if msg.of == b {
			return a.doneWith(b, msg.worked)
		}
	case busyTickMsg:
		if msg.of == b {
			return a.busyTick(b)
		}
	case tea.KeyMsg:
		switch {
		case msg.Type == tea.KeyEsc && !msg.Alt:
			a.stop(b)
		case msg.Type == tea.KeyCtrlC && b.leave:
			return tea.Interrupt // it does not listen
		case msg.Type == tea.KeyCtrlC:
			a.stop(b)
			b.leave = true
			b.waiting = append(b.waiting, msg)
		case !b.stopped && len(b.waiting) < maxWaiting:
			b.waiting = append(b.waiting, msg)
		}
	case tea.MouseMsg: // its target may move
	case tea.WindowSizeMsg:
		b.size = &msg
	default:
		b.waiting = append(b.waiting, msg)
	}
	return nil
}

// stop interrupts the work, and drops the keys that were pressed before: they were meant for its result.
func (a *App) stop(b *busy) {
	a.flag.Raise()
	b.stopped = true
	kept := b.waiting[:0]
	for _, msg := range b.waiting {
		if _, isKey := msg.(tea.KeyMsg); !isKey {
			kept = append(kept, msg)
		}
	}
	b.waiting = kept
}

// doneWith goes on after the work has ended, with the messages that have waited.
func (a *App) doneWith(b *busy, w worked) tea.Cmd {
	a.busy = nil
	a.flag.Lower()
	list := []tea.Cmd{a.finish(w)}
	if b.size != nil {
		b.waiting = append([]tea.Msg{*b.size}, b.waiting...)
	}
	for i, msg := range b.waiting {
		if a.busy != nil { // that one takes long, too
			a.busy.waiting = append(a.busy.waiting, b.waiting[i:]...)
			break
		}
		_, cmd := a.Update(msg)
		list = append(list, cmd)
	}
	return tea.Batch(list...)
}

// leave waits, at the end of the program, for the work, and returns its fault. It reports false where that does not end: then nothing
// of the screen may be touched any more.
func (a *App) leave() (broken *work.Fault, ended bool) {
	if a.busy == nil {
		return nil, true
	}
	a.flag.Raise()
	timer := time.NewTimer(leaveGrace)
	defer timer.Stop()
	select {
	case w := <-a.busy.done:
		a.busy = nil
		return w.fault, true
	case <-timer.C:
		return nil, false
	}
}

// busyWords describes the work.
func (a *App) busyWords(b *busy) string {
	switch {
	case b.stopped:
		return "stopping " + a.frame.Ellipsis()
	case a.flag.Looks() != b.looks:
		return "evaluating " + a.frame.Ellipsis() + ", Esc stops"
	}
	return "working " + a.frame.Ellipsis()
}

// busyFrame is the last frame, with a description of the work in its last line. The screen itself is not touched.
func (a *App) busyFrame(b *busy) string {
	if a.frame.Empty() {
		return ""
	}
	w, h := a.frame.W, a.frame.H
	if b.size != nil {
		w, h = b.size.Width, b.size.Height
	}
	return a.frame.WithLine(w, h, a.busyWords(b))
}

// flagOf is the flag of the options, or a new one that the session's evaluations look at.
func (o *Options) flagOf(setInterrupt func(interrupt.Check)) *interrupt.Flag {
	if o.Interrupt == nil {
		o.Interrupt = &interrupt.Flag{}
		setInterrupt(o.Interrupt.Check)
	}
	return o.Interrupt
}
