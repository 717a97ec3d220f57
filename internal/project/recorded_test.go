package project

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// problemsOf returns every problem of a text as the command finds them.
func problemsOf(name, text string, o lint.Options) Checked {
	file := &source.File{Name: name, Data: []byte(text)}
	root, problem := source.Read(file, nil)
	if problem != nil {
		return Checked{Given: file, Source: file, Problems: []source.Diagnostic{*problem}}
	}
	return Checked{Given: file, Source: file, Problems: lint.All(file, root, o), Root: root}
}

func get(v value.Value, key string) value.Value {
	if o, ok := v.(*value.Object); ok {
		return o.Get(key)
	}
	return nil
}

func replyText(v value.Value) string {
	s, _ := v.(value.String)
	return string(s)
}

// TestRecordedReplies compares with the replies of Step Functions to definitions that it was given to validate, or to
// create a state machine from: verdict, code, message and place.
func TestRecordedReplies(t *testing.T) {
	compared, valid := 0, 0
	for _, c := range runs.LoadAWS(t) {
		if c.Kind == "validation" {
			compareReply(t, c)
			compared++
			continue
		}
		if c.Kind == "test-state" {
			continue
		}
		file := problemsOf(c.Name, string(c.Definition), lint.Options{})
		if errors, _, _ := file.Count(); errors > 0 {
			t.Errorf("%s: the service ran it: %s", c.Name, file.Problems[0].Format())
		}
		valid++
	}
	if compared < 20 || valid < 100 {
		t.Errorf("only %d replies were compared, and %d definitions that the service ran", compared, valid)
	}
	t.Logf("%d replies as recorded; %d definitions that the service ran have no error", compared, valid)
}

func compareReply(t *testing.T, c *runs.Case) {
	t.Helper()
	options := lint.Options{Express: replyText(c.Object.Get("type")) == "EXPRESS"}
	file := problemsOf(c.Name, string(c.Definition), options)
	reply := Reply(&file, Options{})
	got := get(reply, "diagnostics").(*value.Array)
	want, _ := c.Expect.Get("diagnostics").(*value.Array)
	if status := replyText(c.Expect.Get("status")); replyText(get(reply, "result")) != status {
		t.Errorf("%s: %s, recorded %s %s", c.Name, value.Compact(reply), status, value.Compact(c.Expect))
		return
	}
	if cause := replyText(c.Expect.Get("cause")); cause != "" {
		var texts []string
		for _, d := range got.All() {
			if replyText(get(d, "severity")) != "ERROR" { // CreateStateMachine names no warnings
				continue
			}
			texts = append(texts, fmt.Sprintf("%s: %s at %s", replyText(get(d, "code")), replyText(get(d, "message")),
				replyText(get(d, "location"))))
		}
		if said := "Invalid State Machine Definition: '" + strings.Join(texts, ", ") + "'"; said != cause {
			t.Errorf("%s:\n got %s\nwant %s", c.Name, said, cause)
		}
		return
	}
	if want == nil {
		return
	}
	if got.Len() != want.Len() {
		t.Errorf("%s: got %s, recorded %s", c.Name, value.Compact(got), value.Compact(want))
		return
	}
	for i, d := range want.All() {
		for _, key := range []string{"code", "location", "message", "severity"} {
			if a, b := replyText(get(got.At(i), key)), replyText(get(d, key)); a != b {
				t.Errorf("%s: %s is %q, recorded %q", c.Name, key, a, b)
				return
			}
		}
	}
}
