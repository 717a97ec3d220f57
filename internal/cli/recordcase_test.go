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
)

// A case is recorded in the form of the corpus: the request that was sent, the service's answer and asldb's own.
// Without consent nothing is called.
func TestRecordCase(t *testing.T) {
	t.Setenv("AWS_REGION", "eu-west-1")
	var calls []*value.Object
	answers := map[string]string{
		"Same":    `{"output":"{\"a\": 1}","nextState":"Other","status":"SUCCEEDED","inspectionData":{"input":"{\"a\": 1}","afterInputPath":"{\"a\":1}","afterParameters":"{\"a\":1}","afterResultSelector":"{\"a\":1}","afterResultPath":"{\"a\":1}"}}`,
		"Other":   `{"output":"2","status":"SUCCEEDED"}`,
		"Refused": `{"__type":"InvalidDefinition","message":"no"}`,
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		request := value.Must(string(body)).(*value.Object)
		calls = append(calls, request)
		if r.Header.Get("X-Amz-Target") != "AWSStepFunctions.TestState" {
			t.Errorf("the call is %s", r.Header.Get("X-Amz-Target"))
		}
		name := string(request.Get("stateName").(value.String))
		if name == "Refused" {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, answers[name])
	}))
	defer service.Close()
	definition := filepath.Join(t.TempDir(), "m.yaml")
	text := "StartAt: Same\nStates:\n  Same: {Type: Pass, Next: Other}\n  Other: {Type: Pass, Next: Refused}\n  Refused: {Type: Pass, End: true}\n"
	if err := os.WriteFile(definition, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	record := func(state string, more ...string) (status int, document *value.Object, stderr string) {
		t.Helper()
		var out, problems bytes.Buffer
		args := append([]string{"record-case", definition, "--state", state, "--input", `{"a": 1}`, "--endpoint-url", service.URL}, more...)
		status = Main(args, strings.NewReader(""), &out, &problems)
		read, err := value.ParseString(out.String())
		if err != nil {
			t.Fatalf("%s: %v, %s", state, err, problems.String())
		}
		document, _ = read.(*value.Object)
		return status, document, problems.String()
	}
	status, document, stderr := record("Same")
	if len(calls) != 0 || status != 0 || document.Get("expect") != nil || document.Get("sureness") != nil || !strings.Contains(stderr, "nothing was called") {
		t.Errorf("without consent: %d calls, status %d, %s %s", len(calls), status, value.Compact(document), stderr)
	}
	for _, test := range []struct {
		state, level, want string
		status             int
	}{
		{"Same", "DEBUG", `{"status":"SUCCEEDED","output":{"a":1},"nextState":"Other","inspectionData":{"input":{"a":1},"afterInputPath":{"a":1},"afterParameters":{"a":1},"afterResultSelector":{"a":1},"afterResultPath":{"a":1}}}`, 0},
		{"Other", "INFO", `{"status":"SUCCEEDED","output":2}`, 1},
		{"Refused", "INFO", `{"status":"EXCEPTION","error":"InvalidDefinition","cause":"no"}`, 1},
	} {
		status, document, stderr := record(test.state, "--yes", "--level", test.level)
		if status != test.status || value.Compact(document.Get("expect")) != test.want || document.Get("sureness") != value.String("recorded") {
			t.Errorf("%s: status %d, %s\n%s", test.state, status, value.Compact(document), stderr)
		}
		own := document.Get("asldb").(*value.Object)
		if same := value.Equal(own, document.Get("expect")); same != (test.status == 0) || own.Get("status") != value.String("SUCCEEDED") {
			t.Errorf("%s: asldb answers %s", test.state, value.Compact(own))
		}
		sent := calls[len(calls)-1]
		if got := value.Must(string(sent.Get("definition").(value.String))); !value.Equal(got, document.Get("definition")) || sent.Get("input") != value.String(`{"a":1}`) {
			t.Errorf("%s: sent is %s", test.state, value.Compact(sent))
		}
	}
}
