package debug_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// taken lists the transitions of a state that were taken, in the order of its edges.
func taken(t *testing.T, s *debug.Session, name string) []string {
	t.Helper()
	state := s.Machine().Definition().Top.State(name)
	if state == nil {
		t.Fatalf("there is no state %s", name)
	}
	marks := s.MarksAt(s.Log().Len() - 1)
	var list []string
	for i, edge := range state.Edges() {
		for range marks.Taken(state, i) {
			list = append(list, edge.Kind.String()+" "+edge.To.Name)
		}
	}
	return list
}

func TestMarksCountTheTransitionsTaken(t *testing.T) {
	s := session(t, `{"StartAt":"Task","States":{
		"Task":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","ResultPath":"$.n",
			"Catch":[{"ErrorEquals":["Other"],"Next":"End"},{"ErrorEquals":["Again"],"ResultPath":"$.n","Next":"Route"}],"Next":"Route"},
		"Route":{"Type":"Choice","Choices":[
			{"Variable":"$.n","IsString":true,"Next":"End"},
			{"Variable":"$.n","IsNumeric":true,"Next":"Task"}],"Default":"Task"},
		"End":{"Type":"Succeed"}}}`, debug.Options{Input: value.Must(`{}`), Source: &runs.Script{Outcomes: []engine.Outcome{
		{Output: value.Must(`1`)}, {Error: "Again"}, {Output: value.Must(`2`)}, {Output: value.Must(`"x"`)},
	}}})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || s.Status() != engine.Succeeded {
		t.Fatal(err, s.Status())
	}
	// A catcher that leads where Next leads is told apart from it.
	if got, want := taken(t, s, "Task"), []string{"next Route", "next Route", "next Route",
		"catch Route"}; !slices.Equal(got, want) {
		t.Errorf("Task: %v, want %v", got, want)
	}
	if got, want := taken(t, s, "Route"), []string{"choice End", "choice Task", "choice Task",
		"default Task"}; !slices.Equal(got, want) {
		t.Errorf("Route: %v, want %v", got, want)
	}
	if got := taken(t, s, "End"); got != nil {
		t.Errorf("End: %v", got)
	}
}

func TestMarksKnowWhatIsInside(t *testing.T) {
	s := session(t, `{"StartAt":"Each","States":{"Each":{"Type":"Map","MaxConcurrency":1,"ToleratedFailureCount":1,"End":true,
		"ItemProcessor":{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}}}}}`,
		debug.Options{Input: value.Must(`[1,2,3,4]`),
			Source: &runs.Script{Outcomes: []engine.Outcome{{Output: value.Must(`1`)}, {Error: "No"}}}})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || s.Status() != engine.AwaitingAnswer {
		t.Fatal(err, s.Status())
	}
	each := s.Machine().Definition().Top.State("Each")
	var got []runlog.InsideState
	for _, in := range s.MarksAt(s.Log().Len() - 1).Inside(each).All() {
		got = append(got, in.State)
	}
	if want := []runlog.InsideState{runlog.Succeeded, runlog.Failed, runlog.Running}; !slices.Equal(got, want) {
		t.Errorf("the iterations are %v, want %v", got, want)
	}
	if past := s.MarksAt(0).Inside(each); past != nil {
		t.Errorf("at the beginning they are %v", past)
	}
}

// TestMarksOfALongRun compares marks that are found from a copy with those that are found by reading all events, before
// and after going back to another branch.
func TestMarksOfALongRun(t *testing.T) {
	s := session(t, `{"StartAt":"Each","States":{"Each":{"Type":"Map","MaxConcurrency":3,"ToleratedFailurePercentage":100,
		"ItemProcessor":{"StartAt":"Sort","States":{
			"Sort":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":3,"Next":"Bad"}],"Default":"Good"},
			"Bad":{"Type":"Fail","Error":"No"},"Good":{"Type":"Pass","End":true}}},"Next":"Again"},
		"Again":{"Type":"Choice","Choices":[{"Variable":"$[0]","IsPresent":false,"Next":"Over"}],"Default":"Next"},
		"Next":{"Type":"Pass","Result":[1,2],"Next":"Each"},"Over":{"Type":"Succeed"}}}`,
		debug.Options{Input: value.Must("[3" + strings.Repeat(",1,2,3", 1500) + "]")})
	if _, err := s.Do(debug.Command{Kind: debug.Continue, Events: 60_000}); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		all := &runlog.InsideMarks{}
		var places []int
		for i := range s.Log().Len() {
			if n := i % 8192; n < 2 || n > 8190 || i%997 == 0 {
				places = append(places, i)
			}
		}
		for _, i := range places {
			s.MarksAt(i + 200) // stepping back from later marks builds on a copy near them
			want, got := all.At(s.Log(), 0, i), s.MarksAt(i)
			for state := range s.Machine().Definition().All() {
				if want.Of(state) != got.Of(state) {
					t.Fatalf("event %d: %s has the mark %+v, want %+v", i, state.Name, got.Of(state), want.Of(state))
				}
				for edge := range state.Edges() {
					if want.Taken(state, edge) != got.Taken(state, edge) {
						t.Fatalf("event %d: edge %d of %s was taken %d times, want %d", i, edge, state.Name,
							got.Taken(state, edge), want.Taken(state, edge))
					}
				}
			}
			each := s.Machine().Definition().Top.State("Each")
			a, b := want.Inside(each), got.Inside(each)
			if a.Len() != b.Len() || a.Ended() != b.Ended() {
				t.Fatalf("event %d: %d iterations, %d of them over; want %d, %d", i, b.Len(), b.Ended(), a.Len(),
					a.Ended())
			}
			for k, in := range a.All() {
				if b.At(k) != in {
					t.Fatalf("event %d: iteration %d is %+v, want %+v", i, k, b.At(k), in)
				}
			}
		}
	}
	check()
	whole := s.Log().Len()
	if whole < 50_000 {
		t.Fatalf("the run has only %d events", whole)
	}
	s.GoTo(20_000)
	edited := slices.ContainsFunc(s.Threads(), func(thread engine.ThreadInfo) bool {
		data, _, err := s.Interventions().Editable(thread.ID)
		return err == nil && s.Interventions().Edit(thread.ID, data) == nil
	})
	if _, err := s.Do(debug.Command{Kind: debug.Continue, Events: 9000}); err != nil || !edited ||
		len(s.Forks().All()) != 2 {
		t.Fatal(err, edited, len(s.Forks().All()))
	}
	check()
	if err := s.Forks().Switch(s.Forks().All()[0].ID); err != nil || s.Log().Len() != whole {
		t.Fatal(err, s.Log().Len())
	}
	check()
}
