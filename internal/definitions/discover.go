package definitions

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"asldb/engine/embedded"
	"asldb/internal/files"
)

// Folder returns the files below dir that may hold definitions, in the order of their names; dir is the beginning of each name.
// What the .gitignore files of the repository exclude is left out, and so are hidden folders and node_modules; dir itself may be
// excluded or hidden. Links are not followed.
func Folder(dir string) ([]string, error) {
	w, err := search(dir, extensions)
	if err != nil {
		return nil, err
	}
	return w.files, nil
}

// Models returns the files below dir that may hold Smithy models, in the same way.
func Models(dir string) ([]string, error) {
	w, err := search(dir, modelExtensions)
	if err != nil {
		return nil, err
	}
	return w.files, nil
}

func search(dir string, extensions []string) (*walk, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	w := &walk{dir: dir, extensions: extensions}
	w.readAbove(absolute)
	if err := w.folder(dir); err != nil {
		return nil, err
	}
	return w, nil
}

// walk is the search of a folder.
type walk struct {
	dir      string
	above    []string  // the path of dir from the root of the repository
	patterns []pattern // of the folders above the one that is read, the nearest last
	files    []string
	unmade   []Skipped // programs that write definitions, and have not

	extensions []string // of the files that are looked for, in lower case
}

// readAbove reads the patterns of the repository that has the folder, from its root down to above the folder. They do not
// exclude the folder itself, since the user has named it.
func (w *walk) readAbove(folder string) {
	root, ok := files.Repository(folder)
	if !ok {
		return // no repository: the .gitignore files of the folder alone count
	}
	w.read(filepath.Join(root, ".git", "info", "exclude"), nil)
	relative, err := filepath.Rel(root, folder)
	if err != nil || relative == "." {
		return
	}
	path := root
	for _, name := range strings.Split(relative, string(filepath.Separator)) {
		w.read(filepath.Join(path, ignoreFile), w.above)
		path = filepath.Join(path, name)
		w.above = append(slices.Clip(w.above), name)
	}
	for i := range w.above {
		if w.excludes(w.above[:i+1], true) {
			w.patterns = nil // the patterns exclude all that the user asks for
		}
	}
}

// ignoreFile is the name of the files with patterns, maxPatterns the most bytes of one.
const (
	ignoreFile  = ".gitignore"
	maxPatterns = 1 << 20
)

// read adds the patterns of a file, which count below the folder of that path; a file that cannot be read has none.
func (w *walk) read(file string, below []string) {
	data, err := files.Read(file, maxPatterns)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(bytes.TrimPrefix(data, []byte("\ufeff")))) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			w.patterns = append(slices.Clip(w.patterns), patternOf(line, below))
		}
	}
}

// pattern is a line of a .gitignore file.
type pattern struct {
	below, glob       string // the folder of the file with a slash behind it, and the names in it that fit
	includes, folders bool   // the line begins with !, or ends with a slash
}

func patternOf(line string, below []string) (p pattern) {
	if cut := strings.TrimRight(line, " "); strings.HasSuffix(cut, `\`) && cut != line {
		line = cut + " "
	} else {
		line = cut
	}
	if len(below) > 0 {
		p.below = strings.Join(below, "/") + "/"
	}
	line, p.includes = strings.CutPrefix(line, "!")
	line, p.folders = strings.CutSuffix(line, "/")
	if !strings.Contains(line, "/") {
		line = "**/" + line
	}
	if strings.HasSuffix(line, "/**") {
		line += "/*" // what is in the folder, and not the folder
	}
	p.glob = strings.ReplaceAll(strings.TrimPrefix(line, "/"), "{", `\{`) // git knows no alternatives
	return p
}

// excludes reports whether the patterns exclude a file or folder; the last one that fits decides.
func (w *walk) excludes(path []string, folder bool) bool {
	name := strings.Join(path, "/")
	for _, p := range slices.Backward(w.patterns) {
		rest, below := strings.CutPrefix(name, p.below)
		if below && (folder || !p.folders) && doublestar.MatchUnvalidated(p.glob, rest) {
			return !p.includes
		}
	}
	return false
}

// folder adds the files of a folder and of those in it.
func (w *walk) folder(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) { // it names the folder a second time
			err = path.Err
		}
		return fmt.Errorf("cannot read the folder %q: %w", folder, err)
	}
	relative := slices.Clone(w.above)
	if below, err := filepath.Rel(w.dir, folder); err == nil && below != "." {
		relative = append(relative, strings.Split(below, string(filepath.Separator))...)
	}
	outer := w.patterns
	defer func() { w.patterns = outer }()
	w.read(filepath.Join(folder, ignoreFile), relative)
	w.makers(folder, entries, relative)
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		path := append(slices.Clip(relative), entry.Name())
		switch {
		case entry.IsDir():
			if strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules" || w.excludes(path, true) {
				continue
			}
			if err := w.folder(name); err != nil {
				return err
			}
		case entry.Type().IsRegular() && w.hasExtension(entry.Name()) && !w.excludes(path, false):
			w.files = append(w.files, name)
		}
	}
	return nil
}

// makers are the files of programs that write definitions into a folder beside them.
var makers = []struct{ file, program, command, output string }{
	{"cdk.json", "a CDK app", "cdk synth", "cdk.out"},
	{"serverless.ts", "a Serverless service", "serverless package", ".serverless"},
	{"serverless.js", "a Serverless service", "serverless package", ".serverless"},
}

// makers notes the programs in a folder whose definitions are not read: they were not written, or are excluded.
func (w *walk) makers(folder string, entries []os.DirEntry, relative []string) {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name })
	}
	for _, m := range makers {
		if !has(m.file) || w.excludes(append(slices.Clip(relative), m.file), false) {
			continue
		}
		reason := ""
		switch {
		case !has(m.output):
			reason = m.program + " without " + m.output + ": run " + m.command + ", then give the folder " + m.output
		case strings.HasPrefix(m.output, ".") || w.excludes(append(slices.Clip(relative), m.output), true):
			reason = m.program + " whose " + m.output + " is left out here: give that folder, too"
		default:
			continue
		}
		w.unmade = append(w.unmade, Skipped{filepath.Join(folder, m.file), embedded.Skipped{Reason: reason}})
	}
}

// The extensions of files that may hold definitions.
var extensions = []string{".json", ".yaml", ".yml", ".asl", ".template", ".tf"}

// The extensions of files that may hold Smithy models.
var modelExtensions = []string{".smithy", ".json"}

func (w *walk) hasExtension(name string) bool {
	return slices.Contains(w.extensions, strings.ToLower(filepath.Ext(name)))
}

// MayHold reports whether a text has the words that a definition, or a template with one, cannot be without. It is quick: most
// files of a folder are something else.
func MayHold(data []byte) bool {
	return bytes.Contains(data, []byte("StartAt")) && bytes.Contains(data, []byte("States")) || MayContain(data)
}

// MayContain reports, as quickly, whether a text may be a template with a definition.
func MayContain(data []byte) bool {
	for _, word := range []string{"::StateMachine", "stepFunctions", "aws_sfn_state_machine", "step-functions", "aws:sfn"} {
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}
