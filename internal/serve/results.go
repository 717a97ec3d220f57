package serve

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/why"
	"asldb/internal/wording"
	"asldb/recorder"
)

// Results are where the results of tasks come from.
type Results struct {
	// MockConfig is a mock configuration of Step Functions Local, Fixtures a fixtures file, Suites are suites; their
	// cases are
	// chosen by ARN#CASE.
	MockConfig, Fixtures string
	Suites               []string
}

// results reads these files, again when they have changed.
type results struct {
	Results
	mu    sync.Mutex
	known map[string]*resultFile
}

// resultFile is a file as it was read.
type resultFile struct {
	stamp  stamp
	read   *mocks.Read
	suites []*suite.Suite
	err    error
}

// stamp tells whether a file has changed.
type stamp struct {
	size int64
	at   time.Time
}

func stampOf(name string) (s stamp) {
	if info, err := os.Stat(name); err == nil {
		s = stamp{info.Size(), info.ModTime()}
	}
	return s
}

func newResults(of Results) *results { return &results{Results: of, known: map[string]*resultFile{}} }

// file returns a file as it is now.
func (r *results) file(name string) *resultFile {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := stampOf(name)
	if known := r.known[name]; known != nil && known.stamp == now {
		return known
	}
	f := &resultFile{stamp: now}
	r.known[name] = f
	if suite.IsSuite(name) {
		f.suites, f.err = suiterun.ReadSuites([]suiterun.Selection{{File: name}})
		return f
	}
	shown, data, err := files.Files{}.Read(name)
	if err == nil {
		f.read, err = mocks.Load(shown, data)
	}
	f.err = err
	return f
}

// Check reads all files once, for the errors in them.
func (r *Results) Check() error {
	var faults []error
	for _, name := range append([]string{r.MockConfig, r.Fixtures}, r.Suites...) {
		if name != "" {
			faults = append(faults, newResults(*r).file(name).err)
		}
	}
	return errors.Join(faults...)
}

// choose sets the fixtures of a start: from the case that it names, else from the file beside the definition, or of
// --fixtures.
func (r *results) choose(x *execution, spec *launch.Spec) error {
	if x.mock == "" {
		spec.Fixtures.Default = x.machine.file != nil && r.Fixtures == ""
		if r.Fixtures == "" {
			return nil
		}
		f := r.file(r.Fixtures)
		if f.err != nil {
			return faultf(validation, "the fixtures are wrong: %s", wording.Line(f.err.Error()))
		}
		if _, err := f.read.File.Source(x.revision.definition.Machine); err == nil { // else they are another machine's
			spec.Fixtures.File = f.read.File
		}
		return nil
	}
	name := x.mock
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	var faults []error
	for _, source := range []string{r.MockConfig, r.Fixtures} {
		if source == "" {
			continue
		}
		f := r.file(source)
		if f.err != nil {
			return faultf(validation, "%s is wrong: %s", wording.Line(source), wording.Line(f.err.Error()))
		}
		found, err := caseOf(f.read, x.machine.name, name)
		if err == nil {
			spec.Fixtures.File = found
			return nil
		}
		faults = append(faults, err)
	}
	for _, source := range r.Suites {
		f := r.file(source)
		if f.err != nil {
			return faultf(validation, "%s is wrong: %s", wording.Line(source), wording.Line(f.err.Error()))
		}
		for _, s := range f.suites {
			if at := slices.IndexFunc(s.Cases, func(c *suite.Case) bool { return c.Name == name }); at >= 0 {
				return r.ofSuite(x, s.Cases[at], spec)
			}
			names := make([]string, len(s.Cases))
			for i, c := range s.Cases {
				names[i] = c.Name
			}
			faults = append(faults, &fixtures.CaseError{File: s.Name, Name: name, Cases: names})
		}
	}
	if faults == nil {
		return faultf(validation,
			"the case %q is unknown: neither a mock configuration (--mock-config, SFN_MOCK_CONFIG) nor a suite "+
				"(--suite) is given", name)
	}
	return faultf(validation, "%s", errors.Join(faults...).Error())
}

