package recorder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/testkit"
)

// A session that was not recorded can be saved at any time: each fork runs again from the trace.
func TestSaveSession(t *testing.T) {
	p := examples(t)["demo"]
	s := p.run(t, nil)
	s.GoTo(9)
	if err := s.Interventions().Edit(0, value.Must(`{"secret":"tr0mbone","by":"hand"}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "saved.trace")
	if err := SaveSession(name, "test", s, TraceOptions{}); err != nil {
		t.Fatal(err)
	}
	trace := open(t, read(t, name))
	checkReplay(t, p, trace)
	if forks := trace.Forks(); len(forks) != 2 || forks[1].Last != int64(s.Log().Len()) ||
		trace.Header().Program != "test" {
		t.Errorf("the forks are %+v, of %s", forks, trace.Header().Program)
	}
	var failed *files.WriteError
	if err := SaveSession(name, "test", s, TraceOptions{}); !errors.As(err, &failed) || !errors.Is(err, fs.ErrExist) {
		t.Errorf("saved a second time: %v", err)
	}
	testkit.EachFailure(t, nil, func(dir string) error {
		return SaveSession(filepath.Join(dir, "run.trace"), "test", s, TraceOptions{})
	})
	redaction, err := ParseRedaction("$..secret")
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(dir, "redacted.trace")
	if err := SaveSession(name, "test", s, TraceOptions{Redactions: []*Redaction{redaction}}); err != nil {
		t.Fatal(err)
	}
	if text := string(read(t, name)); strings.Contains(text, "tr0mbone") || !strings.Contains(text, `"by":"hand"`) {
		t.Error("the secret is in the trace, or what is none is not")
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the trace is %v, %v", info, err)
	}
}

// A fault of the writer is the fault of the trace; the run continues.
func TestAFaultOfTheWriter(t *testing.T) {
	p := examples(t)["demo"]
	w, err := NewTraceWriter("broken", faultyWriter{after: new(int)}, p.header(), TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := p.run(t, w)
	if !s.Status().Done() {
		t.Error("the run has not ended")
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "a fault in asldb itself: by the test") {
		t.Errorf("the error is %v", err)
	}
}

// faultyWriter panics from the second write on.
type faultyWriter struct{ after *int }

func (f faultyWriter) Write(p []byte) (int, error) {
	if *f.after++; *f.after > 1 {
		panic("by the test")
	}
	return len(p), nil
}

// A session that has let go of its events leaves no trace.
func TestWhatIsForgottenIsNotSaved(t *testing.T) {
	p := programOf(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"C"},"C":{"Type":"Choice","Choices":[{"Variable":"$.end","IsPresent":true,"Next":"E"}],"Default":"A"},"E":{"Type":"Succeed"}}}`, `{}`, nil)
	p.options.Forget, p.options.Limits = true, engine.Limits{History: 9000}
	s := p.run(t, nil)
	name := filepath.Join(t.TempDir(), "forgotten.trace")
	if err := SaveSession(name, "test", s, TraceOptions{}); !errors.Is(err, debug.ErrForgotten) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("there is a trace of it")
	}
}
