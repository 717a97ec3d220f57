package tty

import (
	"os"

	"golang.org/x/sys/unix"
)

// discard drops output that the terminal has not read yet. A blocked write does not notice that there is space now; setting
// the terminal's mode, even to the same, wakes it.
func discard(out *os.File) {
	fd := int(out.Fd())
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH)
	if mode, err := unix.IoctlGetTermios(fd, unix.TCGETS); err == nil {
		_ = unix.IoctlSetTermios(fd, unix.TCSETS, mode)
	}
}
