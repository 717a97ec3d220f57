//go:build !windows

package tty

import "os"

// keyboardName is the file of the terminal of this process.
const keyboardName = "/dev/tty"

// codePage returns 0: there is no console.
func codePage() uint32 { return 0 }

// sequences reports that a terminal heeds escape sequences.
func sequences(*os.File) bool { return true }
