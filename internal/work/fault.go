package work

import (
	"fmt"
	"runtime/debug"
)

// Fault is a panic with the stack of the goroutine in which it happened.
type Fault struct {
	Value any
	Stack []byte
}

// Error implements error.
func (f *Fault) Error() string { return fmt.Sprint(f.Value) }

// Of makes a fault of the value that recover returned: nil of nil, and the same of one that is a fault already, as from
// another goroutine. It is to be called by the function that is deferred, while its stack is still the panic's.
func Of(recovered any) *Fault {
	switch v := recovered.(type) {
	case nil:
		return nil
	case *Fault:
		return v
	}
	return &Fault{Value: recovered, Stack: debug.Stack()}
}

// Catch calls f and returns its fault, nil where there is none.
func Catch(f func()) (fault *Fault) {
	defer func() { fault = Of(recover()) }()
	f()
	return nil
}
