package project

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// version is the version of the format.
const version = 1

// Baseline is a file of known problems: how many there are of each identity.
type Baseline struct {
	// Name is the name of the file. The files in it are named from its folder.
	Name   string
	folder string
	known  map[Identity]int
}

// Machine is a state machine with its problems.
type Machine struct {
	// Given is the name of its file, Name its own in a template.
	Given, Name string
	Problems    []source.Diagnostic
	// Whole: all machines of the file have been checked.
	Whole bool
	// Explored: the problems are findings of "asldb explore", and the others of the file are not its.
	Explored bool
}

// ExploreRule begins the rules of the findings of "asldb explore".
const ExploreRule = "explore-"

// New returns an empty baseline in a file.
func New(name string) (*Baseline, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	return &Baseline{Name: name, folder: filepath.Dir(path), known: make(map[Identity]int)}, nil
}

// BaselineError says that a file isn't a baseline.
type BaselineError struct {
	Problem source.Diagnostic
}

// Error implements error: the problem, with its line.
func (e *BaselineError) Error() string { return "the baseline is wrong:\n" + e.Problem.Format() }

// LoadBaseline reads a baseline. The error comes from reading, or is a *[FileError].
func LoadBaseline(name string) (*Baseline, error) {
	data, err := files.Read(name, value.DefaultBytes)
	if err != nil {
		return nil, err
	}
	return ParseBaseline(name, data)
}

// ParseBaseline reads the text of a baseline, nil for one that is not there. The error is a *[FileError].
func ParseBaseline(name string, data []byte) (*Baseline, error) {
	b, err := New(name)
	if err != nil || data == nil {
		return b, err
	}
	r := &baselineReader{file: &source.File{Name: name, Data: data, Private: true}} // a project file can name any file
	root, problem := source.Read(r.file, nil)
	if problem != nil {
		problem.File = r.file
		return nil, &BaselineError{*problem}
	}
	r.into(b, root)
	if r.wrong != nil {
		return nil, r.wrong
	}
	return b, nil
}

// Len returns the number of known problems.
func (b *Baseline) Len() (n int) {
	for _, count := range b.known {
		n += count
	}
	return n
}

// Known reports for each problem of a machine whether it is in the baseline. Of several with the same identity the
// first ones are.
func (b *Baseline) Known(m Machine) []bool {
	known, left := make([]bool, len(m.Problems)), make(map[Identity]int)
	for i := range m.Problems {
		d := &m.Problems[i]
		id := Of(b.folder, m.Given, m.Name, d)
		if _, seen := left[id]; !seen {
			left[id] = b.known[id]
		}
		if left[id] > 0 && !rules.Essential(d.Rule) {
			left[id]--
			known[i] = true
		}
	}
	return known
}

// Entry is an identity with the number of its problems.
type Entry struct {
	Identity
	Count int
}

// String returns the entry as one line of text.
func (e Entry) String() string {
	if e.Count > 1 {
		return e.Identity.String() + " (" + strconv.Itoa(e.Count) + " times)"
	}
	return e.Identity.String()
}

// Fixed returns the entries that the machines do not have any more, in the order of the file: the entries of checked
// machines, and of files that are gone. Problems are to include hints. The checks of a machine with an
// error that is not known are not complete, and nothing is returned of it.
func (b *Baseline) Fixed(machines []Machine) (fixed []Entry) {
	now := b.count(machines)
	checked := b.scope(machines, func(m *Machine) bool {
		known := b.Known(*m)
		for i := range m.Problems {
			if m.Problems[i].Severity == source.Error && !known[i] {
				return false
			}
		}
		return true
	})
	for _, e := range b.entries() {
		if e.Count -= now[e.Identity]; e.Count > 0 && (checked(e.Identity) || b.gone(e.File)) {
			fixed = append(fixed, e)
		}
	}
	return fixed
}

// count returns how many problems there are of each identity.
func (b *Baseline) count(machines []Machine) map[Identity]int {
	now := make(map[Identity]int)
	for i := range machines {
		for j := range machines[i].Problems {
			if d := &machines[i].Problems[j]; !rules.Essential(d.Rule) {
				now[Of(b.folder, machines[i].Given, machines[i].Name, d)]++
			}
		}
	}
	return now
}

