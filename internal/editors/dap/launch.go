package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/editors"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// launchArguments are the arguments of a launch or attach request. Paths are absolute, or relative to cwd.
type launchArguments struct {
	// Program is the definition: a file, or a template with Resource.
	Program  string `json:"program"`
	Resource string `json:"resource"`
	// Substitutions is an object of names and values, or the name of a file with one.
	Substitutions json.RawMessage `json:"substitutions"`
	// Fixtures is a fixtures file, Case one of its cases. Without it the definition has its default one, unless NoFixtures is set.
	Fixtures   string `json:"fixtures"`
	Case       string `json:"case"`
	NoFixtures bool   `json:"noFixtures"`
	// Test is a case of a suite: FILE:CASE.
	Test string `json:"test"`
	// Input is a JSON value, or a text with the name of a file.
	Input json.RawMessage `json:"input"`
	// History and Trace are recorded runs.
	History string `json:"history"`
	Trace   string `json:"trace"`

	OnMissing string `json:"onMissing"`
	Clock     string `json:"clock"`
	StartTime string `json:"startTime"`
	Seed      *int64 `json:"seed"`
	Dialect   string `json:"dialect"`

	// AllowLive asks for the live calls of the fixtures: the user's consent is needed. False calls nothing. Left out, the calls are
	// made that the user has allowed.
	AllowLive *bool `json:"allowLive"`

	StopOnEntry bool  `json:"stopOnEntry"`
	StopAtEnd   *bool `json:"stopAtEnd"`
	NoDebug     bool  `json:"noDebug"`

	Cwd string `json:"cwd"`
}

// path returns a path of the arguments as it is opened.
func (g *launchArguments) path(name string) string {
	if name == "" || filepath.IsAbs(name) || g.Cwd == "" {
		return name
	}
	return filepath.Join(g.Cwd, name)
}

// spec returns the run that the arguments describe, without the case of a suite.
func (g *launchArguments) spec(options Options) (launch.Spec, error) {
	spec := launch.Spec{
		Definition:    definitions.Definition{File: g.path(g.Program), Resource: g.Resource, Projects: &project.Finder{}},
		Fixtures:      launch.Fixtures{Name: g.path(g.Fixtures), Case: g.Case, Default: !g.NoFixtures},
		Replay:        launch.Replay{File: g.path(g.Trace)},
		Now:           options.Now,
		Seed:          g.Seed,
		BreakUncaught: !g.NoDebug,
	}
	if err := g.substitute(&spec.Definition); err != nil {
		return spec, err
	}
	if g.History != "" {
		spec.History.Files = []string{g.path(g.History)}
	}
	if len(g.Input) > 0 && string(g.Input) != "null" {
		spec.Input.Text = string(g.Input)
		var file string
		if json.Unmarshal(g.Input, &file) == nil {
			spec.Input.Text = g.path(file)
		}
	}
	var err error
	if spec.Dialect, err = engine.ParseDialect(or(g.Dialect, engine.AWS.String())); err != nil {
		return spec, fmt.Errorf("dialect: %w", err)
	}
	spec.Limits = engine.LimitsOf(spec.Dialect)
	if spec.Missing, err = fixtures.ParseMissing(or(g.OnMissing, "ask")); err != nil {
		return spec, fmt.Errorf("onMissing: %w", err)
	}
	if spec.Clock, err = debug.ParseClock(or(g.Clock, "skip")); err != nil {
		return spec, fmt.Errorf("clock: %w", err)
	}
	if g.StartTime != "" {
		if spec.Start, err = time.Parse(time.RFC3339Nano, g.StartTime); err != nil {
			return spec, fmt.Errorf("startTime is an instant such as 2026-01-01T00:00:00Z, not %q", g.StartTime)
		}
	}
	return spec, nil
}

