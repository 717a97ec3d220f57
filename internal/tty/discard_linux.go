package tty

import (
	"os"

	"golang.org/x/sys/unix"
)

// discard drops what the terminal has not taken in yet. A write that waits does not notice that there is room now; setting
// the terminal's mode, even to what it is, wakes it.
func discard(out *os.File) {
	fd := int(out.Fd())
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH)
	if mode, err := unix.IoctlGetTermios(fd, unix.TCGETS); err == nil {
		_ = unix.IoctlSetTermios(fd, unix.TCSETS, mode)
	}
}
