package runlog_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const loop = `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Choice","Choices":[
	{"Variable":"$.n","NumericEquals":1,"Next":"A"}],"Default":"Done"},"Done":{"Type":"Succeed"}}}`

const wide = `{"StartAt":"M","States":{"M":{"Type":"Map","Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"End":true}}}`

// run is a log of at least n events: a loop, or a Map with as many iterations as that needs.
func run(b *testing.B, kind string, n int) *runlog.Log {
	definition, input := loop, `{"n":1}`
	if kind == "Map" {
		definition, input = wide, "[0"+strings.Repeat(",1", n/5)+"]"
	}
	execution := runs.Machine(definition).Start(value.Must(input), engine.StartOptions{})
	log := &runlog.Log{}
	for log.Len() < n && execution.Status() == engine.Runnable {
		log.Append(execution.Step())
	}
	return log
}

// BenchmarkExtend reads a whole log, and reports the size of the index for each event.
func BenchmarkExtend(b *testing.B) {
	for _, kind := range []string{"loop", "Map"} {
		for _, n := range []int{100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s %d", kind, n), func(b *testing.B) {
				log := run(b, kind, n)
				var before, after runtime.MemStats
				var x *runlog.Index
				for b.Loop() {
					x = nil
					runtime.GC()
					runtime.ReadMemStats(&before)
					x = runlog.New()
					x.Extend(log)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(x.Len()), "B/event")
				b.ReportMetric(float64(x.Len()), "events")
			})
		}
	}
}
