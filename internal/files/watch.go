package files

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watcher watches folders. Next is for one goroutine, Follow for one, which may be another.
type Watcher struct {
	notify *fsnotify.Watcher
}

// New returns a watcher of no folder.
func New() (*Watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("files cannot be watched: %w", err)
	}
	return &Watcher{notify}, nil
}

// Close ends the watching.
func (w *Watcher) Close() error { return w.notify.Close() }

// Follow watches some folders, and no others any more. In place of one that is not there, the nearest one above it is watched.
func (w *Watcher) Follow(folders []string) error {
	wanted := map[string]bool{}
	for _, folder := range folders {
		wanted[existing(folder)] = true
	}
	watched := map[string]bool{}
	for _, folder := range w.notify.WatchList() {
		watched[folder] = true
		if !wanted[folder] {
			_ = w.notify.Remove(folder) // it may be gone
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(wanted)) {
		if watched[folder] {
			continue
		}
		if err := w.notify.Add(folder); err != nil {
			return fmt.Errorf("cannot watch %s: %w", folder, err)
		}
	}
	return nil
}

// existing returns a folder, or the nearest one above it that is there.
func existing(folder string) string {
	folder = Name(folder)
	for {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			return folder
		}
		folder = above
	}
}

// Name returns the name by which changes name a file: its absolute path, with the symbolic links of its folder resolved.
func Name(file string) string {
	path, err := filepath.Abs(file)
	if err != nil {
		return filepath.Clean(file)
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}

// Names returns the names by which changes name a file: its own, and where it is a symbolic link, the name of the file
// behind it.
func Names(file string) []string {
	names := []string{Name(file)}
	if real, err := filepath.EvalSymlinks(names[0]); err == nil && real != names[0] {
		names = append(names, real)
	}
	return names
}

// Change is a burst of changes.
type Change struct {
	// Files has the names of the files and folders in order, as [Name] has them.
	Files []string
	// Structure is set where one of them was created, removed or renamed.
	Structure bool
	// Lost is set where changes were too many to be told: any file may be another.
	Lost bool
}

// Quiet is how long nothing changes after a burst; longest is how long a burst lasts at most.
const (
	Quiet   = 15 * time.Millisecond
	longest = 250 * time.Millisecond
)

// Next waits for the next burst of changes. The error comes from ctx, or from the watching.
func (w *Watcher) Next(ctx context.Context) (*Change, error) {
	change, names := &Change{}, map[string]bool{}
	var quiet, over <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-quiet:
			change.Files = slices.Sorted(maps.Keys(names))
			return change, nil
		case <-over:
			change.Files = slices.Sorted(maps.Keys(names))
			return change, nil
		case event, open := <-w.notify.Events:
			if !open {
				return nil, fsnotify.ErrClosed
			}
			if event.Op == fsnotify.Chmod { // indexers and backups do that
				continue
			}
			names[event.Name] = true
			change.Structure = change.Structure || event.Has(fsnotify.Create) || event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
		case err, open := <-w.notify.Errors:
			if !open {
				return nil, fsnotify.ErrClosed
			}
			if err != nil && !errors.Is(err, fsnotify.ErrEventOverflow) {
				return nil, fmt.Errorf("files cannot be watched any more: %w", err)
			}
			change.Lost = true
		}
		quiet = time.After(Quiet)
		if over == nil {
			over = time.After(longest)
		}
	}
}
