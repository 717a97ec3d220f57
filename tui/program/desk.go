package program

import (
	"context"
	"os"

	"asldb/internal/tty"
	"asldb/tui/keys"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Desk is a program in which a command shows its views one over the other, while it does other work.
type Desk struct {
	// Back names the list at the bottom, to which views over it go back; "": there is none.
	Back string
	// Light: the program has found out that the terminal's background is light.
	Light bool
	stack *Stack
	host  *Layer // of the view below all others
	over  chan struct{}
	err   error // of the program that is over
	pages map[Page]*Sheet
	stop  func() // ends the work of the command between two views
	ended func()
}

// blank is the view below the others.
type blank struct {
	view.Modal
	stop func()
}

// Draw implements [view.View].
func (blank) Draw(widget.Frame) {}

// Handle implements [view.View].
func (b *blank) Handle(k keys.Press) bool {
	if k.Name == "ctrl+c" {
		b.stop()
	}
	return true
}

// NewDesk begins a program on the terminal of the options. It ends with ctx, or when it is closed. stop ends what the
// command does between two views, for the key Ctrl+C; left is called when the program has left the terminal, and ended
// when the desk is closed.
func NewDesk(ctx context.Context, o Options, stop, left, ended func()) *Desk {
	d := &Desk{over: make(chan struct{}), pages: make(map[Page]*Sheet), stop: stop, ended: ended}
	d.stack = New(o, func(host view.Host) view.View {
		d.host, _ = host.(*Layer)
		return &blank{stop: stop}
	})
	go func() {
		defer close(d.over)
		d.err = d.stack.Run(ctx)
		left()
	}()
	return d
}

// On returns a desk over a view of a program that runs already, until that is over. stop is as for [NewDesk].
func On(l *Layer, over chan struct{}, stop func()) *Desk {
	return &Desk{stack: l.Stack, host: l, over: over, pages: make(map[Page]*Sheet), stop: stop, err: ErrInterrupted}
}

// Terminal is where the program is shown.
func (d *Desk) Terminal() *tty.Terminal { return d.stack.terminal }

// Close ends the program and puts the terminal back.
func (d *Desk) Close() {
	d.host.Post(func() { d.host.End(nil) })
	<-d.over
	d.ended()
}

// Choice returns the page of a choice: the same one where there was one of that title before.
func (d *Desk) Choice(title string, lines []string) *Choice {
	for page := range d.pages {
		if c, is := page.(*Choice); is && c.title == title {
			return c
		}
	}
	return NewChoice(title, lines)
}

// Show shows a view over the others with its own theme, until it ends, and returns its error, or the error of the
// program where it ends before.
func (d *Desk) Show(o Options, birth func(view.Host) view.View) (*Stack, error) {
	ended := make(chan error, 1)
	o.Terminal = d.stack.terminal
	d.host.Post(func() { d.stack.push(newAppearance(&o), birth, func(err error) { ended <- err }) })
	return d.stack, d.wait(ended)
}

func (d *Desk) wait(ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-d.over:
		return d.err
	}
}

// Page shows a page until it ends. Where it ends without an error something has been chosen: the page stays, and other
// views are shown over it until it is shown again.
func (d *Desk) Page(o Options, page Page) error {
	ended := make(chan error, 1)
	choose := func(s *Sheet) { s.chosen, s.stop = func() { ended <- nil }, d.stop }
	if s := d.pages[page]; s != nil {
		d.host.Post(func() {
			choose(s)
			s.asleep, s.Layer.ended = false, func(err error) { ended <- err }
			s.Begin()
		})
		return d.wait(ended)
	}
	o.Terminal = d.stack.terminal
	d.host.Post(func() {
		d.stack.push(newAppearance(&o), func(host view.Host) view.View {
			v := OnSheet(page)(host)
			d.pages[page], _ = v.(*Sheet)
			choose(d.pages[page])
			return v
		}, func(err error) { ended <- err })
	})
	return d.wait(ended)
}

// Lend gives the terminal to f, which asks the user before a view is shown.
func (d *Desk) Lend(f func(in, out *os.File) error) error {
	ended := make(chan error, 1)
	d.host.Post(func() {
		d.host.StandAside(d.stack.terminal.Guard, f, func(err error) { ended <- err })
	})
	return d.wait(ended)
}
