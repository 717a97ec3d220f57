package engine

// CanRun reports whether a live thread could do a step now: it waits for nothing.
func (e *Execution) CanRun(id ThreadID) bool {
	t := e.thread(id)
	return t != nil && t.block == notBlocked
}

// Focused returns the thread that has the focus: the one that runs next unless it is blocked. It is 0, the
// root, once the execution is over.
func (e *Execution) Focused() ThreadID {
	if e.focus == nil {
		return 0
	}
	return e.focus.id
}
