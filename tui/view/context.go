package view

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// Context is all that a dialog knows of the screen around it.
type Context interface {
	// Keys is the table of keys and commands.
	Keys() *keys.Map
	// Say puts a message into the bottom line until the next key.
	Say(style canvas.Style, text string)
	// Open shows a dialog in place of the present one; nil closes that.
	Open(d Dialog)
	// Do carries out an action with the argument of its command. Disabled returns the reason why that is not possible
	// now, or "".
	Do(a keys.Action, argument string)
	Disabled(a keys.Action) string
	// Copy puts a text on the terminal's clipboard.
	Copy(text string)
	// EditOutside opens a text in the user's editor; done takes the text that the editor has left, or the error.
	EditOutside(text string, done func(text string, err error))
	// OpenFile opens a file in the user's editor, with the cursor at a line and column, from 1.
	OpenFile(name string, line, col int)
	// Quit ends the program without a question.
	Quit()
}

// Dialog lies over the panes and takes the keys.
type Dialog interface {
	Handle(c Context, k keys.Press)
	// Draw paints the dialog into the part of the screen below the status line.
	Draw(c Context, f widget.Frame)
}

// Told is a dialog that is told in lines by a face that draws nothing. stays is false of one that only shows something:
// it is closed when it has been told.
type Told interface {
	Told() (lines []string, stays bool)
}
