package history

import (
	"fmt"
	"strconv"
	"strings"

	"asldb/engine/value"
)

// Execution is one execution as its history was read.
type Execution struct {
	// ARN names the execution; empty where the text does not say it.
	ARN string
	// Events are in the order of their ids.
	Events []Event
	// Notes are remarks on the recording, most of them obstacles to a replay.
	Notes []Note
	// FromLog is set where the events come from a log and not from GetExecutionHistory.
	FromLog bool

	pagesLeft bool // some page says that there is another one
}

// Express reports whether the recording is the log of an Express execution, which has no history. A Standard execution
// can have a log, too.
func (x *Execution) Express() bool { return x.FromLog && !strings.Contains(x.ARN, ":execution:") }

// Note is one thing to be known about a recording.
type Note struct {
	// Event is the id of the event that it is about; 0 for the whole.
	Event   int64
	Message string
}

// String returns the note with its event: "event 12: …".
func (n Note) String() string {
	if n.Event == 0 {
		return n.Message
	}
	return fmt.Sprintf("event %d: %s", n.Event, n.Message)
}

func (x *Execution) note(event int64, format string, args ...any) {
	x.Notes = append(x.Notes, Note{Event: event, Message: fmt.Sprintf(format, args...)})
}

// Kind returns the meaning of the event's type.
func (e *Event) Kind() Kind { return KindOf(e.Type) }

// Text returns a detail that is a text; empty where it is absent.
func (e *Event) Text(key string) string {
	if e.Details == nil {
		return ""
	}
	text, _ := e.Details.Get(key).(value.String)
	return string(text)
}

// Role returns the role that a task was called with; empty where its event names none.
func (e *Event) Role() string {
	if e.Details == nil {
		return ""
	}
	credentials, ok := e.Details.Get("taskCredentials").(*value.Object)
	if !ok {
		return ""
	}
	role, _ := credentials.Get("roleArn").(value.String)
	return string(role)
}

// Int returns a detail that is a whole number; logs have some of them as texts. ok is false where it is
// absent.
func (e *Event) Int(key string) (n int64, ok bool) {
	if e.Details == nil {
		return 0, false
	}
	switch v := e.Details.Get(key).(type) {
	case value.Number:
		return v.Int64()
	case value.String:
		n, err := strconv.ParseInt(string(v), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// Availability says whether a payload of an event is there.
type Availability uint8

// Problems of a payload.
const (
	// Present: it is there, whole.
	Present Availability = iota
	// Withheld: it is absent; a log without execution data has none.
	Withheld
	// Truncated: the service cut it off.
	Truncated
	// NotJSON: it is a text that is not JSON.
	NotJSON
)

// truncation has, for a payload, the member that says whether it was cut off.
var truncation = map[string]string{
	"input": "inputDetails", "output": "outputDetails", "assignedVariables": "assignedVariablesDetails",
}

// parsed is a payload that has been parsed.
type parsed struct {
	key   string
	value value.Value
	is    Availability
}

// payloadKeys are the details that are payloads.
var payloadKeys = [...]string{"input", "output", "parameters"}

// parse parses the payloads of an event, which are asked for several times. The output of a state is the input of the next: texts has
// the values of the texts before.
func (e *Event) parse(texts map[value.String]value.Value) {
	if e.Details == nil || e.payloads != nil {
		return
	}
	for _, key := range payloadKeys {
		text, isText := e.Details.Get(key).(value.String)
		if !isText {
			continue
		}
		v, known := texts[text]
		if known && !e.cutOff(key) {
			e.payloads = append(e.payloads, parsed{key, v, Present})
			continue
		}
		v, is := e.Payload(key)
		if is == Present {
			texts[text] = v
		}
		e.payloads = append(e.payloads, parsed{key, v, is})
	}
	e.assigned = e.Assigned()
}

// cutOff reports whether the service says that it has cut off a payload.
func (e *Event) cutOff(key string) bool {
	details, ok := e.Details.Get(truncation[key]).(*value.Object)
	return ok && details.Get("truncated") == value.Bool(true)
}

// Payload returns a payload (input, output, parameters), which the service writes as JSON text. The value is
// nil unless it is Present.
func (e *Event) Payload(key string) (value.Value, Availability) {
	for i := range e.payloads {
		if p := &e.payloads[i]; p.key == key {
			return p.value, p.is
		}
	}
	if e.Details == nil {
		return nil, Withheld
	}
	held := e.Details.Get(key)
	if held == nil {
		return nil, Withheld
	}
	if e.cutOff(key) {
		return nil, Truncated
	}
	text, ok := held.(value.String)
	if !ok {
		return held, Present // a tool has parsed it
	}
	v, err := value.ParseString(string(text))
	if err != nil {
		return nil, NotJSON
	}
	return v, Present
}

// Assigned returns the variables that a state's exit says were set; nil where it says none.
func (e *Event) Assigned() *value.Object {
	if e.Details == nil || e.assigned != nil {
		return e.assigned
	}
	texts, ok := e.Details.Get("assignedVariables").(*value.Object)
	if !ok {
		return nil
	}
	var variables value.ObjectBuilder
	for name, held := range texts.All() {
		if text, isText := held.(value.String); isText {
			if v, err := value.ParseString(string(text)); err == nil {
				held = v
			}
		}
		variables.Set(name, held)
	}
	return variables.Object()
}

// ended returns the event that ended the execution, nil where there is none.
func (x *Execution) ended() *Event {
	for i := len(x.Events) - 1; i >= 0; i-- {
		kind := x.Events[i].Kind()
		switch {
		case kind.Family == OfExecution && kind.Phase >= Succeeded:
			return &x.Events[i]
		case kind.Family == OfExecution && kind.Phase == Redriven:
			return nil
		}
	}
	return nil
}

// End returns the event that ended the execution, nil where it was still running.
func (x *Execution) End() *Event { return x.ended() }

// Started returns the event with which the execution began, nil where it is not there.
func (x *Execution) Started() *Event {
	for i := range x.Events {
		if x.Events[i].Type == "ExecutionStarted" {
			return &x.Events[i]
		}
	}
	return nil
}

// Page reports whether the execution is a part of a longer history: its first events are missing, or a token says that others follow.
func (x *Execution) Page() bool {
	return !x.FromLog && len(x.Events) > 0 && (x.Events[0].ID > 1 || x.pagesLeft)
}

// Join puts the pages of one history together, in any order. The error is a *[ReadError]: the pages belong to several histories.
func Join(name string, pages ...*Execution) (*Execution, error) {
	r := &reader{file: File{Name: name}, byARN: map[string]*Execution{}}
	all := r.group("")
	for _, page := range pages {
		if page.ARN != "" {
			r.described = page.ARN
		}
		all.Events = append(all.Events, page.Events...)
		all.pagesLeft = all.pagesLeft || page.pagesLeft
	}
	joined, err := r.finish()
	if err != nil {
		return nil, err
	}
	return joined[0], nil
}
