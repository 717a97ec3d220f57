package files_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"asldb/internal/files"
	"asldb/internal/testkit"
)

// follow watches folders. Changes that are on their way are taken.
func follow(t *testing.T, folders ...string) *files.Watcher {
	t.Helper()
	w, err := files.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if err := w.Follow(folders); err != nil {
		t.Fatal(err)
	}
	return w
}

// next returns the names of the next change within a folder.
func next(t *testing.T, w *files.Watcher, folder string) (string, *files.Change) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	change, err := w.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range change.Files {
		short, err := filepath.Rel(files.Name(folder), name)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(short))
	}
	return strings.Join(names, " "), change
}

// Several saves one after the other are one change; so is a file that is written elsewhere and renamed.
func TestBurst(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, filepath.Join(dir, "a"), "1")
	w := follow(t, dir)
	for _, name := range []string{"a", "b", "a"} {
		testkit.Write(t, filepath.Join(dir, name), "2")
	}
	if names, change := next(t, w, dir); names != "a b" || !change.Structure || change.Lost {
		t.Errorf("%s, %+v", names, change)
	}
	testkit.Write(t, filepath.Join(dir, ".a.swp"), "3")
	if err := os.Rename(filepath.Join(dir, ".a.swp"), filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if names, _ := next(t, w, dir); names != ".a.swp a" {
		t.Error(names)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o644); err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, filepath.Join(dir, "b"), "4")
	if names, change := next(t, w, dir); names != "b" || change.Structure {
		t.Errorf("%s, %+v", names, change)
	}
}

// A folder that is not there yet is watched from above; one that is not followed any more is not watched.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	later, other := filepath.Join(dir, "later", "deep"), t.TempDir()
	w := follow(t, later, other)
	if err := os.MkdirAll(later, 0o700); err != nil {
		t.Fatal(err)
	}
	if names, change := next(t, w, dir); names != "later" || !change.Structure {
		t.Error(names)
	}
	if err := w.Follow([]string{later}); err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, filepath.Join(other, "x"), "")
	testkit.Write(t, filepath.Join(later, "y"), "")
	if names, _ := next(t, w, dir); names != "later/deep/y" {
		t.Error(names)
	}
}

func TestNames(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, filepath.Join(dir, "file"), "")
	if err := os.Symlink(filepath.Join(dir, "file"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if names := files.Names(filepath.Join(dir, "link")); len(names) != 2 || filepath.Base(names[0]) != "link" ||
		filepath.Base(names[1]) != "file" {
		t.Error(names)
	}
	if names := files.Names(filepath.Join(dir, "none", "x")); len(names) != 1 || filepath.Base(names[0]) != "x" {
		t.Error(names)
	}
}

func TestEnd(t *testing.T) {
	w := follow(t, t.TempDir())
	over := errors.New("over")
	ctx, stop := context.WithCancelCause(context.Background())
	stop(over)
	if _, err := w.Next(ctx); !errors.Is(err, over) {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Next(context.Background()); err == nil {
		t.Error("a watcher that is closed has changes")
	}
	if err := w.Follow([]string{t.TempDir()}); err == nil {
		t.Error("a watcher that is closed follows a folder")
	}
}

// A closed watcher says that it is.
func TestClosed(t *testing.T) {
	w := follow(t, t.TempDir())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Next(context.Background()); !errors.Is(err, fsnotify.ErrClosed) {
		t.Errorf("err = %v", err)
	}
}

// Changes without a pause are told after a while all the same, and changes of permissions are none.
func TestLongBurst(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, filepath.Join(dir, "a"), "1")
	w := follow(t, dir)
	if err := os.Chmod(filepath.Join(dir, "a"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o600); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				_ = os.WriteFile(filepath.Join(dir, "b"), []byte{byte(i)}, 0o600)
			}
		}
	}()
	names, change := next(t, w, dir)
	close(stop)
	<-stopped
	if names != "b" || !change.Structure {
		t.Errorf("%s, %+v", names, change)
	}
}
