package asl

import (
	"strings"
	"time"

	"asldb/internal/wording"
)

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

// minutesOnly is a timestamp without seconds, with the place for them.
var minutesOnly = wording.Pattern(`^([0-9-]{10}T[0-9]{2}:[0-9]{2})(Z|[+-][0-9:]+)$`)

// ParseOffsetDateTime reads a timestamp as Step Functions was measured to read the Timestamp of a Wait state in JSONata: as
// [ParseTimestamp], but seconds may be absent, and t and z may be lower case.
func ParseOffsetDateTime(text string) (time.Time, bool) {
	return ParseTimestamp(minutesOnly().ReplaceAllString(strings.ToUpper(text), "$1:00$2"))
}
