package engine

import (
	"fmt"
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// quotedID is the part of a cause that says with which event of the history the state was entered that failed.
var quotedID = wording.Pattern(`(?:the state '(.+?)' )?\(?entered at the event id #([0-9]{1,9})\b\)?`)

// CauseID returns the id of the event of Step Functions' history that a cause quotes ("entered at the event id #9"), and the name of
// the state that was entered, "" where the text does not have it. ok is false where the text quotes none. Of several the first counts:
// others are in data that the cause repeats.
func CauseID(cause string) (id int64, state string, ok bool) {
	found := quotedID().FindStringSubmatch(cause)
	if found == nil {
		return 0, "", false
	}
	id, err := strconv.ParseInt(found[2], 10, 64)
	return id, found[1], err == nil
}

// CauseWithoutID returns a cause without the ids of events that it quotes.
func CauseWithoutID(cause string) string {
	if !strings.Contains(cause, "event id #") {
		return cause
	}
	return quotedID().ReplaceAllString(cause, "$1")
}

// RecordedFailure returns a failure that was written down earlier, with its four texts and its origin, which
// may be nil. The rest is absent: Err, and whether a catcher could have taken it.
func RecordedFailure(name, cause, field string, origin *Visit) *Failure {
	f := &Failure{Name: name, Cause: cause, Field: field, Origin: origin}
	if origin != nil && origin.State != nil {
		start := fmt.Sprintf("An error occurred while executing the state '%s' (entered at the event id #", origin.State.Name)
		if rest, ok := strings.CutPrefix(cause, start); ok {
			if digits := strings.IndexByte(rest, ')'); digits > 0 && strings.HasPrefix(rest[digits:], "). ") {
				f.preface = len(start) + digits + len("). ")
			}
		}
	}
	return f
}
