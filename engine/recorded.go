package engine

import (
	"fmt"
	"strings"
)

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
