package why_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
	"asldb/internal/why"
)

// failedIn returns the state in which a recorded execution failed, by the links of its events alone: from the event
// that ended it back to the first event of a state being entered. ok is false where it did not fail.
func failedIn(document *value.Object) (state string, ok bool) {
	events, _ := document.Get("events").(*value.Array)
	byID := make(map[string]*value.Object)
	var end *value.Object
	for _, item := range events.All() {
		e := item.(*value.Object)
		byID[value.Compact(e.Get("id"))] = e
		if kind, _ := e.Get("type").(value.String); kind == "ExecutionFailed" || kind == "ExecutionTimedOut" ||
			kind == "ExecutionAborted" {
			end = e
		}
	}
	if end == nil {
		return "", false
	}
	for e := end; e != nil; e = byID[value.Compact(e.Get("previousEventId"))] {
		kind, _ := e.Get("type").(value.String)
		if failed, _ := e.Get("evaluationFailedEventDetails").(*value.Object); failed != nil {
			name, _ := failed.Get("state").(value.String)
			return string(name), true
		}
		details, _ := e.Get("stateEnteredEventDetails").(*value.Object)
		if strings.HasSuffix(string(kind), "StateEntered") && details != nil {
			name, _ := details.Get("name").(value.String)
			return string(name), true
		}
	}
	return "", true
}

// named returns the states that an answer names for the error that ended the execution: the states of the first links,
// up to the first error that was another one.
func named(a *why.Answer) []string {
	var names []string
	for i, l := range a.Ending.Chain.Links {
		if i > 0 && (l.Kind != provenance.Failed || l.Caught >= 0) {
			break
		}
		if l.Visit != nil {
			names = append(names, l.Visit.State.Name)
		}
	}
	return names
}

// errorsOf writes the chain of an answer, and the errors that were being handled: states and errors.
func errorsOf(a *why.Answer) string {
	text := ""
	for _, l := range slices.Concat(a.Ending.Chain.Links, a.Ending.Chain.Handled) {
		text += " < "
		if l.Visit != nil {
			text += l.Visit.Path()
		}
		if l.Failure != nil {
			text += " " + l.Failure.Name
		}
	}
	return text
}

func ask(t *testing.T, document, definition []byte) (*why.Answer, error) {
	t.Helper()
	q := why.Question{Files: []string{files.Stdin}, Input: files.Files{Stdin: bytes.NewReader(document)}}
	if definition != nil {
		q.Definition.File = filepath.Join(t.TempDir(), "m.asl.json")
		if err := os.WriteFile(q.Definition.File, definition, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return why.Of(q)
}

// TestRecordedFailures: each recorded execution that failed is explained, with its definition and without, and the
// state named is the one that its events lead to.
func TestRecordedFailures(t *testing.T) {
	explained, unnamed := 0, 0
	check := func(name string, document *value.Object, definition []byte) {
		want, failed := failedIn(document)
		if !failed {
			return
		}
		definitions := [][]byte{nil}
		if definition != nil {
			definitions = append(definitions, definition)
		}
		chain := ""
		for _, definition := range definitions {
			answer, err := ask(t, value.Append(nil, document), definition)
			if answer == nil || err != nil {
				t.Errorf("%s, with definition %v: %v", name, definition != nil, err)
				continue
			}
			if shown(t, answer, "text", 100) == "" {
				t.Errorf("%s: there is no text", name)
			}
			if _, err := value.Parse([]byte(shown(t, answer, "json", 0)), value.Limits{}); err != nil {
				t.Errorf("%s: the JSON: %v", name, err)
			}
			if got := errorsOf(answer); chain != "" && chain != got {
				t.Errorf("%s: the chain is %s without the definition, and %s with it", name, chain, got)
			} else {
				chain = got
			}
			got := named(answer)
			switch {
			case want == "": // it was aborted: the event that says so has no link
				unnamed++
			case !slices.Contains(got, want):
				t.Errorf("%s, with definition %v: %q is named, and the events lead to %q\n%s", name, definition != nil,
					got, want, shown(t, answer, "text", 100))
			default:
				explained++
			}
		}
	}
	for _, c := range runs.LoadAWS(t) {
		if document := c.Document(); c.Kind == "execution" && document != nil {
			check(c.Name, document, c.Definition)
		}
	}
	names, err := filepath.Glob(filepath.Join(testkit.Dir(t, "histories"), "real-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		document, err := value.Parse(data, value.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		check(filepath.Base(name), document.(*value.Object), nil)
	}
	t.Logf("%d explanations name the recorded state; %d of executions that were aborted", explained, unnamed)
}
