//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tty

import (
	"bytes"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A write to a terminal that takes nothing in comes back, and the terminal can be written to again.
func TestUnblock(t *testing.T) {
	other, end, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	defer end.Close()
	terminal := Open(end, end)
	terminal.Unblock() // nothing is written: nothing happens

	frame := bytes.Repeat([]byte("x"), 64<<10) // more than a terminal holds that is not read from
	written := make(chan error)
	go func() {
		_, err := terminal.Output().Write(frame)
		written <- err
	}()
	for waits := true; waits; {
		select {
		case err := <-written:
			if err != nil {
				t.Error(err)
			}
			waits = false
		case <-time.After(10 * time.Millisecond):
			terminal.Unblock()
		}
	}

	go func() { _, _ = terminal.Output().Write([]byte("the end")) }()
	var read []byte
	for !bytes.HasSuffix(read, []byte("the end")) {
		piece := make([]byte, 4096)
		n, err := other.Read(piece)
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, piece[:n]...)
	}
	if len(read) >= len(frame) {
		t.Errorf("all %d bytes came through, so nothing was in the way", len(read))
	}
}
