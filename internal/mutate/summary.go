package mutate

import (
	"strconv"

	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// Summary counts mutants.
type Summary struct {
	Survived, NotCovered, TimedOut, Invalid, Killed int
}

// Add counts the mutants of a result.
func (s *Summary) Add(r *Result) {
	for i := range r.Outcomes {
		switch r.Outcomes[i].Status {
		case Survived:
			s.Survived++
		case NotCovered:
			s.NotCovered++
		case TimedOut:
			s.TimedOut++
		case Invalid:
			s.Invalid++
		case Killed:
			s.Killed++
		}
	}
}

// Total returns the number of mutants.
func (s *Summary) Total() int { return s.Survived + s.NotCovered + s.TimedOut + s.Invalid + s.Killed }

// Score returns the share of the valid mutants that were killed, in percent, rounded down; those that timed out are among them. It is
// 100 where there are none.
func (s *Summary) Score() int {
	valid := s.Total() - s.Invalid
	if valid == 0 {
		return 100
	}
	return (s.Killed + s.TimedOut) * 100 / valid
}

// Command returns the command that opens the case of a survivor in the debugger, at the changed state; empty where there is no case.
func (o *Outcome) Command() string {
	if o.Case == nil {
		return ""
	}
	if o.State == nil {
		return suiterun.DebugCommand(o.Case.Suite.Name, o.Case.Name)
	}
	return suiterun.DebugCommand(o.Case.Suite.Name, o.Case.Name, "--break", o.State.Path())
}

// Accept returns the command that writes the missing expectation into the case; empty: no single value tells the
// survivor apart.
func (o *Outcome) Accept() string {
	if o.Expected == nil {
		return ""
	}
	return "asldb test " + wording.ShellFile(o.Case.Suite.Name) + " --mutate --accept=" + strconv.Itoa(o.Number)
}
