// Package replace puts a file in the place of another.
package replace

import "os"

// File gives the file at temp the name of target, which may be there already; they are in one folder. A reader of target finds the old file
// or the new one. On Windows a program that has target open at the moment is waited for, a second at most.
func File(temp, target string) error { return retry(func() error { return os.Rename(temp, target) }) }