// caseOf returns the case of a machine.
func caseOf(read *mocks.Read, machine, name string) (*fixtures.File, error) {
	if read.Config != nil {
		if found, err := read.File.Case(read.Config.Resolve(machine + "#" + name)); err == nil {
			return found, nil
		}
	}
	return read.File.Case(name)
}

// ofSuite sets the results of a suite's case, and its input where the request has none.
func (r *results) ofSuite(x *execution, c *suite.Case, spec *launch.Spec) error {
	found, err := c.Results()
	if err != nil {
		return faultf(validation, "%s", wording.Line(err.Error()))
	}
	spec.Fixtures.File, x.judged = found, c
	if x.input == "{}" && found.Input != nil {
		x.input = value.Compact(found.Input)
		spec.Input = launch.Input{Value: found.Input, Written: x.input}
	}
	return nil
}

// outcomes are the outcomes of suites' cases.
type outcomes struct {
	sync.Mutex
	list []*suite.Outcome
	of   []*suite.Suite
}

// judge compares an execution that has ended with the expectations of its case.
func (s *Server) judge(x *execution) string {
	outcome := suiterun.Judge(x.judged, x.run, suiterun.CaseOptions{})
	s.outcomes.Lock()
	defer s.outcomes.Unlock()
	s.outcomes.list, s.outcomes.of = append(s.outcomes.list, outcome), append(s.outcomes.of, x.judged.Suite)
	if outcome.Kind.Bad() {
		s.failed++
		line := wording.Line(x.judged.Name) + ": " + outcome.Kind.String()
		for i := range outcome.Findings {
			line += "; " + outcome.Findings[i].Expectation
		}
		s.log(line)
	}
	return outcome.Kind.String()
}

// Outcomes sends the outcomes of all suites' cases to a sink, and returns how many were not as expected.
func (s *Server) Outcomes(to suite.Sink) (bad int, err error) {
	s.outcomes.Lock()
	defer s.outcomes.Unlock()
	var suites []*suite.Suite
	for _, of := range s.outcomes.of {
		if !slices.Contains(suites, of) {
			suites = append(suites, of)
		}
	}
	var all suite.Summary
	faults := []error{to.Send(suite.Began{Suites: len(suites), Cases: len(s.outcomes.list)})}
	for _, of := range suites {
		began := &suite.SuiteOutcome{File: of.Name, Definition: of.Definition().File, Started: s.now()}
		faults = append(faults, to.Send(suite.SuiteBegan{Suite: began}))
		for i, outcome := range s.outcomes.list {
			if s.outcomes.of[i] == of {
				outcome.Suite = began
				began.Summary.Add(outcome)
				all.Add(outcome)
				faults = append(faults, to.Send(suite.CaseEnded{Case: outcome}))
			}
		}
		faults = append(faults, to.Send(suite.SuiteEnded{Suite: began}))
	}
	faults = append(faults, to.Send(suite.Ended{Summary: all}))
	return s.failed, errors.Join(faults...)
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
	stamps     map[string]stamp
}

func (f *served) read(d *definitions.Definition) {
	f.stamps = map[string]stamp{}
	for _, name := range []string{f.definition.File, d.Text.Source.Name, d.Text.Given.Name} {
		f.stamps[name] = stampOf(name)
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
	m := &machine{name: NameOf(&d), kind: standard, created: s.now(), logging: noLogging, tracing: noTracing,
		encryption: noEncryption,
		file:       &served{definition: d}}
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
	text := string(recorder.DefinitionOf(d.Machine).Data)
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		text = value.Pretty(d.Machine.Root.Value)
	}
	return s.ready(d, text, "arn:"+s.options.partition()+":iam::"+s.options.Account+":role/StepFunctions")
}

// reread reads the definition of a machine again where its file has changed; the server is locked. One that is wrong
// is told,
// and the machine stays as it is.
func (s *Server) reread(m *machine) {
	if m.file == nil {
		return
	}
	changed := false
	for name, known := range m.file.stamps {
		changed = changed || stampOf(name) != known
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
