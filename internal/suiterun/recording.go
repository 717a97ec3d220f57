package suiterun

import (
	"strings"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/suite"
)

// recordingFindings compares the run of a case with its history or trace.
func recordingFindings(c *suite.Case, run *launch.Run) []suite.Finding {
	switch {
	case c.Recording == nil:
	case run.Replay != nil && run.Replay.Verification != nil && run.Replay.Verification.Divergence != nil:
		return []suite.Finding{traceFinding(c, run, run.Replay.Verification.Divergence)}
	case run.Recorded != nil && !run.Recorded.Agrees:
		return []suite.Finding{historyFinding(c, run)}
	}
	return nil
}

// traceFinding says where a run parts from its trace.
func traceFinding(c *suite.Case, run *launch.Run, d *runlog.Divergence) suite.Finding {
	name := "the trace"
	if state := d.State(); state != "" {
		name += ", in " + state
	}
	if stage := d.Stage(); stage != "" {
		name += ", " + stage
	}
	finding := suite.Finding{Expectation: name, At: c.Recording.At, Event: d.Index}
	if d.Found != nil && d.Found.Visit != nil {
		finding.Place = PlaceOf(d.Found.Visit.State, d.Found.StageName())
	}
	switch {
	case d.Err != nil:
		finding.Differences = []suite.OutcomeDifference{{Reason: d.Err.Error()}}
	case d.Expected == nil || d.Found == nil || d.Expected.Type != d.Found.Type:
		finding.Differences = []suite.OutcomeDifference{{Wanted: typeOf(d.Expected), Found: typeOf(d.Found)}}
	default:
		wanted, found := eventData(d)
		finding.Wanted, finding.Found = wanted, found
		if finding.Differences = differencesOf("", wanted, found); len(finding.Differences) == 0 {
			finding.Differences = []suite.OutcomeDifference{{Reason: "differs in " + strings.Join(d.Differs, ", ")}}
		}
		for i := range finding.Differences {
			finding.Differences[i].From = Origin(&Finished{Session: run.Session, Source: run.Source}, d.Index, finding.Differences[i].Path)
		}
	}
	return finding
}

func typeOf(e *engine.Event) value.Value {
	if e == nil {
		return nil
	}
	return value.String(e.Type.String())
}

// eventData returns the data of the two events of a divergence: those after, or before where only those differ.
func eventData(d *runlog.Divergence) (wanted, found value.Value) {
	wanted, found = d.Expected.After, d.Found.After
	if wanted == nil && found == nil {
		wanted, found = d.Expected.Before, d.Found.Before
	}
	return wanted, found
}

// differencesOf compares two values at all places. member is put before the paths.
func differencesOf(member string, wanted, found value.Value) []suite.OutcomeDifference {
	all := value.List(wanted, found)
	for i := range all {
		switch path := strings.TrimPrefix(all[i].Path, "$"); {
		case member != "":
			all[i].Path = member + path
		case wanted == nil || found == nil:
			all[i].Path = path
		}
	}
	return all
}

// historyFinding says where a run parts from its history.
func historyFinding(c *suite.Case, run *launch.Run) suite.Finding {
	finding := suite.Finding{Expectation: "the history", At: c.Recording.At, Event: -1}
	recorded, log := run.Recorded, run.Session.Log()
	rows := recorded.Compare(log)
	for i := range rows.Rows {
		if row := &rows.Rows[i]; !row.Same() && row.B >= 0 && row.B < log.Len() {
			finding.Event = row.B
			if e := log.At(row.B); e.Visit != nil {
				finding.Place = PlaceOf(e.Visit.State, "")
			}
			break
		}
	}
	first := recorded.First
	if first == nil {
		finding.Differences = []suite.OutcomeDifference{{Reason: recorded.Waits}}
		return finding
	}
	if first.Path != "" {
		finding.Expectation += ", in " + first.Path
	}
	if first.Member != "" {
		finding.Differences = differencesOf(first.Member, first.Want, first.Got)
		finding.Wanted, finding.Found = first.Want, first.Got
	}
	if len(finding.Differences) == 0 {
		finding.Differences = []suite.OutcomeDifference{{Reason: first.String()}}
	}
	return finding
}
