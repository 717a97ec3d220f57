package project

import (
	"errors"
	"fmt"
	"io/fs"

	"asldb/internal/files"
	"asldb/internal/wording"
)

// OpenBaseline reads a baseline. One that is to be written need not be there.
func OpenBaseline(name string, write bool) (*Baseline, error) {
	file, err := LoadBaseline(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && write:
		return New(name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no baseline %s: --write-baseline writes it", wording.Line(name))
	}
	return file, err
}

// WriteBaseline writes the problems of machines into a baseline. of chooses them by the baseline as it is in the file
// now, since another process may have changed it. It returns the baseline, and a sentence with the figures.
func WriteBaseline(name string, of func(*Baseline) []Machine) (written *Baseline, said string, err error) {
	added, removed := 0, 0
	err = files.Update(name, 0o666, func(old []byte) ([]byte, error) {
		now, err := ParseBaseline(name, old)
		if err != nil {
			return nil, err
		}
		written = now
		added, removed = now.Update(of(now))
		return now.Text(), nil
	})
	if err != nil {
		return nil, "", err
	}
	return written, fmt.Sprintf(
		"%s: %s, %d new, %d removed",
		wording.Line(name),
		wording.Count(written.Len(), "known problem"),
		added,
		removed,
	), nil
}

// mostFixed is how many fixed entries a note lists.
const mostFixed = 10

// FixedNote returns the lines of a note about the entries that the machines do not have any more; none where there are
// none.
func (b *Baseline) FixedNote(machines []Machine) []string {
	fixed := b.Fixed(machines)
	if len(fixed) == 0 {
		return nil
	}
	text := wording.Count(len(fixed), "known problem") + " are fixed; --write-baseline removes them"
	if len(fixed) == 1 {
		text = "1 known problem is fixed; --write-baseline removes it"
	}
	lines := []string{wording.Line(b.Name) + ": " + text + ":"}
	for i, e := range fixed {
		if i == mostFixed {
			return append(lines, fmt.Sprintf("  and %d more", len(fixed)-i))
		}
		lines = append(lines, "  "+wording.Line(e.String()))
	}
	return lines
}

// AreKnown says how many problems of a baseline are left out.
func (b *Baseline) AreKnown(n int) string {
	are := fmt.Sprintf("%d known problems are", n)
	if n == 1 {
		are = "1 known problem is"
	}
	return wording.Line(b.Name) + ": " + are + " not shown"
}
