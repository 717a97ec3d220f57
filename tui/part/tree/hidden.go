package tree

import "asldb/internal/wording"

// escaped writes the characters of a JSON string that cannot be seen as JSON escapes (\u200b), so that data which
// differs looks different. Emoji stay whole unless Exact is set: they would become unreadable escapes.
func (l Line) escaped(quoted []byte) string {
	if l.Exact {
		return string(wording.JSON(quoted))
	}
	return wording.JSONLine(string(quoted))
}
