package history

import (
	"strings"
	"time"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// Reproducible compares the parts that a second run can reproduce: it ignores values that the service generates every
// time (times, UUIDs, task tokens, names of executions), and those that only the service knows.
type Reproducible struct {
	// Known are names that are known, of the execution for example: they are not generated. Empty ones are passed over.
	Known []string
	// Tolerated counts the texts that differed and were taken for the same.
	Tolerated int
}

// Same is a [Same].
func (r *Reproducible) Same(_ int, member string, want, got value.Value) bool {
	switch member {
	case "workerName", "region", "mapRunArn":
		return true // only the service knows them
	case "type":
		a, _ := want.(value.String)
		b, _ := got.(value.String)
		return a == b || sameFailure(string(a), string(b))
	}
	return r.same(want, got)
}

// sameFailure reports whether both types say that an attempt failed: whether before it had begun, only the
// service can tell.
func sameFailure(a, b string) bool {
	x, y := KindOf(a), KindOf(b)
	return x.task() && x.Family == y.Family && x.Phase == Failed && y.Phase == Failed
}

func (r *Reproducible) same(want, got value.Value) bool {
	switch want := want.(type) {
	case nil:
		return got == nil
	case value.String:
		text, ok := got.(value.String)
		if number, isNumber := got.(value.Number); isNumber { // logs write numbers as texts
			return number.Text() == string(want)
		}
		return ok && r.sameText(string(want), string(text))
	case *value.Object:
		object, ok := got.(*value.Object)
		if !ok || object.Len() != want.Len() {
			return false
		}
		if value.Identical(want, object) {
			return true
		}
		for key, member := range want.All() {
			if !r.same(member, object.Get(key)) {
				return false
			}
		}
		return true
	case *value.Array:
		array, ok := got.(*value.Array)
		if !ok || array.Len() != want.Len() {
			return false
		}
		for i, item := range want.All() {
			if !r.same(item, array.At(i)) {
				return false
			}
		}
		return true
	}
	return got != nil && value.Equal(want, got)
}

var (
	eventID = wording.Pattern(`entered at the event id #[0-9]+`)
	uuid    = wording.Pattern(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)
	token   = wording.Pattern(`token-[0-9a-f]+-[0-9]+-[0-9]+`)
	ownARN  = wording.Pattern(`arn:[a-z-]+:states:[a-z0-9-]*:[0-9]*:(execution|express|stateMachine|mapRun):[^"\\ ]*`)
)

func (r *Reproducible) sameText(want, got string) bool {
	if want == got {
		return true
	}
	if !r.alike(want, got) {
		return false
	}
	r.Tolerated++
	return true
}

// alike reports whether two texts differ only in parts that a second run cannot reproduce.
func (r *Reproducible) alike(want, got string) bool {
	if isTime(want) && isTime(got) {
		return true
	}
	if mark := token().FindStringIndex(got); mark != nil {
		// The rest of the text is the same around the token, which has another length.
		before, after := got[:mark[0]], got[mark[1]:]
		return len(want) > len(before)+len(after) && strings.HasPrefix(want, before) && strings.HasSuffix(want, after)
	}
	return r.blank(want) == r.blank(got)
}

// blank removes the values from a text that are generated.
func (r *Reproducible) blank(text string) string {
	for i, known := range r.Known {
		if known != "" {
			text = strings.ReplaceAll(text, known, "\x00"+string(rune('a'+i)))
		}
	}
	text = eventID().ReplaceAllString(text, "entered at the event id #")
	text = ownARN().ReplaceAllString(text, "$1")
	return uuid().ReplaceAllString(text, "uuid")
}

func isTime(text string) bool {
	if len(text) < len("2006-01-02T15:04:05Z") || text[4] != '-' {
		return false
	}
	_, err := time.Parse(time.RFC3339Nano, text)
	return err == nil
}
