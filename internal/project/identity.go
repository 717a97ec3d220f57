package project

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/wording"
)

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
