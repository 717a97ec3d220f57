package suite

import (
	"strings"

	"asldb/engine/value"
)

// Quote returns a wanted text: one that begins with $ would be a matcher.
func Quote(text string) string {
	if strings.HasPrefix(text, "$") {
		text = "$" + text
	}
	return value.Quote(text)
}
