// Package store keeps the user's setup of a definition across runs of the program: breakpoints, watches, bookmarks and the
// history of the prompts. There is one file for each definition, in JSON, in the directory for state of the XDG
// Base Directory Specification.
package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"asldb/engine/breakpoint"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// EnvDir is the environment variable that names the directory in place of $XDG_STATE_HOME/asldb.
const EnvDir = "ASLDB_STATE"

// version is the version of the files' format.
const version = 1

// maxFile bounds the size of a file, in bytes; maxHistory the lines kept of the prompts.
const (
	maxFile    = 4 << 20
	maxHistory = 500
)

// State is the saved setup of a definition.
type State struct {
	breakpoint.Setup
	// History holds the lines entered at the prompts, by kind of prompt, the oldest first.
	History map[string][]string
}

// file is the State as it is written, with the definition it belongs to.
type file struct {
	Version    int    `json:"version"`
	Definition string `json:"definition"`
	// Digest is the digest of the definition's text when the file was written.
	Digest           string `json:"digest"`
	breakpoint.Setup `json:",inline"`
	History          map[string][]string `json:"history,omitempty"`
}

// Dir returns the directory of the files: $ASLDB_STATE, or asldb in $XDG_STATE_HOME or its equivalent on this
// system. getenv is os.Getenv, or its substitute in tests.
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
	// base is the state here when the file was last read or written: the user's changes since are the differences
	// from it. Entries that other processes have put into the file are not part of it.
	base State
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
	return &Store{path: filepath.Join(dir, fileName(absolute)), definition: absolute, digest: files.Digest(text)}, nil
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
	return base + "-" + files.Digest([]byte(definition))[:12] + ".json"
}

// Path returns the file's path.
func (s *Store) Path() string { return s.path }

// NewerFileError says that a newer version of the program has written the file, which is left as it is.
type NewerFileError struct {
	Path    string
	Version int
}

// Error implements error.
func (e *NewerFileError) Error() string {
	return fmt.Sprintf("a newer asldb has written %s (version %d of its format, and this one knows %d): it is left as it is", e.Path, e.Version, version)
}

// Load reads the saved setup. changed reports whether the definition's text is another one since. A file that is not
// there is an empty State. The State is also empty with an error: a *[BadFileError], where the file was moved
// aside, so that the next [Store.Save] writes a new one; a *[NewerFileError], where the file stays and nothing is saved;
// or one of the file system.
func (s *Store) Load() (state State, changed bool, err error) {
	read, err := s.read()
	var bad *BadFileError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, false, nil
	case errors.As(err, &bad):
		return State{}, false, s.clear(bad)
	case err != nil:
		return State{}, false, err
	}
	s.base = State{Setup: read.Setup, History: read.History}
	return s.base, read.Digest != s.digest, nil
}

// read reads the file. The error is a *BadFileError where it is of no use.
func (s *Store) read() (*file, error) {
	data, err := readAtMost(s.path, maxFile+1)
	if err != nil {
		return nil, err
	}
	return s.parse(data)
}

// parse is read of a text.
func (s *Store) parse(data []byte) (*file, error) {
	bad := func(err error) error { return &BadFileError{Path: s.path, Err: err} }
	switch written := versionOf(data); {
	case written > version:
		return nil, &NewerFileError{Path: s.path, Version: written}
	case len(data) > maxFile:
		return nil, bad(fmt.Errorf("expected at most %d bytes, found more", maxFile))
	}
	read := &file{}
	if err := json.Unmarshal(data, read); err != nil {
		return nil, badText(s.path, data, err)
	}
	if read.Version != version {
		return nil, bad(fmt.Errorf("expected \"version\": %d, found %d", version, read.Version))
	}
	return read, nil
}

// readAtMost returns the first bytes of a file, limit of them at most.
func readAtMost(path string, limit int64) ([]byte, error) {
	f, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return data, errors.Join(err, f.Close())
}

// versionOf returns the version of a file's format, 0 where it says none. The rest of the file may be anything.
func versionOf(data []byte) int {
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
	if begin, err := decoder.ReadToken(); err != nil || begin.Kind() != '{' {
		return 0
	}
	for decoder.PeekKind() == '"' {
		key, err := decoder.ReadToken()
		if err != nil {
			return 0
		}
		if key.String() != "version" {
			if decoder.SkipValue() != nil {
				return 0
			}
			continue
		}
		written := 0
		if json.UnmarshalDecode(decoder, &written) != nil {
			return 0
		}
		return written
	}
	return 0
}

// clear moves the file aside where it is still of no use: another process may have done so, and written a new one.
func (s *Store) clear(bad *BadFileError) error {
	unlock, err := files.Lock(s.path)
	if err != nil {
		return bad // it stays where it is
	}
	defer unlock()
	var still *BadFileError
	if _, err := s.read(); errors.As(err, &still) {
		bad.Aside = s.setAside()
	}
	return bad
}

