package screen

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/tui/tuitest"
)

// ringOf is a definition of n states that are gone through again and again: passes that change the data, and Choices.
func ringOf(n int) string {
	var b strings.Builder
	b.WriteString(`{"StartAt":"S0","States":{`)
	for i := range n - 1 {
		next := fmt.Sprintf("S%d", (i+1)%(n-1))
		if i%10 == 4 {
			fmt.Fprintf(&b, `"S%d":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":%d,"Next":"S%d"},{"Variable":"$.never","IsPresent":true,"Next":"Over"}],"Default":%q},`,
				i, i, (i+2)%(n-1), next)
			continue
		}
		fmt.Fprintf(&b, `"S%d":{"Type":"Pass","Parameters":{"from":"S%d","at.$":"$$.State.EnteredTime"},"ResultPath":"$.step%d","Next":%q},`, i, i, i%7, next)
	}
	b.WriteString(`"Over":{"Type":"Succeed"}}}`)
	return b.String()
}

// ringRun is a screen on a run of at least so many events in a ring of n states.
func ringRun(b *testing.B, n, events int) *testApp {
	b.Helper()
	s := session(b, ringOf(n), `{"n":7,"order":{"id":1,"lines":[1,2,3]}}`, nil)
	if err := s.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	for s.Log().Len() < events {
		s.Advance(budget)
	}
	s.Interrupt()
	s.Advance(1)
	app := shown(s, Options{Title: "ring"})
	app.Resize(200, 60)
	return app
}

// BenchmarkKeys is the time from a key to the finished frame at 200x60, over a user's keys: on a machine of 500 states
// with a run of 100,000 events, and on larger ones. It reports the median, the 95th and 99th percentiles and the worst.
func BenchmarkKeys(b *testing.B) {
	pressed := []string{
		"2", "i", "s", "d", "down", "down", "pgdown", "d", "left", "Z", "d", "d", "I", "S", "c", "esc", "3", "up", "up", "pgup", " ", "up", "enter",
		"home", "end", "T", "left", "left", "+", "up", "-", "T", "1", "up", "up", "right", "pgup", "-", "down", "+", "enter", "esc", "4", "down", "?", "esc",
		":", "g", "esc", "b", "c", "b", "S", "S", "i", "i", "esc",
	}
	for _, size := range []struct{ states, events int }{{500, 100_000}, {500, 800_000}, {10_000, 100_000}} {
		b.Run(fmt.Sprintf("%d states, %d events", size.states, size.events), func(b *testing.B) {
			app := ringRun(b, size.states, size.events)
			app.Frame()
			var times []time.Duration
			slow := map[string]time.Duration{}
			for i := 0; b.Loop(); i++ {
				key := pressed[i%len(pressed)]
				start := time.Now()
				app.Press(tuitest.Key(key))
				for app.ui.run.running {
					app.ui.session.Interrupt()
					app.ui.sync()
				}
				app.Frame()
				took := time.Since(start)
				times = append(times, took)
				if app.stack.Next(b.Context()) { // a layout behind the screen, and its frame
					_ = app.stack.Settle(b.Context())
					start = time.Now()
					app.Frame()
					times = append(times, time.Since(start))
				}
				name := fmt.Sprintf("%d %s", i%len(pressed), key)
				slow[name] = max(slow[name], took)
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds()*1000, "ms-median")
			b.ReportMetric(times[len(times)*95/100].Seconds()*1000, "ms-p95")
			b.ReportMetric(times[len(times)*99/100].Seconds()*1000, "ms-p99")
			b.ReportMetric(times[len(times)-1].Seconds()*1000, "ms-worst")
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-held")
			runtime.KeepAlive(app)
			for name, took := range slow {
				if took > 10*time.Millisecond {
					b.Logf("%s: %v", name, took)
				}
			}
		})
	}
}
