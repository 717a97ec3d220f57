package screen

import "asldb/tui/pane/events/compare"

// Recorded is a recorded run that the session's is held against.
type Recorded = compare.Recorded
