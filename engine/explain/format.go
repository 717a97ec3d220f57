package explain

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"asldb/engine"
)

// SinceStart writes a virtual time as the time since the start: "t+3.5s", "t+1m05s", "t+2h00m30s", "t+2d03h".
func SinceStart(start, at time.Time) string { return "t+" + Duration(at.Sub(start)) }

// Duration writes a duration: milliseconds below a minute, whole seconds below two days, then days and hours.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + Duration(-d)
	case d == 0:
		return "0s"
	case d < time.Millisecond:
		return d.String()
	case d < time.Second:
		return trimZeros(fmt.Sprintf("%.3f", d.Seconds())) + "s"
	case d < time.Minute:
		return trimZeros(fmt.Sprintf("%.3f", d.Truncate(time.Millisecond).Seconds())) + "s"
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm%02ds", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}

func trimZeros(s string) string {
	if strings.ContainsRune(s, '.') {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Instant writes a virtual time to the millisecond.
func Instant(t time.Time) string { return engine.FormatInstant(t.Truncate(time.Millisecond)) }

// TimeOfDay writes a virtual time to the millisecond, without the day where it is that of start.
func TimeOfDay(t, start time.Time) string {
	text := Instant(t)
	day, clock, _ := strings.Cut(text, "T")
	if strings.HasPrefix(Instant(start), day) {
		return clock
	}
	return text
}

// Size writes a number of bytes: "812 B", "1.2 KiB", "3.4 MiB".
func Size(bytes int) string {
	const kibi = 1 << 10
	const mebi = 1 << 20
	switch {
	case bytes < kibi:
		return strconv.Itoa(bytes) + " B"
	case bytes < mebi:
		return trimZeros(fmt.Sprintf("%.1f", float64(bytes)/kibi)) + " KiB"
	}
	return trimZeros(fmt.Sprintf("%.1f", float64(bytes)/mebi)) + " MiB"
}

// SizeOf writes a number of bytes and its limit, which is 0 where there is none. Near the limit it writes every digit, so
// that the reader sees on which side of it the size is.
func SizeOf(bytes, limit int) string {
	size, bound := Size(bytes), Size(limit)
	switch {
	case limit <= 0:
		return size
	case size == bound && bytes != limit:
		return Grouped(bytes) + " of " + Grouped(limit) + " B"
	}
	return size + " of " + bound
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

// Grouped writes a number with commas between the thousands.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		if digits[:at] == "-" {
			break
		}
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Plural writes a number and the word for that many things.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Clip returns the beginning of text, at most limit bytes of it and no part of a character, with an ellipsis where it cuts.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + " ..."
}
