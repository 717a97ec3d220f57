// Records the fixtures files that a user has allowed to call something outside.
// Consent is given to a file with all that it includes and names, as they are at the time: any change of
// one of them ends it. Whatever wants to make such calls asks a [Gate], and all gates ask the same [Store].

package store

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"asldb/internal/wording"
)

// Subject is the subject of a consent: a fixtures file and its calls.
type Subject struct {
	// Name is the file as the user calls it, Path the absolute path without symbolic links.
	Name, Path string
	// Files are all files that determine the calls, the file itself among them.
	Files []File
	// Calls are the possible calls.
	Calls []Call
}

// File is a file as it was when it was read.
type File struct {
	Path string `json:"path"`
	// Digest is the SHA-256 of its content in hexadecimal digits, empty where there is no such file. That of a folder begins with
	// "folder:"; alone, the folder is too large to be known again.
	Digest string `json:"sha256,omitempty"`
}

// folderDigest begins the digest of a folder.
const folderDigest = "folder:"

// Call is one thing that would be called.
type Call struct {
	// Text is the call in full, such as "exec ./charge.sh --fast", Place where it is, as file:line:col.
	Text, Place string
}

// changed lists the files of s that are not as they were when consent was given to known, by their paths.
func (s *Subject) changed(known []File) []string {
	var paths []string
	before := make(map[string]File, len(known))
	for _, f := range known {
		before[f.Path] = f
	}
	now := make(map[string]bool, len(s.Files))
	for _, f := range s.Files {
		now[f.Path] = true
		if was, had := before[f.Path]; !had || was.Digest != f.Digest || f.Digest == folderDigest {
			paths = append(paths, f.Path)
		}
	}
	for _, f := range known {
		if !now[f.Path] {
			paths = append(paths, f.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Watched lists the files and folders whose change ends a consent, as they are seen from the folder of the fixtures file. Of words of
// commands that no file has, those that look like the name of one are among them.
func (s *Subject) Watched() []string {
	var names []string
	for _, f := range s.Files {
		name := f.Path
		if short, err := filepath.Rel(filepath.Dir(s.Path), f.Path); err == nil && filepath.IsLocal(short) {
			name = short
		}
		switch {
		case f.Digest == folderDigest:
			name += string(filepath.Separator) + " (too large: asks every time)"
		case strings.HasPrefix(f.Digest, folderDigest):
			name += string(filepath.Separator)
		case f.Digest == "" && !consentFileName().MatchString(filepath.Base(name)):
			continue
		case f.Digest == "":
			name += " (not there yet)"
		}
		names = append(names, name)
	}
	return names
}

// fileName matches the names that are certainly meant as such.
var consentFileName = wording.Pattern(`^[^\s"'$*]*\.[A-Za-z][A-Za-z0-9]{0,4}$`)

// Question is a question to the user.
type Question struct {
	*Subject
	// Changed are the files that have changed since the user last allowed the calls; nil where they never did.
	Changed []string
}

// Gate decides whether the calls of a fixtures file may be made.
type Gate struct {
	// Always allows all calls for this run, Never none; neither asks.
	Always, Never bool
	// Store saves the consents given; nil saves nothing.
	Store *Consents
	// Ask asks the user; nil where there is no way to ask.
	Ask func(*Question) (allowed bool, err error)
}

// Allows reports whether the calls of the subject may be made. Where that is not known yet it asks, and remembers a yes. A
// yes that could not be remembered holds for this run; unsaved then says why. The error is a *[NotAllowedError]
// where there is no way to ask, or the error of Ask.
func (g *Gate) Allows(s *Subject) (allowed bool, unsaved, err error) {
	if g.Always || g.Never {
		return g.Always, nil, nil
	}
	known, changed := g.Store.lookUp(s)
	switch {
	case known:
		return true, nil, nil
	case g.Ask == nil:
		return false, nil, &NotAllowedError{Subject: s, Changed: changed, Forgetful: g.Store == nil}
	}
	allowed, err = g.Ask(&Question{Subject: s, Changed: changed})
	if allowed && err == nil && g.Store != nil {
		unsaved = g.Store.Allow(s)
	}
	return allowed, unsaved, err
}

// Remembered reports whether the calls of the subject may be made without a question: it never asks.
func (g *Gate) Remembered(s *Subject) bool {
	if g.Always || g.Never {
		return g.Always
	}
	known, _ := g.Store.lookUp(s)
	return known
}

// NotAllowedError says that a file's calls are not allowed and that there is no way to ask.
type NotAllowedError struct {
	*Subject
	// Changed are as in [Question].
	Changed []string
	// Forgetful is set where nothing is remembered, so that allowing it once and for all is of no use.
	Forgetful bool
}

// Error implements error.
func (e *NotAllowedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s calls %s, which you have not allowed", wording.Line(e.Name), summary(e.Calls))
	if len(e.Changed) > 0 {
		fmt.Fprintf(&b, ": since you last did, %s", wording.Line(changedWords(e.Changed)))
	}
	if !e.Forgetful {
		fmt.Fprintf(&b, "\nasldb allow %s  allows it until one of its files changes", wording.ShellFile(e.Name))
	}
	b.WriteString("\n--allow-live  allows it for this run, --no-live  runs without the calls")
	return b.String()
}

// changedWords returns a sentence with the files that have changed.
func changedWords(paths []string) string {
	if len(paths) == 1 {
		return paths[0] + " has changed"
	}
	return fmt.Sprintf("%d files have changed, %s first", len(paths), paths[0])
}

// ChangedWords returns a sentence with the files that have changed since the user last allowed the calls, or "".
func (q *Question) ChangedWords() string {
	if len(q.Changed) == 0 {
		return ""
	}
	return changedWords(q.Changed)
}

func summary(calls []Call) string {
	if len(calls) == 0 {
		return "something outside"
	}
	text := fmt.Sprintf("%s (%s)", calls[0].Text, calls[0].Place)
	switch more := len(calls) - 1; more {
	case 0:
		return text
	case 1:
		return text + " and 1 more"
	default:
		return fmt.Sprintf("%s and %d more", text, more)
	}
}

// sorted returns files in the order of their paths.
func sorted(files []File) []File {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}
