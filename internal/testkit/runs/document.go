package runs

import (
	"fmt"
	"strings"
	"time"

	"asldb/engine/value"
	"asldb/recorder/history"
)

// Document returns the recorded history in the form that GetExecutionHistory gives: {"events": [...]}, nil
// where there is none, or where ids of events are missing. Payloads are texts again. The times, which were
// not kept, are made up: a millisecond between events, and for a task that timed out the time of its bound.
func (c *Case) Document() *value.Object {
	recorded := c.History()
	if recorded == nil || c.Object.Get("historyPartial") != nil {
		return nil
	}
	events := make([]value.Value, recorded.Len())
	now := c.RecordedAt
	times := make(map[string]time.Time)
	bounds := make(map[string]time.Duration)
	for i, item := range recorded.All() {
		event := item.(*value.Object)
		previous, kind := value.Compact(event.Get("previousEventId")), text(event.Get("type"))
		if i > 0 {
			now = now.Add(time.Millisecond)
		}
		if strings.HasSuffix(kind, "TimedOut") && bounds[previous] > 0 && now.Before(times[previous].Add(bounds[previous])) {
			now = times[previous].Add(bounds[previous])
		}
		id := value.Compact(event.Get("id"))
		times[id], bounds[id] = now, boundOf(event)
		if bounds[id] == 0 && previous != "0" && !strings.HasSuffix(kind, "StateExited") {
			times[id], bounds[id] = times[previous], bounds[previous] // of the attempt
		}
		events[i] = asService(event, now)
	}
	return value.ObjectOf(value.Member{Key: "events", Value: value.NewArray(events)})
}

// boundOf returns the bound after which a task that an event schedules times out first; 0 where it has none.
func boundOf(event *value.Object) time.Duration {
	var least time.Duration
	for key, held := range event.All() {
		details, _ := held.(*value.Object)
		if details == nil || !strings.HasSuffix(key, "ScheduledEventDetails") {
			continue
		}
		for _, field := range []string{"timeoutInSeconds", "heartbeatInSeconds"} {
			if number, ok := details.Get(field).(value.Number); ok {
				bound := time.Duration(number.Float64() * float64(time.Second))
				if least == 0 || bound < least {
					least = bound
				}
			}
		}
	}
	return least
}

// asService writes an event as the service does: with a time, and payloads as texts.
func asService(event *value.Object, at time.Time) *value.Object {
	written := value.ObjectOf(value.Member{Key: "timestamp", Value: value.String(at.Format(time.RFC3339Nano))})
	for key, held := range event.All() {
		details, ok := held.(*value.Object)
		if !ok {
			written = written.With(key, held)
			continue
		}
		var texts value.ObjectBuilder
		for name, v := range details.All() {
			switch name {
			case "input", "output", "parameters":
				v = value.String(value.Compact(v))
			case "assignedVariables":
				var variables value.ObjectBuilder
				for variable, assigned := range v.(*value.Object).All() {
					variables.Set(variable, value.String(value.Compact(assigned)))
				}
				v = variables.Object()
			}
			texts.Set(name, v)
		}
		written = written.With(key, texts.Object())
	}
	return written
}

// Pointer returns where a member of a recorded event is in the case, for [Case.Same].
func (c *Case) Pointer(recorded []history.Event, at int, member string) string {
	switch member {
	case "type", "id", "previousEventId":
		return fmt.Sprintf("/history/%d/%s", at, member)
	}
	return fmt.Sprintf("/history/%d/%s/%s", at, recorded[at].Key, member)
}
