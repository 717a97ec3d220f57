package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"asldb/internal/files"
	"asldb/internal/testkit"
)

// Each way of writing leaves the old files or the new ones, whichever of its calls fails.
func TestNoFailureLeavesHalfAFile(t *testing.T) {
	longer := func(old []byte) ([]byte, error) { return append(old, " more"...), nil }
	for name, write := range map[string]func(dir string) error{
		"replace":    func(dir string) error { return files.Replace(filepath.Join(dir, "old"), 0o600, []byte("new")) },
		"new":        func(dir string) error { return files.Replace(filepath.Join(dir, "new"), 0o600, []byte("new")) },
		"create":     func(dir string) error { return files.Create(filepath.Join(dir, "new"), 0o600, []byte("new")) },
		"update":     func(dir string) error { return files.Update(filepath.Join(dir, "old"), 0o600, longer) },
		"update new": func(dir string) error { return files.Update(filepath.Join(dir, "new"), 0o600, longer) },
		"remove": func(dir string) error {
			return files.Update(filepath.Join(dir, "old"), 0o600, func([]byte) ([]byte, error) { return nil, nil })
		},
	} {
		t.Run(name, func(t *testing.T) { testkit.EachFailure(t, map[string]string{"old": "old", "other": "x"}, write) })
	}
}

// No update is lost, and no lock stays.
func TestUpdatesAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "count")
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			err := files.Update(name, 0o600, func(old []byte) ([]byte, error) {
				n, _ := strconv.Atoi(string(old))
				return []byte(strconv.Itoa(n + 1)), nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if text, err := os.ReadFile(name); err != nil || string(text) != "50" {
		t.Errorf("the file has %q, %v", text, err)
	}
}

func TestPermissions(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("Windows has no such permissions")
	}
	for _, c := range []struct{ before, mode, want fs.FileMode }{
		{0, 0o600, 0o600},
		{0, 0o644, 0o644},
		{0o640, 0o666, 0o640},
		{0o644, 0o600, 0o600},
		{0o755, 0o666, 0o755},
	} {
		name := filepath.Join(t.TempDir(), "file")
		if c.before != 0 {
			if err := errors.Join(os.WriteFile(name, nil, 0o600), os.Chmod(name, c.before)); err != nil {
				t.Fatal(err)
			}
		}
		if err := files.Replace(name, c.mode, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode() != c.want {
			t.Errorf("%v, written with %v, has %v, want %v", c.before, c.mode, info.Mode(), c.want)
		}
	}
}

// A file that cannot or must not be written is left alone, and the error says why.
func TestRefused(t *testing.T) {
	at := testkit.Named(t, map[string]string{"there": "x", "long": "", "folder/file": "x", "fixed": "x"})
	if err := errors.Join(os.Chmod(at("fixed"), 0o444), os.Truncate(at("long"), 1<<30)); err != nil {
		t.Fatal(err)
	}
	keep := func(old []byte) ([]byte, error) { return old, nil }
	for _, c := range []struct {
		err  error
		want string
	}{
		{files.Create(at("there"), 0o600, nil), at("there") + " is there already, and is not written over"},
		{files.Replace(at("folder"), 0o600, nil), "cannot write " + at("folder") + ": it is a directory"},
		{files.Replace(at("fixed"), 0o600, nil), "cannot write " + at("fixed") + ": it is read-only"},
		{files.Update(at("long"), 0o600, keep), "cannot write " + at("long") +
			": it has 1073741824 bytes, and at most 268435456 are read"},
		{files.Replace(at("none/file"), 0o600, nil), "cannot write " + at("none/file") + ": "},
	} {
		var wrong *files.WriteError
		if !errors.As(c.err, &wrong) || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
	if entries, err := os.ReadDir(at("")); err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A link stays, and its target is written.
func TestLink(t *testing.T) {
	at := testkit.Named(t, map[string]string{"there/file": "old"})
	if err := os.Symlink(filepath.Join("there", "file"), at("link")); err != nil {
		t.Skip(err)
	}
	if err := files.Replace(at("link"), 0o600, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(at("link"))
	text, read := os.ReadFile(at("there/file"))
	if errors.Join(err, read) != nil || info.Mode()&fs.ModeSymlink == 0 || string(text) != "new" {
		t.Error(info.Mode(), string(text), err, read)
	}
}

// A file is written at its end; a folder is refused.
func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	for _, text := range []string{"a\n", "b\n"} {
		file, err := files.Append(name, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(name); string(text) != "a\nb\n" {
		t.Errorf("%q, %v", text, err)
	}
	var failed *files.WriteError
	if _, err := files.Append(filepath.Dir(name), 0o600); !errors.As(err, &failed) {
		t.Errorf("a folder: %v", err)
	}
}
