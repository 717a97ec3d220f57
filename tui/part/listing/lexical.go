package listing

import (
	"strings"

	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// lexemes are the parts of a line that have styles in a text whose tree is not known: a comment, a name before a colon, another
// text in quotes, a number, a word.
var lexemes = wording.Pattern(`(//.*)|("(?:[^"\\]|\\.)*"|[A-Za-z_]\w*)(\s*:)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)\b|\b(true|false|null)\b`)

var lexemeStyles = map[int]canvas.Style{1: canvas.Dim, 2: canvas.Key, 4: canvas.Text, 5: canvas.Number, 6: canvas.Word}

// colorLines gives styles to all lines by their characters alone.
func (t *Text) colorLines() {
	for i, line := range t.lines {
		text := string(line)
		for _, found := range lexemes().FindAllStringSubmatchIndex(text, -1) {
			for group := 1; group <= 6; group++ {
				style, ok := lexemeStyles[group]
				if from, to := found[2*group], found[2*group+1]; ok && from >= 0 {
					at := len([]rune(text[:from]))
					t.tokens[i] = append(t.tokens[i], token{at, at + len([]rune(strings.TrimSpace(text[from:to]))), style})
				}
			}
		}
	}
}
