package recorder

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/value"
)

// repaired repairs a trace and opens it: it has no warnings, and all of it can be read.
func repaired(t rapid.TB, damaged *Trace) (*Trace, *Repaired) {
	t.Helper()
	var out bytes.Buffer
	found, err := damaged.WriteRepaired("repaired", &out, TraceOptions{Compress: damaged.Compressed()})
	if err != nil {
		t.Fatal(err)
	}
	data := out.Bytes()
	trace, err := NewTrace("repaired", bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if w := trace.Warnings(); len(w) > 0 {
		t.Fatalf("%s\nlosses: %q", w[0].Error(), found.Losses)
	}
	events, inputs := int64(0), 0
	for b, f := range trace.Forks() {
		run := trace.Run(b)
		for event, err := range run.All() {
			if err != nil {
				t.Fatalf("fork %d: %v\nlosses: %q", b, err, found.Losses)
			}
			if event.Seq > f.After {
				events++
			}
		}
		in, err := run.Inputs()
		if err != nil {
			t.Fatalf("fork %d: %v", b, err)
		}
		inputs = len(in)
	}
	if events != found.Events || int64(inputs) > found.Inputs {
		t.Fatalf("%d events and %d inputs, the repair says %d and %d", events, inputs, found.Events, found.Inputs)
	}
	if len(damaged.Header().Lost) == 0 && (len(trace.Header().Lost) > 0) != found.Broken {
		t.Fatalf("broken is %v, and the header has %q", found.Broken, trace.Header().Lost)
	}
	return trace, found
}

// plainEvent is an event without the numbers that a repair changes and without data.
func plainEvent(e *engine.Event) string {
	text := e.At().String() + " " + e.Type.String() + " " + e.StageName()
	if e.Visit != nil {
		text += " " + e.Visit.Path()
	}
	return text
}

// A trace that is cut at any byte is repaired to the part before the cut, and that runs as it was recorded.
func TestRepairOfCuts(t *testing.T) {
	p := programOf(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","Next":"B"},"B":{"Type":"Pass","End":true}}}`,
		`{"text":"`+strings.Repeat("long ", 80)+`"}`, sourcetest.Func(func(*engine.TaskRequest) outcome.Reply {
			return outcome.Given(engine.Outcome{Output: value.Must(`{"n":1,"text":"` + strings.Repeat("text ", 70) +
				`"}`)}, "test")
		}))
	for _, compress := range []bool{false, true} {
		data, _ := record(t, p, TraceOptions{})
		first := bytes.IndexByte(data, '\n') + 1
		if compress {
			data = frames(t, p)
		}
		step := 1
		if compress {
			step = 5
		}
		for end := len(data); end > 0; end -= step {
			if end < first { // in the first line, without which there is no trace
				step = 50
			}
			damaged, err := NewTrace("cut", bytes.NewReader(data[:end]), int64(end), nil)
			if err != nil {
				if !compress && end >= first {
					t.Fatalf("cut at byte %d: %v", end, err)
				}
				continue
			}
			trace, found := repaired(t, damaged)
			if found.Broken || found.Events != damaged.Last().Len() || found.Whole() != (len(damaged.Warnings()) == 0) {
				t.Fatalf("cut at byte %d: %+v", end, found)
			}
			if trace.Last().Confirm(p.machine, trace.Header().Options()) == nil {
				t.Fatalf("cut at byte %d: what is left does not run as it was recorded", end)
			}
		}
	}
}

// Whatever is damaged, the repaired trace opens without warnings, and its events are among those that were recorded, in
// their order.
func TestRepairOfDamage(t *testing.T) {
	traces := traceBytes(t)
	names := []string{"forks", "plain", "version 1", "zstd"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "trace")
		data := damaged(t, traces[name])
		before, err := NewTrace("test", bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			return
		}
		trace, found := repaired(t, before)
		var all []string
		before.read.lenient = func(error) {}
		for event, err := range before.Last().All() {
			if err == nil {
				all = append(all, plainEvent(event))
			}
		}
		at := 0
		for event, err := range trace.Last().All() {
			if err != nil {
				t.Fatal(err)
			}
			i := slices.Index(all[at:], plainEvent(event))
			if i < 0 {
				t.Fatalf("event %d, %s, is none of the damaged trace behind the one before it\nlosses: %q", event.Seq,
					plainEvent(event), found.Losses)
			}
			at += i + 1
		}
	})
}

