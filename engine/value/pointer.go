package value

import "strings"

var (
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
)

// EscapePointer returns a key as it is in a JSON Pointer (RFC 6901).
func EscapePointer(key string) string { return escapePointer.Replace(key) }

// UnescapePointer returns the key of a segment of a JSON Pointer.
func UnescapePointer(segment string) string { return unescapePointer.Replace(segment) }
