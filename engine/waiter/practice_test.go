package waiter

import (
	"strings"
	"testing"
	"time"
)

// hintsOf returns the hints about a waiter with a name and acceptors.
func hintsOf(t *testing.T, name, acceptors string) string {
	t.Helper()
	m, problems := readText(t, strings.Replace(shopModel, `{"ShopOpen": {"acceptors": [%s]}}`, `{"`+name+
		`": {"acceptors": [`+acceptors+`]}}`, 1))
	for _, p := range problems {
		t.Error(p.Format())
	}
	var lines []string
	for _, d := range m.Hints() {
		lines = append(lines, d.Rule+": "+d.Message)
	}
	return strings.Join(lines, "\n")
}

func status(state, expected string) string {
	return `{"state": "` + state + `", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "` + expected + `"}}}`
}

// TestPractices are the examples of "Waiter best-practices" and their opposites.
func TestPractices(t *testing.T) {
	const (
		failsOnError = `{"state": "failure", "matcher": {"errorType": "NoSuchShop"}}`
		retries      = `{"state": "retry", "matcher": {"success": true}}`
		onSuccess    = `{"state": "success", "matcher": {"success": true}}`
		onAnyError   = `{"state": "success", "matcher": {"success": false}}`
	)
	for _, c := range []struct{ name, waiter, acceptors, want string }{
		{"good", "ShopOpen", status("success", "OPEN") + "," + status("failure", "Stopped"), ""},
		{"implicit failure", "ShopOpen", failsOnError + "," + status("success", "OPEN"),
			"implicit-acceptor: acceptor 0 of ShopOpen is not needed: an error that no acceptor matches ends the waiter with failure"},
		{"needed before a later acceptor", "ShopClosed", failsOnError + "," + onAnyError, ""},
		{"with a message", "ShopOpen", `{"state": "failure", "matcher": {"errorType": "NoSuchShop"}, "message": "Status"},` + status("success", "OPEN"), ""},
		{"implicit retry", "ShopOpen", status("success", "OPEN") + "," + retries,
			"implicit-acceptor: acceptor 1 of ShopOpen is not needed: a response that no acceptor matches is tried again"},
		{"retry of an error", "ShopExists", onSuccess + `, {"state": "retry", "matcher": {"errorType": "NoSuchShop"}}`,
			""},
		{"retry before others", "ShopOpen", retries + "," + status("success", "OPEN"),
			"acceptor-never-matches: acceptor 1 of ShopOpen never matches: acceptor 0 before it matches all that it does (no error)"},
		{"twice", "ShopOpen", status("success", "OPEN") + "," + status("failure", "OPEN"),
			"acceptor-never-matches: acceptor 1 of ShopOpen never matches"},
		{"error twice", "ShopClosed", onAnyError + "," + failsOnError, "acceptor-never-matches: acceptor 1"},
		{"same error", "ShopClosed", `{"state": "success", "matcher": {"errorType": "x#NoSuchShop"}},` + failsOnError,
			"acceptor-never-matches: acceptor 1"},
		{"passing state", "ResourceRunning", status("failure", "Stopping") + "," + status("success", "Running"),
			`only-terminal-failures: acceptor 0 of ResourceRunning fails in the state "Stopping", which the resource seems only to pass through`},
		{"progress", "ShopOpen", status("failure", "IN_PROGRESS") + "," + status("success", "OPEN"),
			"only-terminal-failures"},
		{"terminal state", "ResourceRunning", status("failure", "Stopped") + "," + status("failure", "shutting-down") +
			"," + status("failure", "deleting") + "," + status("success", "Running"), ""},
		{"operation's name", "RunInstanceComplete", onSuccess,
			"name-after-resource-and-state: the waiter RunInstanceComplete is named after the end of an operation"},
		{"operation's name", "TerminateInstanceComplete", onSuccess,
			"name-after-resource-and-state: the waiter TerminateInstanceComplete is named after the end of an operation"},
		{"a resource that is called as a verb", "RunCompleted", status("success", "COMPLETED"), ""},
		{"another state", "SnapshotRemoved", status("success", "deleted"),
			`name-after-resource-and-state: the waiter SnapshotRemoved waits for the state "deleted", and its name has another`},
		{"two words", "VolumeInUse", status("success", "IN-USE"), ""},
		{"exists", "ObjectExists", status("success", "Ready"), ""},
		{"several states", "ShopReachable", status("success", "OPEN") + "," + status("success", "CLOSING"), ""},
	} {
		if got := hintsOf(t, c.waiter, c.acceptors); (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) ||
			strings.Contains(got, "\n") {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
	complex := acceptorOf("output", "length(Items[?!(length(Tags) == `1` && Price == `2`)]) == `0` || contains(Items[].Name, Status) && Open", "booleanEquals", "true")
	if got := hintsOf(t, "ShopOpen", complex); !strings.HasPrefix(got,
		"keep-expressions-simple: the expression of acceptor 0 of ShopOpen has ") {
		t.Errorf("got %s", got)
	}
	if got := camel("IN_USE now-2"); got != "InUseNow2" {
		t.Errorf("got %s", got)
	}
}

// TestSweep: with a constant delay of d the change is seen at the first multiple of d behind it (calls take no time).
func TestSweep(t *testing.T) {
	w := &Waiter{MinDelay: 2, MaxDelay: 120}
	at := func(from, until time.Duration) Change { return Change{At: from, Until: until} }
	s := &Sweep{MinDelays: []int64{4, 7, 7, 20}, MaxDelays: []int64{1, 4}, MaxWait: 30 * time.Second,
		Change: at(9*time.Second, 9*time.Second), Percentile: 0.9, Runs: 10, Seed: 1}
	got := s.Run(w)
	want := []Candidate{
		{MinDelay: 4, MaxDelay: 4, Calls: 4, Late: 3 * time.Second, Seen: true, SeenBy: 1},
		{MinDelay: 7, MaxDelay: 7, Calls: 3, Late: 5 * time.Second, Seen: true, SeenBy: 1},
		{MinDelay: 20, MaxDelay: 20, Calls: 2, Late: 21 * time.Second, Seen: true,
			SeenBy: 1}, // after 20 s too little would be left: all 30 s
	}
	if len(got) != len(want) {
		t.Fatalf("%d candidates", len(got))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
	for within, best := range map[time.Duration]int{time.Second: -1, 3 * time.Second: -1, 4 * time.Second: 0,
		6 * time.Second: 1, time.Minute: 2} {
		if got := Best(got, within); got != best {
			t.Errorf("the best within %v is %d, want %d", within, got, best)
		}
	}
	if got := Best([]Candidate{{Calls: 2, Late: 2, Seen: true}, {Calls: 2, Late: 1, Seen: true}, {Calls: 1}},
		3); got != 1 {
		t.Errorf("of equal calls, the best is %d", got)
	}

	// A change that comes at any of 10 s is seen by half of the runs that wait 5 s.
	s.Change, s.MaxWait, s.Runs, s.MinDelays = at(0, 10*time.Second), 5*time.Second, 2000, []int64{5}
	half := s.Run(w)[0]
	if half.Seen || half.Late != 0 || half.SeenBy < 0.45 || half.SeenBy > 0.55 {
		t.Errorf("%+v", half)
	}
	if again := s.Run(w)[0]; again != half {
		t.Errorf("the same seed gives %+v and %+v", half, again)
	}
}
