package suiterun

import (
	"strings"

	"asldb/internal/suite"
)

// compareSnapshot compares a run with the snapshot of its case. It reports whether there is none, and with o.Update it
// is not kept either.
func compareSnapshot(c *suite.Case, run *Finished, o *CaseOptions, outcome *suite.Outcome) (fresh bool, err error) {
	file := o.Snapshots
	if file == nil {
		if file, err = ReadSnapshot(c.Suite.Name); err != nil {
			return false, err
		}
	}
	snapshot := redactSnapshot(o.Redact.of(run.Session), Of(run.Session, c.Snapshot.Ignore))
	want := file.Find(c.Name)
	if want == nil {
		outcome.Snapshot = snapshot
		return !o.Update, nil
	}
	differences := want.Compare(snapshot, nil)
	if len(differences) == 0 {
		return false, nil
	}
	outcome.Snapshot = snapshot
	if o.Update {
		return false, nil
	}
	finding := suite.Finding{Expectation: suite.SnapshotExpectation, At: c.Snapshot.At, Event: run.Session.Log().Len() - 1, Wanted: want.Beside(snapshot, nil), Found: snapshot}
	for i := range differences {
		d := &differences[i]
		found := d.Difference
		if rest, ok := strings.CutPrefix(d.Path, "$.output"); ok {
			found.From = Origin(run, run.Session.Log().Len()-1, "$"+rest)
		}
		finding.Differences = append(finding.Differences, found)
	}
	outcome.Findings = append(outcome.Findings, finding)
	return false, nil
}
