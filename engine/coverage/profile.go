package coverage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"asldb/engine/value"
)

// Version is the version of the profile's format.
const Version = 1

// Profile is the coverage of definitions by runs.
type Profile struct {
	Definitions []Definition
}

// Definition is the coverage of one definition.
type Definition struct {
	// File is the name of the file that has it. Resource is the logical name of the state machine in a template, or empty.
	File, Resource string
	// Digest is the text's: counts are added only to counts of the same text.
	Digest string
	// Runs is how many runs were counted.
	Runs int64
	// Items are in the order of [Of].
	Items []Item
}

// ChangedError says that a definition has changed between two profiles, so that their counts are of different items.
type ChangedError struct{ File, Resource string }

// Error implements error.
func (e *ChangedError) Error() string {
	name := e.File
	if e.Resource != "" {
		name += " (" + e.Resource + ")"
	}
	return name + " has changed between the profiles: run the tests again"
}

// Definition returns the profile of what the Collector has counted. The file's name, the resource in it and the digest of the
// text say which definition it is.
func (c *Collector) Definition(file, resource, digest string) Definition {
	return Definition{File: file, Resource: resource, Digest: digest, Runs: c.Runs, Items: slices.Clone(c.Items.List)}
}

// Find returns the coverage of a definition, nil where the profile has none.
func (p *Profile) Find(file, resource string) *Definition {
	for i := range p.Definitions {
		if d := &p.Definitions[i]; d.File == file && d.Resource == resource {
			return d
		}
	}
	return nil
}

// Add adds the counts of a definition. The result has the kinds that one of the two has, or was asked for. The error
// is a *[ChangedError]; then the profile is as it was.
func (p *Profile) Add(d *Definition) error {
	mine := p.Find(d.File, d.Resource)
	if mine == nil {
		added := *d
		added.Items = slices.Clone(d.Items)
		p.Definitions = append(p.Definitions, added)
		return nil
	}
	if mine.Digest != d.Digest {
		return &ChangedError{d.File, d.Resource}
	}
	mine.Runs += d.Runs
	more, fewer := mine.Items, d.Items
	if len(fewer) > len(more) {
		more, fewer = slices.Clone(fewer), more
	}
	known := make(map[ID]*Item, len(fewer))
	for i := range fewer {
		known[fewer[i].ID] = &fewer[i]
	}
	for i := range more {
		if other := known[more[i].ID]; other != nil {
			more[i].Count += other.Count
			more[i].Unasked = more[i].Unasked && other.Unasked
		}
	}
	mine.Items = more
	return nil
}

// AddOrReplace adds the counts of a definition. One with another text replaces it; then changed is set.
func (p *Profile) AddOrReplace(d *Definition) (changed bool) {
	if changed = p.Add(d) != nil; changed {
		*p.Find(d.File, d.Resource) = *d
	}
	return changed
}

// Sort puts the definitions in the order of their names.
func (p *Profile) Sort() {
	slices.SortStableFunc(p.Definitions, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Resource, b.Resource))
	})
}

// Merge adds all definitions of another profile, or none of them where one has changed; then the error is a *[ChangedError].
func (p *Profile) Merge(other *Profile) error {
	for i := range other.Definitions {
		d := &other.Definitions[i]
		if mine := p.Find(d.File, d.Resource); mine != nil && mine.Digest != d.Digest {
			return &ChangedError{d.File, d.Resource}
		}
	}
	for i := range other.Definitions {
		if err := p.Add(&other.Definitions[i]); err != nil {
			return err
		}
	}
	return nil
}

// The form of the file.
type profileFile struct {
	Version     int              `json:"version"`
	Definitions []definitionFile `json:"definitions"`
}

type definitionFile struct {
	File     string     `json:"file"`
	Resource string     `json:"resource,omitempty"`
	Digest   string     `json:"digest"`
	Runs     int64      `json:"runs"`
	Items    []itemFile `json:"items"`
}

type itemFile struct {
	State  string `json:"state"`
	Kind   string `json:"kind"`
	Index  int    `json:"index,omitempty"`
	Part   string `json:"part,omitempty"`
	Label  string `json:"label,omitempty"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Count  int64  `json:"count"`
	// Ignored is the reason for which it does not count.
	Ignored string `json:"ignored,omitempty"`
	Unasked bool   `json:"unasked,omitempty"`
}

// Write writes the profile as JSON, the definitions in the order of their names.
func (p *Profile) Write(w io.Writer) error {
	file := profileFile{Version: Version, Definitions: []definitionFile{}}
	for i := range p.Definitions {
		d := &p.Definitions[i]
		out := definitionFile{File: d.File, Resource: d.Resource, Digest: d.Digest, Runs: d.Runs, Items: []itemFile{}}
		for _, item := range d.Items {
			out.Items = append(out.Items, itemFile{
				State: item.State, Kind: item.Kind.String(), Index: item.Index, Part: item.Part, Label: item.Label,
				Line: item.Line, Column: item.Column, Count: item.Count, Ignored: item.Ignored,
				Unasked: item.Unasked,
			})
		}
		file.Definitions = append(file.Definitions, out)
	}
	slices.SortStableFunc(file.Definitions, func(a, b definitionFile) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Resource, b.Resource))
	})
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(file)
}

// Read reads a profile. The error says what is wrong with the text.
func Read(data []byte) (*Profile, error) {
	var file profileFile
	if err := value.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("not a coverage profile: %w", err)
	}
	if file.Version != Version {
		return nil, fmt.Errorf("a coverage profile of version %d; this asldb reads version %d", file.Version, Version)
	}
	p := &Profile{}
	for _, in := range file.Definitions {
		read := Definition{File: in.File, Resource: in.Resource, Digest: in.Digest, Runs: in.Runs}
		if p.Find(in.File, in.Resource) != nil {
			return nil, fmt.Errorf("not a coverage profile: the definition %q is in it twice", in.File)
		}
		seen := map[ID]bool{}
		for _, item := range in.Items {
			kind, ok := ParseKind(item.Kind)
			id := ID{State: item.State, Kind: kind, Index: item.Index, Part: item.Part}
			switch {
			case !ok:
				return nil, fmt.Errorf("not a coverage profile: state %q has an item of the kind %q", item.State, item.Kind)
			case item.Index < 0 || item.Count < 0 || item.Line < 0 || item.Column < 0:
				return nil, fmt.Errorf("not a coverage profile: state %q has a negative number", item.State)
			case seen[id]:
				return nil, fmt.Errorf("not a coverage profile: state %q has an item twice", item.State)
			}
			seen[id] = true
			read.Items = append(read.Items, Item{
				ID: id, Label: item.Label, Line: item.Line, Column: item.Column, Count: item.Count,
				Ignored: item.Ignored, Unasked: item.Unasked,
			})
		}
		p.Definitions = append(p.Definitions, read)
	}
	return p, nil
}
