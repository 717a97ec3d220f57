package replace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"asldb/internal/replace"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A file is replaced, also while a reader has the old one open for a moment.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	temp, target := filepath.Join(dir, "temp"), filepath.Join(dir, "target")
	for _, text := range []string{"first", "second"} {
		write(t, temp, text)
		var reader *os.File
		if text == "second" {
			var err error
			if reader, err = os.Open(target); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(50*time.Millisecond, func() { _ = reader.Close() })
		}
		if err := replace.File(temp, target); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(target); err != nil || string(data) != text {
			t.Errorf("the file has %q, %v", data, err)
		}
	}
	if err := replace.File(temp, target); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
