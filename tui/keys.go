package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"asldb/internal/wording"
	"asldb/tui/keys"
)

// Step is a part of a script: a key, a text that is typed, or a pause. The others are zero.
type Step struct {
	Key   string        // as the table of keys names it
	Text  string        // typed character by character
	Pause time.Duration // longer than the usual one
	// Caption is a comment before the step: a description of the frame.
	Caption string
}

// KeyError is the error of a word of a script that isn't a key.
type KeyError struct {
	Word, Near string
	Line       int
}

// Error implements error.
func (e *KeyError) Error() string {
	text := fmt.Sprintf("line %d of the keys: %q is not a key", e.Line, e.Word)
	if e.Near != "" {
		return text + fmt.Sprintf("; did you mean %s?", e.Near)
	}
	return text + `; keys are divided by blanks, such as i, enter, ctrl+p or space, and text is quoted: "ChargeCard"`
}

// Parse reads a script. Its words are keys (i, enter, ctrl+p, space), texts in quotes, which are typed, and pauses (2s). A # begins a
// comment, which continues to the end of the line. The error is a *KeyError.
func Parse(script string) ([]Step, error) {
	var steps []Step
	caption, number := "", 0
	for line := range strings.SplitSeq(script, "\n") {
		number++
		for {
			line = strings.TrimLeftFunc(line, unicode.IsSpace)
			if line == "" {
				break
			}
			if comment, ok := strings.CutPrefix(line, "#"); ok && (comment == "" || comment[0] == ' ') {
				caption = strings.TrimSpace(comment)
				break
			}
			step, rest, err := next(line, number)
			if err != nil {
				return nil, err
			}
			step.Caption, caption, line = caption, "", rest
			steps = append(steps, step)
		}
	}
	if caption != "" { // behind the last key
		steps = append(steps, Step{Caption: caption})
	}
	return steps, nil
}

// next reads the first word of a line.
func next(line string, number int) (step Step, rest string, err error) {
	if quoted, ok := strings.CutPrefix(line, `"`); ok {
		if text, rest, closed := strings.Cut(quoted, `"`); closed {
			return Step{Text: text}, rest, nil
		}
	}
	word := line
	if end := strings.IndexFunc(line, unicode.IsSpace); end >= 0 {
		word, rest = line[:end], line[end:]
	}
	if pause, err := time.ParseDuration(word); err == nil && utf8.RuneCountInString(word) > 1 && pause > 0 {
		return Step{Pause: pause}, rest, nil
	}
	if word == "space" {
		return Step{Key: " "}, rest, nil
	}
	if !keys.ValidKey(word) {
		return Step{}, "", &KeyError{Word: word, Near: wording.Nearest(word, slices.Values(keys.Special())), Line: number}
	}
	return Step{Key: word}, rest, nil
}
