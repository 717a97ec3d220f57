package screen

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/side"
)

// chargedTwice has the demo run on to the question of ReserveStock, an hour after the card was charged: the charge
// took 4.8 s, 2 s for the attempt that failed, 2 s of delay and 0.8 s for the second attempt.
func chargedTwice(t *testing.T) *driver {
	t.Helper()
	return drive(t, order(t), 200, 50, Options{}).press("c", "esc")
}

// rowOf is the row of the screen that begins with the columns of an event.
func rowOf(t *testing.T, rows []string, name string) string {
	t.Helper()
	for _, row := range rows {
		if strings.Contains(row, name) {
			return row
		}
	}
	t.Fatalf("no row has %q:\n%s", name, strings.Join(rows, "\n"))
	return ""
}

// After going back the events have the durations of finished states, and the time so far of those under way.
func TestDurationsAfterGoingBack(t *testing.T) {
	d := chargedTwice(t)
	for d.app.ui.selection.Event.Type.String() != "RetryScheduled" {
		d.press("I")
	}
	rows := eventRows(d)
	if row := rowOf(t, rows, "▿ ChargeCard"); !strings.Contains(row, " 2s of 4.8s ") || strings.Contains(row, "«") || strings.Contains(row, "AwaitSettlement") {
		t.Errorf("the charge under way: %q", row)
	}
	d.press("C")
	rows = eventRows(d)
	for name, want := range map[string]string{"▹ ValidateOrder": " 0.35s ", "▹ ChargeCard": " 4.8s      «1 ", "▹ AwaitSettlement": " 1h00m00s "} {
		if row := rowOf(t, rows, name); !strings.Contains(row, want) {
			t.Errorf("%q has no %q", row, want)
		}
	}
}

// After going back the threads have the times and the counts of the run's position.
func TestThreadsAfterGoingBack(t *testing.T) {
	d := chargedTwice(t)
	d.app.ui.lists.Choose(side.Threads)
	d.sees("0 Fulfil  waits for branches  t+1h00m05s", "2 running")
	for d.app.ui.selection.Event.Type.String() != "RetryScheduled" {
		d.press("I")
	}
	d.sees("0 ChargeCard  waits for time until t+4.35s  t+2.35s")
	if frame := d.frame(); strings.Contains(frame, "running") {
		t.Errorf("branches that have not begun are counted:\n%s", frame)
	}
	// Inside the Parallel that is over later: its branches as they were.
	s := session(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","Next":"End","Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":1,"End":true}}},
		{"StartAt":"B","States":{"B":{"Type":"Wait","Seconds":9,"End":true}}}]},"End":{"Type":"Succeed"}}}`, `{}`, nil)
	d = drive(t, s, 200, 50, Options{}).press("c")
	for d.app.ui.selection.Event.Type.String() != "BranchSucceeded" || d.app.ui.session.Now().Sub(startTime).Seconds() != 1 {
		d.press("I")
	}
	d.app.ui.lists.Choose(side.Threads)
	d.sees("0 P  waits for branches  t+0s", "1 done, 1 running", "2 [1] B  waits for time until t+9s  t+0s")
}

// On the time axis attempts that failed look so, whatever became of the state in the end.
func TestFailedAttemptsOnTheTimeAxis(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","Retry":[{"ErrorEquals":["E"],"IntervalSeconds":10,"BackoffRate":1}],
		"Catch":[{"ErrorEquals":["F"],"Next":"W"}],"Next":"W"},"W":{"Type":"Wait","Seconds":10,"End":true}}}`, `{}`, script{"T": {
		{Error: "E", After: 10 * time.Second}, {Error: "E", After: 10 * time.Second}, {Error: "F", After: 10 * time.Second}}})
	d := drive(t, s, 120, 34, Options{}).press("c", "T", " ", "end")
	// Three attempts and two delays of ten seconds each, and then the Wait.
	const bad, delayed = "▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒×", "░░░░░░░░░░░░░░░░░░"
	row := strings.TrimSpace(string([]rune(eventRows(d)[0])[10:]))
	shape := regexp.MustCompile("^▒{15,17}×░{16,18}«▒{14,17}×░{16,18}«▒{14,17}»$")
	if !shape.MatchString(row) {
		t.Errorf("the bars are %q, want something like %q", row, bad+delayed+"«…")
	}
	for sign, want := range map[string]canvas.Style{"▒": canvas.Bad, "×": canvas.Bad, "░": canvas.Warn, "┄": canvas.Good} {
		if got := barStyle(t, d, sign); got != want {
			t.Errorf("%s has style %v, want %v", sign, got, want)
		}
	}
}

// barStyle is the style of the first cell of the time axis with a sign.
func barStyle(t *testing.T, d *driver, sign string) canvas.Style {
	t.Helper()
	painted, place := d.app.painted(), d.app.ui.layout.places.Panes[view.Drawer]
	for y := place.Y + 1; y < place.Y+4; y++ {
		for x := place.X; x < place.X+place.W; x++ {
			if cell := painted.At(x, y); cell.Text == sign {
				return cell.Style &^ canvas.Reverse
			}
		}
	}
	t.Fatalf("the axis has no %q:\n%s", sign, d.frame())
	return 0
}

// After going back the later events on the time axis are dim.
func TestTheTimeAxisAfterGoingBack(t *testing.T) {
	s := session(t, waits, `{}`, nil)
	d := drive(t, s, 120, 34, Options{}).press("c", "T", " ")
	if got := barStyle(t, d, "┄"); got != canvas.Good {
		t.Fatalf("a Wait that is over has style %v", got)
	}
	for d.app.ui.selection.Visit == nil || d.app.ui.selection.Visit.State.Name != "B" {
		d.press("S")
	}
	for i, want := range []string{"┄┄", "·········✓", "····"} {
		if row := strings.TrimSpace(string([]rune(eventRows(d)[i])[10:])); !strings.HasPrefix(row, want) {
			t.Errorf("row %d has the bars %q, want %q: of three waits one is over", i, row, want)
		}
	}
	if got := barStyle(t, d, "·"); got != canvas.Dim {
		t.Errorf("what comes later has style %v", got)
	}
	chargedTwice(t).press("C", "T").sees(" · [0] Fulfil", " · [1] Fulfil") // these branches have not begun
}
