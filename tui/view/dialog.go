package view

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// The parts of the screen around a view over the panes, which is made with the ones that it uses.
type (
	// Opener shows a view over the panes in place of the present one; nil closes that.
	Opener interface{ Open(v View) }
	// Messages puts a message into the bottom line until the next key.
	Messages interface {
		Say(style canvas.Style, text string)
	}
	// Table is the table of keys and commands.
	Table interface{ Keys() *keys.Map }
	// Actions carries out an action with the argument of its command. Disabled returns the reason why that is not
	// possible now, or "".
	Actions interface {
		Do(a keys.Action, argument string)
		Disabled(a keys.Action) string
	}
	// Clipboard puts a text on the terminal's clipboard.
	Clipboard interface{ Copy(text string) }
	// Editor is the user's editor. EditOutside opens a text in it; done takes the text that the editor has left, or the
	// error. OpenFile opens a file, with the cursor at a line and column, from 1.
	Editor interface {
		EditOutside(text string, done func(text string, err error))
		OpenFile(name string, line, col int)
	}
)

// Modal is a part of each view over the panes: all keys are its own, and it binds none of the actions of the screen.
type Modal struct{}

// Bindings implements [View].
func (Modal) Bindings() Bindings { return nil }

// PlainDialog is a dialog that --plain writes as lines. stays is false for a dialog that only shows something: it is
// closed when it has been written.
type PlainDialog interface {
	PlainLines() (lines []string, stays bool)
}

// PlainPane is a pane that --plain writes as lines.
type PlainPane interface{ PlainLines() []string }
