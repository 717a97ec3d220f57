package screen

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/tui/tuitest"
)

// longRun is a session with at least 100,000 events.
func longRun(b *testing.B) *testApp {
	b.Helper()
	s := session(b, loop, `{"order":{"id":1,"lines":[1,2,3]}}`, nil)
	if err := s.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	for s.Log().Len() < 100_000 {
		s.Advance(budget)
	}
	s.Interrupt()
	s.Advance(1)
	app := shown(s, Options{Title: "loop"})
	app.Resize(200, 60)
	return app
}

// BenchmarkFrame is the time from a key to its frame, at 200x60 with 100,000 events.
func BenchmarkFrame(b *testing.B) {
	for _, bench := range []struct{ name, focus, key string }{
		{"step a stage", "2", "i"}, {"step a state", "2", "s"}, {"one event up", "3", "up"}, {"a page up", "3", "pgup"}, {"scroll the data", "2", "down"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			app := longRun(b)
			app.Press(tuitest.Key(bench.focus))
			b.ReportAllocs()
			for b.Loop() {
				app.Press(tuitest.Key(bench.key))
				app.Frame()
			}
		})
	}
}

// BenchmarkFrameInMap goes up and down over the end of a Map with 20,000 iterations, whose visit all events
// but a few lie in.
func BenchmarkFrameInMap(b *testing.B) {
	input := "[0" + strings.Repeat(",1", 19_999) + "]"
	s := session(b, `{"StartAt":"M","States":{"M":{"Type":"Map","Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},
		"Parameters":{"item.$":"$$.Map.Item.Value"},"End":true}}}`, input, nil)
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	app := shown(s, Options{Title: "map"})
	app.Resize(200, 60)
	app.Press(tuitest.Key("3"))
	b.ReportAllocs()
	for b.Loop() {
		app.Press(tuitest.Key("up"))
		app.Frame()
	}
	b.ReportMetric(float64(s.Log().Len()), "events")
}

// BenchmarkFrameOfAMillionEvents is the time from a key to its frame in the list and on the time axis, in a Map of
// 200,000 iterations.
func BenchmarkFrameOfAMillionEvents(b *testing.B) {
	s := session(b, `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":40,"Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},
		"End":true}}}`, "[0"+strings.Repeat(",1", 199_999)+"]", nil)
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct{ name, first, key string }{
		{"list one row down", "3", "down"}, {"list a page up", "3", "pgup"}, {"list opens and folds", "3", " "}, {"time axis", "T", "left"},
		{"time axis, zoomed", "T", "+"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			app := shown(s, Options{Title: "map"})
			app.Resize(200, 60)
			app.Press(tuitest.Key(bench.first))
			for range 4 { // into the Map, which is open, and its iterations
				app.Press(tuitest.Key("up"))
			}
			app.Frame()
			b.ReportAllocs()
			for b.Loop() {
				app.Press(tuitest.Key(bench.key))
				app.Frame()
			}
			b.ReportMetric(float64(s.Log().Len()), "events")
		})
	}
}

// BenchmarkFrameFiveMegabytes steps a machine whose data is a document of five megabytes.
func BenchmarkFrameFiveMegabytes(b *testing.B) {
	var doc strings.Builder
	doc.WriteString(`{"stop0":1`)
	for i := range 50_000 {
		doc.WriteString(`,"key` + strconv.Itoa(i) + `":{"name":"a name that takes its room here","tags":["a","b"],"n":` + strconv.Itoa(i) + `,"more":"text"}`)
	}
	doc.WriteString("}")
	for _, bench := range []struct{ name, key string }{{"step", "i"}, {"scroll", "down"}} {
		b.Run(bench.name, func(b *testing.B) {
			app := shown(session(b, loop, doc.String(), nil), Options{Title: "large"})
			app.Resize(200, 60)
			b.ReportAllocs()
			for b.Loop() {
				app.Press(tuitest.Key(bench.key))
				app.Frame()
			}
		})
	}
}
