package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/recorder/history"
)

// everyByte is the environment variable that lets the tests of damaged traces try every value of every byte.
const everyByte = "ASLDB_EVERY_BYTE"

// mostAllocated bounds the allocations of reading a small damaged trace, in bytes, garbage included.
const mostAllocated = 100 << 20

// small is a program of many kinds of events whose trace has a few kilobytes.
func small(t testing.TB) program {
	t.Helper()
	return example(t, "testdata/small.asl.json", "testdata/small.yaml")
}

// damages calls each with the damages of data that are to be tried, one byte changed: without [everyByte] some of them,
// most in the numbers. The slice is used again.
func damages(data []byte, each func(damaged []byte, at int, to byte)) {
	damaged := bytes.Clone(data)
	all, n := os.Getenv(everyByte) != "", 0
	for at, was := range data {
		for _, to := range []byte{'9', '0', 'e', ',', '"', '}', '\n', 0, was ^ 1, was ^ 0x80} {
			if to == was {
				continue
			}
			n++
			digit := was >= '0' && was <= '9' && to == '9'
			if all || n%997 == 0 || digit && n%47 == 0 {
				damaged[at] = to
				each(damaged, at, to)
				damaged[at] = was
			}
		}
	}
}

// watched calls read, and fails the test where that allocates too much or does not return.
func watched(t *testing.T, what string, read func()) {
	t.Helper()
	defer watchdog(what)()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > mostAllocated {
		t.Errorf("%s: %d bytes were allocated", what, n)
	}
}

// watchdog ends the program where a minute passes in which it could run, until stop is called. The time of a stopped
// machine does not count.
func watchdog(what string) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticks := time.NewTicker(time.Second)
		defer ticks.Stop()
		for n := 0; n < 60; n++ {
			select {
			case <-done:
				return
			case <-ticks.C:
			}
		}
		panic(what + ": no end within a minute")
	}()
	return func() { close(done) }
}

// readAll reads a trace in all the ways there are.
func readAll(p program, data []byte) error {
	trace, err := NewTrace("test", bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		return err
	}
	trace.Warnings()
	for b := range trace.Forks() {
		run := trace.Run(b)
		stats := NewStats()
		for event, err := range run.All() {
			if err == nil {
				AppendEvent(nil, event)
				stats.Add(event)
			}
		}
		if recording, err := run.LazyRecording(); err == nil {
			debug.Replay(p.machine, trace.Header().Options(), recording)
		}
		recording, _ := run.Recording()
		history.Document(history.Of(runlog.Of(recording.Events).All()))
		debug.Verify(p.machine, trace.Header().Options(), recording, 10*len(recording.Events))
		walk(debug.ReplayLog(p.machine, trace.Header().Options(), debug.Recording{Events: recording.Events}))
	}
	return nil
}

// walk goes to every event of a session and calls all of its queries.
func walk(s *debug.Session) {
	for n := range s.Log().Len() + 1 {
		s.GoTo(n)
		s.Threads()
		s.Requests()
		s.Timers()
		s.Status()
	}
	s.Output()
	s.Failure()
}

// Whatever byte of a trace is changed: it opens, or is refused with the line, and costs no more than it is worth.
func TestEveryByteOfATrace(t *testing.T) {
	p := small(t)
	data, s := record(t, p, TraceOptions{})
	if n := s.Log().Len(); n < 50 || len(data) > 30_000 {
		t.Fatalf("%d events, %d bytes", n, len(data))
	}
	damages(data, func(damaged []byte, at int, to byte) {
		what := fmt.Sprintf("byte %d (line %d) is %q", at, 1+bytes.Count(data[:at], []byte("\n")), to)
		watched(t, what, func() {
			var refused *FormatError // which is about the first line
			if err := readAll(p, damaged); err != nil &&
				(!errors.As(err, &refused) || !strings.Contains(what, "(line 1)")) {
				t.Errorf("%s: %v", what, err)
			}
		})
	})
}

// The same of a trace that is compressed.
func TestEveryByteOfACompressedTrace(t *testing.T) {
	p := small(t)
	data, _ := record(t, p, TraceOptions{Compress: true})
	damages(data, func(damaged []byte, at int, to byte) {
		watched(t, fmt.Sprintf("byte %d is %q", at, to), func() { _ = readAll(p, damaged) })
	})
}

