package lsp

import (
	"errors"
	"path/filepath"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// reading is a document as it was read, at one generation of the texts.
type reading struct {
	// machines are the definitions in it.
	machines []*machine
	// suite is the suite that it is; nil: it is none, or has errors. tree is its text, or the text of fixtures.
	suite *suite.Suite
	tree  *source.Node
	// problems are the document's, of its definitions only after [server.problems] has checked them.
	problems []source.Diagnostic
	checked  bool
}

// machine is one definition of a document.
type machine struct {
	definition definitions.Definition
	// text is nil where it cannot be read.
	text *definitions.Text
	// model and sound come from [machine.examine], once it was called.
	model           *asl.StateMachine
	sound, examined bool
	required        *flow.Demands // see [machine.demands]
	// run is the run in memory; see [server.data].
	run *data
}

// read returns a document as it was read.
func (s *server) read(d *document) *reading {
	if d.read == nil || d.generation != s.generation {
		d.read, d.generation = s.readText(d), s.generation
		d.keepSound()
	}
	return d.read
}

// readText reads a document.
func (s *server) readText(d *document) *reading {
	r := &reading{}
	base := filepath.Base(d.name)
	switch {
	case suite.IsSuite(d.name):
		s.readSuite(d, r)
	case base == project.FileName:
		s.readProject(d, r)
	case isFixtures(base):
		s.readFixtures(d, r)
	default:
		if definitions.MayHold(d.lines.data) {
			s.searchTemplates()
		}
		r.machines = s.machinesOf(s.files(), d.name, &d.again)
	}
	return r
}

// machinesIn returns the definitions in a file. again reads one that is being edited, and may be nil.
func machinesIn(reader files.Files, name string, again *source.Rereader) []*machine {
	projects := &project.Finder{}
	named := definitions.Definition{File: name, Projects: projects, Again: again}
	var list []*machine
	for _, d := range named.InFile(reader) {
		m := &machine{definition: d}
		if m.text = d.Text; m.text == nil {
			m.text, _ = d.Open(reader)
		}
		list = append(list, m)
	}
	return list
}

// examine returns the definition as far as it can be read, or nil; sound: it has no errors.
func (m *machine) examine() (model *asl.StateMachine, sound bool) {
	if m.text != nil && !m.examined {
		var err error
		m.model, err = m.text.Examine()
		m.sound, m.examined = m.model != nil && err == nil, true
	}
	return m.model, m.sound
}

// problemsOf returns the problems of a definition, as asldb validate has them.
func problemsOf(reader files.Files, m *machine) []source.Diagnostic {
	d := m.definition
	steering, err := d.Projects.For(d.File)
	if err != nil {
		return []source.Diagnostic{{Severity: source.Warning, Rule: "project-file", Message: err.Error()}}
	}
	checked := project.Definition{}
	if m.text == nil {
		var wrong *definitions.InvalidError
		if _, err = d.Open(reader); !errors.As(err, &wrong) {
			return []source.Diagnostic{{Severity: source.Error, Rule: "definition", Message: err.Error()}}
		}
		checked.Given, checked.Problems = wrong.Source, wrong.Problems
	} else {
		m.flow() // completion takes it too
		problems := definitions.InDialect(m.text.Problems(lint.Options{Try: true, Hints: true}), engine.AWS)
		checked = project.Definition{Given: m.text.Given, Source: m.text.Source, Root: m.text.Root, Problems: problems}
	}
	return unknown(steering, d, steering.Steer(checked, true))
}

// unknown returns the problems that are not in the baseline of the project file.
func unknown(steering *project.Project, d definitions.Definition, problems []source.Diagnostic) []source.Diagnostic {
	if steering.Baseline() == "" {
		return problems
	}
	file, err := project.LoadBaseline(steering.Baseline())
	if err != nil {
		return problems
	}
	var left []source.Diagnostic
	for i, known := range file.Known(project.Machine{Given: d.File, Name: d.Resource, Problems: problems, Whole: d.Resource == ""}) {
		if !known {
			left = append(left, problems[i])
		}
	}
	return left
}

// readSuite reads a suite, and checks it against its definition.
func (s *server) readSuite(d *document, r *reading) {
	loaded, err := suite.Load(d.name, d.lines.data)
	if err == nil {
		r.suite = loaded
		r.tree, _ = source.Read(&source.File{Name: d.name, Data: d.lines.data}, nil)
		err = s.checkSuite(loaded)
	}
	if err == nil {
		return
	}
	var wrong *suite.Error
	if errors.As(err, &wrong) {
		r.add(d, "suite", wrong.Problems)
		return
	}
	at := fixtures.Problem{Line: 1, Col: 1, Message: err.Error()}
	if loaded != nil && loaded.At.Line > 0 {
		at.Line, at.Col = loaded.At.Line, loaded.At.Col
	}
	r.add(d, "suite", []fixtures.Problem{at})
}

// checkSuite checks a suite against its definition.
func (s *server) checkSuite(loaded *suite.Suite) error {
	if loaded.Definition().File == "" {
		return errors.New("no definition is named: add definition: FILE")
	}
	m, err := suiterun.OpenCase(*loaded.Definition(), suiterun.Settings{Limits: engine.ServiceLimits(), Files: s.files(), Projects: &project.Finder{}})
	if err != nil {
		return err
	}
	return suiterun.CheckCase(loaded, m)
}

// add adds problems of a file of fixtures.
func (r *reading) add(d *document, rule string, problems []fixtures.Problem) {
	for _, p := range problems {
		if p.File != "" && p.File != d.name {
			p.Message = p.File + ": " + p.Message
			p.Line, p.Col = 1, 1
		}
		at := source.Position{Line: p.Line, Col: p.Col, Offset: d.lines.at(p.Line, p.Col)}
		suggestion := p.Suggestion
		if suggestion != "" {
			suggestion = "did you mean " + quoted(suggestion) + "?"
		}
		r.problems = append(r.problems, source.Diagnostic{
			File: &source.File{Name: d.name, Data: d.lines.data}, Severity: source.Error, Rule: rule, Span: source.Span{Start: at, End: at},
			Message: p.Message, Suggestion: suggestion,
		})
	}
}

// readFixtures reads a file of fixtures.
func (s *server) readFixtures(d *document, r *reading) {
	r.tree, _ = source.Read(&source.File{Name: d.name, Data: d.lines.data}, nil)
	read, err := mocks.Load(d.name, d.lines.data)
	var wrong *fixtures.Error
	switch {
	case errors.As(err, &wrong):
		r.add(d, "fixtures", wrong.Problems)
	case err != nil:
		r.add(d, "fixtures", []fixtures.Problem{{Line: 1, Col: 1, Message: err.Error()}})
	default:
		r.problems = source.Own(read.Source, read.Warnings)
	}
}

// readProject reads a project file.
func (s *server) readProject(d *document, r *reading) {
	_, err := project.Parse(&source.File{Name: d.name, Data: d.lines.data})
	var wrong *project.FileError
	if errors.As(err, &wrong) {
		r.problems = source.Own(wrong.Source, wrong.Problems)
	}
}
