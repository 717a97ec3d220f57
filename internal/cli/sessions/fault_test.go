package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
	"asldb/tui"
	"asldb/tui/screen"
)

// TestWhatIsSavedAfterAFault: each session, texts, and another fault on the way.
func TestWhatIsSavedAfterAFault(t *testing.T) {
	state := filepath.Join(t.TempDir(), "the state")
	t.Setenv("ASLDB_STATE", state)
	s := &command.Streams{Now: time.Now}
	broken := &tui.PanicError{Sessions: []screen.TitledSession{{Title: "broken"}}, Typed: []string{"half a wo"}}
	var text strings.Builder
	if saveAfter(s, nil, &text, broken) {
		t.Error("a session that is none is saved")
	}
	for _, part := range []string{"The run could not be saved: another fault in asldb itself: ", "typed and not taken yet is in " + state} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("it does not say %q: %s", part, text.String())
		}
	}
	files, err := filepath.Glob(filepath.Join(state, "faults", "*.typed1.txt"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if data, err := os.ReadFile(files[0]); err != nil || string(data) != "half a wo" {
		t.Errorf("the text is %q, %v", data, err)
	}
	text.Reset()
	saveAfter(s, []string{"$..a"}, &text, &tui.PanicError{Typed: []string{"a secret"}})
	if !strings.Contains(text.String(), "is not saved, since --redact") {
		t.Error(text.String())
	}
}
