package history

import (
	"fmt"
	"strconv"
	"strings"

	"asldb/engine/value"
)

// Same says whether a member of a recorded event and of the event found for it say the same. at is the place
// of the recorded event; member is "type", "id", "previousEventId" or the name of one of the details. Payloads
// are given by their parsed content. want and got are nil where the member is absent.
type Same func(at int, member string, want, got value.Value) bool

// Difference is the first place at which two histories part.
type Difference struct {
	// At is the place of the recorded event; the number of events where the recording has no more.
	At int
	// Recorded and Found are the events; nil where there is none.
	Recorded, Found *Event
	// Path is the state path that the difference is in; empty outside all states.
	Path string
	// Member is the first member in which the events differ, Want and Got its values: nil for none.
	// Member is empty where one of the events is missing.
	Member    string
	Want, Got value.Value
}

// maxShown bounds how much of a value a difference repeats.
const maxShown = 300

// String says in words where the histories part, and how.
func (d *Difference) String() string {
	var text strings.Builder
	if d.Recorded != nil {
		fmt.Fprintf(&text, "event %d (%s)", d.Recorded.ID, eventName(d.Recorded))
	} else {
		text.WriteString("after the last recorded event")
	}
	if d.Path != "" {
		fmt.Fprintf(&text, " in %s", d.Path)
	}
	switch {
	case d.Found == nil:
		text.WriteString(": recorded, and now nothing of the kind happens")
	case d.Recorded == nil:
		fmt.Fprintf(&text, ": now %s follows, and nothing was recorded", eventName(d.Found))
	case d.Member == "type":
		fmt.Fprintf(&text, ": now it is %s", eventName(d.Found))
	default:
		want, got := value.Pair(d.Want, d.Got, maxShown)
		fmt.Fprintf(&text, ": %s was recorded as %s, and is now %s", d.Member, want, got)
	}
	return text.String()
}

// eventName names an event with its subject.
func eventName(e *Event) string {
	text := e.Type
	if name := e.Text("name"); name != "" {
		text += " " + name
	}
	if index, ok := e.Int("index"); ok {
		text += " " + strconv.FormatInt(index, 10)
	}
	if failure := e.Text("error"); failure != "" {
		text += ": " + failure
	}
	return text
}

// Compare compares two histories event by event, in the order of their ids, with their ids and links. It
// returns nil where they agree.
func Compare(recorded, found []Event, same Same) *Difference {
	for i := range max(len(recorded), len(found)) {
		d := &Difference{At: min(i, len(recorded))}
		if i < len(recorded) {
			d.Recorded = &recorded[i]
		}
		if i < len(found) {
			d.Found = &found[i]
		}
		if d.Recorded == nil || d.Found == nil {
			return d
		}
		if d.differs(same, true) {
			return d
		}
	}
	return nil
}

// differs compares the two events and notes the member in which they differ.
func (d *Difference) differs(same Same, links bool) bool {
	recorded, found := d.Recorded, d.Found
	check := func(member string, want, got value.Value) bool {
		if same(d.At, member, want, got) {
			return false
		}
		d.Member, d.Want, d.Got = member, want, got
		return true
	}
	if check("type", value.String(recorded.Type), value.String(found.Type)) {
		return true
	}
	if links && (check("id", value.Int(recorded.ID), value.Int(found.ID)) ||
		check("previousEventId", value.Int(recorded.Previous), value.Int(found.Previous))) {
		return true
	}
	if recorded.Details != nil {
		for key := range recorded.Details.All() {
			want, got, known := payloadsOf(recorded, found, key)
			if known && check(key, want, got) {
				return true
			}
		}
	}
	if found.Details != nil {
		for key := range found.Details.All() {
			if recorded.Details != nil && recorded.Details.Get(key) != nil {
				continue
			}
			want, got, known := payloadsOf(recorded, found, key)
			if known && check(key, want, got) {
				return true
			}
		}
	}
	return false
}

// payloadsOf returns two events' values of one of their details. known is false for a detail without content, and
// for a payload that was not recorded whole.
func payloadsOf(recorded, found *Event, key string) (want, got value.Value, known bool) {
	switch key {
	case "inputDetails", "outputDetails", "assignedVariablesDetails", "roleArn", "stateMachineAliasArn",
		"stateMachineVersionArn":
		return nil, nil, false
	case "input", "output", "parameters":
		want, is := recorded.Payload(key)
		switch is {
		case Withheld, Truncated:
			return nil, nil, false
		case NotJSON:
			want = recorded.Details.Get(key)
		case Present:
		}
		if got, is = found.Payload(key); is == NotJSON {
			got = found.Details.Get(key)
		}
		return want, got, true
	case "assignedVariables":
		if assigned := recorded.Assigned(); assigned != nil {
			want = assigned
		}
		if assigned := found.Assigned(); assigned != nil {
			got = assigned
		}
		return want, got, true
	}
	if recorded.Details != nil {
		want = recorded.Details.Get(key)
	}
	if found.Details != nil {
		got = found.Details.Get(key)
	}
	return want, got, true
}
