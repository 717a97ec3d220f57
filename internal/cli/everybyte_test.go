package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"asldb/internal/cli/command"
)

// readers are the commands that read a trace, but for the screen: TRACE is its name.
var readers = [][]string{
	{"trace", "info", "TRACE"}, {"trace", "info", "TRACE", "--json"}, {"trace", "query", "TRACE"}, {"trace", "stats", "TRACE"},
	{"replay", "--verify", "TRACE"}, {"replay", "--verify", "TRACE", "--input", "{}"}, {"history", "export", "TRACE"}, {"fixtures", "from-trace", "TRACE"},
}

// Whatever byte of a trace is changed: every command that reads traces opens it or refuses it, and says why, with
// little memory. With ASLDB_EVERY_BYTE=1 in the environment every byte is changed, to several others.
func TestEveryByteThroughEveryCommand(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.trace"), filepath.Join(dir, "bad.trace")
	example := filepath.Join("..", "..", "recorder", "testdata", "small")
	if status := Main([]string{"run", example + ".asl.json", "--fixtures", example + ".yaml", "--trace", good}, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); status != command.StatusFailed {
		t.Fatal(status)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	all, n := os.Getenv("ASLDB_EVERY_BYTE") != "", 0
	for at, was := range data {
		for _, to := range []byte{'9', 'e', ',', '"', '\n', was ^ 1, was ^ 0x80} {
			if n++; to == was || !all && n%3989 != 0 {
				continue
			}
			data[at] = to
			if err := os.WriteFile(bad, data, 0o600); err != nil {
				t.Fatal(err)
			}
			data[at] = was
			for _, reader := range readers {
				checkDamaged(t, fmt.Sprintf("byte %d is %q", at, to), bad, reader)
			}
		}
	}
}

func checkDamaged(t *testing.T, what, file string, reader []string) {
	t.Helper()
	args := strings.Split(strings.ReplaceAll(strings.Join(reader, "\x00"), "TRACE", file), "\x00")
	what += ": " + strings.Join(reader, " ")
	t.Log(what) // the last one tells, where there is no end
	var before, after runtime.MemStats
	var stdout, stderr bytes.Buffer
	runtime.ReadMemStats(&before)
	status := Main(args, strings.NewReader(""), &stdout, &stderr)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 100<<20 {
		t.Errorf("%s: %d bytes were allocated", what, n)
	}
	switch {
	case status == command.StatusUsage && stderr.Len() == 0, status != command.StatusOK && status != command.StatusUsage && status != command.StatusDiffers:
		t.Errorf("%s: exit status %d\n%s%s", what, status, stdout.String(), stderr.String())
	case status == command.StatusDiffers && !strings.Contains(stdout.String(), "the run differs from the recording at event"):
		t.Errorf("%s: it does not say what differs\n%s", what, stdout.String())
	}
}
