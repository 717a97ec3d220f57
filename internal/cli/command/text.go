package command

import (
	"fmt"
	"unicode/utf8"

	"asldb/internal/wording"
)

// lineError is an error with a message of one line.
type lineError struct{ err error }

func (e *lineError) Error() string { return wording.Line(e.err.Error()) }

func (e *lineError) Unwrap() error { return e.err }

// OneLine returns an error with a message of one line: parts of it come from outside.
func OneLine(err error) error { return &lineError{err} }

// MaxQuoted and MaxFault bound how much of a text from the command line a message repeats, and how long the
// fault of an expression is, which may repeat the whole of it. Both are in bytes.
const (
	MaxQuoted = 200
	MaxFault  = 500
)

// Clip returns text, or at most limit bytes of it and how much is left out.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d more bytes)", text[:cut], len(text)-cut)
}
