package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// The times of the lock: how often it is tried, and how long at most. Writing takes milliseconds, and a process that
// dies gives its lock back.
const (
	lockEvery = 5 * time.Millisecond
	lockWait  = 2 * time.Second
)

// lockName is the file that is locked while files of the directory are written. It stays: to remove it would let two
// processes hold two locks.
const lockName = ".lock"

// lock waits while another process writes into the directory, and returns the function that unlocks it.
func lock(dir string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	l := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
	_, err = l.TryLockContext(ctx, lockEvery)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("another process holds %s: nothing was saved", l.Path())
	case err != nil:
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil // the lock ends with the process at the latest
}
