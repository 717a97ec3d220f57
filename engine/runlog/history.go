package runlog

import (
	"asldb/engine"
	"asldb/engine/value"
)

// SameMember reports whether a member of a recorded event and that of the event of a run beside it say the same. name is
// one of those of [Events]. Either value may be nil.
type SameMember func(name string, recorded, found value.Value) bool

// WithHistory aligns the events that were made of a history of Step Functions with those of a run. A history has no
// stages between a state's work and its output, and not all members of its events: an absent one does not differ, nor does
// a member that same accepts. Rows has every line then, and First is 0, or -1 where nothing differs.
func WithHistory(recorded, run *Log, same SameMember) *Result {
	comparable := make([]int, 0, recorded.Len())
	for i := range run.Len() {
		if isInHistory(run.At(i)) {
			comparable = append(comparable, i)
		}
	}
	keys := newKeyer()
	keys.coarse = true
	rows := align(recorded.Len(), len(comparable), func(i int) eventKey { return keys.of(recorded.At(i)) },
		func(j int) eventKey { return keys.of(run.At(comparable[j])) }, keys.restart)
	var c Comparer
	differs := false
	for i := range rows {
		row := &rows[i]
		if row.B >= 0 {
			row.B = comparable[row.B]
		}
		if row.A >= 0 && row.B >= 0 {
			row.Differs = c.withHistory(recorded.At(row.A), run.At(row.B), same)
		}
		differs = differs || !row.Same()
	}
	if !differs {
		return &Result{First: -1, Rows: rows}
	}
	return &Result{Rows: rows}
}

// isInHistory reports whether the events that are made of a history can have one like this.
func isInHistory(event *engine.Event) bool {
	switch event.Type {
	case engine.TaskHeartbeat, engine.ObjectRequested, engine.DataEdited:
		return false
	case engine.StageCompleted:
		detail, ok := event.Detail.(*engine.AssignDetail)
		return ok && detail.Assigned != nil && detail.Assigned.Len() > 0
	default:
		return true
	}
}

// withHistory names the differences between a recorded event of a history and one of a run, as far as a history knows them.
func (c *Comparer) withHistory(recorded, found *engine.Event, same SameMember) []string {
	var differs []string
	for _, name := range c.Events(recorded, found) {
		was, is := Member(recorded, name), Member(found, name)
		switch name {
		case "before", "after", "assigned":
			if was == nil || was.Kind() == value.KindNull {
				continue
			}
		case "error", "cause", "next", "type", "resource", "credentials", "timeoutSeconds", "heartbeatSeconds", "length":
		default: // a history has no threads, and other times and request numbers
			continue
		}
		if !same(name, was, is) {
			differs = append(differs, name)
		}
	}
	return differs
}
