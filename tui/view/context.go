package view

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Context is all that a dialog knows of the screen around it.
type Context interface {
	// Keys is the table of keys and commands.
	Keys() *keys.Map
	// Say puts a message into the bottom line until the next key.
	Say(style canvas.Style, text string)
	// Open shows a dialog in place of the present one; nil closes that.
	Open(d Dialog)
	// Do carries out an action with the argument of its command. Disabled returns the reason why that is not possible now,
	// or "".
	Do(a keys.Action, argument string)
	Disabled(a keys.Action) string
	// OnClick lets a click on a place, in cells of the screen, do something until the next frame.
	OnClick(place canvas.Rect, do func())
	// Copy puts a text on the terminal's clipboard.
	Copy(text string)
	// EditOutside opens a text in the user's editor; done takes the text that the editor has left, or the error.
	EditOutside(text string, done func(text string, err error))
	// OpenFile opens a file in the user's editor, with the cursor at a line and column, from 1.
	OpenFile(name string, line, col int)
	// Quit ends the program without a question.
	Quit()
}

// Mode is the way in which a dialog takes keys, the wheel and pasted text.
type Mode uint8

// The modes.
const (
	// Choosing dialogs take keys one by one.
	Choosing Mode = iota
	// Listing dialogs are lines to go through: the wheel moves in them.
	Listing
	// Writing dialogs take text, also several characters at once.
	Writing
	// Finding dialogs are both: a list and a text that filters it.
	Finding
)

// Lists reports whether the wheel moves in the dialog.
func (m Mode) Lists() bool { return m == Listing || m == Finding }

// Writes reports whether text is written into the dialog.
func (m Mode) Writes() bool { return m == Writing || m == Finding }

// Dialog lies over the panes and takes the keys.
type Dialog interface {
	Handle(c Context, k keys.Press)
	// Draw paints the dialog into the area below the status line.
	Draw(c Context, area canvas.Area)
	Mode() Mode
}