// maxAside bounds the files that are kept aside for one definition.
const maxAside = 1000

// setAside gives the file a name that no file has, and returns it; "" where that is not possible. The lock is held.
func (s *Store) setAside() string {
	for n := 1; n <= maxAside; n++ {
		aside := s.path + ".bad"
		if n > 1 {
			aside += fmt.Sprintf("-%d", n)
		}
		switch err := files.Move(s.path, aside); {
		case err == nil:
			return aside
		case !errors.Is(err, fs.ErrExist):
			return ""
		}
	}
	return ""
}

// Save writes the setup. Entries that another process has added to the file or taken from it stays added or taken,
// however often is saved here. The file is replaced as a whole, so that a reader, or a crash, finds the old one or
// the new one. Where nothing was ever saved, no file is made. The error is a *[NewerFileError] where the file
// is not ours to write.
func (s *Store) Save(state State) error {
	if state.empty() && s.base.empty() {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	err := files.Update(s.path, 0o600, func(old []byte) ([]byte, error) {
		theirs := s.base // where the file is gone or broken, the state here still holds
		if old != nil {
			read, err := s.parse(old)
			var bad *BadFileError
			switch {
			case err == nil:
				theirs = State{Setup: read.Setup, History: read.History}
			case !errors.As(err, &bad):
				return nil, err
			case s.setAside() == "":
				return nil, bad
			}
		}
		return s.text(merge(s.base, state, theirs))
	})
	if err == nil {
		s.base = state.clone()
	}
	return err
}

func (s State) empty() bool {
	return len(s.Breakpoints)+len(s.Watches)+len(s.Bookmarks)+len(s.History) == 0
}

// clone returns a State whose lists the caller of Save cannot change.
func (s State) clone() State {
	s.Breakpoints, s.Watches, s.History = slices.Clone(s.Breakpoints), slices.Clone(s.Watches), maps.Clone(s.History)
	s.Bookmarks = slices.Clone(s.Bookmarks)
	for kind, lines := range s.History {
		s.History[kind] = slices.Clone(lines)
	}
	return s
}

// text returns the text of the file.
func (s *Store) text(state State) ([]byte, error) {
	// A file's name may be no UTF-8. It is here for people to read; the files' own names distinguish them.
	data, err := json.Marshal(file{
		Version: version, Definition: s.definition, Digest: s.digest, Setup: state.Setup, History: state.History,
	}, jsontext.WithIndent("  "), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("the breakpoints and watches to save: %w", err)
	}
	return wording.JSON(append(data, '\n')), nil
}

// merge merges the state here and the file's, where base is the state here when the file was last read
// or written: additions and removals of either side apply.
func merge(base, mine, theirs State) State {
	var merged State
	merged.Breakpoints = mergeLists(base.Breakpoints, mine.Breakpoints, theirs.Breakpoints,
		func(b breakpoint.Saved) breakpoint.Saved {
			b.Disabled = false
			return b
		})
	itself := func(text string) string { return text }
	merged.Watches = mergeLists(base.Watches, mine.Watches, theirs.Watches, itself)
	merged.Bookmarks = mergeLists(base.Bookmarks, mine.Bookmarks, theirs.Bookmarks,
		func(b breakpoint.Bookmark) breakpoint.Bookmark {
			b.Note = ""
			return b
		})
	for _, histories := range []map[string][]string{mine.History, theirs.History} {
		for kind := range histories {
			lines := mergeLists(base.History[kind], mine.History[kind], theirs.History[kind], itself)
			if merged.History == nil {
				merged.History = make(map[string][]string)
			}
			merged.History[kind] = lines[max(0, len(lines)-maxHistory):]
		}
	}
	return merged
}

// mergeLists merges lists whose entries are identified by a key. The order is mine; entries that only theirs has come behind
// it. The rest of an entry is theirs where it was not changed here.
func mergeLists[T, K comparable](base, mine, theirs []T, key func(T) K) []T {
	before, there := byKey(base, key), byKey(theirs, key)
	var merged []T
	have := make(map[K]bool)
	for _, entry := range mine {
		k := key(entry)
		old, known := before[k]
		other, stays := there[k]
		switch {
		case have[k], known && !stays: // twice, or taken away by the other
			continue
		case known && old == entry:
			entry = other
		}
		have[k] = true
		merged = append(merged, entry)
	}
	for _, entry := range theirs {
		k := key(entry)
		if _, known := before[k]; !known && !have[k] {
			have[k] = true
			merged = append(merged, entry)
		}
	}
	return merged
}

func byKey[T, K comparable](entries []T, key func(T) K) map[K]T {
	keyed := make(map[K]T, len(entries))
	for _, entry := range entries {
		keyed[key(entry)] = entry
	}
	return keyed
}
