package runlog

import "asldb/engine"

// Divergence is the first place at which an execution does not agree with its recording.
type Divergence struct {
	// Index is the index of the event, from 0.
	Index int
	// Expected is the recorded event, nil after the end of the recording; Found is that of the execution, nil after
	// its end.
	Expected, Found *engine.Event
	// Differs names the differences where both are there: see [Events].
	Differs []string
	// Err says why a recorded input could not be applied, or is nil.
	Err error
}

// WithRecording returns the first divergence of a run from its recording, nil where there is none. The first n events are
// taken to be the same. A recording that was cut off agrees with whatever follows.
func WithRecording(recorded, found *Log, n int) *Divergence {
	var c Comparer
	n = c.Prefix(recorded, found, min(n, found.Len()))
	d := &Divergence{Index: n}
	if n < recorded.Len() {
		d.Expected = recorded.At(n)
	}
	if n < found.Len() {
		d.Found = found.At(n)
	}
	switch {
	case d.Expected == nil && (d.Found == nil || !hasEnded(recorded)):
		return nil
	case d.Expected != nil && d.Found != nil:
		d.Differs = c.Events(d.Expected, d.Found)
	}
	return d
}

// hasEnded reports whether the log's newest event is the end of the execution.
func hasEnded(log *Log) bool {
	last := log.Last()
	return last != nil && last.Type.EndsExecution()
}

// State returns the state path of the divergence, empty where it is in no state.
func (d *Divergence) State() string {
	for _, event := range []*engine.Event{d.Found, d.Expected} {
		if event != nil && event.Visit != nil {
			return event.Visit.Path()
		}
	}
	return ""
}

// Stage returns the name of the stage of the divergence, empty where there is none.
func (d *Divergence) Stage() string {
	for _, event := range []*engine.Event{d.Found, d.Expected} {
		if event != nil && event.Stage != engine.NoStage {
			return event.StageName()
		}
	}
	return ""
}

// Shared returns the number of events that two runs have in common from the beginning on.
func Shared(a, b []engine.Event) int {
	var c Comparer
	for i := range min(len(a), len(b)) {
		if len(c.Events(&a[i], &b[i])) > 0 {
			return i
		}
	}
	return min(len(a), len(b))
}
