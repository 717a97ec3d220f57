package tty

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Output is a terminal's output. Each call writes in one piece, from any goroutine.
//
// The file isn't embedded: its other ways to write, which [io.WriteString] would find, must not be reached around
// the lock.
type Output struct {
	file  *os.File
	fd    uintptr // of file, asked once: goroutines of Bubble Tea that ask for the size may outlive it
	mutex sync.Mutex
	ended bool
	cells *cells
	whole bool         // the terminal shows what is between two sequences at once
	since atomic.Int64 // when the current write began, in nanoseconds of the process; 0 where there is none
}

// born is the start of the clock that Output.since is read from.
var born = time.Now()

// Write writes p as a whole. After the end it drops p. On the alternate screen it leaves out the cells that the
// terminal shows already.
func (o *Output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.ended {
		return len(p), nil
	}
	o.since.Store(max(int64(time.Since(born)), 1))
	defer o.since.Store(0)
	if short := o.cells.reduce(p); len(short) > 0 {
		if o.whole && o.cells.alternate {
			short = slices.Concat([]byte(beginUpdate), short, []byte(endUpdate))
		}
		if _, err := o.file.Write(short); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// The sequences around a synchronized update: the terminal shows nothing of it before its end.
const (
	beginUpdate = "\x1b[?2026h"
	endUpdate   = "\x1b[?2026l"
)

// synchronize makes each write on the alternate screen one update of the terminal.
func (o *Output) synchronize() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.whole = true
}

// Forget lets the next frame be written as a whole: the terminal may show other cells than those written, as when its
// size has changed.
func (o *Output) Forget() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.cells.forget()
}

// blocked reports whether one write has gone on for at least d: the terminal takes nothing in.
func (o *Output) blocked(d time.Duration) bool {
	since := o.since.Load()
	return since != 0 && time.Since(born)-time.Duration(since) >= d
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

// Read, Close and Fd make it a terminal's file for Bubble Tea.

// Read reads from the terminal.
func (o *Output) Read(p []byte) (int, error) { return o.file.Read(p) }

// Close leaves the file open: it is not the screen's.
func (o *Output) Close() error { return nil }

// Fd returns the number of the terminal's file.
func (o *Output) Fd() uintptr { return o.fd }
