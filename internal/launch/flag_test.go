package launch_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/launch"
)

// set returns what a command line gives, as NAME=VALUE.
func set(t *testing.T, flags ...string) *launch.Given {
	t.Helper()
	g := &launch.Given{}
	for _, flag := range flags {
		name, text, _ := strings.Cut(flag, "=")
		if err := launch.FlagOf(name).Set(g, text); err != nil {
			t.Fatalf("%s: %v", flag, err)
		}
	}
	return g
}

// Every row has what the faces need, and takes its own default and words.
func TestTable(t *testing.T) {
	rows := launch.Flags(^launch.Uses(0))
	sections := slices.Collect(launch.Sections())
	var names, attributes []string
	for _, row := range rows {
		if !slices.Contains(sections, row.Section) || row.Section.String() == "" || row.About == "" ||
			(row.Value == "") != row.Switch() {
			t.Errorf("%+v", row)
		}
		if row.Default != "" {
			set(t, row.Name+"="+row.Default)
		}
		for _, word := range row.Words() {
			set(t, row.Name+"="+word)
		}
		var wrong *launch.ValueError
		words, err := row.Words(), row.Set(&launch.Given{}, "no such word")
		if words != nil && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), words[0])) {
			t.Errorf("%s: %v", row.Name, err)
		}
		names = append(names, row.Name)
		if a := row.Attribute(); a != "" {
			attributes = append(attributes, a)
		}
	}
	for _, list := range [][]string{names, attributes} {
		slices.Sort(list)
		if n := len(list); len(slices.Compact(list)) != n {
			t.Errorf("twice in %q", list)
		}
	}
}

func TestValues(t *testing.T) {
	g := set(t, "seed=0", "start-time=2026-01-01T01:00:00+01:00", "dialect=spec", "on-missing=echo",
		"history=a", "history=b", "no-fixtures=false", "no-project=true", "stop=90s Cancelled by the customer",
		"max-history=7")
	s := &g.Spec
	if *s.Seed != 0 || !s.Start.Equal(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) || s.Dialect != engine.Spec ||
		s.Missing != fixtures.Echo ||
		!slices.Equal(s.History.Files, []string{"a", "b"}) || !s.Fixtures.Default || !s.Definition.Projects.Off ||
		*s.Stop != (fixtures.Stop{After: 90 * time.Second, Error: "Cancelled", Cause: "by the customer"}) ||
		s.Limits.History != 7 {
		t.Errorf("%+v", s)
	}
	for text, want := range map[string]debug.Clock{
		"skip": {Mode: debug.ClockSkip}, "real": {Mode: debug.ClockPaced, Factor: 1},
		"hand": {Mode: debug.ClockByHand}, "x60": {Mode: debug.ClockPaced, Factor: 60},
		"x0.5": {Mode: debug.ClockPaced, Factor: 0.5},
	} {
		if got := set(t, "clock="+text).Spec.Clock; got != want {
			t.Errorf("the clock %q is %+v", text, got)
		}
	}
	for name, texts := range map[string][]string{
		"clock": {"", "x", "60", "x-1", "x0", "xInf", "xNaN", "x1e10", "X60", "fast"},
		"seed":  {"", "x", "1.5"}, "max-evaluation": {"0", "-1"},
		"max-history": {"-1"}, "start-time": {"yesterday"}, "stop": {"soon"}, "no-limits": {"maybe"},
	} {
		for _, text := range texts {
			if launch.FlagOf(name).Set(&launch.Given{}, text) == nil {
				t.Errorf("--%s %q: no error", name, text)
			}
		}
	}
}

func TestFlagsThatDoNotGoTogether(t *testing.T) {
	for flags, want := range map[string]string{
		"fixtures=a mock-config=b":     "--fixtures and --mock-config exclude each other: give one of them",
		"execution=x":                  "--execution names an execution in the files of --history; asldb debug --execution ARN fetches one from AWS",
		"attempt=2":                    "--attempt is for an execution that is run again: name it with --history, or in asldb debug with --execution",
		"history=a input=1":            "without a definition a history is shown as it was recorded: --fixtures and --input are for running it again",
		"history=a stop=1s":            "--stop excludes --redrive and --history",
		"history=a redrive=b":          "--redrive and --history exclude each other: --redrive takes a history, too",
		"redrive-input={}":             "--redrive-input and --redrive-time are for --redrive",
		"test=a:b case=c":              "--test takes all from the case, and excludes --case",
		"test=a:b history=c":           "--test takes all from the case, and excludes --history",
		"test=a:b type=express":        "--test takes all from the case, and excludes --type",
		"redact=$.a":                   "--redact is about the trace, and there is no --trace",
		"trace-compress=true":          "--trace-compress is about the trace, and there is no --trace",
		"definition=d history=a input": "",
		"test=a:b seed=3":              "",
	} {
		var wrong *launch.PairError
		err := set(t, strings.Fields(flags)...).Complete("")
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("%s: %v", flags, err)
		}
	}
}

// The quotas are the service's in its own dialect, and none in the specification's.
func TestLimits(t *testing.T) {
	service := engine.ServiceLimits()
	for flags, want := range map[string]engine.Limits{
		"max-history=25000 max-evaluation=50000000": service,
		"max-history=0": {Payload: service.Payload, Variable: service.Variable,
			Variables: service.Variables},
		"no-limits=true max-history=5":                 {History: 5},
		"dialect=spec max-history=5 max-evaluation=10": {History: 5, Evaluation: 10},
	} {
		g := set(t, strings.Fields(flags)...)
		if err := g.Complete(""); err != nil || g.Spec.Limits != want {
			t.Errorf("%s: %+v, %v", flags, g.Spec.Limits, err)
		}
	}
}
