package jsonview

import "asldb/internal/visible"

// escaped writes the characters of a JSON string that cannot be seen as JSON escapes (\u200b), so that data which
// differs looks different. Emoji stay whole unless Exact is set: they would become unreadable escapes.
func (l Line) escaped(quoted []byte) string {
	if l.Exact {
		return string(visible.JSON(quoted))
	}
	return visible.JSONLine(string(quoted))
}
