package waiter

import (
	"testing"
	"time"

	"asldb/engine/source"
	"asldb/engine/value"
)

func benchModel(b *testing.B) *Model {
	b.Helper()
	m, problems := Read(&source.File{Name: "model.json", Data: []byte(jobModel)})
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	return m
}

func BenchmarkMatch(b *testing.B) {
	matcher := &benchModel(b).Waiters[0].Acceptors[0].Matcher
	response := &Response{Output: value.Must(`{"Status":"RUNNING","Reason":"none"}`)}
	b.ReportAllocs()
	for b.Loop() {
		if matcher.Match(response).Matched {
			b.Fatal("matched")
		}
	}
}

// BenchmarkSimulate runs a waiter's schedule of ten minutes 1,000 times.
func BenchmarkSimulate(b *testing.B) {
	w := benchModel(b).Waiters[0]
	b.ReportAllocs()
	for b.Loop() {
		w.Simulate(SpecSchedule, 10*time.Minute, Change{Never: true}, 1000, 1)
	}
}
