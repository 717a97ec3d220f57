package screen

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/tui/keys"
)

// putting is a machine with an input that is put into the output.
const putting = `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"n":1,"same":[1,2,3]},"ResultPath":"$.a","Next":"B"},"B":{"Type":"Pass","End":true}}}`

// judged is a case whose verdict the test sets.
type judged struct {
	verdict suite.Outcome
	err     error
	times   int
}

func (j *judged) judge() (*suite.Outcome, error) {
	j.times++
	verdict := j.verdict
	return &verdict, j.err
}

func (j *judged) of() *Case { return &Case{Name: "puts", File: "a.test.yaml", Judge: j.judge} }

// twoFindings differ in the data after A and in the path.
func twoFindings() *judged {
	found := value.Must(`{"a":{"n":1,"same":[1,2,3]}}`)
	return &judged{verdict: suite.Outcome{Name: "puts", Kind: suite.OutcomeFailed, Findings: []suite.Finding{
		{Expectation: "path", At: source.Position{Line: 9}, Event: -1, Differences: []suite.OutcomeDifference{
			{Wanted: value.String("C"), Found: value.String("B"), Reason: "state 2 of the path"}}},
		{Expectation: "A, after ResultPath", At: source.Position{Line: 7}, Event: 3, Wanted: value.Must(`{"a":{"n":2,"same":[1,2,3]}}`), Found: found,
			Differences: []suite.OutcomeDifference{{Path: "$.a.n", Wanted: value.Int(2), Found: value.Int(1), From: "from a literal in A (a.asl.json:1)"}}},
	}}}
}

func toEnd(t *testing.T, s *debug.Session) {
	t.Helper()
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || !s.Status().Done() {
		t.Fatalf("the run has not come to its end: %v", err)
	}
}

// The screen opens at the first difference of a case whose run has come to its end; n and N go through the differences.
func TestDifferencesOfACase(t *testing.T) {
	s := session(t, putting, `{}`, nil)
	toEnd(t, s)
	j := twoFindings()
	d := drive(t, s, 120, 34, Options{Title: "a.test.yaml:puts", Case: j.of()})
	d.sees("a.test.yaml:puts › A", "× 1 of 2: A, after ResultPath", "A, after ResultPath is not as expected (a.test.yaml:7)",
		"$.a.n: wanted 2, found 1, from a literal in A (a.asl.json:1)", "[wanted]", `-     "n": 2,`, `+     "n": 1,`,
		`case "puts": 2 expectations are not met; n goes to the next one.`)
	d.press("n").sees("× 2 of 2: path", `wanted "C", found "B", state 2 of the path`, `-   "path": "C"`, `+   "path": "B"`)
	d.press("n").sees("× 1 of 2", "This is the first difference.").press("N").sees("× 2 of 2", "This is the last difference.")
	d.press("f3").sees("× 1 of 2")
	d.press("d").sees("[definition]").press("d").sees("[ResultPath]", `+   "a": {`, "× 1 of 2").does(keys.DataView, "wanted").sees("[wanted]")
	// Between the differences the screen is as always.
	d.press("3", "home").sees("VIEWING event 1 of").does(keys.DataView, "wanted").sees("No expectation of a case is about this event.")
	d.press("n").sees("× 1 of 2").press("end", "up", "N").sees("× 1 of 2")
	// A text that was searched for takes n and N.
	d.press("2", "/").typed("same").press("enter", "n").sees("Search wrapped to the top: same")
	if j.times != 1 {
		t.Errorf("the run was judged %d times", j.times)
	}
}

// H follows the wanted and found values where they are data of the run, and says of a status or a path that it is none;
// where a stage did not find a path, it follows that one.
func TestLensOfADifference(t *testing.T) {
	s := session(t, putting, `{}`, nil)
	toEnd(t, s)
	d := drive(t, s, 120, 34, Options{Case: twoFindings().of()}).press("n").sees("× 2 of 2: path", `-   "path": "C"`)
	if frame := d.press("H").sees("path is not data of the run: there is no value to follow.").frame(); strings.Contains(frame, "Where it comes from") || strings.Contains(frame, "$.path") {
		t.Errorf("the lens is open\n%s", frame)
	}
	d.press("n").sees("× 1 of 2").press("1", "down", "down", "H").sees("Where it comes from: $.a")

	s = session(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","InputPath":"$.none","End":true}}}`, `{"n":1}`, nil)
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	j := &judged{verdict: suite.Outcome{Kind: suite.OutcomeFailed, Findings: []suite.Finding{{Expectation: "status", Event: -1,
		Differences: []suite.OutcomeDifference{{Wanted: value.String("SUCCEEDED"), Found: value.String("FAILED")}}}}}}
	d = drive(t, s, 120, 34, Options{Case: j.of()}).sees("FAILED").press("H").sees("Never there: $.none")
	if frame := d.frame(); strings.Contains(frame, "$.status") {
		t.Errorf("the lens follows the expectation\n%s", frame)
	}
}

// F4 reads the suite again, and the end of another what-if is compared as well.
func TestJudgedAgain(t *testing.T) {
	s := session(t, putting, `{}`, nil)
	toEnd(t, s)
	j := twoFindings()
	d := drive(t, s, 120, 34, Options{Case: j.of()}).sees("× 1 of 2")
	j.verdict.Findings = j.verdict.Findings[1:]
	d.press("f4").sees("× A, after ResultPath", `case "puts": one expectation is not met; n goes there.`).press("n").sees("This is the only difference.")
	j.err = errors.New("a.test.yaml:7:3: there is no such key")
	d.press("f4").sees("a.test.yaml:7:3: there is no such key", "× A, after")
	j.err, j.verdict.Kind, j.verdict.Reason = nil, suite.Wrong, "the snapshot cannot be read"
	d.press("f4").sees("the snapshot cannot be read")
	j.verdict = suite.Outcome{Kind: suite.Passed}
	d.press("f4").sees(`case "puts" passes.`, "VIEWING").press("f3").sees("the run is as the case expects")
	before := j.times
	d.press("r", "c").sees(`case "puts" passes.`)
	if j.times != before+1 {
		t.Errorf("a run that was restarted was judged %d times", j.times-before)
	}
	d.press("r").press("f4").sees("the run has not come to its end").press("f3").sees("the run has not come to its end")
	drive(t, session(t, putting, `{}`, nil), 120, 34, Options{}).press("f3").sees("this session runs no case of a suite").press("f4").sees("this session runs no case")
}

// TestWantedFollowsTheSuite: the view of the wanted data has the suite's as it is now, and what the run gives now.
func TestWantedFollowsTheSuite(t *testing.T) {
	s := session(t, putting, `{}`, nil)
	toEnd(t, s)
	j := twoFindings()
	d := drive(t, s, 120, 34, Options{Case: j.of()}).sees("[wanted]", `-     "n": 2,`, `+     "n": 1,`)
	j.verdict.Findings[1].Wanted = value.Must(`{"a":{"n":7,"same":[1,2,3]}}`)
	d.press("f4").sees("[wanted]", `-     "n": 7,`, `+     "n": 1,`)
	if frame := d.frame(); strings.Contains(frame, `"n": 2`) {
		t.Errorf("the value that was wanted before is still there\n%s", frame)
	}
	j.verdict = suite.Outcome{Kind: suite.Passed}
	d.press("f4").sees(`case "puts" passes.`)
	if frame := d.frame(); strings.Contains(frame, `"n": 7`) {
		t.Errorf("a value is wanted of a run that passes\n%s", frame)
	}
}
