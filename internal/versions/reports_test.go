package versions_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/testkit"
	"asldb/internal/versions"
)

// compared is a comparison with each verdict.
func comparedReport() *versions.Result {
	way := &versions.Difference{State: "Due", WasTo: "Charge", IsTo: "Waive|\x1b[31m", Via: "rule 2",
		Place: "new.json:27"}
	box := &versions.Difference{State: "Each/Iterations[*]/Pack", Member: "output", Path: "$.lines[3].box",
		Is: value.Int(1), Place: "new.json:9"}
	output := &versions.Difference{Member: "output", Path: "$.n", Was: value.Int(1), Is: value.Int(2)}
	r := &versions.Result{Old: "old.json", New: "new.json", Judged: []versions.Judged{
		{File: "a", Verdict: versions.Same, Old: "SUCCEEDED", New: "SUCCEEDED", Noise: 2},
		{File: "b", Verdict: versions.Payload, First: box, Old: "SUCCEEDED", New: "SUCCEEDED"},
		{File: "c", Verdict: versions.Path, First: way, Old: "SUCCEEDED", New: "SUCCEEDED"},
		{File: "d", Execution: "x", Verdict: versions.Path, First: way, Old: "SUCCEEDED", New: "SUCCEEDED",
			Differs: true},
		{File: "e", Verdict: versions.Outcome, First: way, Old: "SUCCEEDED", New: "FAILED: E"},
		{File: "f", Verdict: versions.Outcome, First: box, Output: output, Old: "SUCCEEDED", New: "SUCCEEDED"},
		{File: "g", Verdict: versions.Unjudged, Task: "Tell", Reason: "no result", Place: "new.json:4",
			Old: "SUCCEEDED", New: "RUNNING"},
		{File: "h", Verdict: versions.Unjudged, Reason: "no input"},
		{File: "i", Verdict: versions.Outcome, Old: "SUCCEEDED", New: "TIMED_OUT"},
	}}
	for n := range 7 {
		r.Skipped = append(r.Skipped, versions.Skip{File: fmt.Sprint("s", n),
			Reason: fmt.Sprintf("s%d: no history", n)})
	}
	return r
}

func TestText(t *testing.T) {
	const want = `outcome differs (3)
       1  Due → Waive|<U+001B>[31m, rule 2 (before: Charge), new.json:27
          for example e: SUCCEEDED → FAILED: E
       1  Each/Iterations[*]/Pack: output $.lines[*].box, new.json:9
          for example f
          - nothing
          + 1
          then the execution: output $.n
          - 1
          + 2
       1  SUCCEEDED → TIMED_OUT
          for example i: SUCCEEDED → TIMED_OUT

path differs (2)
       2  Due → Waive|<U+001B>[31m, rule 2 (before: Charge), new.json:27
          for example c

payload differs (1)
       1  Each/Iterations[*]/Pack: output $.lines[*].box, new.json:9
          for example b
          - nothing
          + 1

cannot be judged (2)
       1  Tell: no result, new.json:4
          for example g
       1  no input
          for example h

note: 1 execution does not run in the old version as recorded: another definition may have run
note: in 1 execution the old version differs from itself (random numbers, times): those places were not compared
note: skipped: s0: no history
note: skipped: s1: no history
note: skipped: s2: no history
note: skipped: s3: no history
note: skipped: s4: no history
note: 2 files more skipped
9 executions: 3 outcome differs, 2 path differs, 1 payload differs, 2 cannot be judged, 1 same
`
	if got := written(t, "text"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	var out strings.Builder
	out.WriteString(written(t, "json"))
	var read struct {
		Executions, NotAsRecorded, Noisy int
		Verdicts                         map[string]int
		Groups                           []struct {
			Verdict, Title, Place, Task, Reason, Old, New string
			Count                                         int
			Examples                                      []string
			First, Output                                 *struct {
				State, Member, Path, WasTo, IsTo, Via, Place string
				Was, Is                                      any
			}
		}
		Skipped []struct{ File, Reason string }
	}
	if err := json.Unmarshal([]byte(out.String()), &read); err != nil {
		t.Fatal(err)
	}
	if read.Executions != 9 || read.NotAsRecorded != 1 || read.Noisy != 1 || len(read.Skipped) != 7 ||
		len(read.Groups) != 7 {
		t.Errorf("%+v", read)
	}
	if v := read.Verdicts; v["outcome"] != 3 || v["path"] != 2 || v["payload"] != 1 || v["unjudged"] != 2 ||
		v["same"] != 1 {
		t.Errorf("%v", v)
	}
	if g := read.Groups[1]; g.First.Is != 1.0 || g.First.Was != nil || g.Output.Path != "$.n" || g.Output.Was != 1.0 {
		t.Errorf("%+v", g)
	}
	if g := read.Groups[3]; g.Verdict != "path" || g.Count != 2 || g.First.IsTo != "Waive|\x1b[31m" ||
		g.First.Via != "rule 2" || g.Examples[1] != "d (x)" {
		t.Errorf("%+v", g)
	}
	if g := read.Groups[5]; g.Task != "Tell" || g.Reason != "no result" || g.First != nil {
		t.Errorf("%+v", g)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("an escape sequence leaves the program")
	}
}

func written(t *testing.T, form string) string {
	t.Helper()
	return testkit.Report(t, versions.Answer(comparedReport(), versions.FailOn{}), form, report.Look{})
}

// The page is the comment on a pull request: shares, an example of each change, and the reasons where there is no
// verdict.
func TestMarkdown(t *testing.T) {
	got := written(t, "markdown")
	for _, line := range []string{
		"## old.json → new.json\n",
		"\n**3 of 9 recorded executions (33.3 %) end differently**, **2 (22.2 %) go another way**, " +
			"**1 (11.1 %) has other data on the way**, **2 (22.2 %) cannot be judged**, **1 (11.1 %) is the same**.\n",
		`| 2 | 22.2 % | go another way | Due → Waive\|&lt;U+001B>\[31m, rule 2 (before: Charge) | new.json:27 | c |` + "\n",
		"| 1 | 11.1 % | end differently | SUCCEEDED → TIMED\\_OUT | | i: SUCCEEDED → TIMED\\_OUT |\n",
		`**Each/Iterations\[\*]/Pack: output $.lines\[\*].box**, new.json:9` + "\n\nfor example b\n\n```diff\n- nothing\n+ 1\n```\n",
		"### Not judged\n", "| 1 | 11.1 % | Tell: no result | new.json:4 | g |\n", "| 1 | 11.1 % | no input | | h |\n",
		"\n- note: skipped: s0: no history\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("%s\nhas no %s", got, line)
		}
	}
	rest := comparedReport()
	rest.Judged[2].Reason, rest.Judged[2].Task, rest.Judged[3].Reason, rest.Judged[3].Task = "no result", "Waive", "no result", "Waive"
	got = testkit.Report(t, versions.Answer(rest, versions.FailOn{}), "markdown", report.Look{})
	if want := "- in 2 of 9 executions (22.2 %) what follows the difference: Waive: no result\n"; !strings.Contains(got,
		want) {
		t.Errorf("%s\nhas no %s", got, want)
	}
}