// scope returns a function that reports whether a problem would be one of the complete machines, or of a file all of
// whose machines are.
func (b *Baseline) scope(machines []Machine, complete func(*Machine) bool) func(Identity) bool {
	type place struct{ file, machine string }
	files, places := make(map[string]bool), make(map[place]bool)
	for i := range machines {
		m := &machines[i]
		name, all := nameFrom(b.folder, m.Given), complete(m)
		places[place{name, m.Name}] = all
		before, seen := files[name]
		files[name] = m.Whole && all && (before || !seen)
	}
	explored := len(machines) > 0 && machines[0].Explored
	return func(id Identity) bool {
		return strings.HasPrefix(id.Rule, ExploreRule) == explored &&
			(files[id.File] || places[place{id.File, id.Machine}])
	}
}

// gone reports whether a file is not there any more.
func (b *Baseline) gone(name string) bool {
	if strings.HasPrefix(name, "<") {
		return false
	}
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(b.folder, name)
	}
	_, err := os.Stat(name)
	return errors.Is(err, os.ErrNotExist)
}

// Update makes the problems of the machines the known ones of these. Those of other machines stay, and of machines that
// cannot be read, if their file is there. It returns how many problems are new, and how many are not there any more.
func (b *Baseline) Update(machines []Machine) (added, removed int) {
	now := b.count(machines)
	checked := b.scope(machines, func(m *Machine) bool {
		return !slices.ContainsFunc(m.Problems, func(d source.Diagnostic) bool { return rules.Essential(d.Rule) })
	})
	for id, count := range b.known {
		switch {
		case !checked(id) && !b.gone(id.File):
			now[id] = count
		case count > now[id]:
			removed += count - now[id]
		}
	}
	for id, count := range now {
		added += max(0, count-b.known[id])
	}
	b.known = now
	return added, removed
}

// entries returns the known problems sorted by file, machine, state, rule and message.
func (b *Baseline) entries() []Entry {
	list := make([]Entry, 0, len(b.known))
	for id, count := range b.known {
		list = append(list, Entry{id, count})
	}
	slices.SortFunc(list, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Machine, y.Machine), cmp.Compare(x.State, y.State),
			cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Message, y.Message))
	})
	return list
}

// Text returns the content of the file.
func (b *Baseline) Text() []byte {
	var list []value.Value
	for _, e := range b.entries() {
		var members []value.Member
		for _, f := range e.fields() {
			if *f.text != "" || f.required {
				members = append(members, value.Member{Key: f.name, Value: value.String(*f.text)})
			}
		}
		if e.Count > 1 {
			members = append(members, value.Member{Key: "count", Value: value.Int(int64(e.Count))})
		}
		list = append(list, value.NewObject(members))
	}
	return wording.JSON([]byte(value.Pretty(value.ObjectOf(
		value.Member{Key: "version", Value: value.Int(version)},
		value.Member{Key: "problems", Value: value.NewArray(list)},
	)) + "\n"))
}

// Identity tells the problems of definitions apart, and is the same in every run: it has no line.
type Identity struct {
	// File is the file that was named, as a path with slashes from a folder; Machine is the name of the machine in a
	// template.
	File, Machine string
	// State is a state path, empty for a problem outside of states.
	State         string
	Rule, Message string
}

// lineNumber is a place in a message, which moves.
var lineNumber = wording.Pattern(`\bline \d+`)

// Of returns the identity of a problem of a machine in the file called given, which is named from the folder.
func Of(folder, given, machine string, d *source.Diagnostic) Identity {
	state, _ := asl.StateAt(d.Pointer)
	return Identity{nameFrom(folder, given), machine, state, d.Rule, lineNumber().ReplaceAllString(d.Message, "line")}
}

// nameFrom returns the name of a file from a folder, with slashes.
func nameFrom(folder, name string) string {
	if strings.HasPrefix(name, "<") { // standard input
		return name
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	if path, err := filepath.Rel(folder, absolute); err == nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(absolute)
}

// Digest returns a digest of the identity in 16 hexadecimal digits.
func (i Identity) Digest() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{i.Rule, i.File, i.Machine, i.State, i.Message}, "\x00")))
	return fmt.Sprintf("%x", sum[:8])
}

// String returns the identity as one line of text.
func (i Identity) String() string {
	text := i.File
	if i.Machine != "" {
		text += " (" + i.Machine + ")"
	}
	if i.State != "" {
		text += ", " + i.State
	}
	return text + ": " + i.Message + " [" + i.Rule + "]"
}

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
	return written, fmt.Sprintf("%s: %s, %d new, %d removed", wording.Line(name),
		wording.Count(written.Len(), "known problem"), added, removed), nil
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
