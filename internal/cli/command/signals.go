package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"asldb/engine/interrupt"
	"asldb/fixtures/live"
	"asldb/internal/tty"
)

// endings are the signals that end a command in good order, with the exit status and the word for it.
var endings = []struct {
	signal syscall.Signal
	status int
	word   string
}{
	{syscall.SIGHUP, StatusHangup, "hung up"},
	{syscall.SIGINT, StatusInterrupted, "interrupted"},
	{syscall.SIGQUIT, StatusQuit, "quit"},
	{syscall.SIGTERM, StatusTerminated, "terminated"},
}

// endedError is for a command that the signal of a status ended; where says how far it had come, or is empty.
func endedError(status int, where string) error {
	for i := range endings {
		if endings[i].status == status {
			return Exit(status, errors.New(endings[i].word+where))
		}
	}
	return Interrupted(where)
}

// EndedOf is endedError for the signal that ended a context.
func EndedOf(ctx context.Context, where string) error {
	var ended *ExitError
	if errors.As(context.Cause(ctx), &ended) {
		return endedError(ended.Status, where)
	}
	return Interrupted(where)
}

// screenGrace is how long a screen has to end after a signal: an evaluation may hold it up.
const screenGrace = 3 * time.Second

// unblockEvery is how often a screen that is to end is looked after: its terminal may take nothing in.
const unblockEvery = 100 * time.Millisecond

// Ending turns the signals that would end the program into the end of a context, so that the terminal is restored and
// calls are ended first. A second signal ends the program at once, after these two.
type Ending struct {
	context.Context // of the command; it ends with the first signal, whose [endedError] is the cause
	cancel          context.CancelCauseFunc
	signals         chan os.Signal
	heeded          []os.Signal
	over            sync.WaitGroup
	changed         chan struct{} // screen is another one
	mutex           sync.Mutex
	screen          *tty.Terminal // where a screen is open
}

// Listen begins to listen. What was ignored from the start, by nohup for example, stays ignored.
func Listen(parent context.Context) *Ending {
	e := &Ending{signals: make(chan os.Signal, 4), changed: make(chan struct{}, 1)}
	e.Context, e.cancel = context.WithCancelCause(parent)
	for i := range endings {
		if s := endings[i].signal; !signal.Ignored(s) {
			e.heeded = append(e.heeded, s)
		}
	}
	notify(e.signals, e.heeded)
	e.over.Go(e.listen)
	return e
}

// notify is signal.Notify; of no signals it does nothing.
func notify(c chan<- os.Signal, signals []os.Signal) {
	if len(signals) > 0 {
		signal.Notify(c, signals...)
	}
}

// Lend leaves the signals that keys send to another program that gets the terminal, until back is called.
func (e *Ending) Lend() (back func()) {
	keys := make(chan os.Signal, 4)
	signal.Notify(keys, os.Interrupt, syscall.SIGQUIT)
	signal.Stop(e.signals)
	notify(
		e.signals,
		slices.DeleteFunc(
			slices.Clone(e.heeded),
			func(s os.Signal) bool { return s == os.Interrupt || s == syscall.SIGQUIT },
		),
	)
	return func() {
		passed(keys) // one that has ended the other program may be on its way here
		notify(e.signals, e.heeded)
		signal.Stop(keys)
	}
}

// TakeInterrupts hands over the signal of the key Ctrl+C, which ends the command no longer, until back is called. The
// channel is nil where that signal was ignored from the start.
func (e *Ending) TakeInterrupts() (interrupts <-chan os.Signal, back func()) {
	if !slices.Contains(e.heeded, os.Signal(syscall.SIGINT)) {
		return nil, func() {}
	}
	taken, heeded := make(chan os.Signal, 1), e.heeded
	signal.Notify(taken, syscall.SIGINT)
	e.heeded = slices.DeleteFunc(slices.Clone(heeded), func(s os.Signal) bool { return s == syscall.SIGINT })
	signal.Stop(e.signals)
	notify(e.signals, e.heeded)
	return taken, func() {
		e.heeded = heeded
		notify(e.signals, heeded)
		signal.Stop(taken)
	}
}

// Stop ends the listening.
func (e *Ending) Stop() {
	signal.Stop(e.signals)
	close(e.signals)
	e.over.Wait()
	e.cancel(nil)
}

// Interrupts is the check that interrupts evaluations when a signal has come.
func (e *Ending) Interrupts() error {
	if e.Err() != nil {
		return context.Cause(e)
	}
	return nil
}

// Or returns a check that interrupts evaluations when a signal has come, or the flag is up.
func (e *Ending) Or(flag *interrupt.Flag) interrupt.Check {
	return func() error {
		if err := e.Interrupts(); err != nil {
			return err
		}
		return flag.Check()
	}
}

// Terminal takes in and out for the terminal that a screen is open on until leave is called.
func (e *Ending) Terminal(in, out *os.File) (t *tty.Terminal, leave func()) {
	t = tty.Open(in, out)
	t.Lending = e.Lend
	e.SetScreen(t)
	return t, func() { e.SetScreen(nil) }
}

// SetScreen says on which terminal a screen is open; nil: on none any more.
func (e *Ending) SetScreen(t *tty.Terminal) {
	e.mutex.Lock()
	e.screen = t
	e.mutex.Unlock()
	select {
	case e.changed <- struct{}{}:
	default:
	}
}

func (e *Ending) screenNow() *tty.Terminal {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.screen
}

func (e *Ending) listen() {
	status := 0
	var late <-chan time.Time // of the screen, after a signal
	unblock := time.NewTicker(unblockEvery)
	unblock.Stop()
	defer unblock.Stop()
	for {
		select {
		case got, ok := <-e.signals:
			if !ok {
				return
			}
			if status > 0 {
				e.giveUp(status)
			}
			status = statusOf(got)
			e.cancel(endedError(status, ""))
			if e.screenNow() != nil {
				late = time.After(screenGrace)
			}
			unblock.Reset(unblockEvery)
		case <-unblock.C:
			if screen := e.screenNow(); screen != nil {
				screen.Unblock()
			}
		case <-e.changed:
			if late = nil; status > 0 && e.screenNow() != nil {
				late = time.After(screenGrace)
			}
		case <-late:
			if e.screenNow() != nil {
				e.giveUp(status)
			}
		}
	}
}

func statusOf(s os.Signal) int {
	for i := range endings {
		if endings[i].signal == s {
			return endings[i].status
		}
	}
	return StatusInterrupted
}

// giveUp ends the program without waiting for anything.
func (e *Ending) giveUp(status int) {
	if screen := e.screenNow(); screen != nil {
		screen.Reset()
	}
	live.KillAll()
	os.Exit(status)
}
