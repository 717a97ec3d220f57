package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/recorder"
)

// The examples beside the project's code run to the output that is written with them.
func TestExamples(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/examples/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no examples: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			var out, errors bytes.Buffer
			arguments := []string{"run", definitionIn(t, folder), "--fixtures", filepath.Join(folder, "fixtures.yaml")}
			if file := filepath.Join(folder, "substitutions.yaml"); exists(file) {
				arguments = append(arguments, "--substitutions", file)
			}
			status := Main(arguments, strings.NewReader(""), &out, &errors)
			if status != command.StatusOK {
				t.Fatalf("status %d\n%s", status, errors.String())
			}
			expected, err := os.ReadFile(filepath.Join(folder, "expected.json"))
			if err != nil {
				t.Fatal(err)
			}
			if want := value.Must(string(expected)); !value.Equal(value.Must(out.String()), want) {
				t.Errorf("output %s\n  want %s", out.String(), value.Compact(want))
			}
		})
	}
}

// definitionIn returns the file of an example's definition, or of the template that it is in.
func definitionIn(t *testing.T, folder string) string {
	t.Helper()
	for _, name := range []string{"definition.asl.json", "definition.asl.yaml", "template.yaml", "template.json"} {
		if file := filepath.Join(folder, name); exists(file) {
			return file
		}
	}
	t.Fatalf("there is no definition in %s", folder)
	return ""
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// The trace of every example has the events that happened, byte for byte, and so has its execution again.
func TestTracesOfExamples(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/examples/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no examples: %v", err)
	}
	for _, folder := range folders {
		for _, name := range []string{"run.trace", "run.trace.zst"} {
			t.Run(filepath.Base(folder)+"/"+name, func(t *testing.T) {
				trace := filepath.Join(t.TempDir(), name)
				arguments := []string{"run", definitionIn(t, folder), "--fixtures", filepath.Join(folder, "fixtures.yaml"), "--start-time", "2026-01-01T00:00:00Z"}
				if file := filepath.Join(folder, "substitutions.yaml"); exists(file) {
					arguments = append(arguments, "--substitutions", file)
				}
				// A trace keeps a text with substitutions as the JSON that it was made to, with its own lines.
				events := withoutSource(printed(t, append(arguments, "--events", "--trace", trace)...))
				if got := withoutSource(printed(t, "trace", "query", trace)); got != events {
					t.Errorf("the trace has other events:\n%s\nwant\n%s", got, events)
				}
				if got := printed(t, "replay", "--verify", trace); !strings.HasPrefix(got, "all ") || strings.Contains(got, "ends before") {
					t.Error(got)
				}
				again, err := launch.New(launch.Spec{Replay: launch.Replay{File: trace}})
				if err != nil {
					t.Fatal(errors.Join(err, again.Close()))
				}
				defer again.Close()
				if again.Replay.Divergence != nil || !again.Session.Executable() {
					t.Fatalf("%+v", again.Replay.Divergence)
				}
				var replayed []byte
				for event := range again.Session.Log().All() {
					replayed = append(recorder.AppendEvent(replayed, event), '\n')
				}
				if withoutSource(string(replayed)) != events {
					t.Errorf("executed again it has other events:\n%s\nwant\n%s", replayed, events)
				}
			})
		}
	}
}

// printed runs a command that succeeds and returns its output.
func printed(t *testing.T, arguments ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	if status := Main(arguments, strings.NewReader(""), &out, &errors); status != command.StatusOK {
		t.Fatalf("%q: status %d\n%s%s", arguments, status, out.String(), errors.String())
	}
	return out.String()
}

// TestWaiterExample: the example of docs/waiters.md comes to its end.
func TestWaiterExample(t *testing.T) {
	var out, errors bytes.Buffer
	folder := "../../testdata/waiter/"
	status := Main([]string{"waiter", "run", folder + "jobs.json", "--max-wait", "5m", "--fixtures", folder + "responses.yaml"}, strings.NewReader(""), &out, &errors)
	if status != command.StatusOK || out.String() != "{\"Status\":\"DONE\"}\n" {
		t.Errorf("status %d, %s%s", status, out.String(), errors.String())
	}
}

var sourceMember = regexp.MustCompile(`,"source":\{[^}]*\}`)

// withoutSource takes the places of errors out of events.
func withoutSource(events string) string { return sourceMember.ReplaceAllString(events, "") }

// Every example has a suite, which passes and goes through all of its definition, each condition both ways.
func TestSuitesOfExamples(t *testing.T) {
	const folder = "../../testdata/examples"
	folders, err := filepath.Glob(folder + "/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no examples: %v", err)
	}
	for _, f := range folders {
		if suites, err := filepath.Glob(f + "/*.test.yaml"); err != nil || len(suites) != 1 {
			t.Errorf("%s has %d suites: %v", f, len(suites), err)
		}
	}
	out := printed(t, "test", folder, "--no-state", "--coverage", "--min", "100,conditions=100,errors=100,timeouts=100")
	if !strings.Contains(out, "coverage 100 %") {
		t.Error(out)
	}
	printed(t, "validate", "--strict", folder)
}
