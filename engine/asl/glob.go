package asl

import (
	"fmt"
	"strings"
)

// glob is a stretch of literal text, or any number of characters.
type glob struct {
	any  bool
	text string
}

// parseGlob reads the pattern of StringMatches: * means any characters, \* and \\ mean themselves.
func parseGlob(pattern string) ([]glob, error) {
	var globs []glob
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			globs = append(globs, glob{text: text.String()})
			text.Reset()
		}
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			flush()
			if len(globs) == 0 || !globs[len(globs)-1].any {
				globs = append(globs, glob{any: true})
			}
		case c == '\\' && i+1 < len(pattern) && (pattern[i+1] == '*' || pattern[i+1] == '\\'):
			i++
			text.WriteByte(pattern[i])
		case c == '\\':
			return nil, fmt.Errorf("the pattern %q has a backslash at character %d that escapes neither * nor \\", pattern, i+1)
		default:
			text.WriteByte(c)
		}
	}
	flush()
	return globs, nil
}

// matchGlob reports whether the whole of text matches. Each literal is taken at its first place, the
// last one at the end, which is enough because * is the only wildcard.
func matchGlob(globs []glob, text string) bool {
	anchored := true
	for i, g := range globs {
		if g.any {
			anchored = false
			continue
		}
		last := i == len(globs)-1
		switch {
		case anchored && last:
			return text == g.text
		case anchored:
			if !strings.HasPrefix(text, g.text) {
				return false
			}
			text = text[len(g.text):]
		case last:
			return strings.HasSuffix(text, g.text)
		default:
			at := strings.Index(text, g.text)
			if at < 0 {
				return false
			}
			text = text[at+len(g.text):]
		}
		anchored = true
	}
	return !anchored || text == ""
}
