// Package store keeps what a person set up for a definition across runs of the program: breakpoints, watches and the
// history of the prompts. There is one file for each definition, in JSON, in the directory for state of the XDG
// Base Directory Specification.
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"asldb.dev/asldb/engine/debug"
	"github.com/adrg/xdg"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// EnvDir is the environment variable that names the directory in place of $XDG_STATE_HOME/asldb.
const EnvDir = "ASLDB_STATE"

// version is the version of the files' format.
const version = 1

// maxFile bounds what is read, in bytes; maxHistory the lines kept of the prompts.
const (
	maxFile    = 4 << 20
	maxHistory = 500
)

// State is what is kept for a definition.
type State struct {
	debug.Kept
	// History is what was typed into the prompts, by what they ask for, the oldest first.
	History map[string][]string
}

// file is the State as it is written, with what it belongs to.
type file struct {
	Version    int    `json:"version"`
	Definition string `json:"definition"`
	// Digest is that of the definition's text when the file was written.
	Digest     string `json:"digest"`
	debug.Kept `json:",inline"`
	History    map[string][]string `json:"history,omitempty"`
}

// Dir returns the directory of the files: $ASLDB_STATE, or asldb in $XDG_STATE_HOME or what stands for it on this
// system. getenv is os.Getenv, or what stands for it in tests.
func Dir(getenv func(string) string) string {
	if dir := getenv(EnvDir); dir != "" {
		return dir
	}
	if home := getenv("XDG_STATE_HOME"); filepath.IsAbs(home) { // one that is not absolute is to be ignored
		return filepath.Join(home, "asldb")
	}
	return filepath.Join(xdg.StateHome, "asldb")
}

// Store is the file of one definition. It must not be used by two goroutines at once; other processes may use the
// same file.
type Store struct {
	path, definition, digest string
	base                     State // what the file had when it was last read or written
}

// Open returns the store of the definition at a path with a text. It reads nothing.
func Open(dir, definition string, text []byte) (*Store, error) {
	absolute, err := filepath.Abs(definition)
	if err != nil {
		return nil, fmt.Errorf("the place of %s: %w", definition, err)
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = real
	}
	return &Store{path: filepath.Join(dir, fileName(absolute)), definition: absolute, digest: digestOf(text)}, nil
}

// fileName is a name to recognise the definition by, and a digest of its path, which tells files of one name apart.
func fileName(definition string) string {
	const longest = 60
	base := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || r < ' ' {
			return '_'
		}
		return r
	}, filepath.Base(definition))
	if len(base) > longest {
		base = strings.ToValidUTF8(base[:longest], "")
	}
	return base + "-" + digestOf([]byte(definition))[:12] + ".json"
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Path returns the file's path.
func (s *Store) Path() string { return s.path }

// BadFileError says that the file was of no use and was moved aside.
type BadFileError struct {
	Path, Aside string
	Err         error
}

// Error implements error.
func (e *BadFileError) Error() string {
	text := fmt.Sprintf("the saved breakpoints and watches in %s cannot be read: %v", e.Path, e.Err)
	if e.Aside != "" {
		text += "; the file is kept as " + e.Aside
	}
	return text
}

// Unwrap returns what is wrong with the file.
func (e *BadFileError) Unwrap() error { return e.Err }

// Load reads what was kept. changed reports whether the definition's text is another one since. A file that is not
// there is an empty State. The error is a *[BadFileError], and the State then empty: the file was moved
// aside, so that the next [Store.Save] writes a new one. Other errors are those of the file system.
func (s *Store) Load() (state State, changed bool, err error) {
	read, err := s.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, false, nil
	case err != nil:
		return State{}, false, err
	}
	s.base = State{Kept: read.Kept, History: read.History}
	return s.base, read.Digest != s.digest, nil
}

func (s *Store) read() (*file, error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, s.setAside(fmt.Errorf("it has %d bytes, and no more than %d were ever written", info.Size(), maxFile))
	}
	data, err := os.ReadFile(s.path)
	if err != nil {
		return nil, err
	}
	read := &file{}
	if err := json.Unmarshal(data, read); err != nil {
		return nil, s.setAside(err)
	}
	if read.Version != version {
		return nil, s.setAside(fmt.Errorf("its version is %d, and this program knows %d", read.Version, version))
	}
	return read, nil
}

// setAside renames the file that is of no use, so that it is neither used again nor lost.
func (s *Store) setAside(fault error) error {
	bad := &BadFileError{Path: s.path, Err: fault}
	if aside := s.path + ".bad"; os.Rename(s.path, aside) == nil {
		bad.Aside = aside
	}
	return bad
}

// Save writes what is to be kept. What another process has added to the file or taken from it since it was last read
// here stays added or taken. The file is replaced as a whole, so that a reader, or a crash, finds the old one or
// the new one. Where nothing was ever kept no file is made.
func (s *Store) Save(state State) error {
	if state.empty() && s.base.empty() {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	unlock, err := lock(s.path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	theirs := s.base // where the file is gone or broken, what is known here still holds
	read, err := s.read()
	var bad *BadFileError
	switch {
	case err == nil:
		theirs = State{Kept: read.Kept, History: read.History}
	case !errors.As(err, &bad) && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	merged := merge(s.base, state, theirs)
	if err := s.write(merged); err != nil {
		return err
	}
	s.base = merged
	return nil
}

func (s State) empty() bool { return len(s.Breakpoints)+len(s.Watches)+len(s.History) == 0 }

func (s *Store) write(state State) error {
	// A file's name may be no UTF-8. It is here for people to read; what tells the files apart is their own names.
	data, err := json.Marshal(file{
		Version: version, Definition: s.definition, Digest: s.digest, Kept: state.Kept, History: state.History,
	}, jsontext.WithIndent("  "), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("the breakpoints and watches to save: %w", err)
	}
	return replace(s.path, append(data, '\n'))
}

// replace writes a file beside the one at path and then puts it in its place.
func replace(path string, data []byte) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
