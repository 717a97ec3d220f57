package debug

import (
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/value"
)

// Differences names what differs between two events: "state", "visit", "type", "stage", "thread", "time", "before",
// "after", "error", "cause", "detail". It is empty where they say the same. Places in memory and sequence numbers
// do not count.
func Differences(a, b *engine.Event) []string {
	differs := placeDiffers(a, b)
	note := func(differ bool, what string) {
		if differ {
			differs = append(differs, what)
		}
	}
	note(a.Thread != b.Thread, "thread")
	note(a.Time != b.Time, "time")
	note(!exactly(a.Before, b.Before), "before")
	note(!exactly(a.After, b.After), "after")
	return append(differs, detailDiffers(a.Detail, b.Detail)...)
}

// placeDiffers names what differs in where two events belong.
func placeDiffers(a, b *engine.Event) []string {
	var differs []string
	switch {
	case a.Visit == b.Visit:
	case a.Visit == nil || b.Visit == nil || a.Visit.Path() != b.Visit.Path():
		differs = append(differs, "state")
	case a.Visit.Number != b.Visit.Number:
		differs = append(differs, "visit")
	}
	if a.Type != b.Type {
		differs = append(differs, "type")
	}
	if a.Stage != b.Stage {
		differs = append(differs, "stage")
	}
	return differs
}

// exactly reports whether two values are written alike.
func exactly(a, b value.Value) bool {
	if value.Identical(a, b) {
		return true
	}
	if a == nil || b == nil || !value.Equal(a, b) {
		return false
	}
	return string(value.Append(nil, a)) == string(value.Append(nil, b))
}

func detailDiffers(a, b engine.Detail) []string {
	if a == b {
		return nil
	}
	if a == nil || b == nil {
		return []string{"detail"}
	}
	same := false
	switch a := a.(type) {
	case *engine.Failure:
		b, ok := b.(*engine.Failure)
		if ok {
			return failureDiffers(a, b)
		}
	case *engine.RetryDetail:
		b, ok := b.(*engine.RetryDetail)
		if ok && len(failureDiffers(a.Failure, b.Failure)) > 0 {
			return failureDiffers(a.Failure, b.Failure)
		}
		same = ok && a.Retrier == b.Retrier && a.Attempt == b.Attempt && a.Delay == b.Delay && a.Backoff == b.Backoff && a.Due.Equal(b.Due)
	case *engine.CatchDetail:
		b, ok := b.(*engine.CatchDetail)
		if ok && len(failureDiffers(a.Failure, b.Failure)) > 0 {
			return failureDiffers(a.Failure, b.Failure)
		}
		same = ok && a.Catcher == b.Catcher && a.Next == b.Next
	case *engine.TaskRequest:
		b, ok := b.(*engine.TaskRequest)
		same = ok && sameRequest(a, b)
	case *engine.ObjectRequest:
		b, ok := b.(*engine.ObjectRequest)
		same = ok && a.ID == b.ID && a.Object == b.Object
	case *engine.WaitDetail:
		b, ok := b.(*engine.WaitDetail)
		same = ok && a.Until.Equal(b.Until)
	case *engine.StartDetail:
		b, ok := b.(*engine.StartDetail)
		same = ok && *a == *b
	case *engine.MapRunDetail:
		b, ok := b.(*engine.MapRunDetail)
		same = ok && *a == *b
	case *engine.ThreadDetail:
		b, ok := b.(*engine.ThreadDetail)
		same = ok && a.Thread == b.Thread && a.Index == b.Index
	case *engine.AssignDetail:
		b, ok := b.(*engine.AssignDetail)
		same = ok && (a.Assigned == b.Assigned || (a.Assigned != nil && b.Assigned != nil && exactly(a.Assigned, b.Assigned)))
	case *engine.ExitDetail:
		b, ok := b.(*engine.ExitDetail)
		if ok && a.Next != b.Next {
			return []string{"next"}
		}
		same = ok && a.Rule == b.Rule
	}
	if same {
		return nil
	}
	return []string{"detail"}
}

func failureDiffers(a, b *engine.Failure) []string {
	var differs []string
	if a == nil || b == nil {
		if a != b {
			return []string{"error"}
		}
		return nil
	}
	if a.Name != b.Name {
		differs = append(differs, "error")
	}
	if a.Cause != b.Cause {
		differs = append(differs, "cause")
	}
	return differs
}

func sameRequest(a, b *engine.TaskRequest) bool {
	return a.Resource == b.Resource && a.Attempt == b.Attempt && a.Invocation == b.Invocation && a.ID == b.ID &&
		whole(a.Timeout) == whole(b.Timeout) && whole(a.Heartbeat) == whole(b.Heartbeat) && exactly(a.Parameters, b.Parameters) &&
		exactly(a.Credentials, b.Credentials)
}

// whole is a bound as a trace keeps it.
func whole(d time.Duration) time.Duration { return d.Round(time.Microsecond) }
