package launch

import (
	"fmt"
	"os"
	"path/filepath"

	"asldb/engine/cloudformation"
	"asldb/engine/serverless"
	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/engine/terraform"
)

// container is a file with the definitions of state machines that have names: a template, a configuration of the Serverless
// Framework or of Terraform.
type container interface {
	// StateMachines returns the names, in the order of the text.
	StateMachines() []string
	// text returns the definition of that name; empty: the only one.
	text(resource string, values source.Substitutions) (*Text, error)
}

// contents is a file whose text has been read.
type contents struct {
	file *source.File
	// container is nil where the file is a definition, or cannot be read.
	container container
	// root is the tree of a definition, nil where it cannot be read.
	root *source.Node
}

// read reads a file and recognizes containers.
func (f Files) contents(name string) (*contents, error) {
	name, data, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	file := &source.File{Name: name, Data: data}
	open := f.beside(file)
	if smithy.IsIDL(file) {
		return nil, &ModelError{name}
	}
	if terraform.Is(name) {
		module, problem := terraform.Read(file, siblings(f, name))
		if problem != nil {
			return nil, &DefinitionError{file, source.Own(file, []source.Diagnostic{*problem})}
		}
		return &contents{file: file, container: &configuration{file, module, open}}, nil
	}
	tagged := false
	root, problem := source.Read(file, func(tag string) string {
		key := cloudformation.Tags(tag)
		tagged = tagged || key != ""
		return key
	})
	switch {
	case problem == nil && cloudformation.Is(root):
		return &contents{file: file, container: &template{file, cloudformation.Of(file, root), open}}, nil
	case problem == nil && serverless.Is(root):
		return &contents{file: file, container: &framework{file, serverless.Of(file, root, open), open}}, nil
	case problem == nil && smithy.IsAST(root):
		return nil, &ModelError{name}
	case tagged: // tags have a meaning in templates only
		root = nil
	}
	return &contents{file: file, root: root}, nil
}

// beside returns a function that reads files that are named relative to a file.
func (f Files) beside(file *source.File) func(name string) (*source.File, error) {
	return func(name string) (*source.File, error) {
		if !filepath.IsAbs(name) && file.Name != StdinName {
			name = filepath.Join(filepath.Dir(file.Name), name)
		}
		name, data, err := f.Read(name)
		return &source.File{Name: name, Data: data}, err
	}
}

// siblings reads the other files of the configuration that a file belongs to. Those that cannot be read are left out.
func siblings(f Files, name string) []*source.File {
	folder := filepath.Dir(name)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var files []*source.File
	for _, entry := range entries {
		if beside := filepath.Join(folder, entry.Name()); terraform.Is(beside) && entry.Type().IsRegular() && entry.Name() != filepath.Base(name) {
			if _, data, err := f.Read(beside); err == nil {
				files = append(files, &source.File{Name: beside, Data: data})
			}
		}
	}
	return files
}

// template is one of CloudFormation or SAM.
type template struct {
	file *source.File
	*cloudformation.Template
	open func(name string) (*source.File, error)
}

func (t *template) text(resource string, values source.Substitutions) (*Text, error) {
	found, problems, err := t.Definition(cloudformation.Options{Resource: resource, Values: values, Open: t.open})
	return textIn(t.file, found, problems, err)
}

// framework is a configuration of the Serverless Framework.
type framework struct {
	file *source.File
	*serverless.Config
	open func(name string) (*source.File, error)
}

func (s *framework) text(resource string, values source.Substitutions) (*Text, error) {
	found, problems, err := s.Definition(cloudformation.Options{Resource: resource, Values: values, Open: s.open})
	return textIn(s.file, found, problems, err)
}

// textIn returns the text of a definition that was found in a file.
func textIn(file *source.File, found *cloudformation.Definition, problems []source.Diagnostic, err error) (*Text, error) {
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file.Name, err)
	case found == nil:
		return nil, &DefinitionError{file, problems}
	}
	return &Text{Given: file, Resource: found.Name, Source: found.File, Root: found.Root, Notes: problems}, nil
}

// configuration is one of Terraform.
type configuration struct {
	file *source.File
	*terraform.Module
	open func(name string) (*source.File, error)
}

func (c *configuration) text(resource string, values source.Substitutions) (*Text, error) {
	found, problems, err := c.Definition(terraform.Options{Resource: resource, Values: values, Open: c.open})
	if found == nil {
		return textIn(c.file, nil, problems, err)
	}
	return &Text{Given: c.file, Resource: found.Name, Source: found.File, Root: found.Root, Notes: problems}, nil
}
