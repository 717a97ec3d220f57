package testkit

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"asldb/internal/files"
)

// ErrFull is the error of the changes that fail.
var ErrFull = errors.New("the disk is full")

// EachFailure calls write with folders of these texts, and lets the first, second, third ... change of the file system
// in it fail, until none does. Whichever fails, write returns [ErrFull], and each file has its old text or its new one:
// there is no other file. It must not be called while other tests write files.
func EachFailure(t *testing.T, texts map[string]string, write func(dir string) error) {
	t.Helper()
	done := New(t, texts)
	if err := write(done); err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		dir, err := New(t, texts), error(nil)
		failed := FailFrom(n, func() { err = write(dir) })
		switch {
		case failed == "" && n == 1:
			t.Fatal("nothing was written")
		case failed == "":
			return
		case !errors.Is(err, ErrFull):
			t.Errorf("call %d, %s, failed, and the error is %v", n, failed, err)
		}
		found, after := Texts(t, dir), Texts(t, done)
		for _, name := range slices.Sorted(maps.Keys(found)) {
			was, old := texts[name]
			now, written := after[name]
			if (!old || found[name] != was) && (!written || found[name] != now) {
				t.Errorf("after call %d, %s, has failed, %s has %q", n, failed, name, found[name])
			}
		}
		for name := range texts {
			_, there := found[name]
			if _, kept := after[name]; !there && kept {
				t.Errorf("after call %d, %s, has failed, %s is gone", n, failed, name)
			}
		}
	}
}

// FailFrom calls write, in which the change of the file system with this number fails, as all after it, and returns the
// last one that did; empty: write makes fewer.
func FailFrom(n int, write func()) (failed string) {
	defer func() { files.Fail = nil }()
	calls := 0
	files.Fail = func(call string) error {
		if calls++; calls < n {
			return nil
		}
		failed = call
		return ErrFull
	}
	write()
	return failed
}

// Texts returns the texts of all files below a folder by their names, with slashes.
func Texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
