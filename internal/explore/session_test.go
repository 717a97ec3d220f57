package explore_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/explore"
)

// faulty has a catcher behind which a state reads a member that the catcher has lost, a Choice, a Map with a task, and
// a Wait.
const faulty = `{"StartAt":"First","States":{
  "First":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},"ResultPath":"$.first",
    "Catch":[{"ErrorEquals":["My.Error"],"ResultPath":"$","Next":"Reads"}],"Next":"Doubled"},
  "Doubled":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, $.n)","list.$":"$.list"},"Next":"Which"},
  "Which":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":100,"Next":"Late"}],"Default":"Each"},
  "Late":{"Type":"Wait","Seconds":60,"Next":"Each"},
  "Each":{"Type":"Map","ItemsPath":"$.list","ItemProcessor":{"StartAt":"One","States":{"One":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{"QueueUrl":"q","MessageBody":"b"},"End":true}}},"End":true},
  "Reads":{"Type":"Pass","InputPath":"$.n","End":true}}}`

// Each run of an exploration is a session that executes it again, and is behind the event in which the fault came
// up.
func TestSessionsOfRuns(t *testing.T) {
	r := exploreText(t, faulty, `{"version":1,"input":{"n":3,"list":[1,2]},"tasks":{"First":[{"output":{"ok":true},"repeat":"forever"}],"One":[{"output":{"MessageId":"1"},"repeat":"forever"}]}}`)
	check := func(run *explore.Run) {
		t.Helper()
		s, err := r.Session(run)
		if err != nil {
			t.Fatalf("%s: %v", run.Describe(), err)
		}
		want := s.Log().Len()
		if run.Event >= 0 {
			want = run.Event + 1
		}
		if s.Position() != want || s.Log().Len() != run.Events || !s.ReadOnly() || !s.Executable() {
			t.Errorf("%s: at %d of %d, want %d of %d", run.Describe(), s.Position(), s.Log().Len(), want, run.Events)
		}
		s.GoTo(run.Events)
		if s.Status() != run.Status {
			t.Errorf("%s: %s, want %s", run.Describe(), s.Status(), run.Status)
		}
	}
	kinds := map[explore.Kind]bool{}
	for _, base := range r.Bases {
		check(base.Run)
	}
	for _, row := range r.Rows {
		check(row.Once)
		check(row.Always)
		kinds[row.Kind] = true
	}
	for _, run := range r.Others {
		check(run)
		kinds[run.Changes[0].Kind] = true
	}
	if !kinds[explore.Fails] || !kinds[explore.Edited] || !kinds[explore.Input] {
		t.Errorf("the runs have the kinds %v", kinds)
	}
}

// A session of a run that is made live continues with the results of the base: without the fault, from before it.
func TestSessionMadeLive(t *testing.T) {
	r := exploreText(t, faulty, `{"version":1,"input":{"n":3,"list":[]},"tasks":{"First":[{"output":{"ok":true},"repeat":"forever"}]}}`)
	var bug *explore.Finding
	for _, f := range r.Findings {
		if f.Class == explore.Bug {
			bug = f
		}
	}
	if bug == nil {
		t.Fatalf("no bug among %q", findings(r))
	}
	s, err := r.Session(bug.Run)
	if err != nil {
		t.Fatal(err)
	}
	at := s.Log().At(s.Position() - 1)
	if f := at.Failure(); f == nil || f.Name != "My.Error" {
		t.Errorf("it is at %v", at)
	}
	if err := s.GoLive(s.Options().Source); err != nil {
		t.Fatal(err)
	}
	s.GoTo(0)
	for s.Position() == 0 || s.Log().At(s.Position()-1).Type != engine.TaskScheduled {
		if _, err := s.Do(debug.Command{Kind: debug.StepStage}); err != nil {
			t.Fatal(err)
		}
	}
}
