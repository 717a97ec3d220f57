package store

import (
	"asldb/engine/value"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The files of the newest five faults are kept; files of other programs are left alone.
func TestTheNewestFaultsAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	var bases []string
	for i := range 8 {
		base, err := NewFault(dir, time.Date(2026, 1, 2, 3, 4, 5, i*1000, time.FixedZone("", 3600)))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := os.WriteFile(filepath.Join(filepath.Dir(base), "notes.txt"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{".trace", ".2.trace", ".typed.txt"} {
			if err := os.WriteFile(base+name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		bases = append(bases, filepath.Base(base))
	}
	if !strings.HasPrefix(bases[1], "20260102T020405.000001000Z-") {
		t.Errorf("the name of a fault is %s", bases[1])
	}
	info, err := os.Stat(filepath.Join(dir, FaultDir))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, FaultDir))
	if err != nil {
		t.Fatal(err)
	}
	left := value.Each(entries, os.DirEntry.Name)
	var want []string
	for _, base := range bases[3:] {
		want = append(want, base+".2.trace", base+".trace", base+".typed.txt")
	}
	want = append(want, "notes.txt")
	if strings.Join(left, " ") != strings.Join(want, " ") {
		t.Errorf("the files are\n%s, want\n%s", strings.Join(left, "\n"), strings.Join(want, "\n"))
	}
}

func TestFaultsThatCannotBeSaved(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, FaultDir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if base, err := NewFault(dir, time.Now()); err == nil {
		t.Errorf("a file is taken for the folder: %s", base)
	}
}
