package definitions

import (
	"fmt"
	"os"
	"path/filepath"

	"asldb/engine/cloudformation"
	"asldb/engine/embedded"
	"asldb/engine/serverless"
	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/engine/terraform"
	"asldb/internal/arguments"
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
func contentsOf(files arguments.Files, name string) (*contents, error) {
	name, data, err := files.Read(name)
	if err != nil {
		return nil, err
	}
	file := &source.File{Name: name, Data: data}
	open := beside(files, file)
	if smithy.IsIDL(file) {
		return nil, &ModelError{name}
	}
	if terraform.Is(name) {
		module, problem := terraform.Read(file, configuration(files, filepath.Dir(name), filepath.Base(name)), func(folder string) []*source.File {
			return configuration(files, filepath.Join(filepath.Dir(name), folder), "")
		})
		if problem != nil {
			return nil, &InvalidError{file, source.Own(file, []source.Diagnostic{*problem})}
		}
		return &contents{file: file, container: module, open: open}, nil
	}
	tagged := false
	root, problem := source.Read(file, func(tag string) string {
		key := cloudformation.Tags(tag)
		tagged = tagged || key != ""
		return key
	})
	switch {
	case problem == nil && cloudformation.Is(root):
		return &contents{file: file, container: cloudformation.Of(file, root), open: open}, nil
	case problem == nil && serverless.Is(root):
		return &contents{file: file, container: serverless.Of(file, root, open), open: open}, nil
	case problem == nil && smithy.IsAST(root):
		return nil, &ModelError{name}
	case tagged: // tags have a meaning in templates only
		root = nil
	}
	return &contents{file: file, root: root}, nil
}

// beside returns a function that reads files that are named relative to a file.
func beside(files arguments.Files, file *source.File) func(name string) (*source.File, error) {
	return func(name string) (*source.File, error) {
		if !filepath.IsAbs(name) && file.Name != arguments.StdinName {
			name = filepath.Join(filepath.Dir(file.Name), name)
		}
		name, data, err := files.Read(name)
		return &source.File{Name: name, Data: data}, err
	}
}

// configuration reads the files of Terraform's configuration in a folder but for one. Those that cannot be read are left out.
func configuration(files arguments.Files, folder, but string) []*source.File {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var found []*source.File
	for _, entry := range entries {
		if beside := filepath.Join(folder, entry.Name()); terraform.Is(beside) && entry.Type().IsRegular() && entry.Name() != but {
			if _, data, err := files.Read(beside); err == nil {
				found = append(found, &source.File{Name: beside, Data: data})
			}
		}
	}
	return found
}

// text returns the definition of a name in the container; empty: the only one.
func (c *contents) text(resource string, values source.Substitutions) (*Text, error) {
	found, problems, err := c.container.Definition(embedded.Options{Resource: resource, Values: values, Open: c.open})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.file.Name, err)
	case found == nil:
		return nil, &InvalidError{c.file, problems}
	}
	return &Text{Given: c.file, Resource: found.Name, Source: found.File, Root: found.Root, Notes: problems}, nil
}
