package recorder

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"asldb/engine"
)

// The beginning and the end of a trace say what all of it says, also where its last line is cut.
func TestLookAt(t *testing.T) {
	p := examples(t)["demo"]
	data, s := record(t, p, TraceOptions{})
	packed, _ := record(t, p, TraceOptions{Compress: true})
	dir := t.TempDir()
	look := func(data []byte, size int64) *Glance {
		t.Helper()
		name := filepath.Join(dir, "run.trace")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := LookAt(name, size)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	last := s.Log().Last()
	g := look(data, 0)
	if g == nil || g.Events != last.Seq || g.Newest != engine.ExecutionSucceeded || !g.Last.Equal(last.At()) ||
		g.Size != int64(len(data)) || g.Header.Seed != 7 {
		t.Fatalf("%+v", g)
	}
	if g := look(data[:len(data)-5], 0); g == nil || g.Events != last.Seq-1 {
		t.Errorf("cut: %+v", g)
	}
	if g := look(data[:bytes.IndexByte(data, '\n')+1], 0); g == nil || g.Events != 0 {
		t.Errorf("only a header: %+v", g)
	}
	if g := look(packed, 16*int64(len(packed))); g == nil || g.Events != last.Seq ||
		g.Newest != engine.ExecutionSucceeded || g.Size != int64(len(packed)) {
		t.Errorf("compressed: %+v", g)
	}
	if look(data, int64(len(data))+1) != nil || look(packed, 16*int64(len(packed)+1)) != nil {
		t.Error("a small trace is looked at")
	}
	begin, err := readFirst("test", bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if g := look(packed[:begin.end], 0); g != nil && g.Events == 0 {
		t.Errorf("compressed, with its first frame alone: %+v", g)
	}
	if _, err := LookAt(filepath.Join(dir, "absent"), 0); err == nil {
		t.Error("an absent file is looked at")
	}
	if _, err := LookAt(dir, 0); err == nil {
		t.Error("a directory is looked at")
	}
	name := filepath.Join(dir, "foreign")
	if err := os.WriteFile(name, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LookAt(name, 0); err == nil {
		t.Error("a file that is not a trace is looked at")
	}
}
