package lsp

import (
	"context"
	"path/filepath"
	"slices"

	"asldb/engine/source"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/suiterun"
)

// index is what the folders of the editor have.
type index struct {
	// templates are the names of the machines in their templates, by the file of the definition, where that is a
	// separate one.
	templates map[string][]definitions.Definition
	// definitions are all of them, suites the files of suites.
	definitions []definitions.Definition
	suites      []string
}

// templates is the index with its state.
type templates struct {
	index
	// stale is set where the folders may have changed since they were looked at, searching while that is done.
	stale, searching bool
}

// look looks for the definitions and suites of folders, as asldb validate and asldb test do.
func findTemplates(reader files.Files, folders []string) index {
	found := index{templates: make(map[string][]definitions.Definition)}
	for _, folder := range folders {
		whole := definitions.Definition{File: folder, Projects: &project.Finder{}}
		list, _ := whole.Machines(reader) // a folder that cannot be read has none
		for _, d := range list {
			if d.Text != nil && d.Text.Source.Name != d.Text.Given.Name {
				name := d.Text.Source.Name
				found.templates[name] = append(
					found.templates[name],
					definitions.Definition{File: d.File, Resource: d.Resource},
				)
			}
		}
		found.definitions = append(found.definitions, list...)
		suites, _ := suiterun.Find([]string{folder}) // the error says that there is none
		for _, one := range suites {
			found.suites = append(found.suites, one.File)
		}
	}
	return found
}

// searchTemplates looks at the folders of the editor. They may be large: the problems are sent again when it has ended.
func (s *server) searchTemplates() {
	if !s.templates.stale || s.templates.searching || len(s.folders) == 0 {
		return
	}
	s.templates.stale, s.templates.searching = false, true
	reader, folders := s.files(), s.folders
	go func() {
		found := findTemplates(reader, folders)
		s.push(job{ctx: s.ctx, do: func(context.Context) {
			if s.templates.searching { // else it was needed before, and is newer
				s.templates.index, s.templates.searching = found, false
				s.changed()
			}
		}})
	}()
}

// indexed returns the index as it is now.
func (s *server) indexed() *index {
	if s.templates.stale || s.templates.searching {
		s.templates = templates{index: findTemplates(s.files(), s.folders)}
	}
	return &s.templates.index
}

// known returns the index as it was when it was last looked for, which a change of a text since then does not end.
func (s *server) known() *index {
	if s.templates.definitions == nil && s.templates.suites == nil {
		return s.indexed()
	}
	return &s.templates.index
}

// watched are the files whose changes may change the index.
const watched = "**/*.{json,yaml,yml,asl,tf,template}"

// watch asks the editor to report changes of files.
func (s *server) watch() {
	if !s.watches {
		return
	}
	_, _ = s.conn.DispatchCall(s.ctx, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
		"id": "asldb-files", "method": "workspace/didChangeWatchedFiles",
		"registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": watched}}},
	}}})
}

// changeFolders takes the folders that the editor adds and removes.
func (s *server) changeFolders(p *foldersParams) (any, error) {
	for _, folder := range p.Event.Removed {
		s.folders = slices.DeleteFunc(
			slices.Clone(s.folders),
			func(name string) bool { return same(name, nameOf(folder.URI)) },
		)
	}
	for _, folder := range p.Event.Added {
		s.folders = append(slices.Clone(s.folders), filepath.Clean(nameOf(folder.URI)))
	}
	s.templates.stale = true
	s.changed()
	return nil, nil
}

// machinesOf returns the definitions in a document: with the template that names it, where there is one.
func (s *server) machinesOf(reader files.Files, name string, again *source.Rereader) []*machine {
	var list []*machine
	projects := &project.Finder{}
	for _, d := range s.templates.templates[name] {
		d.Projects = projects
		if text, err := d.Open(reader); err == nil && text.Source.Name == name {
			list = append(list, &machine{definition: d, text: text})
		}
	}
	if len(list) == 0 {
		return machinesIn(reader, name, again)
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
