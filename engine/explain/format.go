package explain

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/internal/wording"
)

// SinceStart writes a virtual time as the time since the start: "t+3.5s", "t+1m05s", "t+2h00m30s", "t+2d03h".
func SinceStart(start, at time.Time) string { return "t+" + wording.Duration(at.Sub(start)) }

// TimeOfDay writes a virtual time to the millisecond, without the day where it is the day of start.
func TimeOfDay(t, start time.Time) string {
	text := wording.Instant(t)
	day, clock, _ := strings.Cut(text, "T")
	if strings.HasPrefix(wording.Instant(start), day) {
		return clock
	}
	return text
}

// EventNumber writes the number of an event, with its id in Step Functions' history where it has one: "17 #9".
func EventNumber(e *engine.Event) string {
	text := strconv.FormatInt(e.Seq, 10)
	if id := HistoryID(e); id != "" {
		text += " " + id
	}
	return text
}

// HistoryID writes the id of an event in Step Functions' history: "#9"; "" where it has none.
func HistoryID(e *engine.Event) string {
	if e.HistoryID == 0 {
		return ""
	}
	return "#" + strconv.Itoa(int(e.HistoryID))
}
