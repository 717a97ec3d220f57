package debug_test

import (
	"slices"
	"testing"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/engine/value"
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
		"End":{"Type":"Succeed"}}}`, debug.Options{Input: value.Must(`{}`), Source: &scripted{outcomes: []engine.Outcome{
		{Output: value.Must(`1`)}, {Error: "Again"}, {Output: value.Must(`2`)}, {Output: value.Must(`"x"`)},
	}}})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || s.Status() != engine.Succeeded {
		t.Fatal(err, s.Status())
	}
	// A catcher that leads where Next leads is told apart from it.
	if got, want := taken(t, s, "Task"), []string{"next Route", "next Route", "next Route", "catch Route"}; !slices.Equal(got, want) {
		t.Errorf("Task: %v, want %v", got, want)
	}
	if got, want := taken(t, s, "Route"), []string{"choice End", "choice Task", "choice Task", "default Task"}; !slices.Equal(got, want) {
		t.Errorf("Route: %v, want %v", got, want)
	}
	if got := taken(t, s, "End"); got != nil {
		t.Errorf("End: %v", got)
	}
}

func TestMarksKnowWhatIsInside(t *testing.T) {
	s := session(t, `{"StartAt":"Each","States":{"Each":{"Type":"Map","MaxConcurrency":1,"ToleratedFailureCount":1,"End":true,
		"ItemProcessor":{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}}}}}`,
		debug.Options{Input: value.Must(`[1,2,3,4]`), Source: &scripted{outcomes: []engine.Outcome{{Output: value.Must(`1`)}, {Error: "No"}}}})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || s.Status() != engine.AwaitingAnswer {
		t.Fatal(err, s.Status())
	}
	each := s.Machine().Definition().Top.State("Each")
	var got []debug.InsideState
	for _, in := range s.MarksAt(s.Log().Len() - 1).Inside(each) {
		got = append(got, in.State)
	}
	if want := []debug.InsideState{debug.Succeeded, debug.Failed, debug.Running}; !slices.Equal(got, want) {
		t.Errorf("the iterations are %v, want %v", got, want)
	}
	if past := s.MarksAt(0).Inside(each); past != nil {
		t.Errorf("at the beginning they are %v", past)
	}
}
