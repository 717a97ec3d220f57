package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// Fixtures names a fixtures file; the zero Fixtures is none.
type Fixtures struct {
	// Name is the name of the file: fixtures, or the mocks of another program. MockConfig requires a mock configuration of
	// Step Functions Local.
	Name       string
	MockConfig bool
	// Case is the name of a case in the file; empty: its common part.
	Case string
	// File is the file itself, in place of Name.
	File *fixtures.File
	// Default has the fixtures of the definition found where none are named; see [Fixtures.Find]. Found says which they are, and why.
	Default bool
	Found   string
}

// Find names the default fixtures of a definition: those in its project file, else, beside, a file of the same name beside it, such as
// order.fixtures.yaml beside order.asl.json. Of a template it is beside the file of the definition, or beside the template.
func (f *Fixtures) Find(texts files.Files, d *definitions.Definition, beside bool) error {
	if f.Name != "" || f.File != nil || d.File == "" || d.File == files.Stdin {
		return nil
	}
	found, err := d.Projects.For(d.File)
	if err != nil {
		return err
	}
	if f.Name = found.For(d.File).Fixtures; f.Name != "" {
		f.Found = wording.Line("fixtures: " + f.Name + " (from " + found.Source.Name + ")")
		return nil
	}
	if !beside {
		return nil
	}
	names := []string{d.File}
	if d.Text != nil {
		names = []string{d.Text.Source.Name, d.File}
	}
	for _, name := range names {
		var refused error
		if f.Name, refused = fixturesBeside(texts, name); refused != nil {
			f.Name, f.Found = "", wording.Line("fixtures: not read beside "+name+": "+refused.Error())
			return nil
		}
		if f.Name != "" {
			f.Found = wording.Line("fixtures: " + f.Name + " (beside " + name + ")")
			return nil
		}
	}
	return nil
}

// FixturesEndings are the endings of the names of fixtures files.
var FixturesEndings = []string{".fixtures.yaml", ".fixtures.yml", ".fixtures.json"}

// Beside returns the name of a file beside a definition, with an ending in place of the definition's: order.test.yaml
// for order.asl.json.
func Beside(definition, ending string) string {
	folder, base := filepath.Split(definition)
	for _, other := range []string{".json", ".jsonc", ".yaml", ".yml", ".tf", ".asl"} {
		base = strings.TrimSuffix(base, other)
	}
	return filepath.Join(folder, base+ending)
}

// fixturesBeside returns the name of the fixtures beside a definition; empty where there are none. The error says why a file of that
// name is not read.
func fixturesBeside(texts files.Files, definition string) (name string, refused error) {
	for _, ending := range FixturesEndings {
		beside := Beside(definition, ending)
		if _, open := texts.Changed[beside]; open {
			return beside, nil
		}
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside, files.RootOf(definition).Check(beside)
		}
	}
	return "", nil
}

func (f *Fixtures) part() files.Part {
	if f.MockConfig {
		return files.PartMockConfig
	}
	return files.PartFixtures
}

// Read returns the fixtures in the file; nil where it names none. Warnings about it go to warn.
func (f *Fixtures) Read(reader files.Files, warn func(files.Warning)) (*fixtures.File, error) {
	err := f.read(reader, warn)
	return f.File, err
}

func (f *Fixtures) read(reader files.Files, warn func(files.Warning)) error {
	switch {
	case f.File != nil:
		return nil
	case f.Name == "" && f.Case != "":
		return files.ErrorAbout(files.PartCase, "%[1]s is the name of a case in a fixtures file: name that, too")
	case f.Name == "":
		return nil
	}
	if f.Name == files.Stdin {
		return files.ErrorAbout(f.part(), "%[1]s is the name of a file")
	}
	name, data, err := reader.Read(f.Name)
	if err != nil {
		return &files.PartError{Part: f.part(), Err: err}
	}
	read, err := mocks.Load(name, data)
	if f.MockConfig && read.Format != mocks.MockConfig {
		return &files.PartError{Part: files.PartMockConfig, Err: fmt.Errorf("%s is not a mock configuration, which has StateMachines and MockedResponses", name)}
	}
	if err != nil {
		return fmt.Errorf("the fixtures are wrong:\n%w", err)
	}
	if read.Format != mocks.MockConfig { // nothing is left out of those: their warnings are for "fixtures check"
		for _, d := range read.Warnings {
			warn(files.Warning{Part: files.PartFixtures, Where: linePlace(name, d.Span), Text: d.Message})
		}
	}
	f.File, err = f.choose(read)
	return err
}

// Cases returns the names of the cases in the file; of a mock configuration, the names of the test cases. Of a file
// that is wrong or cannot be read it has none.
func (f *Fixtures) Cases(reader files.Files) []string {
	name, data, err := reader.Read(f.Name)
	if err != nil {
		return nil
	}
	read, err := mocks.Load(name, data)
	if err != nil || read.File == nil {
		return nil
	}
	return read.File.Cases()
}

func linePlace(name string, at source.Span) string {
	return fmt.Sprintf("%s:%d:%d", wording.Line(name), at.Start.Line, at.Start.Col)
}

// choose returns the file with the case.
func (f *Fixtures) choose(read *mocks.Read) (*fixtures.File, error) {
	name := f.Case
	if name == "" {
		if read.Config != nil {
			return nil, files.ErrorAbout(files.PartCase, "%[2]s has test cases, and %[1]s names one: %[3]s", read.File.Name, strings.Join(read.File.Cases(), ", "))
		}
		return read.File, nil
	}
	if read.Config != nil {
		name = read.Config.Resolve(name)
	}
	chosen, err := read.File.Case(name)
	if err != nil {
		return nil, &files.PartError{Part: files.PartCase, Err: err}
	}
	return chosen, nil
}

// Known returns what fixtures say about the data of a definition, for [lint.Options]: the input, and the results of the
// Task states for which the file gives all of them. Computed results and those from outside are unknown.
func (f Fixtures) Known(reader files.Files, warn func(files.Warning), machine *asl.StateMachine) (flow.Options, error) {
	if err := f.read(reader, warn); err != nil || f.File == nil {
		return flow.Options{}, err
	}
	known := flow.Options{Input: f.File.Input, Results: make(map[string][]value.Value)}
	bound, err := f.File.Bind(machine)
	if bound == nil {
		return known, err
	}
	lists := bound.Lists()
	for s := range machine.All() {
		if s.Type != asl.Task {
			continue
		}
		if results, all := resultsFor(bound.For(s, lists)); all {
			known.Results[s.Name] = results
		}
	}
	return known, nil
}

// resultsFor returns the results of lists; false where one of them is not known.
func resultsFor(candidates []fixtures.Candidate) (results []value.Value, all bool) {
	for _, c := range candidates {
		for _, entry := range c.List.Entries {
			for i := range entry.Results {
				switch r := &entry.Results[i]; {
				case r.Fails:
				case r.Computed || r.Outcome.Output == nil:
					return nil, false
				default:
					results = append(results, r.Outcome.Output)
				}
			}
		}
		if c.Iterations == nil && !c.List.Falls() { // the lists below are never asked
			break
		}
	}
	return results, len(results) > 0
}
