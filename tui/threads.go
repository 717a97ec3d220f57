package tui

import (
	"strconv"

	"asldb.dev/asldb/tui/theme"
)

// maxThreads is how many threads are listed.
const maxThreads = 50

func threadsSection() section {
	return lineSection("Threads", addThreads, func(u *ui) string { return countText(len(u.session.Threads())) }, nil)
}

func addThreads(u *ui, p *lineList) {
	g, threads := u.glyphs, u.session.Threads()
	for _, t := range threads[:min(len(threads), maxThreads)] {
		where, glyph := "not begun", g.Active
		if t.Visit != nil {
			where = placeName(t.Visit)
		}
		if t.Blocked != "" {
			where += "  waits: " + t.Blocked
			glyph = g.Waiting
		}
		p.add(theme.Plain, glyph+" "+strconv.Itoa(int(t.ID)), where)
	}
	if more := len(threads) - maxThreads; more > 0 {
		p.add(theme.Dim, "", plural(more, "more", "more"))
	}
}
