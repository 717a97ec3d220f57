package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/debug"
	"asldb/engine/expr"
	"asldb/engine/path"
	"asldb/engine/value"
)

// drawOperand draws what a comparison may have on a side, with the texts of the demo's trace among it.
func drawOperand(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"type", "state", "path", "visit", "thread", "seq", "stage", "error", "cause", "$", "$.n", "$.order.id",
		"$.payment.status", "$.lines[*]", "$$.State.Name",
		`"TaskFailed"`, `"StateEntered"`, `"StateExited"`, `"RetryScheduled"`, `"Charge"`, `"ChargeCard"`,
		`"Fulfil/Branches[1]/SendMessage"`, `"PackLines"`, `"Parameters"`, `"no stage"`,
		`"Card.Timeout"`, `"captured"`, "0", "1", "2", "12", "40", "3.5", "null", "true",
	}).Draw(t, "operand")
}

// drawCondition draws a condition of any form, sensible or not.
func drawCondition(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 9).Draw(t, "form")
	if depth == 0 {
		kind = min(kind, 4)
	}
	deeper := func() string { return drawCondition(t, depth-1) }
	switch kind {
	case 0, 1, 2:
		return drawOperand(t) + " " + rapid.SampledFrom([]string{"==", "!=", "<", "<=", ">", ">="}).Draw(t,
			"operator") + " " + drawOperand(t)
	case 3:
		return drawOperand(t) + ` in ["ChargeCard", "PackLines", 1, 12, "TaskFailed", null]`
	case 4:
		return rapid.SampledFrom([]string{
			`state =~ "^C"`, `type !~ "Task|State"`, `seq % 7 == 3`, `upper(type) == "TASKFAILED"`, `len(state) > 9`,
			`path =~ "Iterations\\[[13]\\]"`, "seq + {} > 1", "nothing == 1",
			`contains(path, "Branches")`, "error", "state", "visit > 1 && visit < 4",
			`type + state == "TaskFailedChargeCard"`, "seq < 20 ? thread == 0 : thread != 0", "len($) > 2",
			"$.n - {} > 1",
		}).Draw(t, "leaf")
	case 5:
		return deeper() + " && " + deeper()
	case 6:
		return deeper() + " || " + deeper()
	case 7:
		return "!(" + deeper() + ")"
	case 8:
		return "(" + deeper() + ")"
	}
	return "(" + deeper() + ") && (" + deeper() + " || " + deeper() + ")"
}

