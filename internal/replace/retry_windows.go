package replace

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// The times of the attempts: other programs, and those that look for viruses, have a file open for milliseconds.
const (
	every = 20 * time.Millisecond
	wait  = time.Second
)

// retry calls f until the file is no longer open elsewhere.
func retry(f func() error) error {
	for begin := time.Now(); ; time.Sleep(every) {
		err := f()
		inUse := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !inUse || time.Since(begin) > wait {
			return err
		}
	}
}
