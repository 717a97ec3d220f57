//go:build unix

package files_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"asldb/internal/files"
)

// Special files are written to, whatever the way of writing is, and stay.
func TestSpecialFilesAreWrittenTo(t *testing.T) {
	twice := func(old []byte) ([]byte, error) { return append(old, "text"...), nil }
	for name, write := range map[string]func(name string) error{
		"replace": func(name string) error { return files.Replace(name, 0o600, []byte("text")) },
		"create":  func(name string) error { return files.Create(name, 0o600, []byte("text")) },
		"update":  func(name string) error { return files.Update(name, 0o600, twice) },
	} {
		t.Run(name, func(t *testing.T) {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Skip(err)
			}
			reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			if err := write(pipe); err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(reader); string(text) != "text" || err != nil {
				t.Errorf("the pipe has %q, %v", text, err)
			}
			if info, err := os.Lstat(pipe); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
				t.Errorf("the pipe is now %v, %v", info.Mode(), err)
			}
		})
	}
}

// A regular file that is standard output is written to where it has come to, by any name.
func TestStandardOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	before := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = before }()
	for _, text := range []string{"one ", "two"} {
		if err := files.Replace(name, 0o600, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "one two" {
		t.Errorf("%q, %v", text, err)
	}
}
