package recorder

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
)

// A trace of version 1 opens for ever: its events are those that were written, branch by branch, and the first branch
// is executed again to the same end.
func TestVersion1(t *testing.T) {
	trace, err := Open("testdata/version1.trace", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	if w := trace.Warnings(); len(w) > 0 {
		t.Fatal(w[0].Error())
	}
	var events []byte
	for b := range trace.Branches() {
		for event, err := range trace.Run(b).All() {
			if err != nil {
				t.Fatal(err)
			}
			events = append(AppendEvent(events, event), '\n')
		}
	}
	// What events have had since then.
	events = regexp.MustCompile(`,"source":\{[^}]*\}`).ReplaceAll(events, nil)
	sum := sha256.Sum256(events)
	// Of the events as they happened, which "asldb run --events" printed when the trace was written.
	const want = "544db28287b87cc8229850d5d7c9f95592593f9e665556dca4d4702601db379a"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the events have the digest %s, want %s:\n%s", got, want, events)
	}
	answers, err := trace.Last().Answers()
	if err != nil || len(answers) != 3 || answers[2].Kind != debug.AnswerInject || answers[2].Error != "By.Hand" {
		t.Errorf("the second branch has the answers %+v, %v", answers, err)
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
