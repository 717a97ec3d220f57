//go:build !unix

package tty

// Suspensions heeds the signal that asks the program to stop; here there is none.
type Suspensions struct{}

// Listen does nothing.
func (*Suspensions) Listen(func()) {}

// Lent does nothing.
func (*Suspensions) Lent(bool) {}

// Stop does nothing.
func (*Suspensions) Stop() {}

// CanSuspend reports false: a program cannot be stopped here.
func CanSuspend() bool { return false }

// Suspend does nothing.
func Suspend() error { return nil }