// substitute gives a definition the substitutions.
func (g *launchArguments) substitute(d *definitions.Definition) error {
	if len(g.Substitutions) == 0 || string(g.Substitutions) == "null" {
		return nil
	}
	if json.Unmarshal(g.Substitutions, &d.Substitutions) == nil {
		d.Substitutions = g.path(d.Substitutions)
		return nil
	}
	var values map[string]string
	if err := json.Unmarshal(g.Substitutions, &values); err != nil {
		return errors.New("substitutions is the name of a file, or an object whose values are texts")
	}
	for _, name := range sortedKeys(values) {
		d.Substitute = append(d.Substitute, name+"="+values[name])
	}
	return nil
}

// misspelt returns a sentence for each argument that is like one of launch, and none. Others are those of the editor itself.
func misspelt(content []byte) (advice []string) {
	var given map[string]json.RawMessage
	if json.Unmarshal(content, &given) != nil {
		return nil
	}
	known := []string{"type", "request", "name"}
	of := reflect.TypeFor[launchArguments]()
	for i := range of.NumField() {
		known = append(known, of.Field(i).Tag.Get("json"))
	}
	for _, name := range sortedKeys(given) {
		meant := wording.Nearest(name, slices.Values(known))
		if meant != "" && !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			advice = append(advice, fmt.Sprintf("there is no attribute %q: did you mean %q?", name, meant))
		}
	}
	return advice
}

// check returns an error where the arguments do not go together.
func (g *launchArguments) check(attach bool) error {
	switch {
	case attach && g.History == "" && g.Trace == "":
		return errors.New("attach needs history or trace: a recorded run")
	case g.Program == "" && g.History == "" && g.Trace == "" && g.Test == "":
		return errors.New("launch needs program, test, history or trace")
	case g.Test == "":
		return nil
	}
	for _, other := range []struct {
		name  string
		given bool
	}{{"fixtures", g.Fixtures != ""}, {"case", g.Case != ""}, {"input", len(g.Input) > 0}, {"history", g.History != ""}, {"trace", g.Trace != ""}} {
		if other.given {
			return fmt.Errorf("test takes all from the case, and excludes %s", other.name)
		}
	}
	return nil
}

// fillCase completes a run by a case of a suite, and returns the comparison with what the case expects.
func (g *launchArguments) fillCase(spec *launch.Spec) (judge func(*launch.Run) []string, err error) {
	file, name := suite.Split(g.Test)
	if name == "" {
		return nil, fmt.Errorf("test is FILE:CASE, and %q names no case", g.Test)
	}
	settings := suiterun.Settings{Dialect: spec.Dialect, Limits: spec.Limits, Projects: spec.Definition.Projects}
	c, m, err := suiterun.OpenSuites(g.path(file), name, spec.Definition, settings)
	if err != nil {
		return nil, err
	}
	of, err := suiterun.Spec(c, m, suiterun.CaseOptions{})
	if err != nil {
		return nil, err
	}
	spec.Definition, spec.Fixtures, spec.History, spec.Replay, spec.Now = of.Definition, of.Fixtures, of.History, of.Replay, of.Now
	return func(run *launch.Run) []string {
		judged := suiterun.Judge(c, run, suiterun.CaseOptions{})
		var lines []string
		for i := range judged.Findings {
			lines = append(lines, findingLines(&judged.Findings[i])...)
		}
		if len(lines) == 0 && judged.Reason != "" {
			lines = append(lines, judged.Reason)
		}
		return lines
	}, nil
}

