package executions_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"asldb/internal/executions"
	"asldb/internal/testkit/runs"
	"asldb/recorder"
)

var day = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

// withoutAWS keeps the machine's own AWS configuration out of a test.
func withoutAWS(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, "/dev/null")
	}
	for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL",
		"AWS_ENDPOINT_URL_SFN", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

func arn(t testing.TB, text string) executions.ARN {
	t.Helper()
	a, err := executions.ParseARN(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func connect(t *testing.T, stub *runs.Server) *executions.Client {
	t.Helper()
	withoutAWS(t)
	client, err := executions.Connect(t.Context(),
		executions.Connection{Endpoint: stub.URL, Rate: 1e6, MaxBackoff: time.Millisecond},
		arn(t, runs.Prefix+"stateMachine:Order"))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// folder returns a folder of the executions, with what was saved.
func fetchFolder(t *testing.T, redact ...string) (*executions.Folder, *[]executions.Saved) {
	t.Helper()
	var saved []executions.Saved
	f := &executions.Folder{Dir: filepath.Join(t.TempDir(), "histories"), Nested: true,
		Saved: func(s executions.Saved) { saved = append(saved, s) }}
	for _, path := range redact {
		redaction, err := recorder.ParseRedaction(path)
		if err != nil {
			t.Fatal(err)
		}
		f.Redactions = append(f.Redactions, redaction)
	}
	return f, &saved
}

// files returns the names of the files below a folder.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
