package asl

import "time"

// ParseTimestamp reads a timestamp as the language demands it: the RFC 3339 profile of ISO 8601, with an upper case T
// between date and time and with an upper case Z or a numeric offset. A fraction of a second may have
// any number of digits; those beyond nanoseconds are dropped.
func ParseTimestamp(text string) (time.Time, bool) {
	const shape = "0000-00-00T00:00:00"
	if len(text) <= len(shape) {
		return time.Time{}, false
	}
	for i := range len(shape) { // time.Parse would let some digits be absent
		c := text[i]
		if shape[i] == '0' && (c < '0' || c > '9') || shape[i] != '0' && c != shape[i] {
			return time.Time{}, false
		}
	}
	if text[len(shape)] == ',' {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil
}
