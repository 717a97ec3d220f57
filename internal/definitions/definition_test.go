package definitions_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/testkit"
)

// A template holds the definition; ${Name}s without a value are notes and explain errors.
func TestTemplate(t *testing.T) {
	example := filepath.Join("..", "..", "testdata", "examples", "refund-sam")
	d := definitions.Definition{File: filepath.Join(example, "template.yaml")}
	text, err := d.Open(files.Files{})
	if err != nil {
		t.Fatal(err)
	}
	definition, err := text.Parse()
	if err != nil || definition.TimeoutSeconds < 0 {
		t.Fatalf("%v, %v", definition, err)
	}
	if got := text.Problems(lint.Options{Hints: true}); len(got) != 1 || got[0].Rule != rules.UnresolvedReference {
		t.Errorf("problems %+v", got)
	}
	d.Resource = "Nothing"
	var wrong *definitions.InvalidError
	if _, err := d.Open(files.Files{}); !errors.As(err, &wrong) && err == nil {
		t.Error("a template has any resource")
	}
	file := testkit.Named(t, map[string]string{
		"a.json": `{"StartAt": "${First}", "TimeoutSeconds": ${Timeout}, "States": {"A": {"Type": "Pass", "End": true}}}`,
		"b.json": `{"StartAt": "${First}", "TimeoutSeconds": ${Timeout}, "States": {"A": {"Type": "${Kind}", "End": true}}}`,
	})
	d = definitions.Definition{File: file("a.json")}
	if text, err := d.Open(files.Files{}); err != nil || !text.Root.Get("TimeoutSeconds").Unknown {
		t.Errorf("%v", err)
	}
	d.Substitute = []string{"Timeout=5", "First=A"}
	if text, err = d.Open(files.Files{}); err != nil {
		t.Fatal(err)
	}
	if m, err := text.Parse(); err != nil || m.TimeoutSeconds != 5 {
		t.Errorf("%v", err)
	}
	d.File = file("b.json")
	if text, err = d.Open(files.Files{}); err != nil {
		t.Fatal(err)
	}
	if _, err := text.Parse(); !errors.As(err, &wrong) ||
		!strings.Contains(wrong.Problems[0].Suggestion, "--substitute Kind=") {
		t.Errorf("%+v", wrong.Problems)
	}
}

// The definition of an execution that a task starts has the substitutions of its parent; the error has the first
// problem of its text.
func TestNested(t *testing.T) {
	file := testkit.Named(t, map[string]string{"child.json": `{"StartAt": "${First}", "States": {"A": {"Type": "Pass", "End": true}}}`, "bad.asl.json": `{"StartAt": 1}`})
	d := definitions.Definition{File: "parent.json", Substitute: []string{"First=A"}}
	if machine, err := d.Nested(files.Files{}, file("child.json")); err != nil || machine.Top.StartAt != "A" {
		t.Errorf("%+v, %v", machine, err)
	}
	if _, err := d.Nested(files.Files{}, file("bad.asl.json")); err == nil ||
		!strings.Contains(err.Error(), "bad.asl.json:1:") {
		t.Errorf("%v", err)
	}
}
