package program

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/interrupt"
	"asldb/internal/work"
)

// What a message brings about may take long: an expression of the definition, a watch, a condition. It is done in a
// separate goroutine, and Update waits for it a little while, so that a quick one is done when Update returns. One
// that is not continues behind a frame that says so. Meanwhile nothing else touches the screen: messages wait their
// turn, but for the keys that interrupt it.

// patienceOfRun is how long a message may take before the screen says that it is still running.
const patienceOfRun = 100 * time.Millisecond

// busyTickEvery is how often the screen checks the work.
const busyTickEvery = 500 * time.Millisecond

// leaveGrace is how long the end of the program waits for interrupted work.
const leaveGrace = time.Second

// maxWaiting bounds the messages that wait.
const maxWaiting = 256

// worked is the result of a message.
type worked struct {
	cmd   tea.Cmd
	frame *still
	fault *work.Fault
}

// busy is work in a separate goroutine.
type busy struct {
	done    chan worked
	waiting []tea.Msg
	flag    *interrupt.Flag
	looks   uint64 // of evaluations at the flag, before
	// stopped: the user has interrupted it, and leave: in order to leave.
	stopped, leave bool
	size           *tea.WindowSizeMsg // of the window now, where it has changed
}

// doneMsg has its result; busyTickMsg lets the screen check it again.
type (
	doneMsg struct {
		of *busy
		worked
	}
	busyTickMsg struct{ of *busy }
)

// do handles a message. The command is nil where the work continues.
func (s *Stack) do(f func() tea.Cmd) tea.Cmd {
	if s.patience == 0 {
		s.frame = nil
		return f()
	}
	b := &busy{done: make(chan worked, 1), flag: s.layer().appearance.flag}
	b.looks = b.flag.Looks()
	go func() {
		var w worked
		w.fault = work.Catch(func() {
			w.cmd = f()
			w.frame = s.still()
			w.cmd = s.begunBy(w.cmd)
		})
		b.done <- w
	}()
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case w := <-b.done:
		return s.finish(w)
	case <-timer.C:
		s.busy = b
		return tea.Batch(func() tea.Msg { return doneMsg{b, <-b.done} }, s.busyTick(b))
	}
}

// begunBy adds to a command the work that the frame has begun behind the screen.
func (s *Stack) begunBy(cmd tea.Cmd) tea.Cmd {
	if len(s.commands) == 0 || s.over {
		return cmd
	}
	return tea.Batch(cmd, s.take())
}

func (s *Stack) busyTick(b *busy) tea.Cmd {
	return s.later(busyTickEvery, func(time.Time) tea.Msg { return busyTickMsg{b} })
}

// finish takes over the result of a message.
func (s *Stack) finish(w worked) tea.Cmd {
	if w.fault != nil {
		panic(w.fault)
	}
	s.frame = w.frame
	return w.cmd
}

// whileBusy handles a message while another one is handled.
func (s *Stack) whileBusy(msg tea.Msg) tea.Cmd {
	b := s.busy
	switch msg := msg.(type) {
	case doneMsg:
		if msg.of == b {
			return s.doneWith(b, msg.worked)
		}
	case busyTickMsg:
		if msg.of == b {
			return s.busyTick(b)
		}
	case tea.KeyMsg:
		switch {
		case msg.Type == tea.KeyEsc && !msg.Alt:
			s.stop(b)
		case msg.Type == tea.KeyCtrlC && b.leave:
			s.forced = true // it does not listen
			return tea.Quit
		case msg.Type == tea.KeyCtrlC:
			s.stop(b)
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
func (s *Stack) stop(b *busy) {
	b.flag.Raise()
	b.stopped = true
	kept := b.waiting[:0]
	for _, msg := range b.waiting {
		if _, isKey := msg.(tea.KeyMsg); !isKey {
			kept = append(kept, msg)
		}
	}
	b.waiting = kept
}

// doneWith continues after the work has ended, with the messages that have waited.
func (s *Stack) doneWith(b *busy, w worked) tea.Cmd {
	s.busy = nil
	b.flag.Lower()
	list := []tea.Cmd{s.finish(w)}
	if b.size != nil {
		b.waiting = append([]tea.Msg{*b.size}, b.waiting...)
	}
	for i, msg := range b.waiting {
		if s.busy != nil { // that one takes long, too
			s.busy.waiting = append(s.busy.waiting, b.waiting[i:]...)
			break
		}
		list = append(list, s.do(func() tea.Cmd {
			s.update(msg)
			return s.take()
		}))
	}
	return tea.Batch(list...)
}

// Impatient lets Update wait for that long until a message has been handled, as [Stack.Run] does.
func (s *Stack) Impatient(patience time.Duration) { s.patience = patience }

// Busy reports whether a message is still being handled, and Fault the fault that has ended the program.
func (s *Stack) Busy() bool { return s.busy != nil }

// Fault returns the fault described at [Stack.Busy]; nil: there is none.
func (s *Stack) Fault() *work.Fault { return s.fault }

// Leave waits, at the end of the program, for the work, and returns its fault. Where that does not end, the program
// stays busy: then nothing of the views may be touched any more.
func (s *Stack) Leave() (broken *work.Fault) {
	if s.busy == nil {
		return nil
	}
	s.busy.flag.Raise()
	timer := time.NewTimer(leaveGrace)
	defer timer.Stop()
	select {
	case w := <-s.busy.done:
		s.busy = nil
		return w.fault
	case <-timer.C:
		return nil
	}
}

// busyWords describes the work.
func (s *Stack) busyWords(b *busy) string {
	switch {
	case b.stopped:
		return "stopping " + s.frame.glyphs.Ellipsis
	case b.flag.Looks() != b.looks:
		return "evaluating " + s.frame.glyphs.Ellipsis + ", Esc stops"
	}
	return "working " + s.frame.glyphs.Ellipsis
}

// busyFrame is the last frame, with a description of the work in its last line. The view itself is not touched.
func (s *Stack) busyFrame(b *busy) string {
	if s.frame == nil {
		return ""
	}
	w, h := s.frame.w, s.frame.h
	if b.size != nil {
		w, h = b.size.Width, b.size.Height
	}
	return s.frame.withLine(w, h, s.busyWords(b))
}
