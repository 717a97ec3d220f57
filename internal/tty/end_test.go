//go:build unix

package tty

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An editor that runs when the program must end is ended, and its text is not taken.
func TestTheEndOfTheProgramEndsTheEditor(t *testing.T) {
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	script := filepath.Join(dir, "ed")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho > "+started+"\nexec sleep 600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", script)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if text, err := Edit(ctx, "text", nil, nil); err == nil || text != "" ||
		!strings.HasPrefix(err.Error(), "the editor "+script+": ") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestATextWithoutAFile(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if text, err := Edit(t.Context(), "text", nil, nil); err == nil || text != "" {
		t.Errorf("%q, %v", text, err)
	}
}
