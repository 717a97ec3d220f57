//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package tty

import (
	"os"

	"golang.org/x/sys/unix"
)

// fwrite selects the output in TIOCFLUSH.
const fwrite = 2

// discard drops output that the terminal has not read yet.
func discard(out *os.File) { _ = unix.IoctlSetPointerInt(int(out.Fd()), unix.TIOCFLUSH, fwrite) }
