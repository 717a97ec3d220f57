package events

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/tui/keys"
)

func TestTickTexts(t *testing.T) {
	const day = 24 * time.Hour
	for at, want := range map[time.Duration]string{
		0: "0s", 500 * time.Millisecond: "0.5s", 10 * time.Second: "10s", time.Minute: "1m", 90 * time.Second: "1m30s", time.Hour: "1h",
		80 * time.Minute: "1h20m", time.Hour + 20*time.Second: "1h00m20s", day: "1d", 36 * time.Hour: "36h", 5 * day: "5d", 5*day + 12*time.Hour: "5d12h",
	} {
		if got := tickText(at); got != want {
			t.Errorf("%v is written %q, want %q", at, got, want)
		}
	}
}

const waits = `{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":30,"Next":"B"},"B":{"Type":"Wait","Seconds":60,"Next":"C"},
	"C":{"Type":"Wait","Seconds":600,"End":true}}}`

// TestBarsOfWaits: waits of 30 s, 60 s and 600 s on 60 cells, a row for each. 690 s in 59 of them are a little less
// than 11.695 s for a cell. So the second begins in cell 2 (30 / 11.7 = 2.6), the third in cell 7 (90 / 11.7 = 7.7),
// and ends in cell 58; a bar ends before the cell in which the next one begins.
func TestBarsOfWaits(t *testing.T) {
	screen, _ := shown(t, waits, `{}`, true)
	screen.Resize(70, 11)
	screen.Do(keys.TimelineMode, "")
	screen.Do(keys.Fold, "")
	rows := strings.Split(screen.Frame(), "\n")
	for i, want := range []string{
		"✓ A      " + strings.Repeat("┄", 2),
		"✓ B      " + strings.Repeat(" ", 2) + strings.Repeat("┄", 4) + "✓",
		"✓ C      " + strings.Repeat(" ", 7) + strings.Repeat("┄", 50) + "✓",
	} {
		if got := strings.TrimRight(string([]rune(rows[1+i])[1:]), " "); got != want {
			t.Errorf("row %d is\n%q, want\n%q", i, got, want)
		}
	}
	screen.Sees("╵0s       ╵2m", "a cell is 11.694s", "█ works  ┄ waits  ▒× failed attempt  ░ retry delay")
}

// TestARowForEachState: a sequential run fills as many rows as it has states, in the order in which they began.
func TestARowForEachState(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"StartAt":"S01","States":{`)
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, `"S%02d":{"Type":"Wait","Seconds":1,"Next":"S%02d"},`, i, i+1)
	}
	b.WriteString(`"S12":{"Type":"Succeed"}}}`)
	screen, _ := shown(t, b.String(), `{}`, true)
	screen.Resize(60, 16)
	screen.Do(keys.TimelineMode, "")
	rows := strings.Split(screen.Frame(), "\n")
	for i := range 12 {
		if want := fmt.Sprintf("✓ S%02d ", i+1); !strings.Contains(rows[1+i], want) {
			t.Errorf("row %d is %q, want %q", i, rows[1+i], want)
		}
	}
	screen.Press("up") // the event before, in the row above
	screen.Sees("▸✓ S11")
}

// TestCrowdsThatFail: several visits in one cell have the sign of a failure if one of them failed.
func TestCrowdsThatFail(t *testing.T) {
	branch := func(n, last string) string {
		return strings.ReplaceAll(`{"StartAt":"A#","States":{"A#":{"Type":"Pass","Next":"B#"},
			"B#":{"Type":"Pass","Next":"C#"},"C#":{"Type":"`+last+`"}}}`, "#", n)
	}
	screen, _ := shown(t, `{"StartAt":"L","States":{"L":{"Type":"Wait","Seconds":60,"Next":"P"},
		"P":{"Type":"Parallel","Branches":[`+branch("0", "Succeed")+`,`+branch("1", "Fail")+`],
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Z"}],"Next":"Z"},
		"Z":{"Type":"Wait","Seconds":60,"End":true}}}`, `{}`, true)
	screen.Resize(70, 11)
	screen.Do(keys.TimelineMode, "")
	screen.Do(keys.Fold, "")
	rows := strings.Split(screen.Frame(), "\n")
	for name, want := range map[string]string{"[0]": "▓", "[1]": "×"} {
		at := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, name) })
		if at < 0 {
			t.Fatalf("no row of branch %s:\n%s", name, screen.Frame())
		}
		_, bars, _ := strings.Cut(rows[at], name)
		if got := strings.TrimSpace(strings.Trim(bars, "│ ")); !strings.HasSuffix(got, want) {
			t.Errorf("branch %s has %q, want the sign %q", name, got, want)
		}
	}
}

// TestNextTimer: the next timer is named below the axis.
func TestNextTimer(t *testing.T) {
	screen, _ := shown(t, waits, `{}`, false)
	screen.Resize(70, 11)
	screen.Session().SetClock(debug.Clock{Mode: debug.ClockByHand})
	screen.Do(keys.TimelineMode, "")
	screen.Step(debug.Continue)
	screen.Sees("▷·········", "◔", "next ◔ t+30s in 30s  A Wait")
	if _, err := screen.Session().Do(debug.Command{Kind: debug.RunUntil, Until: screen.Session().Now().Add(30 * time.Second)}); err != nil {
		t.Fatal(err)
	}
	screen.Step(debug.Continue)
	screen.Sees("next ◔ t+1m30s in 1m00s  B Wait")
}

// TestNoTimeHasPassed: without time between the events all visits of a row lie in one cell.
func TestNoTimeHasPassed(t *testing.T) {
	screen, _ := shown(t, `{"StartAt":"M","States":{"M":{"Type":"Map","Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","Next":"Q"},
		"Q":{"Type":"Pass","End":true}}},"End":true}}}`, `[1,2,3]`, false)
	screen.Resize(70, 11)
	screen.Do(keys.TimelineMode, "")
	screen.Sees("Nothing has happened yet.")
	screen.Step(debug.Continue)
	screen.Sees("no time has passed", "✓ M        │", "  ✓ [0] M  ▓", "  ✓ [2] M  ▓")
}