// An intact trace comes out as it was, fork by fork and value by value.
func TestRepairOfWholeTraces(t *testing.T) {
	for name, data := range traceBytes(t) {
		before := open(t, data)
		trace, found := repaired(t, before)
		if !found.Whole() || found.Broken || len(trace.Forks()) != len(before.Forks()) ||
			trace.Compressed() != before.Compressed() {
			t.Fatalf("%s: %+v", name, found)
		}
		for b := range before.Forks() {
			want, _ := before.Run(b).Recording()
			got, _ := trace.Run(b).Recording()
			if len(want.Events) != len(got.Events) || len(want.Inputs) != len(got.Inputs) {
				t.Fatalf("%s, fork %d: %d events and %d inputs, want %d and %d", name, b, len(got.Events),
					len(got.Inputs), len(want.Events), len(want.Inputs))
			}
			for i := range want.Events {
				if want.Events[i].Type == engine.StateEntered && name == "version 1" {
					want.Events[i].HistoryID = got.Events[i].HistoryID
				}
				if a, b := AppendEvent(nil, &got.Events[i]), AppendEvent(nil, &want.Events[i]); !bytes.Equal(a, b) {
					t.Fatalf("%s:\n got %s\nwant %s", name, a, b)
				}
			}
			for i := range want.Inputs {
				a, b := got.Inputs[i], want.Inputs[i]
				if a.Kind != b.Kind || a.After != b.After || a.Step != b.Step || a.Origin != b.Origin ||
					!a.Time.Equal(b.Time) || a.Error != b.Error || !value.Equal(a.Outcome.Output, b.Outcome.Output) {
					t.Fatalf("%s: input %d is %+v, want %+v", name, i, a, b)
				}
			}
		}
	}
}

// The losses are listed, and what depends on them is said.
func TestRepairSaysWhatIsLost(t *testing.T) {
	data, s := record(t, examples(t)["demo"], TraceOptions{})
	lines := bytes.SplitAfter(data, []byte("\n"))
	entry := slices.IndexFunc(lines, func(line []byte) bool {
		return bytes.Contains(line, []byte(`"type":"StateEntered"`)) &&
			bytes.Contains(line, []byte(`"state":"ChargeCard"`))
	})
	answer := slices.IndexFunc(lines, func(line []byte) bool { return bytes.HasPrefix(line, []byte(answerStart)) })
	stored := slices.IndexFunc(lines, func(line []byte) bool { return bytes.HasPrefix(line, []byte(valueStart)) })
	for name, c := range map[string]struct {
		line   int
		with   string
		losses []string
		events int // that are left; 0: all
	}{
		"an entry": {entry, "garbage\n", []string{"is not a line of a trace", "are missing",
			"the visit of \"ChargeCard\" that has lost its entry is left out, with "}, -1},
		"an answer": {answer, `{"answer":"income"}` + "\n", []string{`an answer of the kind "income"`}, 0},
		"a value": {stored, "{}\n", []string{"is not a line of a trace", `a value is lost, "[lost]" is in its place`},
			0},
	} {
		changed := slices.Clone(lines)
		changed[c.line] = []byte(c.with)
		trace, found := repaired(t, open(t, bytes.Join(changed, nil)))
		text := strings.Join(found.Losses, "\n")
		for _, want := range c.losses {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s\nwant %q", name, text, want)
			}
		}
		if !found.Broken || len(trace.Header().Lost) != len(found.Losses) {
			t.Errorf("%s: %+v", name, found)
		}
		if whole := found.Events == int64(s.Log().Len()); whole != (c.events == 0) {
			t.Errorf("%s: %d events of %d", name, found.Events, s.Log().Len())
		}
	}
}

// A repair of a repaired trace has the losses of both.
func TestRepairTwice(t *testing.T) {
	data, _ := record(t, examples(t)["demo"], TraceOptions{})
	once, first := repaired(t, open(t, bytes.Replace(data, []byte(`{"seq":40,`), []byte(`{"sax":40,`), 1)))
	if found := once.Examine(); !found.Whole() || found.Broken {
		t.Errorf("%+v", found)
	}
	if len(once.Header().Lost) != len(first.Losses) {
		t.Errorf("%q", once.Header().Lost)
	}
	again, _ := repaired(t, once)
	if !slices.Equal(again.Header().Lost, once.Header().Lost) {
		t.Errorf("%q, want %q", again.Header().Lost, once.Header().Lost)
	}
}

var _ debug.Sink = nothing{}
