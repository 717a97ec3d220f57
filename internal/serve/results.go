package serve

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/serve/cases"
	"asldb/internal/why"
	"asldb/internal/wording"
	"asldb/recorder"
)

// choose sets the fixtures of a start, and its input where it has none and its case does.
func (s *Server) choose(x *execution, spec *launch.Spec) error {
	choice, err := s.Cases.Choose(x.machine.name, &x.revision.definition, x.mock)
	if err != nil {
		return faultf(validation, "%s", wording.Text(err.Error()))
	}
	spec.Fixtures.File, x.results = choice.File, choice
	if x.input == "{}" && choice.Input != nil {
		x.input = value.Compact(choice.Input)
		spec.Input = launch.Input{Value: choice.Input, Written: x.input}
	}
	return nil
}

// explained is how many lines of an explanation a log has.
const explained = 2

// tell writes why an execution has failed, and the command that opens it.
func (s *Server) tell(x *execution, now *view) {
	if now.failure == nil {
		return
	}
	text := why.Failure(x.session(), x.run.Calls.SessionOf).Error()
	lines := strings.SplitN(text, "\n", explained+1)
	s.log(wording.Line(x.arn) + ": " + statusOf(now.status))
	for _, line := range lines[:min(explained, len(lines))] {
		s.log("  " + line)
	}
	if x.traceFile != "" {
		s.log("  asldb replay " + wording.ShellFile(x.traceFile))
	}
}

// served is a machine's definition in a file.
type served struct {
	definition definitions.Definition
	stamps     map[string]cases.Stamp
}

func (f *served) read(d *definitions.Definition) {
	f.stamps = map[string]cases.Stamp{}
	for _, name := range []string{f.definition.File, d.Text.Source.Name, d.Text.Given.Name} {
		f.stamps[name] = cases.StampOf(name)
	}
}

// NameOf is the name of the machine of a definition in a file: that in the template, or the file's.
func NameOf(d *definitions.Definition) string {
	if d.Resource != "" {
		return d.Resource
	}
	base := filepath.Base(d.File)
	for _, ending := range []string{".json", ".jsonc", ".yaml", ".yml", ".asl"} {
		base = strings.TrimSuffix(base, ending)
	}
	return replaced(unsafeName(), base)
}

// Add serves the definition in a file. The errors are about reading it, or a *[Fault] where the service refuses it.
func (s *Server) Add(d definitions.Definition) (arn string, err error) {
	m := &machine{name: NameOf(&d), kind: standard, created: s.now(), tracing: noTracing, encryption: noEncryption,
		file: &served{definition: d}}
	m.arn = s.options.arn("stateMachine", m.name)
	if m.revision, err = s.readFile(m); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m.serial = s.next()
	s.machines[m.arn] = m
	return m.arn, nil
}

// readFile reads the definition of a served file.
func (s *Server) readFile(m *machine) (*revision, error) {
	d := m.file.definition
	d.Text, d.Machine, d.Compiled = nil, nil, nil
	if err := d.Read(files.Files{}); err != nil {
		return nil, err
	}
	m.file.read(&d)
	if err := d.Parse(); err != nil {
		return nil, err
	}
	if m.kind = standard; d.Machine.Express {
		m.kind = express
	}
	m.logging = noLogging
	if level := d.Machine.Deployment.Logging; slices.Contains([]string{"ALL", "ERROR", "FATAL"}, level) {
		m.logging = value.ObjectOf(value.M("level", value.String(level)),
			value.M("includeExecutionData", value.Bool(false)))
	}
	text := string(recorder.DefinitionOf(d.Machine).Data)
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		text = value.Pretty(d.Machine.Root.Value)
	}
	return s.ready(d, text, cmp.Or(d.Machine.Deployment.Role,
		"arn:"+s.options.partition()+":iam::"+s.options.Account+":role/StepFunctions"))
}

// reread reads the definition of a machine again where its file has changed; the server is locked. The log has the
// error of one that is wrong, and the machine stays as it is.
func (s *Server) reread(m *machine) {
	if m.file == nil {
		return
	}
	changed := false
	for name, known := range m.file.stamps {
		changed = changed || cases.StampOf(name) != known
	}
	if !changed {
		return
	}
	r, err := s.readFile(m)
	if err != nil {
		s.log("the definition of " + m.name + " stays as it was: " + wording.Line(err.Error()))
		return
	}
	m.revision, m.updated = r, true
}
