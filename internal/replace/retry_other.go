//go:build !windows

package replace

// retry calls f: a file may be replaced while it is open.
func retry(f func() error) error { return f() }
