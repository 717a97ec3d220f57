package files

import (
	"bytes"
	"path/filepath"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Changes are the changes of files, in the order in which the files came. The zero Changes has none.
type Changes struct{ files []*change }

// change is the change of one file.
type change struct {
	name          string
	before, after []byte
}

// Add applies the edits of one round to the content that the round before left, and returns those that were applied: of
// edits that overlap it is the first.
func (c *Changes) Add(edits []source.Edit) (applied []source.Edit) {
	var files []*source.File
	of := make(map[string][]source.Edit)
	for _, e := range edits {
		if _, known := of[e.File.Name]; !known {
			files = append(files, e.File)
		}
		of[e.File.Name] = append(of[e.File.Name], e)
	}
	for _, file := range files {
		kept := source.Separate(of[file.Name])
		text := source.Apply(file, kept)
		applied = append(applied, kept...)
		if known := c.find(file.Name); known != nil {
			known.after = text
			continue
		}
		c.files = append(c.files, &change{file.Name, file.Data, text})
	}
	return applied
}

func (c *Changes) find(name string) *change {
	for _, f := range c.files {
		if f.name == name {
			return f
		}
	}
	return nil
}

// Contents returns the content of each changed file by its name.
func (c *Changes) Contents() map[string][]byte {
	contents := make(map[string][]byte, len(c.files))
	for _, f := range c.files {
		contents[f.name] = f.after
	}
	return contents
}

// Restore brings back the contents of an earlier round.
func (c *Changes) Restore(contents map[string][]byte) {
	var files []*change
	for _, f := range c.files {
		if after, there := contents[f.name]; there {
			f.after = after
			files = append(files, f)
		}
	}
	c.files = files
}

// Diff returns the changes as a unified diff that "git apply" and "patch -p1" read; a file in the folder is named from there.
func (c *Changes) Diff(folder string) []byte {
	var out bytes.Buffer
	for _, f := range c.files {
		out.Write(Unified(Relative(folder, f.name), f.before, f.after))
	}
	return out.Bytes()
}

// Unified returns the change of a file as a unified diff.
func Unified(name string, before, after []byte) []byte {
	name = wording.Line(strings.TrimPrefix(filepath.ToSlash(name), "/"))
	return value.Unified("a/"+name, string(before), "b/"+name, string(after))
}

// Relative returns the name of a file as seen from a folder where it is in it, else as it is.
func Relative(folder, name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if path, err := filepath.Rel(folder, absolute); err == nil && filepath.IsLocal(path) {
		return path
	}
	return filepath.Clean(name)
}
