//go:build unix

package debug_test

import (
	"encoding/json"
	"math"
	"runtime"
	"syscall"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// BenchmarkAgainstMinimal measures sessions that keep every event against the minimal interpreter that keeps a
// reference to every input and output. The two take turns, and what counts is the CPU time of the process in the best
// round, collection of garbage included, so that other work of the machine matters little. W9 includes the reading of
// the input and the writing of the output.
func BenchmarkAgainstMinimal(b *testing.B) {
	for _, name := range runs.Names() {
		b.Run(name, func(b *testing.B) { againstMinimal(b, name) })
	}
}

// roundTime is about how long one of the two runs before it is the other's turn.
const roundTime = 20 * time.Millisecond

func againstMinimal(b *testing.B, name string) {
	w, least := runs.Load(b, name), loadMinimal(b, name)
	session := func() { inSession(b, w, w.Input) }
	bare := func() { new(minimal).run(least.top, least.input) }
	if name == "W9-bigdoc" {
		session = func() {
			input, err := value.Parse(least.text, value.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			value.Append(nil, inSession(b, w, input))
		}
		bare = func() {
			var input any
			if err := json.Unmarshal(least.text, &input); err != nil {
				b.Fatal(err)
			}
			if _, err := json.Marshal(new(minimal).run(least.top, input)); err != nil {
				b.Fatal(err)
			}
		}
	}
	sessions, bares := inRound(session), inRound(bare)
	took, leastTook := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		leastTook = min(leastTook, cpuTime(bare, bares))
		took = min(took, cpuTime(session, sessions))
	}
	mine, bound := float64(took)/float64(sessions), float64(leastTook)/float64(bares)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(mine/float64(w.Steps), "ns/transition")
	b.ReportMetric(bound/float64(w.Steps), "minimal-ns/transition")
	b.ReportMetric(bound/mine, "of-minimal")
}

// inRound returns how often a run fits into a round.
func inRound(run func()) int {
	run()
	n := 1
	for n < 1<<20 && cpuTime(run, n) < roundTime/2 {
		n *= 2
	}
	return n
}

// cpuTime returns the CPU time that the process takes for n runs. The garbage of earlier ones is collected before.
func cpuTime(run func(), n int) time.Duration {
	runtime.GC()
	before := processTime()
	for range n {
		run()
	}
	return processTime() - before
}

func processTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func inSession(b *testing.B, w runs.Workload, input value.Value) value.Value {
	s := debug.New(w.Machine, debug.Options{Input: input, Source: runs.NewTasks(), Seed: 1})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	if s.Status() != engine.Succeeded {
		b.Fatal(s.Failure())
	}
	return s.Output()
}
