package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/launch"
)

// arguments are the arguments of a launch request. Paths are absolute, or relative to cwd.
type arguments struct {
	// Program is the definition: a file, or a template with Resource.
	Program       string            `json:"program"`
	Resource      string            `json:"resource"`
	Substitutions map[string]string `json:"substitutions"`
	// Fixtures is a fixtures file, Case one of its cases.
	Fixtures string `json:"fixtures"`
	Case     string `json:"case"`
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

	StopOnEntry bool  `json:"stopOnEntry"`
	StopAtEnd   *bool `json:"stopAtEnd"`
	NoDebug     bool  `json:"noDebug"`

	Cwd string `json:"cwd"`
}

// path returns a path of the arguments as it is opened.
func (g *arguments) path(name string) string {
	if name == "" || filepath.IsAbs(name) || g.Cwd == "" {
		return name
	}
	return filepath.Join(g.Cwd, name)
}

// spec returns the run that the arguments describe.
func (g *arguments) spec(options Options) (launch.Spec, error) {
	spec := launch.Spec{
		Definition:    launch.Definition{File: g.path(g.Program), Resource: g.Resource},
		Fixtures:      launch.Fixtures{Name: g.path(g.Fixtures), Case: g.Case},
		Replay:        launch.Replay{File: g.path(g.Trace)},
		Missing:       fixtures.Ask,
		Now:           options.Now,
		Seed:          g.Seed,
		BreakUncaught: true,
	}
	for name, value := range g.Substitutions {
		spec.Definition.Substitute = append(spec.Definition.Substitute, name+"="+value)
	}
	if g.History != "" {
		spec.History.Files = []string{g.path(g.History)}
	}
	if spec.Definition.File == "" && g.History == "" && g.Trace == "" {
		return spec, errors.New("launch needs program, history or trace")
	}
	if len(g.Input) > 0 && string(g.Input) != "null" {
		spec.Input.Text = string(g.Input)
		var file string
		if json.Unmarshal(g.Input, &file) == nil && !strings.HasPrefix(strings.TrimSpace(file), "{") {
			spec.Input.Text = g.path(file)
		}
	}
	var err error
	if spec.Dialect, err = engine.ParseDialect(or(g.Dialect, engine.AWS.String())); err != nil {
		return spec, fmt.Errorf("dialect: %w", err)
	}
	if spec.Dialect == engine.AWS {
		spec.Limits = engine.ServiceLimits()
	}
	if spec.Missing, err = fixtures.ParseMissing(or(g.OnMissing, "ask")); err != nil {
		return spec, fmt.Errorf("onMissing: %w", err)
	}
	if spec.Clock, err = debug.ParseClock(or(g.Clock, "skip")); err != nil {
		return spec, fmt.Errorf("clock: %w", err)
	}
	if g.StartTime != "" {
		if spec.Start, err = time.Parse(time.RFC3339Nano, g.StartTime); err != nil {
			return spec, fmt.Errorf("startTime: %w", err)
		}
	}
	return spec, nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// launch makes the session. The editor sends its breakpoints next.
func (a *adapter) launch(r *dap.LaunchRequest) error {
	if a.run != nil {
		return errors.New("a session is being debugged already")
	}
	var given arguments
	if err := json.Unmarshal(r.Arguments, &given); err != nil {
		return fmt.Errorf("the arguments of launch: %w", err)
	}
	spec, err := given.spec(a.options)
	if err != nil {
		return err
	}
	spec.Warn = func(w launch.Warning) { a.print("console", strings.TrimPrefix(w.Where+": ", ": ")+w.Text) }
	run, err := launch.New(spec)
	if err != nil {
		if run != nil {
			_ = run.Close()
		}
		return err
	}
	a.run, a.how = run, given
	a.points = newPoints(run.Session)
	a.out.respond(r, &dap.LaunchResponse{})
	a.out.event("initialized", &dap.InitializedEvent{})
	return nil
}

// print writes a line to the console of the editor.
func (a *adapter) print(category, text string) {
	a.out.event("output", &dap.OutputEvent{Body: dap.OutputEventBody{Category: category, Output: text + "\n"}})
}
