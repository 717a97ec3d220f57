package command

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Profiles reads profiles and adds them up.
func Profiles(names []string) (*coverage.Profile, error) {
	if len(names) == 0 {
		return nil, errors.New("which profile? asldb run --coverage-out FILE writes one")
	}
	var list []report.ShardFile
	for _, name := range names {
		data, err := files.Given(name, value.DefaultBytes)
		if err != nil {
			return nil, OneLine(err)
		}
		list = append(list, report.ShardFile{Name: name, Data: data})
	}
	return MergeProfiles(list)
}

// MergeProfiles adds up the profiles that files have.
func MergeProfiles(list []report.ShardFile) (*coverage.Profile, error) {
	all := &coverage.Profile{}
	for _, file := range list {
		p, err := coverage.Read(file.Data)
		if err == nil {
			err = all.Merge(p)
		}
		if err != nil {
			return nil, OneLine(fmt.Errorf("%s: %w", file.Name, err))
		}
	}
	return all, nil
}

// CoverageOf returns the coverage of a definition in profiles, whatever they call it: its text and the state machine in it are the
// same.
func CoverageOf(files []string, machine *asl.StateMachine, resource string) (*coverage.Definition, error) {
	digest, changed := machine.Source.Digest(), ""
	all := &coverage.Profile{}
	for _, file := range files {
		p, err := Profiles([]string{file})
		if err != nil {
			return nil, OneLine(fmt.Errorf("--coverage-in: %w", err))
		}
		for i := range p.Definitions {
			d := &p.Definitions[i]
			if d.Digest != digest || d.Resource != resource {
				if d.File == machine.Source.Name && d.Resource == resource {
					changed = file
				}
				continue
			}
			d.File = machine.Source.Name
			if err := all.Add(d); err != nil {
				return nil, OneLine(fmt.Errorf("--coverage-in: %s: %w", file, err))
			}
		}
	}
	switch {
	case changed != "":
		return nil, OneLine(fmt.Errorf("--coverage-in: %s has changed since %s was written: run the tests again", machine.Source.Name, changed))
	case len(all.Definitions) == 0:
		return nil, OneLine(fmt.Errorf("--coverage-in: %s has nothing about %s", strings.Join(files, ", "), machine.Source.Name))
	}
	return &all.Definitions[0], nil
}

// UpdateProfile adds the coverage of runs to the profile of --coverage-out. A definition that has changed since starts
// over.
func UpdateProfile(s *Streams, file string, list ...coverage.Definition) error {
	return files.Update(file, 0o666, func(old []byte) ([]byte, error) {
		p, err := &coverage.Profile{}, error(nil)
		if old != nil {
			if p, err = coverage.Read(old); err != nil {
				return nil, OneLine(fmt.Errorf("--coverage-out: %s: %w", file, err))
			}
		}
		for i := range list {
			if d := &list[i]; p.AddOrReplace(d) {
				warning := "warning: " + d.File + " has changed: its coverage in " + file + " begins anew"
				fmt.Fprintln(s.Err, wording.Line(warning))
			}
		}
		var text bytes.Buffer
		err = p.Write(&text)
		return text.Bytes(), err
	})
}
