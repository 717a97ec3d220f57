package recorder

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockAt is the offset of the byte that is locked. Locks of Windows keep others from reading what they cover, so it is far behind the end
// of any trace: a trace that is being written can be read.
const lockAt = 1 << 62

// lock takes the file for this process. The lock is the kernel's: it ends with the process, however that ends, so
// that none is left behind. It reports false when another process has it.
func lock(file *os.File) (bool, error) {
	at := &windows.Overlapped{Offset: lockAt & (1<<32 - 1), OffsetHigh: lockAt >> 32}
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	switch {
	case err == nil, errors.Is(err, windows.ERROR_INVALID_FUNCTION), errors.Is(err, windows.ERROR_NOT_SUPPORTED):
		return true, nil // a file system without locks
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}
