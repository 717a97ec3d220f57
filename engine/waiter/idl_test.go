package waiter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine/source"
	"asldb/engine/value"
)

const timedService = `$version: "2"
namespace x
use smithy.waiters#waitable
operation Get { output: Out }
apply Get @waitable(Ended: {
    acceptors: [{state: "success", matcher: {output: {path: """
        ends[0] >= ` + "`1767225600`" + `""", comparator: "booleanEquals", expected: "true"}}}]
    maxDelay: 4
})
`

const timedTypes = "namespace x\nstructure Out with [Timed] {}\nlist Times { member: Timestamp }\n@mixin\nstructure Timed { ends: Times }\n"

// TestIDL: a model in two files of Smithy's language runs, and again from what a trace has of it.
func TestIDL(t *testing.T) {
	service := &source.File{Name: "service.smithy", Data: []byte(timedService)}
	types := &source.File{Name: "types.smithy", Data: []byte(timedTypes)}
	m, problems := Read(types, service)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w := m.Lookup("Get.Ended")
	if w == nil || w.File != service || w.MaxDelay != 4 || w.MinDelay != 2 {
		t.Fatalf("%+v", w)
	}
	made, err := m.Program(w, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	again := Again(service, made.Origin)
	if again == nil {
		t.Fatal("the definition cannot be made again")
	}
	// With the types the text is an instant: without them it would be no number, and nothing would match.
	response := &Response{Output: value.Must(`{"ends": ["2026-01-01T00:00:00Z"]}`)}
	if _, state := w.Step(response); state != Success {
		t.Errorf("the waiter continues: %v", state)
	}
	if again.Lookup(w.AcceptorName(0)).Choices[0].Span != made.Lookup(w.AcceptorName(0)).Choices[0].Span {
		t.Error("the places differ")
	}
	// Without the types the paths cannot be checked, which is a warning.
	alone, problems := Read(service)
	if len(problems) != 1 || problems[0].Severity != source.Warning || !alone.Waiters[0].Usable(problems) {
		t.Errorf("%v", problems)
	}
}

// TestForms: the examples of both forms are one model.
func TestForms(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "waiter")
	var shown []string
	for _, name := range []string{"jobs.json", "jobs.smithy"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		m, problems := Read(&source.File{Name: name, Data: data})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		w := m.Lookup("JobDone")
		lines := value.Each(w.Acceptors, func(a *Acceptor) string {
			return a.State.String() + " " + a.Matcher.String() + " " + a.Message
		})
		shown = append(shown, strings.Join(lines, "\n")+w.Operation)
	}
	if shown[0] != shown[1] {
		t.Errorf("%s\n\n%s", shown[0], shown[1])
	}
}
