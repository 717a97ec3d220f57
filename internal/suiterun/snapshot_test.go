package suiterun_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
	"asldb/internal/testkit/suites"
)

// A snapshot that is written is the same when it is read again, whatever is in it.
func TestWriteAndRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.test.yaml")
	var file *suiterun.File
	made := value.Must(`{"status":"SUCCEEDED","path":["A","b: c","- d"],"tasks":{"A/Branches[0]/B":[{"n":129.90,"s":"line\nbreak","e":""},null]},
		"output":{"a b":{"c":[]},"d":[[1,2],{"x":"#y"}],"e":{},"f":"yes","1":1e400,"":"$any"}}`)
	err := suiterun.Update(name, func(f *suiterun.File) bool {
		f.Set("case: with \"quotes\"", made)
		f.Set("text", value.String("x"))
		f.Set("text", value.Must(`{"output":"x"}`))
		file = f
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := suiterun.ReadSnapshot(name)
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
	none := func(f *suiterun.File) bool { return f.Retain(nil) }
	if err := suiterun.Update(name, none); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(suiterun.NameOf(name)); !os.IsNotExist(err) {
		t.Errorf("the file without snapshots is still there: %v", err)
	}
	if err := suiterun.Update(name, none); err != nil {
		t.Error(err)
	}
}

// Several processes accept snapshots of one suite: each is kept. Whatever fails, the file has the old snapshots or the
// new ones.
func TestAcceptAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.test.yaml")
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			if err := suiterun.Accept(name, strconv.Itoa(n), value.Must(`{"status":"SUCCEEDED"}`)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	file, err := suiterun.ReadSnapshot(name)
	for n := range 20 {
		if err != nil || file.Find(strconv.Itoa(n)) == nil {
			t.Errorf("the snapshot %d is lost: %v", n, err)
		}
	}
	testkit.EachFailure(t, map[string]string{"a.test.snap.yaml": string(file.Text())}, func(dir string) error {
		return suiterun.Accept(filepath.Join(dir, "a.test.yaml"), "new", value.Must(`{"status":"SUCCEEDED"}`))
	})
}

func TestWrongFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.test.yaml")
	for text, want := range map[string]string{
		"a: [":                  "a.test.snap.yaml:1:",
		"version: 2\ncases: {}": "begins with version: 1",
		"version: 1\ncases: []": "has cases, an object",
	} {
		if err := os.WriteFile(suiterun.NameOf(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := suiterun.ReadSnapshot(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, and should have %q", text, err, want)
		}
	}
	if err := suiterun.Accept(filepath.Join(t.TempDir(), "none", "a.test.yaml"), "a", value.Must("{}")); err == nil {
		t.Error("a folder that is not there is no error")
	}
	if err := os.Remove(suiterun.NameOf(name)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(suiterun.NameOf(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := suiterun.ReadSnapshot(name); err == nil {
		t.Error("a folder in place of the file is not an error")
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
		got := suiterun.Without(value.Must(`{"a":{"id":1},"b":[{"id":2,"c":3},{"id":4}]}`), p)
		if value.Compact(got) != want {
			t.Errorf("without %s there is %s, and should be %s", text, value.Compact(got), want)
		}
	}
}

// The snapshot of a run has its path, its payloads, and its output or error.
func TestOf(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  ok: {snapshot: true}
  failed: {inject: {ChargeCard: Card.Declined}, snapshot: {ignore: [$.tasks]}}
`)
	for i, want := range []string{
		`{"status":"SUCCEEDED","path":["ValidateOrder","PaymentDue","ChargeCard","AwaitSettlement","Fulfil","PackLines","Summarize","OrderCompleted"],"tasks":{"ChargeCard":[{`,
		`{"status":"FAILED","path":["ValidateOrder","PaymentDue","ChargeCard","OrderRejected"],"error":"Order.Rejected","cause":`,
	} {
		r, _ := suiterun.RunCase(s.Cases[i], m, suiterun.CaseOptions{})
		if r.Snapshot == nil || !strings.HasPrefix(value.Compact(r.Snapshot), want) {
			t.Errorf("%s is %s", suites.Outcome(r), value.Compact(r.Snapshot))
		}
	}
}
