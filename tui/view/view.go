package view

import (
	"context"
	"errors"
	"iter"
	"time"

	"asldb/tui/keys"
	"asldb/tui/part/widget"
)

// View is a part of the screen, or all of it: a pane, a dialog, a page, a session. It is given the few things that it
// uses when it is made. Beside this contract a view may have abilities; they are the interfaces below.
type View interface {
	// Draw paints the view, and notes the actions of the mouse there.
	Draw(f widget.Frame)
	// Handle takes a key; false: it means nothing to the view, and the view below may take it.
	Handle(k keys.Press) bool
	// Bindings are the actions of the view; they are asked for once.
	Bindings() Bindings
}

// The abilities of views.
type (
	// Writer is a view into which text is written, also several characters at once.
	Writer interface{ Writes() bool }
	// Finder is a view in which texts are found.
	Finder interface {
		// Find selects the next match of text, searching on from the selection and round at the end; by is 1 or -1.
		// wrapped reports whether the match is beyond an end.
		Find(text string, by int) (wrapped, ok bool)
		// Words yields words that Find finds, in the order of the view: names of states, members, errors.
		Words() iter.Seq[string]
	}
	// Beginner is notified that it is on the screen, before its first frame.
	Beginner interface{ Begin() }
	// Titled is a view after which the terminal's window is named.
	Titled interface{ Title() string }
	// Sized gets the size of the screen before it is drawn with it.
	Sized interface{ SetSize(w, h int) }
	// Mouser does with the mouse more than was noted when it was drawn.
	Mouser interface{ Mouse(m Mouse) }
	// Asker is a view that asks: of keys that were pressed quickly one after the other, those behind one that brings a
	// question are dropped.
	Asker interface {
		// Asked returns the number of the newest question, and whether a dialog is open.
		Asked() (question int64, open bool)
	}
	// Inline is a view below the lines of the terminal: it needs a number of them, and has no screen to itself.
	Inline interface{ Height(w int) int }
)

// Mouse is one event of the mouse at a cell of the screen.
type Mouse struct {
	X, Y int
	Kind MouseKind
	Rows int // of the wheel
}

// MouseKind is a kind of event of the mouse.
type MouseKind uint8

// A click of the left button, a movement with the button pressed, its release, and a turn of the wheel.
const (
	Click MouseKind = iota
	Drag
	Release
	Wheel
)

// The ends of a view that its caller distinguishes: the user has ended the program by the key Ctrl+C, or has gone
// back to the list that the view was opened from.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrBack        = errors.New("back to the list")
)

// Host is the program around a view. A view is made with it. What a view has begun by it comes to nothing
// after the end of the view.
type Host interface {
	// Push puts a view over this one and all others. ended, which may be nil, is called with the error of its end.
	Push(birth func(Host) View, ended func(err error))
	// Go runs work behind the screen. The function that it returns, which may be nil, is called when it is done. cancel
	// ends the context of the work; the end of the screen does so, too.
	Go(work func(ctx context.Context) (done func())) (cancel func())
	// Post calls a function between two messages; it may be called from anywhere.
	Post(f func())
	// After calls a function after a time.
	After(d time.Duration, f func(at time.Time))
	// Edit opens a text in the user's editor, and passes the new text or the error to done.
	Edit(text string, done func(text string, err error))
	// OpenFile opens a file in the user's editor at a line and column, from 1, and calls done with the error.
	OpenFile(name string, line, col int, done func(err error))
	// Copy puts a text on the terminal's clipboard.
	Copy(text string)
	// Suspend stops the program where a shell can continue it, and calls refused with the reason where none can.
	Suspend(refused func(reason string))
	// Redraw paints the next frame on a cleared terminal.
	Redraw()
	// End ends the view, with an error or with nil, and the views over it. The view below is shown as it was.
	End(err error)
}
