package recorder

import (
	"bytes"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
)

// Every run of a trace that verifies is confirmed, fork by fork, and its inputs take the same form in less memory.
func TestConfirm(t *testing.T) {
	p := examples(t)["demo"]
	for name, data := range traceBytes(t) {
		trace := open(t, data)
		for b := range trace.Forks() {
			run := trace.Run(b)
			recording, warning := run.Recording()
			if warning != nil {
				t.Fatal(warning)
			}
			inputs, err := run.InputList()
			if err != nil || inputs.Len() != len(recording.Inputs) {
				t.Fatalf("%s: %v, %d inputs, want %d", name, err, inputs.Len(), len(recording.Inputs))
			}
			for i := range recording.Inputs {
				if got, want := inputs.At(i), &recording.Inputs[i]; got.Kind != want.Kind || got.After != want.After ||
					got.Step != want.Step || !value.Equal(got.Outcome.Output, want.Outcome.Output) {
					t.Errorf("%s: input %d is %+v, want %+v", name, i, got, want)
				}
			}
			if name == "version 1" {
				continue // it is of another machine
			}
			agrees := debug.Verify(p.machine, trace.Header().Options(), recording, 0).Divergence == nil
			v := run.Confirm(p.machine, trace.Header().Options())
			if !agrees || v == nil || int64(v.Recorded.Len()) != run.Len() {
				t.Errorf("%s, fork %d: agrees: %v, confirmed: %+v", name, b, agrees, v)
			}
		}
	}
}

// A recording that is damaged or differs is not confirmed.
func TestNotConfirmed(t *testing.T) {
	p := examples(t)["demo"]
	data, _ := record(t, p, TraceOptions{})
	for name, c := range map[string]struct{ old, new string }{
		"an answer is damaged": {`{"answer":"outcome"`, `{"answer":"income"`},
		"a line is missing":    {`{"seq":40,`, `{"sax":40,`},
		"an event is damaged":  {`{"seq":40,"time":"`, `{"seq":40,"time":"x`},
		"an event differs":     {`"type":"RetryStarted"`, `"type":"RetryScheduled"`},
	} {
		changed := bytes.Replace(data, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(changed, data) {
			t.Fatal(name)
		}
		trace := open(t, changed)
		if trace.Last().Confirm(p.machine, trace.Header().Options()) != nil {
			t.Errorf("%s: it is confirmed", name)
		}
	}
}
