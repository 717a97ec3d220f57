//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package files

import "os"

// TryLock does nothing where the system has no advisory locks.
func TryLock(*os.File) (bool, error) { return true, nil }

func openLock(folder string) (*os.File, error) { return os.Open(folder) }

func rename(from, to string) error { return os.Rename(from, to) }
