package files

import (
	"os"
	"path/filepath"
	"time"
)

// The times of a lock: how often it is tried, and how long at most. An update takes milliseconds, and a process that
// dies gives its lock back.
const (
	lockEvery = 5 * time.Millisecond
	lockWait  = 30 * time.Second
)

// Lock waits while another process updates a file in the folder of the named one, and keeps others from it until unlock
// is called. The error is a *[WriteError].
func Lock(name string) (unlock func(), err error) {
	var file *os.File
	err = try("lock", func() (err error) {
		file, err = openLock(filepath.Dir(targetOf(name)))
		return err
	})
	for begin := time.Now(); err == nil; time.Sleep(lockEvery) {
		var free bool
		free, err = TryLock(file)
		switch {
		case err == nil && free:
			return func() { _ = file.Close() }, nil // which ends the lock
		case err == nil && time.Since(begin) > lockWait:
			err = ErrBusy
		}
		if err != nil {
			_ = file.Close() // nothing was written
		}
	}
	return nil, wrap(name, err)
}
