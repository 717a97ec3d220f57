package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"asldb/internal/files"
	"asldb/internal/wording"
)

// folder is the folder of the consents in the state directory; each fixtures file has one file in it.
const folder = "allowed"

// version is the version of the files' format.
const consentVersion = 2

// maxFile bounds the size of a consent's file, in bytes.
const maxConsents = 16 << 20

// Consents is where consents are remembered. Several processes may use the same one.
type Consents struct{ dir string }

// In returns the store in a state directory. It reads and makes nothing.
func In(dir string) *Consents { return &Consents{filepath.Join(dir, folder)} }

// Grant is a consent that was given.
type Grant struct {
	// Path is the path of the fixtures file.
	Path string `json:"path"`
	// Digest is one of all files together.
	Digest string `json:"sha256"`
	Files  []File `json:"files"`
	// Calls are the allowed calls, in full.
	Calls []string `json:"calls"`
}

type consentFile struct {
	Version int `json:"version"`
	Grant   `json:",inline"`
}

// lookUp reports whether the subject was allowed as it is now. changed are the files that have changed since it was; it
// is nil where it never was. A consent that cannot be read is none.
func (s *Consents) lookUp(subject *Subject) (known bool, changed []string) {
	if s == nil {
		return false, nil
	}
	grant, err := s.read(s.fileOf(subject.Path))
	if err != nil || grant.Path != subject.Path {
		return false, nil
	}
	changed = subject.changed(grant.Files)
	return len(changed) == 0, changed
}

func (s *Consents) fileOf(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".json")
}

func (s *Consents) read(name string) (*Grant, error) {
	data, err := files.Read(name, maxConsents)
	switch {
	case files.Refused(err):
		return nil, fmt.Errorf("%s is none of asldb's files", name)
	case err != nil:
		return nil, err
	}
	read := &consentFile{}
	if err := json.Unmarshal(data, read, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if read.Version != consentVersion {
		return nil, fmt.Errorf("%s has version %d, and this program knows %d", name, read.Version, consentVersion)
	}
	if read.Digest != consentDigest(read.Files) {
		return nil, fmt.Errorf("%s is damaged: its digest does not fit its files", name)
	}
	return &read.Grant, nil
}

// digestOf is the digest of several files together.
func consentDigest(files []File) string {
	sum := sha256.New()
	for _, f := range sorted(files) {
		fmt.Fprintf(sum, "%q %s\n", f.Path, f.Digest)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Allow remembers that the calls of the subject are allowed, in place of an earlier consent.
func (s *Consents) Allow(subject *Subject) error {
	if info, err := os.Stat(subject.Path); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file, so nothing can be remembered about it", subject.Name)
	}
	grant := Grant{Path: subject.Path, Digest: consentDigest(subject.Files), Files: sorted(subject.Files), Calls: []string{}}
	for _, call := range subject.Calls {
		if !slices.Contains(grant.Calls, call.Text) {
			grant.Calls = append(grant.Calls, call.Text)
		}
	}
	data, err := json.Marshal(consentFile{Version: consentVersion, Grant: grant}, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("the consent to save: %w", err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	return files.Replace(s.fileOf(subject.Path), 0o600, wording.JSON(append(data, '\n')))
}

// Grants returns the saved consents, in the order of their paths. Unreadable ones are left out; err
// says of it, and the others are returned all the same.
func (s *Consents) Grants() (grants []Grant, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".json" {
			continue
		}
		grant, failed := s.read(filepath.Join(s.dir, entry.Name()))
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		grants = append(grants, *grant)
	}
	slices.SortFunc(grants, func(a, b Grant) int { return cmp.Compare(a.Path, b.Path) })
	return grants, err
}

// ErrNoConsent says that there is no consent to be revoked.
var ErrNoConsent = errors.New("it was not allowed")

// Revoke forgets the consent given to the file at path. The error is [ErrNoConsent] where there is none.
func (s *Consents) Revoke(path string) error {
	known := false
	err := files.Update(s.fileOf(path), 0o600, func(old []byte) ([]byte, error) {
		known = old != nil
		return nil, nil
	})
	if !known && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		return ErrNoConsent
	}
	return err
}

// Changed lists the files that are not as they were when the consent was given, as far as the files that it names
// tell; digest returns a file's digest as [File] has it.
func (g *Grant) Changed(digest func(path string) string) []string {
	var paths []string
	for _, f := range g.Files {
		if digest(f.Path) != f.Digest || f.Digest == folderDigest {
			paths = append(paths, f.Path)
		}
	}
	return paths
}
