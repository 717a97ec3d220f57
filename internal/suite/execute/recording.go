package execute

import (
	"strings"

	"asldb/engine/compare"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suite/result"
)

// recordingFindings compares the run of a case with its history or trace.
func recordingFindings(c *suite.Case, run *launch.Run) []result.Finding {
	switch {
	case c.Recording == nil:
	case run.Replay != nil && run.Replay.Verification != nil && run.Replay.Verification.Divergence != nil:
		return []result.Finding{traceFinding(c, run.Replay.Verification.Divergence)}
	case run.Recorded != nil && !run.Recorded.Agrees:
		return []result.Finding{historyFinding(c, run)}
	}
	return nil
}

// traceFinding says where a run parts from its trace.
func traceFinding(c *suite.Case, d *compare.Divergence) result.Finding {
	difference := result.Difference{}
	if d.Expected != nil {
		difference.Wanted = value.String(d.Expected.Type.String())
	}
	if d.Found != nil {
		difference.Found = value.String(d.Found.Type.String())
	}
	switch {
	case d.Err != nil:
		difference.Reason = d.Err.Error()
	case len(d.Differs) > 0:
		difference.Reason = "differs in " + strings.Join(d.Differs, ", ")
		difference.Wanted, difference.Found = eventData(d)
	}
	name := "the trace"
	if state := d.State(); state != "" {
		name += ", in " + state
	}
	if stage := d.Stage(); stage != "" {
		name += ", " + stage
	}
	return result.Finding{Expectation: name, At: c.Recording.At, Event: d.Index, Differences: []result.Difference{difference}}
}

// eventData returns the data of the two events of a divergence: those after, or before where only those differ.
func eventData(d *compare.Divergence) (wanted, found value.Value) {
	wanted, found = d.Expected.After, d.Found.After
	if wanted == nil && found == nil {
		wanted, found = d.Expected.Before, d.Found.Before
	}
	return wanted, found
}

// historyFinding says where a run parts from its history.
func historyFinding(c *suite.Case, run *launch.Run) result.Finding {
	finding := result.Finding{Expectation: "the history", At: c.Recording.At, Event: -1}
	recorded := run.Recorded
	rows := recorded.Compare(run.Session.Log())
	for i := range rows.Rows {
		if row := &rows.Rows[i]; !row.Same() && row.B >= 0 {
			finding.Event = row.B
			break
		}
	}
	first := recorded.First
	if first == nil {
		finding.Differences = []result.Difference{{Reason: recorded.Waits}}
		return finding
	}
	if first.Path != "" {
		finding.Expectation += ", in " + first.Path
	}
	finding.Differences = []result.Difference{{Path: first.Member, Wanted: first.Want, Found: first.Got, Reason: first.String()}}
	return finding
}
