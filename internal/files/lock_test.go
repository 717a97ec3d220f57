//go:build unix || windows

package files

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A trace that is being written is locked for other writers, not for readers, and until it is closed.
func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.trace")
	open := func() *os.File {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	first, second := open(), open()
	if free, err := TryLock(first); err != nil || !free {
		t.Fatalf("the first lock: %v, %v", free, err)
	}
	if free, err := TryLock(second); err != nil || free {
		t.Errorf("the second lock: %v, %v", free, err)
	}
	if _, err := first.WriteString("{}\n"); err != nil {
		t.Error(err)
	}
	if data, err := io.ReadAll(second); err != nil || string(data) != "{}\n" {
		t.Errorf("a reader finds %q, %v", data, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if free, err := TryLock(second); err != nil || !free {
		t.Errorf("the lock after the first writer: %v, %v", free, err)
	}
}
