package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/attach"
	"asldb/internal/editors"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// launchArguments are the arguments of a launch or attach request: rows of the table of flags by their attributes, and
// the adapter's own. Paths are absolute, or relative to cwd.
type launchArguments struct {
	given launch.Given
	rows  map[string]json.RawMessage

	// AllowLive asks for the live calls of the fixtures: the user's consent is needed. False calls nothing. Left out,
	// the calls are made that the user has allowed. It has another name than the flag --allow-live, which is a consent.
	AllowLive *bool `json:"allowLive"`

	StopOnEntry bool  `json:"stopOnEntry"`
	StopAtEnd   *bool `json:"stopAtEnd"`
	NoDebug     bool  `json:"noDebug"`

	Cwd string `json:"cwd"`

	// URL is an asldb serve, whose execution is attached to.
	URL string `json:"url"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (g *launchArguments) UnmarshalJSON(content []byte) error {
	type own launchArguments
	if err := json.Unmarshal(content, (*own)(g)); err != nil {
		return err
	}
	return json.Unmarshal(content, &g.rows)
}

// attributeOf is the name of a row of the table in the arguments.
func attributeOf(row string) string { return launch.FlagOf(row).Attribute() }

// fill reads the rows.
func (g *launchArguments) fill() error {
	g.given = launch.Given{}
	for _, row := range launch.Flags(launch.Edited) {
		if row.Default != "" {
			_ = row.Set(&g.given, row.Default) // a test sets all
		}
		name := row.Attribute()
		texts, err := g.texts(row, g.rows[name])
		if err != nil {
			return err
		}
		for _, text := range texts {
			err := row.Set(&g.given, text)
			var wrong *launch.ValueError
			switch {
			case errors.As(err, &wrong):
				return errors.New(wrong.With(name))
			case err != nil:
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	var pair *launch.PairError
	err := g.given.Complete("")
	if errors.As(err, &pair) {
		return errors.New(pair.With(attributeOf))
	}
	return err
}

// texts returns the values of an attribute as the table takes them.
func (g *launchArguments) texts(row *launch.Flag, content json.RawMessage) (texts []string, err error) {
	var text string
	var values map[string]string
	kind := "a text"
	switch literal := string(content); {
	case literal == "" || literal == "null" || literal == `""`:
		return nil, nil
	case row.Switch():
		kind = "true or false"
		if literal == "true" || literal == "false" {
			return []string{literal}, nil
		}
	case row.Number():
		kind = "a whole number"
		if _, err := strconv.ParseInt(literal, 10, 64); err == nil {
			return []string{literal}, nil
		}
	case json.Unmarshal(content, &text) == nil:
		texts = []string{text}
	case row.JSON:
		return []string{literal}, nil
	case row.Many():
		if kind = "a text, or a list of texts"; json.Unmarshal(content, &texts) != nil {
			texts = nil
		}
	case row.Name == "substitutions":
		kind = "the name of a file, or an object whose values are texts"
		if json.Unmarshal(content, &values) == nil {
			for _, name := range sortedKeys(values) {
				_ = launch.FlagOf("substitute").Set(&g.given, name+"="+values[name]) // it takes every text
			}
			return nil, nil
		}
	}
	if texts == nil {
		return nil, fmt.Errorf("%s should be %s, not %s", row.Attribute(), kind, content)
	}
	for i := range texts {
		if row.Path && !filepath.IsAbs(texts[i]) {
			texts[i] = filepath.Join(g.Cwd, texts[i])
		}
	}
	return texts, nil
}

// spec returns the run that the arguments describe, without the case of a suite.
func (g *launchArguments) spec(options Options) launch.Spec {
	spec := g.given.Spec
	spec.Now, spec.BreakUncaught = options.Now, !g.NoDebug
	return spec
}

// misspelt returns a sentence for each argument that is like one of launch, and none. Others are the editor's.
func misspelt(content []byte) (advice []string) {
	var given map[string]json.RawMessage
	if json.Unmarshal(content, &given) != nil {
		return nil
	}
	known := []string{"type", "request", "name"}
	for _, row := range launch.Flags(launch.Edited) {
		known = append(known, row.Attribute())
	}
	of := reflect.TypeFor[launchArguments]()
	for i := range of.NumField() {
		if name := of.Field(i).Tag.Get("json"); name != "" {
			known = append(known, name)
		}
	}
	for _, name := range sortedKeys(given) {
		meant := wording.Nearest(name, slices.Values(known))
		if meant != "" && !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			advice = append(advice, fmt.Sprintf("there is no attribute %q: did you mean %q?", name, meant))
		}
	}
	return advice
}

// check returns an error where there is nothing to run.
func (g *launchArguments) check(attach bool) error {
	s := &g.given.Spec
	recorded := s.History.Files != nil || s.Replay.File != ""
	switch {
	case g.URL != "" && (!attach || recorded):
		return errors.New("url is for attach, without history and trace: an execution of asldb serve")
	case g.URL != "":
		return nil
	case attach && !recorded:
		return errors.New("attach needs history or trace, a recorded run, or url, an asldb serve")
	case !recorded && s.Definition.File == "" && s.Redrive.File == "" && g.given.Test == "":
		return errors.New("launch needs program, test, history, trace or redrive")
	}
	return nil
}

// fillCase completes a run by a case of a suite, and returns the comparison with what the case expects.
func (g *launchArguments) fillCase(spec *launch.Spec) (judge func(*launch.Run) []string, err error) {
	file, name, err := suite.SplitCase(g.given.Test)
	if err != nil {
		return nil, fmt.Errorf("test: %w", err)
	}
	settings := suiterun.Settings{Dialect: spec.Dialect, Limits: spec.Limits, Projects: spec.Definition.Projects}
	c, m, err := suiterun.OpenSuites(file, name, spec.Definition, settings)
	if err != nil {
		return nil, err
	}
	of, err := suiterun.Spec(c, m, suiterun.CaseOptions{})
	if err != nil {
		return nil, err
	}
	spec.Definition, spec.Fixtures, spec.History, spec.Replay, spec.Now = of.Definition, of.Fixtures, of.History,
		of.Replay, of.Now
	spec.Case = suiterun.Again(c, m)
	return func(run *launch.Run) []string {
		now, err := suiterun.Reread(c, m)
		if err != nil {
			return []string{err.Error()}
		}
		judged := suiterun.Judge(now, run, suiterun.CaseOptions{})
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
	form := value.Form{Limit: preview}
	lines := []string{"not met: " + f.Expectation}
	for i := range f.Differences {
		lines = append(lines, "  "+form.Sentence(&f.Differences[i]))
	}
	return lines
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
	err = given.fill()
	if err == nil {
		err = given.check(command == "attach")
	}
	if err != nil {
		return given, errors.New(strings.Join(append([]string{err.Error()}, unknown...), "; "))
	}
	return given, nil
}

// launch makes the session. The editor sends its breakpoints next.
func (a *adapter) launch(r dap.RequestMessage, content json.RawMessage, attach bool,
	response dap.ResponseMessage) error {
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
	spec, err := given.spec(a.options), error(nil)
	var judge func(*launch.Run) []string
	if given.given.Test != "" {
		if judge, err = given.fillCase(&spec); err != nil {
			return a.problems(err)
		}
	}
	spec.Warn = func(w files.Warning) { a.print("console", strings.TrimPrefix(w.Where+": ", ": ")+w.Text) }
	spec.Interrupt = a.signals.flag.Check
	spec.Permit = func(file *fixtures.File, bound *fixtures.Source) (fixtures.Permission, error) {
		return a.permit(&given, file, bound)
	}
	var run *launch.Run
	var attached *attach.Execution
	if given.URL != "" {
		attached, err = a.attach(&given, spec)
	} else {
		run, err = launch.New(spec)
	}
	switch {
	case err != nil && run != nil:
		_ = run.Close()
	case err == nil && attached != nil:
		run = attached.Run()
	}
	if err != nil {
		return a.problems(err)
	}
	if len(a.levels) > 0 {
		a.closeLevels()
	}
	a.points.mu.Lock()
	a.points.set = nil
	a.points.mu.Unlock()
	a.how, a.levels, a.judge, a.terminated = given, []*level{newLevel(run)}, nil, false
	if attached != nil {
		a.levels[0].title, a.levels[0].attached = attached.Title(), attached
	}
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

// attach opens an execution of asldb serve: the one of the arguments, else the first that is held.
func (a *adapter) attach(given *launchArguments, spec launch.Spec) (*attach.Execution, error) {
	server, err := attach.Connect(a.ctx, given.URL)
	if err != nil {
		return nil, err
	}
	var arn string
	if name := spec.History.Execution; name != "" {
		arn, err = server.Find(a.ctx, name)
	} else if arn, err = server.Held(a.ctx); err == nil && arn == "" {
		err = fmt.Errorf("no execution of %s is held: start asldb serve with --break, or give execution", server)
	}
	if err != nil {
		return nil, err
	}
	spec.History.Execution = ""
	x, err := server.Open(a.ctx, arn, spec)
	if err != nil {
		_ = x.Close() // it was not opened
	}
	return x, err
}

// problems writes the problems of a definition with their places, and returns the error.
func (a *adapter) problems(err error) error {
	problems, _ := launch.ProblemsOf(err)
	for i := range problems {
		a.print("stderr", strings.TrimRight(problems[i].Format(), "\n"))
	}
	return err
}

// reload runs the files of the run as they are now, where they have changed: with the answers so far, to where the run
// was. Its first difference from the run before is an output event. done is false where nothing has changed, or where
// that is not possible.
func (a *adapter) reload(r *dap.RestartRequest) (done bool, err error) {
	run := a.levels[0].run
	if len(a.levels) > 1 || !run.Session.Executable() || run.Changed() == "" {
		return false, nil
	}
	next, err := run.Reread()
	if err != nil {
		return true, a.problems(err)
	}
	a.motion.stop(a)
	reloaded, err := next.Apply(false)
	if err != nil {
		return true, err
	}
	a.terminated, a.motion = false, motion{number: a.motion.number}
	a.points.mu.Lock()
	a.points.set = nil
	a.points.mu.Unlock()
	a.out.respond(r, &dap.RestartResponse{})
	a.breaks.syncPoints()
	for _, sentence := range explain.Reloaded(run.Session, reloaded) {
		a.print("console", sentence)
	}
	if run.Session.Status().Done() {
		a.handles.reset()
		a.stopped(run.Session.Stop())
	} else {
		a.arrived("restart")
	}
	return true, nil
}

// restart reads everything again: a changed file is run to where the run was, see reload, and else it starts over.
// Breakpoints stay as they are.
func (a *adapter) restart(r *dap.RestartRequest) error {
	if len(r.Arguments) == 0 || string(r.Arguments) == "null" {
		if done, err := a.reload(r); done {
			return err
		}
	}
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
	if err := given.fill(); err != nil { // the project file may have changed
		return err
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
