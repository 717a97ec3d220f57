package wording

import (
	"io"
	"unicode/utf8"
)

// Writer writes JSON texts, one or many, as [JSON] has them.
type Writer struct {
	w    io.Writer
	rest []byte // the beginning of a character that has not come whole yet
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer. An incomplete character at the end waits for the next call.
func (w *Writer) Write(text []byte) (int, error) {
	whole := text
	if len(w.rest) > 0 {
		whole = append(w.rest, text...)
		w.rest = nil
	}
	if cut := incomplete(whole); cut < len(whole) {
		w.rest = append([]byte(nil), whole[cut:]...)
		whole = whole[:cut]
	}
	if _, err := w.w.Write(JSON(whole)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// incomplete returns where a character begins that the text does not have whole.
func incomplete(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}