// findingLines writes an expectation that was not met.
func findingLines(f *suite.Finding) []string {
	form := value.Form{Limit: preview, Text: func(text string) string { return text }}
	lines := []string{"not met: " + f.Expectation}
	for i := range f.Differences {
		lines = append(lines, "  "+form.Sentence(&f.Differences[i]))
	}
	return lines
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// arguments reads the arguments of a command and checks them. Misspelt ones are told, in the error as well.
func (a *adapter) arguments(command string, content []byte) (given launchArguments, err error) {
	if len(content) > 0 {
		if err := json.Unmarshal(content, &given); err != nil {
			return given, fmt.Errorf("the arguments of %s: %w", command, editors.JSONError(err))
		}
	}
	unknown := misspelt(content)
	for _, advice := range unknown {
		a.print("important", command+": "+advice)
	}
	if err := given.check(command == "attach"); err != nil {
		return given, errors.New(strings.Join(append([]string{err.Error()}, unknown...), "; "))
	}
	return given, nil
}

// launch makes the session. The editor sends its breakpoints next.
func (a *adapter) launch(r dap.RequestMessage, content json.RawMessage, attach bool, response dap.ResponseMessage) error {
	if len(a.levels) > 0 {
		return errors.New("a session is being debugged already")
	}
	given, err := a.arguments(r.GetRequest().Command, content)
	if err != nil {
		return err
	}
	if err := a.compose(given); err != nil {
		return err
	}
	a.points.uncaught, a.points.off = true, given.NoDebug
	a.out.respond(r, response)
	method := "launch"
	if attach {
		method = "attach"
	}
	a.out.event("process", &dap.ProcessEvent{Body: dap.ProcessEventBody{Name: a.levels[0].title, StartMethod: method}})
	if a.levels[0].session.ReadOnly() {
		change := Capabilities()
		change.SupportsSetVariable, change.SupportsSetExpression = false, false
		a.out.event("capabilities", &dap.CapabilitiesEvent{Body: dap.CapabilitiesEventBody{Capabilities: change}})
	}
	a.out.event("initialized", &dap.InitializedEvent{})
	return nil
}

// compose makes the session of arguments, in place of the one before.
func (a *adapter) compose(given launchArguments) error {
	spec, err := given.spec(a.options)
	if err != nil {
		return err
	}
	var judge func(*launch.Run) []string
	if given.Test != "" {
		if judge, err = given.fillCase(&spec); err != nil {
			return a.problems(err)
		}
	}
	spec.Warn = func(w files.Warning) { a.print("console", strings.TrimPrefix(w.Where+": ", ": ")+w.Text) }
	spec.Interrupt = a.signals.flag.Check
	spec.Permit = func(file *fixtures.File, bound *fixtures.Source) (fixtures.Permission, error) {
		return a.permit(&given, file, bound)
	}
	run, err := launch.New(spec)
	if err != nil {
		if run != nil {
			_ = run.Close()
		}
		return a.problems(err)
	}
	if len(a.levels) > 0 {
		a.closeLevels()
	}
	a.points.mu.Lock()
	a.points.set = nil
	a.points.mu.Unlock()
	a.how, a.levels, a.judge, a.terminated = given, []*level{newLevel(run)}, nil, false
	if judge != nil {
		a.judge = func() []string { return judge(run) }
	}
	if run.Calls != nil {
		run.Calls.Hold(a.prepare)
	}
	a.handles.reset()
	for _, line := range run.About {
		a.print("console", line)
	}
	return nil
}

// problems writes the problems of a definition with their places, and returns the error.
func (a *adapter) problems(err error) error {
	var wrong *definitions.InvalidError
	if errors.As(err, &wrong) {
		for i := range wrong.Problems {
			a.print("stderr", strings.TrimRight(wrong.Problems[i].Format(), "\n"))
		}
	}
	return err
}

// restart reads everything again and begins anew, with the breakpoints as they are.
func (a *adapter) restart(r *dap.RestartRequest) error {
	given := a.how
	var changed struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if len(r.Arguments) > 0 && json.Unmarshal(r.Arguments, &changed) == nil && len(changed.Arguments) > 0 {
		var err error
		if given, err = a.arguments(r.GetRequest().Command, changed.Arguments); err != nil {
			return err
		}
	}
	a.motion.stop(a)
	if err := a.compose(given); err != nil {
		return err
	}
	a.motion = motion{number: a.motion.number}
	a.out.respond(r, &dap.RestartResponse{})
	a.breaks.syncPoints()
	if !a.configured {
		return nil
	}
	if err := a.start(); err != nil {
		a.print("stderr", err.Error())
	}
	return nil
}

// print writes a line to the console of the editor.
func (a *adapter) print(category, text string) {
	a.out.event("output", &dap.OutputEvent{Body: dap.OutputEventBody{Category: category, Output: text + "\n"}})
}
