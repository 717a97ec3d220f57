package suite

import (
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// Quote returns a wanted text: one that begins with $ would be a matcher.
func Quote(text string) string {
	if strings.HasPrefix(text, "$") {
		text = "$" + text
	}
	return value.Quote(text)
}

var bare = wording.Pattern(`^[A-Z][A-Za-z]*([ ._]?[A-Za-z0-9]+)*$`)

// Plain is a text in YAML: a name without quotes, all else as JSON.
func Plain(text string) string {
	reserved := []string{"true", "false", "null", "yes", "no", "on", "off", "nan", "inf"}
	if bare().MatchString(text) && !slices.Contains(reserved, strings.ToLower(text)) {
		return text
	}
	return value.Quote(text)
}
