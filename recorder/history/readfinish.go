package history

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"asldb/engine/value"
)

// finish orders the events of every execution and adds notes about them.
func (r *reader) finish() ([]*Execution, error) {
	if len(r.executions) == 0 {
		return nil, &ReadError{Name: r.file.Name, Msg: "there is no event in it: " + wanted}
	}
	for _, x := range r.executions {
		if len(x.Events) == 0 {
			return nil, &ReadError{Name: r.file.Name, Msg: "the history has no events"}
		}
		slices.SortStableFunc(x.Events, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
		if err := r.dropRepeated(x); err != nil {
			return nil, err
		}
		if x.ARN == "" && len(r.executions) == 1 {
			x.ARN = r.described
		}
		x.examine()
	}
	return r.executions, nil
}

// dropRepeated drops events that two pages have both.
func (r *reader) dropRepeated(x *Execution) error {
	kept := x.Events[:1]
	for _, event := range x.Events[1:] {
		last := &kept[len(kept)-1]
		if event.ID != last.ID {
			kept = append(kept, event)
			continue
		}
		if !sameEvent(&event, last) {
			return &ReadError{Name: r.file.Name, Msg: fmt.Sprintf(
				"two different events have the id %d (%s at %s, %s at %s): these are the histories of two executions",
				event.ID,
				last.Type, formatTime(last.Time), event.Type, formatTime(event.Time))}
		}
	}
	x.Events = kept
	return nil
}

func sameEvent(a, b *Event) bool {
	if a.Type != b.Type || a.Previous != b.Previous || a.Time != b.Time || (a.Details == nil) != (b.Details == nil) {
		return false
	}
	return a.Details == nil || value.Equal(a.Details, b.Details)
}

func formatTime(at int64) string { return time.Unix(0, at).UTC().Format(time.RFC3339Nano) }

// maxNotes bounds how many events a kind of note names one by one.
const maxNotes = 5

// examine notes gaps in the events.
func (x *Execution) examine() {
	x.examineWhole()
	unknown, cut, broken := 0, 0, 0
	withheld := map[bool]int{}
	texts := make(map[value.String]value.Value)
	for i := range x.Events {
		event := &x.Events[i]
		event.parse(texts)
		kind := event.Kind()
		if kind.Family == OfUnknown {
			if unknown++; unknown <= maxNotes {
				x.note(event.ID, "its type %q is not known; it is kept, and nothing is made of it", event.Type)
			}
		}
		for _, key := range payloadKeys {
			switch _, is := event.Payload(key); is {
			case Truncated:
				if cut++; cut <= maxNotes {
					x.note(event.ID, "its %s was truncated by the service: a task's result that is cut off cannot be given again", key)
				}
			case NotJSON:
				if broken++; broken <= maxNotes {
					x.note(event.ID, "its %s is not JSON", key)
				}
			case Present, Withheld:
			}
		}
		if key := payloadOf(kind); key != "" {
			_, is := event.Payload(key)
			withheld[is == Withheld]++
		}
	}
	for _, more := range []struct {
		n    int
		what string
	}{{unknown, "have a type that is not known"}, {cut, "have a truncated payload"},
		{broken, "have a payload that is not JSON"}} {
		if more.n > maxNotes {
			x.note(0, "%d more events %s", more.n-maxNotes, more.what)
		}
	}
	if withheld[true] > 0 && withheld[false] == 0 {
		x.note(0, "the events have no data (the log was made with includeExecutionData=false, or the history without it): the input and the results of tasks are unknown and must come from --input and fixtures")
	}
}

// payloadOf returns the payload that an event of this kind always has, "" where it need have none.
func payloadOf(kind Kind) string {
	switch {
	case kind.Family == OfState && kind.Phase == Entered, kind.Family == OfExecution && kind.Phase == Started:
		return "input"
	case kind.Family == OfState && kind.Phase == Exited, kind.task() && kind.Phase == Succeeded:
		return "output"
	}
	return ""
}

// examineWhole notes gaps in the recording as a whole.
func (x *Execution) examineWhole() {
	first, last := x.Events[0].ID, x.Events[len(x.Events)-1].ID
	gaps := last - max(first, 1) + 1 - int64(len(x.Events))
	entered := slices.ContainsFunc(x.Events, func(e Event) bool {
		kind := e.Kind()
		return kind.Family == OfState && kind.Phase == Entered && e.Type != "FailStateEntered"
	})
	started := x.Started() != nil
	ended := x.End() != nil
	switch {
	case x.FromLog && !entered:
		x.note(0, "the log has no event of a state being entered: its level is below ALL (ERROR or FATAL), which records the end of the execution and not its steps; it cannot be replayed")
		return
	case x.pagesLeft && (gaps > 0 || !started || !ended):
		x.note(0, "a nextToken says that there are more pages: events are missing (aws stepfunctions get-execution-history without --max-items prints them all)")
	}
	if !started {
		x.note(0, "the first events are missing: there is no ExecutionStarted, so the input is unknown")
	}
	if gaps > 0 {
		x.note(0, "%s missing between event %d and event %d", events(int(gaps), "is", "are"), first, last)
	}
	if !ended {
		x.note(last, "the history ends here, and the execution was still running")
	}
	for i := range x.Events {
		switch event := &x.Events[i]; event.Type {
		case "ExecutionRedriven":
			x.note(event.ID, "the execution was redriven: a new attempt begins, and the earlier failure counts as not having happened")
		case "MapRunStarted":
			x.note(event.ID, "the executions of this Map Run have their own histories: the results of their tasks are not here, and must come from fixtures for a replay")
		}
	}
}

// events counts events with the verb that goes with the number.
func events(n int, one, many string) string {
	if n == 1 {
		return "1 event " + one
	}
	return fmt.Sprintf("%d events %s", n, many)
}
