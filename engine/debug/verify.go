package debug

import "asldb.dev/asldb/engine"

// Divergence is the first place at which an execution does not agree with what was recorded.
type Divergence struct {
	// Index is the place of the event, from 0.
	Index int
	// Expected is the recorded event, nil where the recording has ended; Found is what happened instead, nil where
	// nothing more did.
	Expected, Found *engine.Event
	// Differs names what differs where both are there: see [Differences].
	Differs []string
	// Err says why an answer that was recorded could not be given, or is nil.
	Err error
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
