package snapshot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/suite/execute"
	"asldb/internal/suite/snapshot"
	"asldb/internal/testkit/suitecase"
)

// A snapshot that is written is the same when it is read again, whatever is in it.
func TestWriteAndRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.test.yaml")
	file, err := snapshot.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	made := value.Must(`{"status":"SUCCEEDED","path":["A","b: c","- d"],"tasks":{"A/Branches[0]/B":[{"n":129.90,"s":"line\nbreak","e":""},null]},
		"output":{"a b":{"c":[]},"d":[[1,2],{"x":"#y"}],"e":{},"f":"yes","1":1e400,"":"$any"}}`)
	file.Set("case: with \"quotes\"", made)
	file.Set("text", value.String("x"))
	file.Set("text", value.Must(`{"output":"x"}`))
	if err := file.Write(); err != nil {
		t.Fatal(err)
	}
	again, err := snapshot.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := again.Find("case: with \"quotes\"").Compare(made, nil); len(d) > 0 {
		t.Errorf("what is read again differs: %+v", d)
	}
	if d := again.Find("text").Compare(value.Must(`{"output":"y"}`), nil); len(d) != 1 || d[0].Path != "$.output" {
		t.Errorf("another output differs in %+v", d)
	}
	if string(again.Text()) != string(file.Text()) {
		t.Errorf("the text changes from\n%s\nto\n%s", file.Text(), again.Text())
	}
	if !again.Retain(nil) {
		t.Error("nothing was dropped")
	}
	if err := again.Write(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(snapshot.NameOf(name)); !os.IsNotExist(err) {
		t.Errorf("the file without snapshots is still there: %v", err)
	}
	if err := again.Write(); err != nil {
		t.Error(err)
	}
}

func TestWrongFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.test.yaml")
	for text, want := range map[string]string{
		"a: [":                  "a.test.snap.yaml:1:",
		"version: 2\ncases: {}": "begins with version: 1",
		"version: 1\ncases: []": "has cases, an object",
	} {
		if err := os.WriteFile(snapshot.NameOf(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := snapshot.Read(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, and should have %q", text, err, want)
		}
	}
	file, _ := snapshot.Read(filepath.Join(t.TempDir(), "none", "a.test.yaml"))
	file.Set("a", value.Must("{}"))
	if err := file.Write(); err == nil {
		t.Error("a folder that is not there is no error")
	}
	if err := os.Remove(snapshot.NameOf(name)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(snapshot.NameOf(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := snapshot.Read(name); err == nil {
		t.Error("a folder in place of the file is no error")
	}
}

func TestWithout(t *testing.T) {
	for text, want := range map[string]string{
		"$.a":       `{"b":[{"id":2,"c":3},{"id":4}]}`,
		"$..id":     `{"a":{},"b":[{"c":3},{}]}`,
		"$.b[*].id": `{"a":{"id":1},"b":[{"c":3},{}]}`,
		"$.b[0]":    `{"a":{"id":1},"b":[null,{"id":4}]}`,
		"$.none.x":  `{"a":{"id":1},"b":[{"id":2,"c":3},{"id":4}]}`,
		"$.*":       `{}`,
		"$":         `null`,
	} {
		p, err := path.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got := snapshot.Without(value.Must(`{"a":{"id":1},"b":[{"id":2,"c":3},{"id":4}]}`), p)
		if value.Compact(got) != want {
			t.Errorf("without %s there is %s, and should be %s", text, value.Compact(got), want)
		}
	}
}

// The snapshot of a run has its path, its payloads, and its output or error.
func TestOf(t *testing.T) {
	s, m := suitecase.Load(t, suitecase.Head+`cases:
  ok: {snapshot: true}
  failed: {inject: {ChargeCard: Card.Declined}, snapshot: {ignore: [$.tasks]}}
`)
	for i, want := range []string{
		`{"status":"SUCCEEDED","path":["ValidateOrder","PaymentDue","ChargeCard","AwaitSettlement","Fulfil","PackLines","Summarize","OrderCompleted"],"tasks":{"ChargeCard":[{`,
		`{"status":"FAILED","path":["ValidateOrder","PaymentDue","ChargeCard","OrderRejected"],"error":"Order.Rejected","cause":`,
	} {
		r, _ := execute.Run(s.Cases[i], m, execute.Options{})
		if r.Snapshot == nil || !strings.HasPrefix(value.Compact(r.Snapshot), want) {
			t.Errorf("%s is %s", suitecase.Outcome(r), value.Compact(r.Snapshot))
		}
	}
}
