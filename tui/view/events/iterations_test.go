package events

import (
	"strings"
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// pack is a Map whose iterations wait as many seconds as their item says, and fail for 0.
const pack = `{"StartAt":"Pack","States":{"Pack":{"Type":"Map","MaxConcurrency":10,"ToleratedFailurePercentage":90,"Next":"End","ItemProcessor":{
	"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"Short?","States":{
	"Short?":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":0,"Next":"Short"}],"Default":"Wait"},
	"Short":{"Type":"Fail","Error":"Stock.Short","Cause":"no teapot"},
	"Wait":{"Type":"Wait","SecondsPath":"$","End":true}}}},"End":{"Type":"Succeed"}}}`

// table is the pane of a finished run with the table of iterations on it.
func table(t *testing.T, definition, input string, w, h int) (*tuitest.Screen, *Pane) {
	t.Helper()
	screen, p := shown(t, definition, input, true)
	screen.Resize(w, h)
	screen.Do(keys.Iterations, "")
	return screen, p
}

// rows are the first words of the rows below the headings.
func rows(screen *tuitest.Screen) string {
	var all []string
	for _, line := range strings.Split(screen.Frame(), "\n")[3:] {
		if words := strings.Fields(strings.Trim(line, "┃█")); len(words) > 1 && !strings.HasPrefix(line, "┗") {
			if words[0] == "▸" {
				words[1], words = "▸"+words[1], words[1:]
			}
			all = append(all, words[0]+words[1])
		}
	}
	return strings.Join(all, " ")
}

func TestTableOfIterations(t *testing.T) {
	screen, p := table(t, pack, `[3,0,7,5,0]`, 80, 12)
	screen.Sees("Pack * 5   ✓3  ×2", "#  status          time  tries  error", "× failed", "Stock.Short: no teapot", "enter look inside", "×▇▅×")
	if got, want := rows(screen), "▸0✓ 1× 2✓ 3✓ 4×"; got != want {
		t.Errorf("by number: %s, want %s", got, want)
	}
	screen.Press("s")
	if got, want := rows(screen), "1× 4× ▸0✓ 2✓ 3✓"; got != want {
		t.Errorf("by status: %s, want %s", got, want)
	}
	screen.Press("s")
	if got, want := rows(screen), "2✓ 3✓ ▸0✓ 1× 4×"; got != want {
		t.Errorf("by time: %s, want %s", got, want)
	}
	screen.Sees("sort: time")
	screen.Press("down") // the slowest but one after the third: the first that failed
	if e := screen.Selection().Event; e.Visit.Index != 1 || e.Visit.State.Name != "Short" || !e.RaisesError() {
		t.Errorf("the cursor looks at %v of iteration %d", e.Type, e.Visit.Index)
	}
	screen.Press("n")
	if got, want := rows(screen), "2✓ 3✓ 0✓ 1× ▸4×"; got != want {
		t.Errorf("the next failed one: %s, want %s", got, want)
	}
	screen.Press("n")
	screen.Said("Went on from the other end.")
	if got := screen.Selection().Visit.Index; got != 1 {
		t.Errorf("behind the last failed one comes %d", got)
	}
	screen.Press("N")
	screen.Press("enter") // the events of the iteration
	screen.Sees("Events", "iteration 4")
	if p.view != asList {
		t.Error("enter leaves the table")
	}
}

func TestFilterOfIterations(t *testing.T) {
	screen, _ := table(t, pack, `[3,0,7,5,0]`, 100, 12)
	for text, want := range map[string]string{
		"failed": "1× 4×", "teapot": "1× 4×", "done": "0✓ 2✓ 3✓", "state Wait": "0✓ 2✓ 3✓", "time >= 5": "2✓ 3✓", "$ == 3": "0✓",
		`error == "Stock.Short" && index > 1`: "4×", "tries > 1": "None", "thread 3": "2✓", `size == 1`: "0✓ 2✓ 3✓",
	} {
		screen.Do(keys.Filter, text)
		got := strings.ReplaceAll(rows(screen), "▸", "")
		if want == "None" {
			screen.Sees("None of 5 iterations passes the filter; esc clears it.")
			continue
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		screen.Sees("filter: "+text, " of 5 ")
	}
	screen.Press("esc")
	if got := strings.Count(rows(screen), " "); got != 4 {
		t.Errorf("esc leaves %s", rows(screen))
	}
	screen.Resize(100, 20)
	screen.Press("/")
	screen.Type("tea")
	screen.Sees("filter: tea", "Stock.Short", "esc clears it")
	screen.Press("esc")
	if strings.Contains(screen.Frame(), "filter: ") {
		t.Error("esc keeps the filter")
	}
	screen.Do(keys.Filter, "$ ==")
	screen.Said("where an operand should stand")
}

// TestChooseIteration: the command goes to an iteration by its number, the keys to the next one.
func TestChooseIteration(t *testing.T) {
	screen, p := table(t, pack, `[3,0,7,5,0]`, 80, 12)
	screen.Do(keys.Filter, "failed")
	screen.Do(keys.Iterations, "3")
	screen.Said("Pack [3]: done")
	if v := screen.Selection().Visit; v.Index != 3 || p.filtering() {
		t.Errorf("iteration %d is looked at, filtered %v", v.Index, p.filtering())
	}
	screen.Press(")")
	screen.Said("Pack [4]: failed")
	screen.Press(")")
	screen.Said("This is the last iteration of Pack that has begun.")
	screen.Press("(", "(")
	screen.Said("Pack [2]: done")
	screen.Do(keys.Iterations, "5")
	screen.Said("Pack has 5 iterations, counted from 0; there is no 5.")
	screen.Do(keys.Iterations, "x")
	screen.Said(`found "x"`)
	screen.Press("*")
	if p.view != asList {
		t.Error("the key of the table does not leave it")
	}
}

// TestIterationsThatRun: an iteration that runs says in which state it is; one that has not begun cannot be looked at.
func TestIterationsThatRun(t *testing.T) {
	definition := strings.Replace(pack, `"MaxConcurrency":10`, `"MaxConcurrency":2`, 1)
	s := debug.New(runs.Machine(definition), debug.Options{Input: value.Must(`[3,9,7]`), Start: time.Unix(0, 0)})
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	screen := tuitest.New(t, s, 80, 12)
	p := New(given(screen), runlog.New(), nil)
	screen.Add(view.Drawer, p, func() { p.Select(screen.Selection().Index, s.Position()-1) })
	if got := screen.Disabled(keys.NextInside); got != "the run has been in no Map and no Parallel" {
		t.Errorf("the reason is %q", got)
	}
	screen.Step(debug.StepStage)
	screen.Step(debug.Continue)
	screen.Press("*")
	screen.Sees("Pack * 3   ▷2  ·1", "▷ Wait", "· not begun")
	screen.Press("(")
	screen.Said("Pack [0]: running; :step-thread steps only this iteration")
	screen.Press("end", "enter")
	screen.Said("This iteration has not begun.")
	for range 20 {
		if strings.Contains(screen.Frame(), "✓1") {
			break
		}
		if _, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: s.Now().Add(3 * time.Second)}); err != nil {
			t.Fatal(err)
		}
		screen.Step(debug.StepStage)
	}
	screen.Sees("✓1  ▷2")
}