// One wrong digit in the number of an event or of a value costs that line, and nothing behind it.
func TestOneWrongNumber(t *testing.T) {
	p := small(t)
	data, s := record(t, p, TraceOptions{})
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i, line := range lines {
		for _, start := range []string{seqStart, valueStart} {
			rest, ok := bytes.CutPrefix(line, []byte(start))
			number, tail, _ := bytes.Cut(rest, []byte(","))
			if !ok || i == len(lines)-2 || i%4 != 0 && os.Getenv(everyByte) == "" {
				continue
			}
			for _, wrong := range []string{"9" + string(number), string(number) + "999999999999", "0", "1"} {
				if wrong == string(number) {
					continue
				}
				damaged := bytes.Join([][]byte{bytes.Join(lines[:i], nil), []byte(start + wrong + ","), tail,
					bytes.Join(lines[i+1:], nil)}, nil)
				checkOneWrong(t, damaged, s.Log(), fmt.Sprintf("line %d", i+1), start == seqStart, string(number))
			}
		}
	}
}

func checkOneWrong(t *testing.T, damaged []byte, log *runlog.Log, line string, event bool, number string) {
	t.Helper()
	trace := open(t, damaged)
	if w := trace.Warnings(); len(w) == 0 || !strings.Contains(w[0].Error(), line+" ") {
		t.Errorf("%s: the warnings are %v", line, w)
	}
	run := trace.Last()
	if run.Len() != int64(log.Len()) {
		t.Fatalf("%s: %d events, want %d", line, run.Len(), log.Len())
	}
	read := 0
	for e, err := range run.All() {
		if err == nil {
			if got, want := AppendEvent(nil, e), AppendEvent(nil, log.At(int(e.Seq-1))); !bytes.Equal(got, want) {
				t.Errorf("%s: event %d:\n got %s\nwant %s", line, e.Seq, got, want)
			}
			read++
		}
	}
	if event && read != log.Len()-1 || read == 0 {
		t.Errorf("%s (%s): %d events of %d are left", line, number, read, log.Len())
	}
}

// Events with missing lines are passed over at once, however many there seem to be.
func TestManyMissingEvents(t *testing.T) {
	p := programOf(t, twoStates, `{}`, nil)
	data, s := record(t, p, TraceOptions{})
	last := s.Log().Len()
	damaged := bytes.Replace(data, fmt.Appendf(nil, `{"seq":%d,`, last), fmt.Appendf(nil, `{"seq":9%016d,`, last), 1)
	watched(t, "a great number", func() {
		run := open(t, damaged).Last()
		var events []*engine.Event
		var faults []string
		for e, err := range run.All() {
			if err != nil {
				faults = append(faults, err.Error())
				continue
			}
			events = append(events, e)
		}
		if len(events) != last || len(faults) != 1 ||
			!strings.Contains(faults[0], fmt.Sprintf("has no events %d to 9", last)) {
			t.Errorf("%d events, %v", len(events), faults)
		}
		if _, err := run.LazyRecording(); err == nil {
			t.Error("a run with missing events is executed as if it were whole")
		}
		recording, warning := run.Recording()
		if warning == nil || len(recording.Events) != last-1 {
			t.Errorf("%d events, %v", len(recording.Events), warning)
		}
	})
}

// Values that make more and more of each other, as no writer does, are refused.
func TestValuesThatGrow(t *testing.T) {
	text := `{"format":"asldb-trace","version":1,"asldb":"x","dialect":"aws"}` + "\n" + `{"value":1,"is":["` +
		strings.Repeat("x", 1000) + `"]}` + "\n"
	for n := 2; n < 60; n++ {
		text += fmt.Sprintf(`{"value":%d,"is":[null,null],"put":[[[0],%d],[[1],%d]]}`+"\n", n, n-1, n-1)
	}
	text += `{"seq":1,"time":"2026-01-01T00:00:00Z","type":"ExecutionStarted","thread":0,"afterValue":59}` + "\n" +
		`{"seq":2,"time":"2026-01-01T00:00:00Z","type":"ExecutionSucceeded","thread":0,"afterValue":3}` + "\n"
	watched(t, "doubled again and again", func() {
		run := open(t, []byte(text)).Last()
		if _, err := run.Event(1); err == nil || !strings.Contains(err.Error(), "and at most 301989888 are read") {
			t.Error(err)
		}
		if _, err := run.Event(2); err != nil {
			t.Error(err)
		}
	})
	var deep strings.Builder
	deep.WriteString(`{"format":"asldb-trace","version":1,"asldb":"x","dialect":"aws"}` + "\n" +
		`{"value":1,"is":[0]}` + "\n")
	const many = 10_000
	for n := 2; n < many; n++ {
		fmt.Fprintf(&deep, `{"value":%d,"is":[null],"put":[[[0],%d]]}`+"\n", n, n-1)
	}
	trace := open(t, []byte(deep.String()))
	for n := int64(1); n < many; n++ {
		if _, err := trace.read.valueOf(n, 0); err != nil {
			if n < 1000 || !strings.Contains(err.Error(), "nested more than 1008 times") {
				t.Errorf("value %d: %v", n, err)
			}
			return
		}
	}
	t.Error("values are nested without end")
}
