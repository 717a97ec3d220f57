package recorder

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
)

// A trace of version 1 opens for ever: its events are those that were written, fork by fork, and the first fork
// is executed again to the same end.
func TestVersion1(t *testing.T) {
	trace, err := Open("../testdata/museum/version1.trace", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	if w := trace.Warnings(); len(w) > 0 {
		t.Fatal(w[0].Error())
	}
	var events []byte
	for b := range trace.Forks() {
		for event, err := range trace.Run(b).All() {
			if err != nil {
				t.Fatal(err)
			}
			events = append(AppendEvent(events, event), '\n')
		}
	}
	// What events have had since then.
	events = regexp.MustCompile(`,"source":\{[^}]*\}|,"historyId":[0-9]+`).ReplaceAll(events, nil)
	sum := sha256.Sum256(events)
	// Of the events as they happened, which "asldb run --events" printed when the trace was written.
	const want = "544db28287b87cc8229850d5d7c9f95592593f9e665556dca4d4702601db379a"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the events have the digest %s, want %s:\n%s", got, want, events)
	}
	answers, err := trace.Last().Inputs()
	if err != nil || len(answers) != 3 || answers[2].Kind != runlog.InputInject || answers[2].Error != "By.Hand" {
		t.Errorf("the second fork has the answers %+v, %v", answers, err)
	}
	recording, warning := trace.Run(0).Recording()
	if warning != nil {
		t.Fatal(warning)
	}
	machine, err := engine.Compile(trace.Definition(), trace.Header().Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if v := debug.Verify(machine, trace.Header().Options(), recording, 0); v.Divergence != nil {
		t.Errorf("executed again it differs: %+v", v.Divergence)
	}
}

// A trace of version 2 opens for ever, with the members that version 1 does not have.
func TestVersion2(t *testing.T) {
	trace, err := Open("../testdata/museum/version2.trace", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	if w := trace.Warnings(); len(w) > 0 {
		t.Fatal(w[0].Error())
	}
	if trace.Header().Version != 2 {
		t.Errorf("it has version %d", trace.Header().Version)
	}
	var events []byte
	var ids []uint16
	for event, err := range trace.Last().All() {
		if err != nil {
			t.Fatal(err)
		}
		events = append(AppendEvent(events, event), '\n')
		ids = append(ids, event.HistoryID)
	}
	events = regexp.MustCompile(`,"source":\{[^}]*\}|,"historyId":[0-9]+`).ReplaceAll(events, nil)
	sum := sha256.Sum256(events)
	// Of the events as they happened, which "asldb run --events" printed when the trace was written.
	const want = "64835bf334f5cfa74ba1d906ab8611b0a00ffbe5e2fe508b7bb083cacde614e4"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the events have the digest %s, want %s:\n%s", got, want, events)
	}
	// TaskScheduled represents two events of the history, RetryScheduled and RetryStarted none.
	if want := []uint16{1, 2, 3, 5, 0, 0, 6}; !slices.Equal(ids[:len(want)], want) {
		t.Errorf("the events have the ids %v, want %v", ids[:len(want)], want)
	}
	recording, warning := trace.Last().Recording()
	if warning != nil {
		t.Fatal(warning)
	}
	machine, err := engine.Compile(trace.Definition(), trace.Header().Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if v := debug.Verify(machine, trace.Header().Options(), recording, 0); v.Divergence != nil {
		t.Errorf("executed again it differs: %+v", v.Divergence)
	}
}
