package screen

import (
	"testing"
	"time"

	"asldb/tui/tuitest"
	"asldb/tui/view/lens"
)

// BenchmarkLens opens the lens on a value that went through 100,000 events: the time to its first frame, and the
// longest time that a slice of its search takes with its frame; then with a search that is known.
func BenchmarkLens(b *testing.B) {
	app := longRun(b)
	app.Press(tuitest.Key("1"))
	app.Frame()
	open := func() (slices int, longest time.Duration) {
		app.Press(tuitest.Key("H"))
		app.Frame()
		for again := true; again; slices++ {
			if again = app.ui.goesOn; again {
				start := time.Now()
				app.Advance()
				app.Frame()
				longest = max(longest, time.Since(start))
			}
		}
		app.Press(tuitest.Key("H"))
		return slices, longest
	}
	b.Run("to the first frame", func(b *testing.B) {
		for b.Loop() {
			app.ui.origins.found = lens.Found{}
			app.Press(tuitest.Key("H"))
			app.Frame()
			app.Press(tuitest.Key("H"))
			app.Advance()
		}
	})
	b.Run("to the end", func(b *testing.B) {
		slices, longest := 0, time.Duration(0)
		for b.Loop() {
			app.ui.origins.found = lens.Found{}
			n, slice := open()
			slices, longest = n, max(longest, slice)
		}
		b.ReportMetric(float64(slices), "slices")
		b.ReportMetric(float64(longest.Microseconds())/1000, "ms/longest-slice")
	})
	b.Run("known", func(b *testing.B) {
		for b.Loop() {
			open()
		}
	})
}
