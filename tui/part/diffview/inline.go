// Package diffview finds which parts of two lines of text differ.
package diffview

import (
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// maxInline bounds the length of lines whose inside is compared, in bytes.
const maxInline = 600

// Changed returns the parts of text that other does not have; none where either is too long to be compared.
func Changed(other, text string) []Span {
	if len(text) > maxInline || len(other) > maxInline {
		return nil
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // the lines are short
	var spans []Span
	at := 0
	for _, part := range dmp.DiffCleanupSemantic(dmp.DiffMain(other, text, false)) {
		switch part.Type {
		case diffmatchpatch.DiffEqual:
			at += len(part.Text)
		case diffmatchpatch.DiffInsert:
			spans = append(spans, Span{at, at + len(part.Text)})
			at += len(part.Text)
		}
	}
	if at != len(text) || !utf8.ValidString(text) {
		return nil // text that go-diff could not take apart without loss
	}
	return spans
}
