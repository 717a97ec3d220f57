package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/diff"
	"asldb/tui/part/canvas"
)

// sinceStart writes a virtual time as the time since the start: "t+3.5s", "t+1m05s", "t+2h00m30s", "t+2d03h".
func sinceStart(start, at time.Time) string { return "t+" + span(at.Sub(start)) }

// span writes a duration with as many digits as help: fractions below a minute, whole seconds below two days.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + span(-d)
	case d == 0:
		return "0s"
	case d < time.Millisecond:
		return d.String()
	case d < time.Second:
		return trimZero(fmt.Sprintf("%.3f", d.Seconds())) + "s"
	case d < time.Minute:
		return trimZero(fmt.Sprintf("%.3f", d.Truncate(time.Millisecond).Seconds())) + "s"
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm%02ds", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}

func trimZero(s string) string {
	if strings.ContainsRune(s, '.') {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// sizeText writes a number of bytes: "812 B", "1.2 KiB", "3.4 MiB".
func sizeText(bytes int) string {
	const kibi = 1 << 10
	const mebi = 1 << 20
	switch {
	case bytes < kibi:
		return strconv.Itoa(bytes) + " B"
	case bytes < mebi:
		return trimZero(fmt.Sprintf("%.1f", float64(bytes)/kibi)) + " KiB"
	}
	return trimZero(fmt.Sprintf("%.1f", float64(bytes)/mebi)) + " MiB"
}

// boundedSize writes a number of bytes and the bound on it, which is 0 where there is none. Near the bound every
// byte is told: which side of it the size is on must be plain.
func boundedSize(bytes, limit int) string {
	size, bound := sizeText(bytes), sizeText(limit)
	switch {
	case limit <= 0:
		return size
	case size == bound && bytes != limit:
		return grouped(bytes) + " of " + grouped(limit) + " B"
	}
	return size + " of " + bound
}

// grouped writes a number with commas between the thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// clockTime writes a virtual time to the millisecond, without the day where it is still that of the start.
func clockTime(now, start time.Time) string {
	day, text, _ := strings.Cut(instant(now), "T")
	if strings.HasPrefix(instant(start), day) {
		return text
	}
	return instant(now)
}

// instant writes a virtual time to the millisecond.
func instant(t time.Time) string { return engine.FormatInstant(t.Truncate(time.Millisecond)) }

// countsText writes what changed: "+1 -2 ~3", or "" where nothing did.
func countsText(c diff.Counts, g *canvas.Glyphs) string {
	var parts []string
	for _, part := range []struct {
		sign string
		n    int
	}{{g.Added, c.Added}, {g.Removed, c.Removed}, {g.Changed, c.Changed}} {
		if part.n > 0 {
			parts = append(parts, part.sign+strconv.Itoa(part.n))
		}
	}
	return strings.Join(parts, " ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// clockText names the clock's mode.
func clockText(c debug.Clock) string {
	switch c.Mode {
	case debug.ClockSkip:
		return "skip"
	case debug.ClockByHand:
		return "by hand"
	}
	if c.Factor == 1 {
		return "real time"
	}
	return "x" + strconv.FormatFloat(c.Factor, 'g', -1, 64)
}

// nextClock is the mode that follows c when a key goes through them.
func nextClock(c debug.Clock) debug.Clock {
	switch {
	case c.Mode == debug.ClockSkip:
		return debug.Clock{Mode: debug.ClockPaced, Factor: 1}
	case c.Mode == debug.ClockPaced && c.Factor == 1:
		return debug.Clock{Mode: debug.ClockPaced, Factor: 60}
	case c.Mode == debug.ClockPaced:
		return debug.Clock{Mode: debug.ClockByHand}
	}
	return debug.Clock{Mode: debug.ClockSkip}
}

// placeName names a visit shortly: the state, and before it the branch or iteration that it is in.
func placeName(v *engine.Visit) string {
	if v == nil {
		return ""
	}
	if v.Parent == nil {
		return v.State.Name
	}
	return "[" + strconv.Itoa(v.Index) + "] " + v.State.Name
}

// eventPlace names the state of an event, and of the event of a branch or an iteration which one it is.
func eventPlace(e *engine.Event) string {
	switch e.Type {
	case engine.BranchStarted, engine.BranchSucceeded, engine.BranchFailed, engine.BranchAborted,
		engine.IterationStarted, engine.IterationSucceeded, engine.IterationFailed, engine.IterationAborted:
		if index, ok := threadIndex(e); ok {
			return placeName(e.Visit) + "[" + strconv.Itoa(index) + "]"
		}
	}
	return placeName(e.Visit)
}

// threadIndex is the number of the branch or iteration that an event of one is about.
func threadIndex(e *engine.Event) (index int, ok bool) {
	switch detail := e.Detail.(type) {
	case *engine.ThreadDetail:
		return detail.Index, true
	case *engine.Failure:
		for v := detail.Origin; v != nil; v = v.Parent {
			if v.Parent == e.Visit {
				return v.Index, true
			}
		}
	}
	return 0, false
}

// kindGlyph is the sign of a state's kind.
func kindGlyph(s *asl.State, g *canvas.Glyphs) string {
	switch s.Type {
	case asl.Choice:
		return g.Choice
	case asl.Parallel:
		return g.Parallel + strconv.Itoa(len(s.Branches))
	case asl.Map:
		return g.Map
	case asl.Wait:
		return g.Waiting
	}
	if s.Terminal() {
		return g.End
	}
	return ""
}

// fieldOf is the name of the field that does a stage's work in a state.
func fieldOf(s *asl.State, stage engine.Stage) string {
	for _, info := range engine.StagesOf(s) {
		if info.Stage == stage {
			return info.Field
		}
	}
	return stage.String()
}
