package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"
)

// lockAt is the offset of the byte that is locked. Locks of Windows keep others from reading what they cover, so it is
// far behind the end of any trace: a trace that is being written can be read.
const lockAt = 1 << 62

// TryLock takes the file for this process. The lock is the kernel's: it ends with the process, however that ends, so
// that none is left behind. It reports false when another process has it.
func TryLock(file *os.File) (bool, error) {
	at := &windows.Overlapped{Offset: lockAt & (1<<32 - 1), OffsetHigh: lockAt >> 32}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, at)
	switch {
	case err == nil, errors.Is(err, windows.ERROR_INVALID_FUNCTION), errors.Is(err, windows.ERROR_NOT_SUPPORTED):
		return true, nil // a file system without locks
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}

// openLock opens a file in the user's folder of temporary files: folders cannot be locked.
func openLock(folder string) (*os.File, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(strings.ToLower(path)))
	name := filepath.Join(os.TempDir(), "asldb-"+hex.EncodeToString(sum[:8])+".lock")
	return os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
}

// The times of the attempts to rename: other programs, and those that look for viruses, have a file open for
// milliseconds.
const (
	renameEvery = 20 * time.Millisecond
	renameWait  = time.Second
)

// rename waits until neither file is open elsewhere.
func rename(from, to string) error {
	for begin := time.Now(); ; time.Sleep(renameEvery) {
		err := os.Rename(from, to)
		inUse := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !inUse || time.Since(begin) > renameWait {
			return err
		}
	}
}
