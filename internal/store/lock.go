package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// The times of a lock: how often it is tried, how long at most, and after what time whoever holds it must have died.
// Writing takes milliseconds.
const (
	lockEvery = 5 * time.Millisecond
	lockTries = 400
	lockStale = 10 * time.Second
)

// lock makes the file at path, waiting while another process has it, and returns what removes it again.
func lock(path string) (unlock func(), err error) {
	for range lockTries {
		made, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_ = made.Close()                       // nothing was written
			return func() { os.Remove(path) }, nil // if that fails the lock gets stale
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrPermission) { // Windows says so while one is removed
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > lockStale {
			os.Remove(path) // another process may have done so: then the next try says
			continue
		}
		time.Sleep(lockEvery)
	}
	return nil, fmt.Errorf("another process holds %s: nothing was saved", path)
}
