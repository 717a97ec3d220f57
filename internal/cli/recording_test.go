package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

	"asldb/internal/cli/command"
)

// The size of the recorded tour, and its files. The recording has a line more than the screen, for the keys.
const (
	tourCols, tourRows = 110, 32
	tourKeys, tourCast = "../../docs/tour.keys", "../../docs/tour.cast"
)

// TestRecordedTour compares the recording of the documentation with the screen as it is; -update writes it.
func TestRecordedTour(t *testing.T) {
	keys, err := os.ReadFile(tourKeys)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tour.cast")
	var out, errors bytes.Buffer
	arguments := []string{
		"demo",
		"--from-start",
		"--no-state",
		"--theme",
		"dark",
		"--size",
		fmt.Sprintf("%dx%d", tourCols, tourRows),
		"--keys",
		string(keys),
		"--cast",
		file,
	}
	if status := Main(arguments, strings.NewReader(""), &out, &errors); status != command.StatusOK {
		t.Fatalf("status %d\n%s", status, errors.String())
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	compareFile(t, tourCast, want)
}

// TestRecordingIsACast: the recording has the header of asciicast v2, times that do not go back, a marker for each
// caption, and shows the keys of the screen at its end.
func TestRecordingIsACast(t *testing.T) {
	data, err := os.ReadFile(tourCast)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var header struct{ Version, Width, Height int }
	if err := json.Unmarshal([]byte(lines[0]), &header); err != nil || header.Version != 2 ||
		header.Width != tourCols ||
		header.Height != tourRows+1 {
		t.Fatalf("header %s: %v", lines[0], err)
	}
	terminal := vt10x.New(vt10x.WithSize(header.Width, header.Height))
	last, marks := 0.0, 0
	var seen strings.Builder // the first lines of the frames
	for i, line := range lines[1:] {
		var event [3]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("line %d: %v", i+2, err)
		}
		at, isTime := event[0].(float64)
		data, isText := event[2].(string)
		if !isTime || !isText || at < last {
			t.Fatalf("line %d: %.60s, after %v", i+2, line, last)
		}
		last = at
		switch event[1] {
		case "m":
			marks++
		case "o":
			_, _ = terminal.Write([]byte(data))
			first, _, _ := strings.Cut(terminal.String(), "\n")
			seen.WriteString(first + "\n")
		default:
			t.Errorf("line %d is of the kind %v", i+2, event[1])
		}
	}
	for _, text := range []string{"READY", "BREAKPOINT 1 any error (hit 4)", "✓ SUCCEEDED", "VIEWING event", "Card.Declined"} {
		if !strings.Contains(seen.String(), text) {
			t.Errorf("no frame has %q in its first line", text)
		}
	}
	if got := terminal.String(); !strings.Contains(got, "type to filter") ||
		!strings.Contains(got, "? lists the keys") {
		t.Errorf("the last frame is\n%s", got)
	}
	keys, err := os.ReadFile(tourKeys)
	if err != nil {
		t.Fatal(err)
	}
	if captions := strings.Count("\n"+string(keys), "\n# "); marks != captions || last < 60 || last > 240 {
		t.Errorf("%d markers in %.0f s, want %d in one to four minutes", marks, last, captions)
	}
}
