package events

import (
	"iter"
	"strings"
	"testing"
	"time"

	"asldb/engine/console"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// pack is a Map whose iterations wait as many seconds as their item says, and fail for 0.
const packIterations = `{"StartAt":"First","States":{"First":{"Type":"Pass","Next":"Pack"},"Pack":{"Type":"Map","MaxConcurrency":1,"ToleratedFailurePercentage":90,"Next":"End","ItemProcessor":{
	"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"Short?","States":{
	"Short?":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":0,"Next":"Short"}],"Default":"Wait"},
	"Short":{"Type":"Fail","Error":"Stock.Short","Cause":"no teapot"},
	"Wait":{"Type":"Wait","SecondsPath":"$","End":true}}}},"End":{"Type":"Succeed"}}}`

// alone is the table as the only pane of a screen.
type aloneIterations struct{ *Table }

func (aloneIterations) Bindings() view.Bindings             { return nil }
func (aloneIterations) Find(string, int) (wrapped, ok bool) { return false, false }
func (aloneIterations) Refresh()                            {}
func (aloneIterations) Words() iter.Seq[string]             { return func(func(string) bool) {} }
func (a aloneIterations) Handle(k keys.Press) bool {
	return view.MoveBy(k.Action, a.Page(), func(rows, _ int) { a.Table.Move(rows) })
}

// shown is the table of a run of pack that is over.
func shownIterations(t *testing.T, input string, w, h int) (*tuitest.Screen, *Table) {
	t.Helper()
	s := debug.New(runs.Machine(packIterations), debug.Options{Input: value.Must(input), Start: time.Unix(0, 0)})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	screen := tuitest.New(t, s, w, h)
	table := NewIterations(given(screen))
	screen.Add(view.Drawer, aloneIterations{table}, table.Selected)
	return screen, table
}

// statuses are the signs of the rows on the screen, in their order.
func statuses(screen *tuitest.Screen) string {
	var all []string
	for _, line := range strings.Split(screen.Frame(), "\n") {
		for _, word := range []string{"✓ done", "× failed", "▷ Wait", "· not begun"} {
			if strings.Contains(line, word) {
				all = append(all, word)
			}
		}
	}
	return strings.Join(all, ", ")
}

// The table is as of the event on the screen; a row that is selected in it changes nothing of that.
func TestTheTableFollowsTheEvent(t *testing.T) {
	screen, table := shownIterations(t, `[3,0,7]`, 100, 12)
	if got, want := statuses(screen), "✓ done, × failed, ✓ done"; got != want {
		t.Fatalf("at the end: %s, want %s", got, want)
	}
	screen.Press("down", "up", "down")
	if got, want := statuses(screen), "✓ done, × failed, ✓ done"; got != want {
		t.Errorf("after a move in the table: %s, want %s", got, want)
	}
	for i := range screen.Log().Len() {
		if v := screen.Log().At(i).Visit; v != nil && v.State.Name == "Wait" {
			screen.Inspect(i)
			break
		}
	}
	screen.Sees("as of event")
	if got, want := statuses(screen), "▷ Wait, · not begun, · not begun"; got != want {
		t.Errorf("in the first iteration: %s, want %s", got, want)
	}
	table.Choose(1) // any of the run
	screen.Said("Pack [1]: failed")
	screen.Inspect(0)
	screen.Sees("The run has been in no Map and no Parallel.")
	if got := table.Disabled(); got == "" {
		t.Error("before the Map there are iterations")
	}
}

func TestOrderAndFilter(t *testing.T) {
	screen, table := shownIterations(t, `[3,0,7]`, 100, 12)
	for _, want := range []string{"status", "time", "tries", "error", "size", "number"} {
		table.Sort()
		screen.Said("Sorted by " + want + ".")
		screen.Sees("Pack")
	}
	for text, want := range map[string]string{
		"failed": "× failed", "time > 5": "✓ done", `error == "Stock.Short"`: "× failed", "teapot": "× failed", "index < 2 && status == \"done\"": "✓ done", "": "✓ done, × failed, ✓ done",
	} {
		f, err := console.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if table.SetFilter(f); statuses(screen) != want {
			t.Errorf("%q shows %s, want %s", text, statuses(screen), want)
		}
	}
	f, _ := console.Read("nothing like that")
	table.SetFilter(f)
	screen.Sees("None of 3 iterations passes the filter")
	table.GoTo("2")
	screen.Said("Pack [2]: done")
	table.GoTo("7")
	screen.Said("Pack has 3 iterations, counted from 0; there is no 7.")
	table.GoTo("x")
	screen.Said("An iteration is given by its number")
	table.NextFailed(1)
	if table.cursor != 1 || !table.Enter() {
		t.Errorf("the cursor is at %d", table.cursor)
	}
	screen.ClickAt(9, 2) // the heading of the status
	if table.order != byStatus {
		t.Errorf("a click on a heading sorts by %d", table.order)
	}
	screen.ClickAt(3, 5)
	if table.Page() < 3 || table.at() != 2 {
		t.Errorf("the row at %d is selected", table.at())
	}
}

// At each size the table has its counts, and no row leaves it.
func TestSizes(t *testing.T) {
	for _, size := range [][2]int{{24, 4}, {40, 6}, {60, 8}, {120, 20}} {
		screen, _ := shownIterations(t, `[3,0,7]`, size[0], size[1])
		screen.Sees("Pack * 3", "▸")
	}
}
