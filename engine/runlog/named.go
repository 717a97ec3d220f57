package runlog

import (
	"fmt"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/internal/wording"
)

// NameError says that a text names no event of a log.
type NameError struct {
	// Text is what was given, Len the number of events.
	Text string
	Len  int
	// ID is the id of Step Functions' history that the text has, which no event has; 0: it has none. Greatest is the greatest id
	// that there is, 0 where the events have none.
	ID, Greatest int64
	// State is the name of the state that the text says was entered with the event; empty: it says none.
	State string
}

// Error implements error: what was found, and what an event is called.
func (e *NameError) Error() string {
	switch {
	case e.ID > 0 && e.Greatest == 0:
		return fmt.Sprintf("no event is #%d: the events have no ids of Step Functions' history, which the dialect spec and Express executions lack", e.ID)
	case e.ID > 0 && e.State != "":
		return fmt.Sprintf("the state %q was not entered at #%d; the history goes to #%d", e.State, e.ID, e.Greatest)
	case e.ID > 0:
		return fmt.Sprintf("no event is #%d: the history goes to #%d", e.ID, e.Greatest)
	case e.Greatest > 0:
		return fmt.Sprintf("an event is a number from 1 to %d, or #1 to #%d for an id of Step Functions' history; found %q", e.Len, e.Greatest, e.Text)
	}
	return fmt.Sprintf("an event is a number from 1 to %d; found %q", e.Len, e.Text)
}

// historyID is an id as it is written, alone or in a text.
var historyID = wording.Pattern(`#([0-9]{1,9})\b`)

// Named returns the index of the event that a text names: by its number in the run ("12"), by an id of Step Functions' history
// ("#9"), or by a text that quotes one, such as a cause ("… (entered at the event id #9) …"). Executions of a distributed Map have
// their own histories: the one of thread within is searched first (see [engine.Event.HistoryThread]). The error is a
// *[NameError].
func (l *Log) Named(text string, within engine.ThreadID) (index int, err error) {
	text = strings.TrimSpace(text)
	failed := &NameError{Text: text, Len: l.Len()}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= l.Len() {
		return n - 1, nil
	}
	id, state, ok := engine.CauseID(text)
	if found := historyID().FindStringSubmatch(text); !ok && found != nil {
		id, err = strconv.ParseInt(found[1], 10, 64)
		ok = err == nil
	}
	failed.State = state
	if ok {
		failed.ID = id
	}
	best := -1
	for i := l.First(); i < l.Len(); i++ {
		event := l.At(i)
		thread := event.HistoryThread()
		if thread == within || thread == 0 {
			failed.Greatest = max(failed.Greatest, int64(event.HistoryID)+int64(max(event.HistoryEvents()-1, 0)))
		}
		if !ok || !hasID(event, id, state) {
			continue
		}
		switch {
		case thread == within:
			return i, nil
		case best < 0 && (thread == 0 || state != ""):
			best = i
		}
	}
	if best < 0 {
		return 0, failed
	}
	return best, nil
}

// hasID reports whether an id is one of those that an event has, and the event is the entry into the state, where that is named.
func hasID(event *engine.Event, id int64, state string) bool {
	first := int64(event.HistoryID)
	if first == 0 || id < first || id >= first+int64(event.HistoryEvents()) {
		return false
	}
	return state == "" || event.Type == engine.StateEntered && event.Visit.State.Name == state
}
