//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the file for this process. The lock is the kernel's: it ends with the process, however that ends, so
// that none is left behind. It reports false when another process has it.
func TryLock(file *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EBADF):
			return true, nil // a file system without locks, or NFS, which locks no folders
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

// openLock opens the folder itself: no file is left behind, and the folder may be new.
func openLock(folder string) (*os.File, error) { return os.Open(folder) }

func rename(from, to string) error { return os.Rename(from, to) }
