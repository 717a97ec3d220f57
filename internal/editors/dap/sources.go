package dap

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/google/go-dap"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/files"
)

// sources are the files of the definitions as the editor knows them: by a path where the file is as it was read, else by a
// reference.
type sources struct {
	known map[*source.File]*dap.Source
	files []*source.File // those with a reference, which is the index from 1
}

// of returns a file for the editor.
func (s *sources) of(f *source.File) *dap.Source {
	if known := s.known[f]; known != nil {
		return known
	}
	if s.known == nil {
		s.known = make(map[*source.File]*dap.Source)
	}
	shown := &dap.Source{Name: filepath.Base(f.Name)}
	if data, err := files.Read(f.Name, int64(len(f.Data))); err == nil && bytes.Equal(data, f.Data) {
		shown.Path = absolute(f.Name)
	} else {
		s.files = append(s.files, f)
		shown.SourceReference, shown.Origin = len(s.files), "as it was recorded"
	}
	s.known[f] = shown
	return shown
}

// absolute returns the name of a file as the editor has it.
func absolute(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	return path
}

// sameFile reports whether two names are of one file.
func sameFile(name, path string) bool {
	if name, path = absolute(name), absolute(path); name == path {
		return true
	}
	a, errA := os.Stat(name) // follows links; a file system may not distinguish capitals
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// filesOf returns the files of the text of a definition; the first is the definition's own.
func filesOf(definition *asl.StateMachine) []*source.File {
	var list []*source.File
	seen := make(map[*source.File]bool)
	add := func(f *source.File) {
		if f != nil && !seen[f] {
			seen[f] = true
			list = append(list, f)
		}
	}
	add(definition.Source)
	for state := range definition.All() {
		add(state.Source())
		add(state.NameSpan.File)
	}
	return list
}

// loadedSources returns the files of all definitions.
func (a viewer) loadedSources() []dap.Source {
	list := []dap.Source{}
	seen := make(map[*dap.Source]bool)
	for _, l := range a.levels {
		for _, f := range filesOf(l.session.Machine().Definition()) {
			if of := a.sources.of(f); !seen[of] {
				seen[of] = true
				list = append(list, *of)
			}
		}
	}
	return list
}

// source answers with the text of a file that is not on the disk.
func (a viewer) source(r *dap.SourceRequest) error {
	reference := r.Arguments.SourceReference
	if s := r.Arguments.Source; s != nil && s.SourceReference > 0 {
		reference = s.SourceReference
	}
	if reference < 1 || reference > len(a.sources.files) {
		return errors.New("there is no such source: open its path")
	}
	f := a.sources.files[reference-1]
	kind := "application/json"
	if strings.HasSuffix(f.Name, ".yaml") || strings.HasSuffix(f.Name, ".yml") {
		kind = "text/yaml"
	}
	a.out.respond(r, &dap.SourceResponse{Body: dap.SourceResponseBody{Content: string(f.Data), MimeType: kind}})
	return nil
}

// place is a place in a file of the editor, as the definition counts: lines and columns from 1, column 0 for none.
type place struct {
	in           func(*source.File) bool
	line, column int
}

// placeOf returns a place that the editor names.
func (a viewer) placeOf(s *dap.Source, line, column int) place {
	p := place{line: line - a.lineOffset, in: func(f *source.File) bool { return a.isFile(s, f) }}
	if column == 0 {
		return p
	}
	for _, l := range a.levels {
		for _, f := range filesOf(l.session.Machine().Definition()) {
			if a.isFile(s, f) {
				p.column = characters(lineOf(f, p.line), column-a.columnOffset)
				return p
			}
		}
	}
	return p
}

// isFile reports whether a file is one that the editor names.
func (a viewer) isFile(s *dap.Source, f *source.File) bool {
	if of := a.sources.of(f); s.SourceReference > 0 || of.SourceReference > 0 {
		return s.SourceReference == of.SourceReference
	}
	return s.Path != "" && sameFile(f.Name, s.Path)
}

// span returns a stretch of a file as the editor counts.
func (a viewer) span(f *source.File, at source.Span) (line, column, endLine, endColumn int) {
	line, column = a.position(f, at.Start)
	endLine, endColumn = a.position(f, at.End)
	return line, column, endLine, endColumn
}

// position returns a position as the editor counts.
func (a viewer) position(f *source.File, at source.Position) (line, column int) {
	return at.Line + a.lineOffset, units(lineOf(f, at.Line), at.Col) + a.columnOffset
}

// lineOf returns a line of a file, from 1, without its end.
func lineOf(f *source.File, number int) string {
	data := f.Data
	for ; number > 1; number-- {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return ""
		}
		data = data[i+1:]
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(line)
}

// units returns the column in units of UTF-16 of a column in characters; both count from 1.
func units(line string, column int) int {
	n := 1
	for _, r := range line {
		if column--; column < 1 {
			return n
		}
		n += max(utf16.RuneLen(r), 1)
	}
	return n + max(column-1, 0)
}

// characters returns the column in characters of a column in units of UTF-16; both count from 1.
func characters(line string, column int) int {
	n := 1
	for _, r := range line {
		if column -= max(utf16.RuneLen(r), 1); column < 1 {
			return n
		}
		n++
	}
	return n + max(column-1, 0)
}
