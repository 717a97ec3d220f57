package tty

import (
	"os"
	"sync"
)

// Output is a terminal's output. What is written in one call stays in one piece, from whichever goroutine it comes.
//
// The file is no embedded one: its other ways to write, which [io.WriteString] would find, must not be reached around
// the lock.
type Output struct {
	file  *os.File
	mutex sync.Mutex
	ended bool
}

// Write writes p as a whole. After the end it drops p.
func (o *Output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.ended {
		return len(p), nil
	}
	return o.file.Write(p)
}

// end writes the last text.
func (o *Output) end(text string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if !o.ended {
		o.ended = true
		_, _ = o.file.WriteString(text) // there may be no terminal any more
	}
}

// Read, Close and Fd make it what Bubble Tea takes for a terminal's file.

// Read reads from the terminal.
func (o *Output) Read(p []byte) (int, error) { return o.file.Read(p) }

// Close leaves the file open: it is not the screen's.
func (o *Output) Close() error { return nil }

// Fd returns the number of the terminal's file.
func (o *Output) Fd() uintptr { return o.file.Fd() }
