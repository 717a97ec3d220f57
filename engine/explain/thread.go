package explain

import (
	"time"

	"asldb/engine"
	"asldb/engine/debug"
)

// Thread says where a thread is, and whether it waits or can run. wakes is the time of its timer, if it has one. The
// sign is [SignSuccess] after the end of the run, [SignWaits], [SignNext] or [SignRuns].
func Thread(s *debug.Session, t *engine.ThreadInfo, wakes time.Time) Paragraph {
	place := "not begun"
	if t.Visit != nil {
		place = PlaceName(t.Visit)
	}
	switch {
	case s.Status().Done():
		return say(ToneQuiet, SignSuccess, state(place), words("  the run is over"))
	case t.Blocked != engine.NotBlocked:
		text := "  waits for " + t.Blocked.String()
		if t.Blocked == engine.OnTime && !wakes.IsZero() {
			text += " until " + SinceStart(s.Options().Start, wakes)
		}
		return say(TonePlain, SignWaits, state(place), words(text))
	case t.ID == s.Focused():
		return say(TonePlain, SignNext, state(place), words("  runs next"))
	}
	return say(TonePlain, SignRuns, state(place), words("  can run"))
}