// SARIF has a result for each change, at its place, and no other for the next executions with the same.
func TestSARIF(t *testing.T) {
	var read struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(written(t, "sarif")), &read); err != nil {
		t.Fatal(err)
	}
	var got []string
	prints := map[string]bool{}
	for _, r := range read.Runs[0].Results {
		at := r.Locations[0].PhysicalLocation
		got = append(got, fmt.Sprintf("%s %s %s:%d", r.Level, r.RuleID, at.ArtifactLocation.URI, at.Region.StartLine))
		for _, print := range r.PartialFingerprints {
			prints[print] = true
		}
	}
	want := []string{
		"note payload new.json:9", "note path new.json:27", "error outcome new.json:27", "error outcome new.json:9",
		"warning unjudged new.json:4", "warning unjudged new.json:0", "error outcome new.json:0",
	}
	if !slices.Equal(got, want) || len(prints) != len(want) {
		t.Errorf("got %q, %d fingerprints", got, len(prints))
	}
	if text := read.Runs[0].Results[1].Message.Text; !strings.HasSuffix(text, "\nin 2 of 9 executions (22.2 %)") {
		t.Error(text)
	}
}

func TestJUnit(t *testing.T) {
	for on, want := range map[versions.FailOn][2]int{{}: {3, 2}, versions.Strict(): {8, 0}} {
		var out strings.Builder
		out.WriteString(testkit.Report(t, versions.Answer(comparedReport(), on), "junit", report.Look{}))
		var read struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Skipped *struct{} `xml:"skipped"`
				Out     string    `xml:"system-out"`
			} `xml:"testsuite>testcase"`
		}
		if err := xml.Unmarshal([]byte(out.String()), &read); err != nil {
			t.Fatal(err)
		}
		failures, skipped := 0, 0
		for _, c := range read.Cases {
			if c.Failure != nil {
				failures++
			}
			if c.Skipped != nil {
				skipped++
			}
		}
		if read.Tests != 9 || len(read.Cases) != 9 || read.Failures != want[0] || failures != want[0] ||
			read.Skipped != want[1] || skipped != want[1] {
			t.Errorf("%v: %d failures, %d skipped, %+v", on, failures, skipped, read)
		}
		if on == (versions.FailOn{}) &&
			read.Cases[1].Out != "payload differs: Each/Iterations[*]/Pack: output $.lines[*].box, new.json:9" {
			t.Error(read.Cases[1].Out)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestUnwritable(t *testing.T) {
	for _, form := range report.FormsOf(report.OfDoc | report.OfData | report.OfFindings) {
		if err := versions.Answer(comparedReport(), versions.FailOn{}).Write(broken{}, form,
			report.Look{}); err == nil || err.Error() != "full" {
			t.Error(form, err)
		}
	}
}
