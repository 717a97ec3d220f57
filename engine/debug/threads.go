package debug

import "asldb/engine"

// Focused returns the thread that runs next unless it is blocked.
func (s *Session) Focused() engine.ThreadID { return s.at().Focused() }

// keepThread gives the focus back to the thread that a StepThread is about as soon as it can run. While it
// is blocked the others have to run: it waits for them, or for time, which only passes when all wait.
func (s *Session) keepThread() error {
	if c := s.goal.command; c.Kind == StepThread && s.execution.Focused() != c.Thread && s.execution.CanRun(c.Thread) {
		return s.Focus(c.Thread)
	}
	return nil
}

// threadIsLive reports whether there is a thread of that number.
func (s *Session) threadIsLive(id engine.ThreadID) bool { return s.moment().HasThread(id) }
