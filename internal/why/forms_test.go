package why_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/testkit"
	"asldb/internal/why"
	"asldb/recorder"
)

// lossy fails since the catcher of L replaces the whole input, which S reads.
const lossy = `{"StartAt":"L","States":{
 "L":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Retry":[{"ErrorEquals":["E"],"MaxAttempts":5,"IntervalSeconds":1,"BackoffRate":1}],
  "Catch":[{"ErrorEquals":["States.ALL"],"Next":"S"}],"Next":"S"},
 "S":{"Type":"Pass","Parameters":{"mail.$":"$.customer.email"},"End":true}}}`

// traced runs a definition with results of tasks, and returns the name of its trace.
func traced(t *testing.T, definition, input, results string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	run, err := launch.New(launch.Spec{
		Definition: definitions.Definition{File: write("m.asl.json", definition)}, Input: launch.Input{Text: input},
		Fixtures: launch.Fixtures{Name: write("f.yaml", "version: 1\nstartTime: \"2026-01-01T00:00:00Z\"\n"+results)},
		Missing:  fixtures.Fail,
		Trace:    &launch.Trace{File: filepath.Join(dir, "m.trace")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "m.trace")
}

// forms returns an answer in each form.
func forms(t *testing.T, q why.Question) (text, markdown, document string) {
	t.Helper()
	answer, err := why.Of(q)
	if err != nil {
		t.Fatal(err)
	}
	document = shown(t, answer, "json", 0)
	if _, err := value.Parse([]byte(document), value.Limits{}); err != nil {
		t.Error(err)
	}
	return shown(t, answer, "text", 0), shown(t, answer, "markdown", 0), document
}

func shown(t *testing.T, answer *why.Answer, form string, width int) string {
	t.Helper()
	return testkit.Report(t, answer.Report(), form, report.Look{Width: width})
}

func wants(t *testing.T, form, got string, list ...string) {
	t.Helper()
	for _, want := range list {
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", form, want, got)
		}
	}
}

// TestLostValue: a path that missed is explained with the state that lost the value, in each form.
func TestLostValue(t *testing.T) {
	trace := traced(t, lossy, `{"customer":{"email":"ada@example.org"},"pin":123}`,
		"tasks:\n  L:\n    - {error: F, cause: \"ada@example.org bounced\"}\n")
	text, markdown, document := forms(t, why.Question{Files: []string{trace}})
	wants(t, "text", text, "FAILED in S with States.Runtime after 0s",
		"$.customer.email is missing: $ has only Error and Cause.",
		"L lost it: ResultPath $ (its default) of catcher 1",
		`keep it with "ResultPath": "$.error"`, `$.customer.email = "ada@example.org"`, "while handling F of L",
		"handling  L failed at t+0s: F", "asldb replay "+trace+" --break S:error",
		"a redrive would meet States.Runtime in S again")
	wants(t, "Markdown", markdown, "## FAILED in `S` with `States.Runtime`",
		"\n- `$.customer.email` is missing: $ has only Error and Cause.\n", "\n- **handling** `L`",
		": `$.customer.email` = ", "  ```sh\n  asldb replay ")
	wants(t, "JSON", document, `"missing": {`, `"path": "$.customer.email"`, `"kind": "replaced"`,
		`"hadPath": "$.customer.email"`, `"remedy": "\"ResultPath\": \"$.error\""`, `"handled": [`, `"verdict": "took"`)
	for _, form := range []string{text, document} {
		if strings.Contains(form, "[redacted]") {
			t.Errorf("nothing was to be redacted:\n%s", form)
		}
	}

	redactions := []*recorder.Redaction{redaction(t, "$..email"), redaction(t, "$.pin")}
	text, markdown, document = forms(t, why.Question{Files: []string{trace}, Redactions: redactions})
	for form, got := range map[string]string{"text": text, "Markdown": markdown, "JSON": document} {
		if strings.Contains(got, "ada@") || strings.Contains(got, "123,") {
			t.Errorf("%s has a secret:\n%s", form, got)
		}
	}
	wants(t, "redacted text", text, "FAILED in S with States.Runtime",
		"$.customer.email is missing: $ has only Error and Cause.", `$.customer.email = "[redacted]"`,
		"handling  L failed at t+0s: F: [redacted] bounced")
}

func redaction(t *testing.T, path string) *recorder.Redaction {
	t.Helper()
	r, err := recorder.ParseRedaction(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestManyAttempts: of a state that was tried again and again the first attempts and the last are named.
func TestManyAttempts(t *testing.T) {
	definition := strings.Replace(lossy, `"Catch":[{"ErrorEquals":["States.ALL"],"Next":"S"}],`, "", 1)
	trace := traced(t, definition, `{}`, "tasks:\n  L:\n    - {error: E, repeat: 6}\n")
	text, _, document := forms(t, why.Question{Files: []string{trace}})
	wants(t, "text", text, "FAILED in L with E after 5s, attempt 6", "attempt 3 failed at t+2s: E, retried after 1s",
		"and 1 attempt more", "attempt 5 failed at t+4s",
		"retrier 1 [E]: its 5 attempts are used up", "--break 'L:error hits == 6'")
	if strings.Contains(text, "attempt 4 failed") {
		t.Errorf("all attempts are named:\n%s", text)
	}
	if n := strings.Count(document, `"delaySeconds": 1`); n != 5 {
		t.Errorf("the JSON has %d delays, want 5:\n%s", n, document)
	}
	wants(t, "JSON", document, `"verdict": "spent"`, `"maxAttempts": 5`)
}

// TestChoice: the rule that led to a Fail state is the cause, with its place and the value that it compared.
func TestChoice(t *testing.T) {
	trace := traced(t, `{"StartAt":"C","States":{
 "C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":3,"Next":"F"}],"Default":"D"},
 "D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"Big"}}}`, `{"n":4}`, "")
	text, _, document := forms(t, why.Question{Files: []string{trace}})
	wants(t, "text", text, "because   rule 1 of C led to F: $.n > 3  event ", "m.asl.json:2:34",
		"with      $.n = 4, from the input", "open the debugger at the state", "--break C\n")
	wants(t, "JSON", document, `"kind": "decided"`, `"rule": 1`, `"pointer": "/States/C/Choices/0"`,
		`"origin": "input"`)
}

// TestWidth: lines are broken between words, commands are not.
func TestWidth(t *testing.T) {
	answer, err := ask(t, order().whole(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := shown(t, answer, "text", 50)
	for _, line := range strings.Split(out, "\n") {
		if len(line) > 50 && !strings.HasPrefix(strings.TrimLeft(line, " "), "asldb ") {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	wants(t, "text", out, "because   Charge failed at t+12s: Card.Declined:\n          no funds  event 13\n",
		"            asldb debug --history history.json --break Charge:error\n")
}

// TestTraceOfStdin: a trace can come from standard input, too, and one of a history has no places.
func TestTraceOfStdin(t *testing.T) {
	data, err := os.ReadFile(traced(t, lossy, `{}`, "tasks:\n  L:\n    - {error: F}\n"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := forms(t, why.Question{Files: []string{files.Stdin}, Input: files.Files{Stdin: bytes.NewReader(data)}})
	wants(t, "text", text, "FAILED in S with States.Runtime", "asldb replay recording.trace --break S:error",
		"(save the recording first)")
	broken := bytes.NewReader(data[:20])
	if _, err := why.Of(why.Question{Files: []string{files.Stdin}, Input: files.Files{Stdin: broken}}); err == nil {
		t.Error("a broken trace is explained")
	}
}

// TestNothingToExplain: an execution that succeeded has no cause, and says what it survived.
func TestNothingToExplain(t *testing.T) {
	trace := traced(t, lossy, `{"customer":{"email":"a"}}`,
		"tasks:\n  L:\n    - {error: E}\n    - {output: {customer: {email: b}}}\n")
	answer, err := why.Of(why.Question{Files: []string{trace}})
	var unexplained *why.UnexplainedError
	if !errors.As(err, &unexplained) || !strings.Contains(err.Error(), "succeeded") ||
		answer.Ending.Status != engine.Succeeded {
		t.Fatalf("%v", err)
	}
	out := shown(t, answer, "text", 0)
	wants(t, "text", out, "SUCCEEDED\n", "survived  L at t+0s: E, retried")
	if _, err := why.Of(why.Question{Files: []string{filepath.Join(t.TempDir(), "none")}}); err == nil {
		t.Error("a file that is not there is explained")
	}
}
