package definitions

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"asldb/engine/embedded"
	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/internal/files"
)

// contents is a file whose text has been read.
type contents struct {
	file *source.File
	// container is nil where the file is a definition, or cannot be read.
	container embedded.Container
	// open reads a file that the container names.
	open func(name string) (*source.File, error)
	// root is the tree of a definition, nil where it cannot be read.
	root *source.Node
}

// contentsOf reads a file and recognizes containers.
func contentsOf(reader files.Files, name string, again *source.Rereader) (*contents, error) {
	name, data, err := reader.Read(name)
	if err != nil {
		return nil, err
	}
	if !isPart(data) && !MayHold(data) { // a link in a clone leads anywhere, and the excerpts would show it
		if outside := (*files.OutsideError)(nil); errors.As(files.RootOf(name).Check(name), &outside) {
			return nil, outside
		}
	}
	file := &source.File{Name: name, Data: data}
	open := readRelative(reader, file)
	if smithy.IsIDL(file) {
		return nil, &ModelError{name}
	}
	if embedded.IsTerraform(name) {
		var outside error
		read := func(folder string) []*source.File { return configuration(reader, name, folder, &outside) }
		module, problem := embedded.Read(file, read("."), read)
		if problem != nil {
			return nil, &InvalidError{file, source.Own(file, []source.Diagnostic{*problem})}
		}
		if outside != nil && len(module.StateMachines()) == 0 {
			return nil, outside
		}
		return &contents{file: file, container: module, open: open}, nil
	}
	tagged := false
	root, problem := again.Read(file, func(tag string) string {
		key := embedded.Tags(tag)
		tagged = tagged || key != ""
		return key
	})
	switch {
	case problem == nil && embedded.IsCloudFormation(root):
		return &contents{file: file, container: embedded.OfCloudFormation(file, root), open: open}, nil
	case problem == nil && embedded.IsServerless(root):
		return &contents{file: file, container: embedded.OfServerless(file, root, open), open: open}, nil
	case problem == nil && embedded.IsPulumi(root):
		return &contents{file: file, container: embedded.OfPulumi(file, root), open: open}, nil
	case problem == nil && smithy.IsAST(root):
		return nil, &ModelError{name}
	case tagged: // tags have a meaning in templates only
		root = nil
	}
	return &contents{file: file, root: root}, nil
}

// readRelative returns a function that reads files that are named relative to a file.
func readRelative(reader files.Files, file *source.File) func(name string) (*source.File, error) {
	return func(name string) (*source.File, error) {
		name, data, err := reader.ReadBeside(file.Name, name)
		return &source.File{Name: name, Data: data, Private: !isPart(data)}, err
	}
}

// configuration reads the files of Terraform's configuration in a folder, relative to the file called from, but for that
// file. Files that cannot be read, or that Terragrunt writes, are nil; one outside of the root is an error, too.
func configuration(reader files.Files, from, folder string, outside *error) []*source.File {
	entries, err := os.ReadDir(filepath.Join(filepath.Dir(from), folder))
	if err != nil {
		return []*source.File{nil}
	}
	var found []*source.File
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		switch isFile := embedded.IsTerraform(name); {
		case entry.Name() == "terragrunt.hcl", isFile && !entry.Type().IsRegular():
			found = append(found, nil)
		case isFile && name != filepath.Base(from):
			shown, data, err := reader.ReadBeside(from, name)
			if err == nil {
				found = append(found, &source.File{Name: shown, Data: data})
				continue
			}
			found = append(found, nil)
			if refused := (*files.OutsideError)(nil); errors.As(err, &refused) {
				*outside = err
			}
		}
	}
	return found
}

// text returns the definition of a name in the container; empty: the only one.
func (c *contents) text(resource string, values source.Substitutions) (*Text, error) {
	options := embedded.Options{Resource: resource, Values: values, Open: c.open}
	found, problems, err := c.container.Definition(options)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.file.Name, err)
	case found == nil:
		return nil, &InvalidError{c.file, problems}
	}
	text := &Text{
		Given:      c.file,
		Resource:   found.Name,
		Source:     found.File,
		Root:       found.Root,
		Express:    found.Express,
		Deployment: found.Deployment, functions: found.Functions,
		Notes: problems,
	}
	if siblings, ok := c.container.(embedded.Siblings); ok {
		text.machine = func(arn string) *Text {
			name := ""
			if arn != "" {
				name = siblings.Sibling(arn, options)
			}
			if name == "" {
				return nil
			}
			machine, _ := c.text(name, values) // its errors are told where it is looked at
			return machine
		}
	}
	return text, nil
}

// deployedNames returns the names of the machines that a deployment makes.
func (c *contents) deployedNames(names []string, values source.Substitutions) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, err := c.text(name, values)
		var left *embedded.SkipError
		return errors.As(err, &left)
	})
}

// isPart reports whether a file that a container names has a word of the language: it is probably a definition, or a
// part of one.
func isPart(data []byte) bool {
	has := func(word string) bool { return bytes.Contains(data, []byte(word)) }
	return has("StartAt") || has("States") || has("Type") || has("Resource")
}
