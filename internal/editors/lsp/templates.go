package lsp

import (
	"context"
	"path/filepath"
	"slices"

	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/project"
)

// templates are the state machines of templates that are written in files of their own.
type templates struct {
	// of are the names of the machines in their templates, by the file of the definition.
	of map[string][]definitions.Definition
	// stale is set where a template may have changed since they were looked for, searching while that is done.
	stale, searching bool
}

// searchTemplates looks for the templates in the folders of the editor, as asldb validate does. Folders may be large: the problems are
// sent again when it has ended.
func (s *server) searchTemplates() {
	if !s.templates.stale || s.templates.searching || len(s.folders) == 0 {
		return
	}
	s.templates.stale, s.templates.searching = false, true
	reader, folders := s.files(), s.folders
	go func() {
		found := make(map[string][]definitions.Definition)
		for _, folder := range folders {
			whole := definitions.Definition{File: folder, Projects: &project.Finder{}}
			list, _ := whole.Machines(reader) // a folder that cannot be read has no templates
			for _, d := range list {
				if d.Text != nil && d.Text.Source.Name != d.Text.Given.Name {
					name := d.Text.Source.Name
					found[name] = append(found[name], definitions.Definition{File: d.File, Resource: d.Resource})
				}
			}
		}
		s.push(job{ctx: s.ctx, do: func(context.Context) {
			s.templates.of, s.templates.searching = found, false
			s.changed()
		}})
	}()
}

// machinesOf returns the definitions in a document: with the template that names it, where there is one.
func (s *server) machinesOf(reader files.Files, name string) []*machine {
	var list []*machine
	projects := &project.Finder{}
	for _, d := range s.templates.of[name] {
		d.Projects = projects
		if text, err := d.Open(reader); err == nil && text.Source.Name == name {
			list = append(list, &machine{definition: d, text: text})
		}
	}
	if len(list) == 0 {
		return machinesIn(reader, name)
	}
	return list
}

// isOf reports whether a machine is written in a file, or in the template that names it.
func (m *machine) isOf(name, resource string) bool {
	return m.text != nil && same(name, m.text.Source.Name) && resource == "" ||
		same(name, m.definition.File) && (resource == "" || resource == m.definition.Resource)
}

// same reports whether two names are of the same file.
func same(name, other string) bool {
	path, err := filepath.Rel(name, other)
	return err == nil && path == "."
}

// folders returns the folders of a machine's file and of its template.
func (m *machine) folders() []string {
	list := []string{filepath.Dir(m.definition.File)}
	if m.text != nil {
		list = append(list, filepath.Dir(m.text.Source.Name))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
