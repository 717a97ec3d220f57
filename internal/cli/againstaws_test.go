package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/testkit"
)

// Replies of the service, as its documentation prints them.
const (
	replyGood = `{"result":"OK","diagnostics":[],"truncated":false}`
	replyNext = `{"result":"FAIL","diagnostics":[{"severity":"ERROR","code":"MISSING_TRANSITION_TARGET",` +
		`"message":"Missing 'Next' target: C","location":"/States/A/Next"}],"truncated":false}`
)

// The verdict of Step Functions is put beside asldb's: what only one of them names is told. Without consent nothing is
// called.
func TestAgainstAWS(t *testing.T) {
	t.Setenv("AWS_REGION", "eu-west-1")
	answer, calls := replyGood, 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		if r.Header.Get("X-Amz-Target") != "AWSStepFunctions.ValidateStateMachineDefinition" {
			t.Errorf("the call is %s", r.Header.Get("X-Amz-Target"))
		}
		body, _ := io.ReadAll(r.Body)
		request := value.Must(string(body)).(*value.Object)
		if request.Get("type") != value.String("EXPRESS") || request.Get("severity") != value.String("WARNING") ||
			!strings.HasPrefix(string(request.Get("definition").(value.String)), `{"StartAt":"A"`) {
			t.Errorf("sent is %s", value.Compact(request))
		}
		_, _ = io.WriteString(w, answer)
	}))
	defer service.Close()
	dir := testkit.New(t, map[string]string{"m.yaml": "StartAt: A\nStates:\n  A: {Type: Pass, End: true}\n"})
	file, record := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "case.json")
	validate := func(more ...string) (status int, stdout, stderr string) {
		var out, problems bytes.Buffer
		args := append([]string{
			"validate", file, "--type", "express", "--against-aws", "--endpoint-url", service.URL,
		}, more...)
		status = Main(args, strings.NewReader(""), &out, &problems)
		return status, out.String(), problems.String()
	}
	if status, _, stderr := validate(); status != 2 || calls != 0 || !strings.Contains(stderr, "--yes allows it") {
		t.Errorf("without consent: status %d, %d calls: %s", status, calls, stderr)
	}
	if status, stdout, stderr := validate("--yes"); status != 0 || calls != 1 || !strings.Contains(stdout, "OK") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	answer = replyNext
	status, stdout, stderr := validate("--yes", "--record-case", record)
	for _, want := range []string{
		"Step Functions FAIL, asldb OK", "MISSING_TRANSITION_TARGET", "/States/A/Next", "Missing 'Next' target: C",
	} {
		if status != 1 || !strings.Contains(stdout, want) {
			t.Errorf("status %d, without %q: %s%s", status, want, stdout, stderr)
		}
	}
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	written := value.Must(string(text)).(*value.Object)
	if written.Get("sureness") != value.String("recorded") ||
		!value.Equal(written.Get("expect"), value.Must(replyNext)) ||
		written.Get("asldb").(*value.Object).Get("result") != value.String("OK") {
		t.Errorf("the case is %s", text)
	}
	// With the mistake in the definition the two agree.
	if err := os.WriteFile(file, []byte("StartAt: A\nStates:\n  A: {Type: Pass, Next: C}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer = strings.Replace(replyNext, "}],", `},{"severity":"ERROR","code":"MISSING_END_STATE",`+
		`"message":"Workflow has no terminal state"}],`, 1)
	if status, stdout, _ := validate("--yes", "--json"); status != 0 ||
		!strings.Contains(strings.ReplaceAll(stdout, " ", ""), `"agrees":true`) {
		t.Errorf("status %d, the JSON is %s", status, stdout)
	}
	if status, _, _ := validate("--yes", "--fix"); status != 2 {
		t.Errorf("with --fix the status is %d", status)
	}
	// The flags of the call are refused where nothing is called.
	for _, flag := range []string{"--yes", "--region=eu-west-1", "--profile=p", "--record-case=new.json"} {
		var out, problems bytes.Buffer
		if status := Main([]string{"validate", file, flag}, strings.NewReader(""), &out, &problems); status != 2 ||
			!strings.Contains(problems.String(), "is for --against-aws: give that, too") {
			t.Errorf("%s: status %d: %s", flag, status, problems.String())
		}
	}
}
