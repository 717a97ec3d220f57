package tui

import (
	"io"
	"os"
	"sync"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
)

// lockedFile is the terminal, to which frames and what is copied are written one after the other, each in one piece.
// Bubble Tea finds out by the file in it that it is a terminal.
type lockedFile struct {
	*os.File
	mutex sync.Mutex
}

// Write writes p as a whole.
func (f *lockedFile) Write(p []byte) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.File.Write(p)
}

// lockedWriter is lockedFile for what is no file.
type lockedWriter struct {
	io.Writer
	mutex sync.Mutex
}

// Write writes p as a whole.
func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.Writer.Write(p)
}

// locked returns a writer that does not mix what comes from several goroutines.
func locked(out io.Writer) io.Writer {
	if file, ok := out.(*os.File); ok {
		return &lockedFile{File: file}
	}
	return &lockedWriter{Writer: out}
}

// copyTo returns the command that puts a text on the terminal's clipboard (OSC 52).
func copyTo(out io.Writer, text string) tea.Cmd {
	return func() tea.Msg {
		_, _ = io.WriteString(out, osc52.New(text).String()) // a terminal that is gone has no clipboard
		return nil
	}
}
