package screen

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
)

func mapOf(t testing.TB, n int) *debug.Session {
	t.Helper()
	return session(t, `{"StartAt":"M","States":{"M":{"Type":"Map","Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"End":true}}}`,
		"[0"+strings.Repeat(",1", n-1)+"]", nil)
}

func TestFoldAndOpenByKeys(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "PaymentDue › Choices")
	d.press("3", "left").sees("▸8 t+0.35s   ▷ ▿ PaymentDue") // from an event to its visit
	d.press("left").sees("▹ PaymentDue")
	if strings.Contains(d.frame(), "9    t+0.35s         Choices") {
		t.Errorf("the folded visit shows its events:\n%s", d.frame())
	}
	d.sees("PAUSED") // the run is in the visit: looking at its row is looking at the present
	d.press(" ").sees("▿ PaymentDue", "9 t+0.35s         Choices")
	d.press("home", " ").sees("belongs to no visit")
}

func TestFindOpensWhatHidesIt(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "AwaitSettlement › input")
	d.press("3", "/")
	for _, r := range "Card.Timeout" {
		d.press(string(r))
	}
	d.press("enter").sees("▿ ChargeCard", "▸14 t+2.35s   ×     TaskFailed", "VIEWING event 14", "Search wrapped to the top: Card.Timeout")
	d.press("N").sees("VIEWING event 14", "Search wrapped to the bottom: Card.Timeout") // it is there once
}

// An event that is selected elsewhere is opened in the list, and the list's selection is shown everywhere.
func TestTheListFollowsTheOutline(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).opened().press("c", "esc")
	d.press("1", "home")
	d.press("enter").sees("VIEWING event 7 of 36", "▸ 7 t+0.35s           StateExited", "▿ ValidateOrder")
	d.press("3", "down", "down").sees("ChargeCard", "as of event 21")
}

func TestCountsOfAMap(t *testing.T) {
	d := drive(t, mapOf(t, 1000), 120, 34, Options{}).press("c").press("3", "home", "down")
	d.sees("1,000 done", "M *", "VIEWING event")
	d.press(" ", "down", "down").sees("▹ iteration 0")
}

func TestARestartFoldsAnew(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).opened().press("c", "esc", "r").sees("Nothing has happened yet.")
	d.press("i", "i").sees("▿ ValidateOrder")
}

// Enter brings the run to an event that has happened before; those after it are known and not yet again.
func TestGoToAnEventOfTheList(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "AwaitSettlement › input")
	d.press("3", "up", "up", "enter").sees("At event 9 of 23; i steps on from here.", "[Events 23]", "14 not yet", "· ▹ ChargeCard", "VIEWING event 9 of 23")
	d.press("i").sees("[Events 23]", "13 not yet")
	d.press("3", "down", "down", "down", "enter").sees("At event")
}

// An event is found by its id in Step Functions' history, and by a cause that quotes the id; a bare number is its place
// in the run.
func TestGoToAnEventOfTheHistory(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "AwaitSettlement › input")
	for _, c := range []struct {
		line string
		want []string
	}{
		{"goto #9", []string{"VIEWING event 11 of 23", "Event 11 #9: StateEntered, ChargeCard."}},
		{"goto 9", []string{"VIEWING event 9 of 23"}},
		{"#7", []string{"VIEWING event 8 of 23"}},
		{"#11", []string{"VIEWING event 13 of 23"}}, // TaskScheduled represents two
		{"An error occurred while executing the state 'ChargeCard' (entered at the event id #9). No.", []string{"VIEWING event 11 of 23"}},
		{"event (entered at the event id #7)", []string{"VIEWING event 8 of 23"}},
		{"goto #99", []string{"No event is #99: the history goes to #"}},
		{"goto entered at the event id #99", []string{"No event is #99"}},
		{"goto x", []string{"An event is a number from 1 to 23, or #1 to #"}},
	} {
		d.press(":").paste(c.line).press("enter").sees(c.want...)
	}
}

// In the dialect spec the events have no ids.
func TestNoIDsInTheSpec(t *testing.T) {
	spec, err := engine.Compile(machine(t, "spec", []byte(`{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}`)).Definition(), engine.Spec)
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, debug.New(spec, debug.Options{Input: value.Must(`{}`)}), 120, 34, Options{}).press("c", "esc")
	d.press(":").typed("goto #2").press("enter").sees("No event is #2: the events have no ids")
	d.press("3", "home")
	if strings.Contains(d.frame(), "#") {
		t.Errorf("there is an id:\n%s", d.frame())
	}
}
