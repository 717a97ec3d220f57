// Package dap is the debug adapter: it speaks the Debug Adapter Protocol with an editor and drives a debug session.
//
// One goroutine owns a session: it answers one request after the other and carries a command on in slices between them, so that
// a pause is heard at once. Another goroutine reads the messages. What an editor shows is what the screen shows: a state is a stack
// frame, its data before and after a stage are variables, and an edit of a variable begins a what-if.
package dap
