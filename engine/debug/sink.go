package debug

import (
	"asldb/engine"
	"asldb/engine/runlog"
)

// Sink receives the inputs and events of a session as they come. A recorder is one.
type Sink interface {
	// Received is called with an input after it was applied, and before the events that it brought.
	Received(runlog.Input)
	// Happened is called with new events, in their order. The slice is valid during the call.
	Happened([]engine.Event)
	// Rewound reports that the next inputs and events continue after event number to: the events up to it, and the
	// inputs given before it happened (those whose After is less), belong to the run; later ones belong to another fork
	// of it. Inputs that the two forks share beyond that are given again.
	Rewound(to int64)
	// Sync is called whenever the session comes to a stop. It returns when all that the sink has received is stored.
	Sync()
}
