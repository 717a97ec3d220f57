package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/services"
)

// model is the part of an api-2.json that the table has.
type model struct {
	Metadata struct {
		ServiceID      string `json:"serviceId"`
		EndpointPrefix string `json:"endpointPrefix"`
	} `json:"metadata"`
	Operations map[string]operation `json:"operations"`
	Shapes     map[string]shape     `json:"shapes"`

	aliases []string
	date    string          // of the newest module that it was made of
	errors  []string        // those that no operation is known to raise
	raised  map[string]bool // the errors of operations, in small letters
}

func newModel() model {
	return model{Operations: map[string]operation{}, Shapes: map[string]shape{}}
}

type operation struct {
	Input, Output *reference
	Errors        []reference
}

type reference struct {
	Shape            string `json:"shape"`
	IdempotencyToken bool   `json:"idempotencyToken"`
}

type shape struct {
	Type     string               `json:"type"`
	Members  map[string]reference `json:"members"`
	Required []string             `json:"required"`
	Min      *float64             `json:"min"`
	Max      *float64             `json:"max"`
	Enum     []string             `json:"enum"`
	Document bool                 `json:"document"`
	Member   *reference           `json:"member"`
	Key      *reference           `json:"key"`
	Value    *reference           `json:"value"`

	unsure bool // nothing says which members are required
}

// readAll reads the newest version of every service in a folder of models (SERVICE/VERSION/api-2.json).
func readAll(dir string) ([]*model, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "api-2.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no SERVICE/VERSION/api-2.json in %s", dir)
	}
	slices.Sort(files) // versions are dates: of one service the newest comes last
	newest := make(map[string]string)
	for _, file := range files {
		newest[filepath.Dir(filepath.Dir(file))] = file
	}
	var list []*model
	for _, folder := range slices.Sorted(maps.Keys(newest)) {
		data, err := os.ReadFile(newest[folder])
		if err != nil {
			return nil, err
		}
		m, err := parse(data, filepath.Base(folder))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", newest[folder], err)
		}
		list = append(list, m)
	}
	return list, nil
}

// commandNames are names of the AWS CLI that no model has.
var commandNames = map[string]string{"SFN": "stepfunctions"}

// parse reads one model; folder is the name of its folder.
func parse(data []byte, folder string) (*model, error) {
	m := &model{date: oldest}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, err
	}
	if m.Metadata.ServiceID == "" {
		return nil, errors.New("it has no serviceId")
	}
	// Several services sign as one ("dynamodb", "lex"): the names of the folder and of the endpoint belong to one
	// service.
	m.alias(folder, m.Metadata.EndpointPrefix, commandNames[m.Metadata.ServiceID])
	return m, nil
}

func (m *model) alias(names ...string) {
	for _, name := range names {
		if name != "" && !slices.Contains(m.aliases, name) {
			m.aliases = append(m.aliases, name)
		}
	}
}

// source makes the shapes of a model.
func (m *model) source() (Source, error) {
	source := Source{ID: m.Metadata.ServiceID, Aliases: m.aliases, Date: m.date, Errors: m.errors}
	r := &reducer{model: m, shapes: make(map[string]*services.Shape)}
	for _, name := range slices.Sorted(maps.Keys(m.Operations)) {
		o := m.Operations[name]
		made := SourceOperation{Name: name, Input: r.shape(o.Input), Output: r.shape(o.Output)}
		for _, e := range o.Errors {
			made.Errors = append(made.Errors, e.Shape)
		}
		slices.Sort(made.Errors)
		made.Errors = slices.Compact(made.Errors)
		source.Operations = append(source.Operations, made)
	}
	return source, r.err
}

// reducer makes each shape of a model once.
type reducer struct {
	model  *model
	shapes map[string]*services.Shape
	err    error
}

var kindOf = map[string]services.Kind{
	"string": services.String, "character": services.String, "integer": services.Integer, "long": services.Integer,
	"float": services.Float, "double": services.Float, "boolean": services.Boolean, "timestamp": services.Timestamp,
	"blob": services.Blob, "document": services.Any,
	"structure": services.Structure, "list": services.List, "map": services.Map,
}

// shape returns the shape of a reference, nil for none.
func (r *reducer) shape(of *reference) *services.Shape {
	if of == nil {
		return nil
	}
	if made := r.shapes[of.Shape]; made != nil {
		return made
	}
	s, found := r.model.Shapes[of.Shape]
	kind, known := kindOf[s.Type]
	if !found || !known {
		r.err = errors.Join(r.err, fmt.Errorf("shape %q: the type %q is not known", of.Shape, s.Type))
		return nil
	}
	if s.Document {
		kind = services.Any
	}
	made := &services.Shape{Kind: kind, Min: s.Min, Max: s.Max, Enum: s.Enum}
	r.shapes[of.Shape] = made // before its parts, which may contain it
	names := slices.SortedFunc(maps.Keys(s.Members), strings.Compare)
	for _, name := range names {
		member := s.Members[name]
		made.Members = append(made.Members, services.Member{
			Model: name,
			// The SDK makes up an idempotency token that is missing.
			Required: slices.Contains(s.Required, name) && !member.IdempotencyToken,
			Shape:    r.shape(&member),
		})
	}
	switch kind {
	case services.List:
		made.Item = r.shape(s.Member)
	case services.Map:
		made.Key, made.Item = r.shape(s.Key), r.shape(s.Value)
	default:
	}
	return made
}
