package groups_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/tui/part/groups"
)

const loop = `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Choice","Choices":[
	{"Variable":"$.n","NumericEquals":1,"Next":"A"}],"Default":"Done"},"Done":{"Type":"Succeed"}}}`

const wide = `{"StartAt":"M","States":{"M":{"Type":"Map","Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"End":true}}}`

// run is a log of at least n events: a loop, or a Map with as many iterations as that needs.
func run(b *testing.B, kind string, n int) *debug.Session {
	definition, input := loop, `{"n":1}`
	if kind == "Map" {
		definition, input = wide, "[0"+strings.Repeat(",1", n/5)+"]"
	}
	s := session(b, definition, input, nil)
	if err := s.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	for s.Log().Len() < n && s.Stop().Reason != debug.StoppedAtEnd {
		s.Advance(4096)
	}
	return s
}

// BenchmarkExtend reads a whole log, and reports the size of the index for each event.
func BenchmarkExtend(b *testing.B) {
	for _, kind := range []string{"loop", "Map"} {
		for _, n := range []int{100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s %d", kind, n), func(b *testing.B) {
				s := run(b, kind, n)
				var before, after runtime.MemStats
				var x *groups.Index
				for b.Loop() {
					x = nil
					runtime.GC()
					runtime.ReadMemStats(&before)
					x = groups.New()
					x.Extend(s.Log())
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(x.Len()), "B/event")
				b.ReportMetric(float64(x.Len()), "events")
			})
		}
	}
}
