package events

import (
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

// TestBarsOfWaits: waits of 30 s, 60 s and 600 s on 59 cells. 690 s in 58 of them are a little less than 11.897 s, rounded up
// to the nanosecond. So the second begins in cell 2 (30 / 11.9 = 2.5), the third in cell 7 (90 / 11.9 = 7.6), and ends in
// cell 57, just before 58 cells are full; a bar ends before the cell in which the next one begins.
func TestBarsOfWaits(t *testing.T) {
	screen, _ := shown(t, waits, `{}`, true)
	screen.Resize(72, 11)
	screen.Do(keys.TimelineMode, "")
	screen.Do(keys.Fold, "")
	rows := strings.Split(screen.Frame(), "\n")
	inner := func(y int) string { return strings.Trim(strings.Trim(rows[y], "┃")[11:], " ") }
	if got, want := inner(1), "A B    C"; got != want {
		t.Errorf("the names are %q, want %q", got, want)
	}
	bars := strings.TrimSpace(string([]rune(strings.Trim(rows[2], "┃"))[11:]))
	if want := strings.Repeat("┄", 6) + "✓" + strings.Repeat("┄", 49) + "✓"; bars != want {
		t.Errorf("the bars are\n%q, want\n%q", bars, want)
	}
	screen.Sees("╵0s       ╵2m", "a cell is 11.896s")
}

// TestNextTimer: the next timer is named below the axis.
func TestNextTimer(t *testing.T) {
	screen, _ := shown(t, waits, `{}`, false)
	screen.Resize(72, 11)
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

// TestNoTimeHasPassed: without time between the events all visits lie in one cell.
func TestNoTimeHasPassed(t *testing.T) {
	screen, _ := shown(t, `{"StartAt":"M","States":{"M":{"Type":"Map","Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"End":true}}}`, `[1,2,3]`, false)
	screen.Resize(72, 11)
	screen.Do(keys.TimelineMode, "")
	screen.Sees("Nothing has happened yet.")
	screen.Step(debug.Continue)
	screen.Sees("no time has passed", "4 threads", "root       │")
	two, _ := shown(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}`, `{}`, true)
	two.Resize(72, 11)
	two.Do(keys.TimelineMode, "")
	two.Sees("root    ▓") // two visits in one cell
}
