package testkit

import (
	"os"
	"runtime"
	"testing"
)

// NoError ends the test at an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Write writes a file, in place of one of this name.
func Write(t testing.TB, name, text string) {
	t.Helper()
	NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

// LiveHeap returns the size, in bytes, of all that is reachable.
func LiveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
