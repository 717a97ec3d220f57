package engine

// PendingTimers is the number of timers that are kept, dead ones included.
func (e *Execution) PendingTimers() int { return len(e.timers) }