// traceBytes are traces of all forms: with branches, iterations, retries, forks, compressed, and of version 1.
func traceBytes(t *testing.T) map[string][]byte {
	demo := examples(t)["demo"]
	plain, _ := record(t, demo, TraceOptions{})
	packed := frames(t, demo)
	out, w := newTrace(t, demo)
	demo.options.Source.Seek(nil)
	forked := demo
	forked.options.Sink = w
	s := debug.New(forked.machine, forked.options)
	if _, err := s.Do(debug.Command{Kind: debug.Continue, Events: 60}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{30, 12, 45} {
		s.GoTo(at)
		if err := s.Interventions().Inject(0, "By.Hand", "a fork"); err != nil {
			continue
		}
		if _, err := s.Do(debug.Command{Kind: debug.Continue, Events: 200}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile("../testdata/museum/version1.trace")
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"plain": plain, "zstd": packed, "forks": bytes.Clone(out.Bytes()), "version 1": old}
}

// damaged changes some bytes or lines of a trace behind its first line.
func damaged(t *rapid.T, data []byte) []byte {
	data = bytes.Clone(data)
	first := bytes.IndexByte(data, '\n') + 1
	for range rapid.IntRange(0, 3).Draw(t, "damages") {
		if len(data) <= first+2 {
			break
		}
		at := rapid.IntRange(first, len(data)-1).Draw(t, "at")
		start := bytes.LastIndexByte(data[:at], '\n') + 1
		end := bytes.IndexByte(data[at:], '\n') + at + 1
		switch rapid.IntRange(0, 5).Draw(t, "damage") {
		case 0:
			data[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		case 1:
			data = data[:at]
		case 2: // a line is gone
			if end > at {
				data = slices.Delete(data, start, end)
			}
		case 3: // a line is there twice
			if end > at {
				data = slices.Insert(data, end, data[start:end]...)
			}
		case 4:
			data = slices.Insert(data, at, []byte(
				rapid.SampledFrom([]string{"\n", "x", `"`, "}\n{", "0", `{"rewound":9}` + "\n"}).Draw(t,
					"inserted"))...)
		case 5: // a visit that its entry does not have
			data = bytes.Replace(data, []byte(`"visit":1`),
				[]byte(`"visit":`+rapid.SampledFrom([]string{"2", "01", "-1", "99999999999"}).Draw(t, "visit")),
				rapid.IntRange(1, 9).Draw(t, "times"))
		}
	}
	return data
}

// Heads decide what the events themselves decide: whatever the condition and the trace, the same events match and the
// same evaluations fail.
func TestMatchingIsTheFullEvaluation(t *testing.T) {
	traces := traceBytes(t)
	if forks := len(open(t, traces["forks"]).Forks()); forks < 3 {
		t.Fatalf("%d forks", forks)
	}
	names := []string{"forks", "plain", "version 1", "zstd"}
	decided := 0
	rapid.Check(t, func(t *rapid.T) {
		data := traces[rapid.SampledFrom(names).Draw(t, "trace")]
		if rapid.Bool().Draw(t, "damaged") {
			data = damaged(t, data)
		}
		trace, err := NewTrace("test", bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			return
		}
		text := drawCondition(t, 2)
		q, err := ParseQuery(text)
		if err != nil {
			return
		}
		if NewFilter(q.condition, trace.place) != nil {
			decided++
		}
		run := trace.Run(rapid.IntRange(0, len(trace.Forks())-1).Draw(t, "fork"))
		first := int64(rapid.SampledFrom([]int{1, 1, 2, 14, 31, 60}).Draw(t, "first"))
		var want, got, unread []string
		for event, err := range run.All() {
			if err != nil {
				unread = append(unread, err.Error())
				continue
			}
			matches, err := q.Matches(event)
			switch {
			case event.Seq < first:
			case err != nil:
				want = append(want, fmt.Sprintf("event %d: %v", event.Seq, err))
			case matches:
				want = append(want, string(AppendEvent(nil, event)))
			}
		}
		for event, err := range run.MatchingFrom(q, first) {
			var failed *MatchError
			switch {
			case err == nil:
				got = append(got, string(AppendEvent(nil, event)))
			case errors.As(err, &failed):
				got = append(got, err.Error())
			case first == 1 && !slices.Contains(unread, err.Error()):
				t.Fatalf("%s: %v, which reading all events does not say: %q", text, err, unread)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %d events, want %d\n got %s\nwant %s", text, len(got), len(want),
				strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	})
	if decided < 20 {
		t.Errorf("heads decided %d conditions", decided)
	}
}

// A search that is left early ends, and one over many chunks has the order of the events.
func TestMatchingManyChunks(t *testing.T) {
	data, s := record(t, loopProgram(t, 2000), TraceOptions{})
	trace := open(t, data)
	if len(trace.chunks) < 3*batchSize {
		t.Fatalf("%d chunks", len(trace.chunks))
	}
	x, err := expr.Compile(`type == "TaskSucceeded" && visit >= 10`)
	if err != nil {
		t.Fatal(err)
	}
	last, n := int64(0), 0
	for event, err := range trace.Last().Matching(&Query{x}) {
		if err != nil || event.Seq <= last {
			t.Fatal(event, err)
		}
		last = event.Seq
		n++
	}
	if n != 2000-9 || last > int64(s.Log().Len()) {
		t.Errorf("%d events", n)
	}
	n = 0
	for range trace.Last().Matching(&Query{x}) {
		if n++; n == 5 {
			break
		}
	}
}

// Of a run that goes back behind the beginning of the fork before it, no event of that fork is the one that follows a
// loss.
func TestLossInAFork(t *testing.T) {
	demo := traceBytes(t)["forks"]
	whole := open(t, demo)
	const last = 2 // its fork begins at event 12, and that before it at event 30
	from := whole.Forks()[last].After
	if len(whole.Forks()) <= last || from >= whole.Forks()[last-1].After {
		t.Fatalf("%+v", whole.Forks())
	}
	lines := bytes.SplitAfter(demo, []byte("\n"))
	seen := 0
	lines = slices.DeleteFunc(lines, func(line []byte) bool {
		if bytes.HasPrefix(line, []byte(rewoundStart)) {
			seen++
		}
		return seen == last && (bytes.HasPrefix(line, fmt.Appendf(nil, `{"seq":%d,`, from+2)) ||
			bytes.HasPrefix(line, fmt.Appendf(nil, `{"seq":%d,`, from+1)))
	})
	trace := open(t, bytes.Join(lines, nil))
	var faults []string
	for _, err := range trace.Run(last).All() {
		if err != nil {
			faults = append(faults, err.Error())
		}
	}
	if want := fmt.Sprintf("the trace has no events %d to %d: their lines are damaged or missing", from+1, from+
		2); len(faults) != 1 || faults[0] != want {
		t.Errorf("%q, want %q", faults, want)
	}
	if trace.Run(last).whole() || !trace.Run(0).whole() {
		t.Error("the last run lacks events, and the first none")
	}
}

var dataPaths = []string{
	"$.counter", "$.field1", "$.order", "$.payment", "$.lines", "$.n", "$.nothing", "$['order']", "$.status",
	"$.counter.n",
	"$.order.id", "$.order.id.n", "$.order.n", "$.payment.status", "$.lines[0]", "$.lines[1].sku", "$.counter.order.n",
	"$.counter.lines[0].n", "$.counter.lines[0].id.n", "$.counter.lines[1].order.n",
}

// drawPath draws a path for the data of the traces: many lead to a value there, others to nothing.
func drawPath(t *rapid.T) string {
	path := rapid.SampledFrom(dataPaths).Draw(t, "path")
	for range rapid.IntRange(0, 2).Draw(t, "deeper") {
		path += rapid.SampledFrom([]string{".id", ".n", ".sku", "[0]", "[7]", ".status", ".total"}).Draw(t, "step")
	}
	return path
}

// asEvents compares a search with the evaluation of every event.
func asEvents(t interface{ Fatalf(string, ...any) }, run *Run, q *Query) {
	var want, got []string
	for event, err := range run.All() {
		if err != nil {
			continue
		}
		matches, err := q.Matches(event)
		switch {
		case err != nil:
			want = append(want, fmt.Sprintf("event %d: %v", event.Seq, err))
		case matches:
			want = append(want, string(AppendEvent(nil, event)))
		}
	}
	for event, err := range run.Matching(q) {
		var failed *MatchError
		switch {
		case err == nil:
			got = append(got, string(AppendEvent(nil, event)))
		case errors.As(err, &failed):
			got = append(got, err.Error())
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %d events, want %d\n got %s\nwant %s", q.condition, len(got), len(want),
			strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// The bytes of lines decide conditions on the data as the values themselves do, also where values are in lines of their
// own, derive from others, and where lines are damaged.
func TestDataOfLines(t *testing.T) {
	traces := traceBytes(t)
	traces["large"], _ = record(t, loopProgram(t, 40), TraceOptions{})
	long := strings.Repeat("x", 300)
	traces["parts"], _ = record(t, programOf(t, `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Result":{"n":3,"long":"`+long+`"},"ResultPath":"$.order","Next":"B"},
		"B":{"Type":"Pass","InputPath":"$.order","ResultPath":"$.counter.order","Next":"C"},
		"C":{"Type":"Pass","Parameters":{"n":12},"ResultPath":"$.order.id","Next":"D"},
		"D":{"Type":"Pass","Parameters":{"lines.$":"States.Array($.order, $.counter)"},
			"ResultPath":"$.counter","Next":"E"},
		"E":{"Type":"Pass","OutputPath":"$.order","End":true}}}`,
		`{"n":1,"counter":{"n":2},"long":"`+long+`"}`, nil), TraceOptions{})
	names := slices.Sorted(maps.Keys(traces))
	for _, name := range names {
		for _, path := range dataPaths {
			for _, condition := range []string{path + " != null", path + " == 3", "!(" + path + " > 2)"} {
				q, err := ParseQuery(condition)
				if err != nil {
					t.Fatal(err)
				}
				asEvents(t, open(t, traces[name]).Last(), q)
			}
		}
	}
	ruledOut := 0
	rapid.Check(t, func(t *rapid.T) {
		data := traces[rapid.SampledFrom(names).Draw(t, "trace")]
		if rapid.IntRange(0, 3).Draw(t, "damaged") == 0 {
			data = damaged(t, data)
		}
		trace, err := NewTrace("test", bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			return
		}
		operators := []string{" == ", " != ", " > ", " < ", " =~ ", " in "}
		others := []string{"null", "3", "12", `"captured"`, `"o-1042"`, `[1, 2, "captured"]`, "{}", drawPath(t)}
		text := drawPath(t) + rapid.SampledFrom(operators).Draw(t, "operator") +
			rapid.SampledFrom(others).Draw(t, "other")
		if rapid.Bool().Draw(t, "two") {
			text += rapid.SampledFrom([]string{" && ", " || "}).Draw(t, "both") + drawCondition(t, 1)
		}
		q, err := ParseQuery(text)
		if err != nil {
			return
		}
		run := trace.Last()
		asEvents(t, run, q)
		values := newValueTable(newDataFilter(q.condition), run)
		if values.filter == nil {
			return
		}
		w := &filtering{t: trace, data: newDataFilter(q.condition)}
		for _, b := range run.batches(1) {
			part := w.batch(b)
			values.add(part.values)
			for _, s := range part.segments {
				ruledOut += int(s.last-s.first) + 1 - len(s.open)
				for _, e := range s.open {
					if e.value >= 0 && values.verdict(e.value) == No {
						ruledOut++
					}
				}
			}
		}
	})
	if ruledOut < 1000 {
		t.Errorf("%d events were ruled out by their data", ruledOut)
	}
}

// The functions over bytes find what the parser finds, and give up where the text is not as asldb writes it.
func TestFollow(t *testing.T) {
	const data = `{"a":{"b":[1,{"c":"x\"}\\"},[],"\\"],"d":null},"e":-1.50,"f":"","g":[[2]]}`
	whole := value.Must(data)
	for _, text := range []string{"$.a", "$.a.b", "$.a.b[0]", "$.a.b[1].c", "$.a.b[2]", "$.a.b[3]", "$.a.b[4]", "$.a.d",
		"$.a.d.x",
		"$.e", "$.e.x", "$.f", "$.g[0][0]", "$.g[0][1]", "$.g.x", "$.nothing", "$.a[0]"} {
		p, err := path.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := p.Get(&path.Roots{Data: whole})
		if got := follow([]byte(data), p, 0); !got.known || (got.value == nil) != (want == nil) ||
			want != nil && !value.Equal(got.value, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, odd := range []string{
		`{"a" :1}`, `{"\u0061":1}`, `{"a":1,"a":2}`, `{"b":1`, `{"b":"x`, `{"a":}`, `{"b":[1 ,2],"a":1}`,
		`{`, `{"a":1}x`,
	} {
		p, err := path.Parse("$.a")
		if err != nil {
			t.Fatal(err)
		}
		if got := follow([]byte(odd), p, 0); got.known {
			t.Errorf("%s: %v", odd, got)
		}
	}
}
