package debug

import (
	"asldb/engine/asl"
	"asldb/engine/runlog"
)

// Mark returns the tallies of a state up to the position.
func (s *Session) Mark(state *asl.State) runlog.Mark { return s.MarksAt(s.position - 1).Of(state) }

// MarksAt returns the tallies of the states when event i of the log had come up, counted from 0. The answer
// is good until the run goes on.
func (s *Session) MarksAt(i int) runlog.Marks { return s.moments.Marks(&s.log, i) }
