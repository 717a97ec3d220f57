package launch

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/jsonata"
	"asldb/engine/outcome"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// Flag is a row of the table of all that a user can say about a run: a flag of the command line, an attribute of a
// launch configuration.
// Commands that run nothing take rows of it, too, so that a name has one meaning.
type Flag struct {
	Name, Short string
	Section     Section
	Uses        Uses
	// Value is the name of the value, such as FILE, or its words: aws|spec. A switch has none.
	Value   string
	Default string
	// About is the meaning, the same for every command, and Rest the words after it, for which a command may have
	// others.
	About, Rest string
	// Path is set where the value is a path, relative to the place of the text that has it.
	Path bool
	// JSON is set where an editor may give any JSON value.
	JSON bool
	// Empty allows an empty text, and Least bounds a number.
	Empty bool
	Least int
	// Editor is the name in launch configurations of editors, "-" where there is none. Empty: Name in camel case.
	Editor string

	at func(*Given) any // the place of the value
}

// Section is a heading of the table.
type Section uint8

// The sections, in the order of the help.
const (
	InDefinition Section = iota
	InInput
	InResults
	InRecorded
	InRedrive
	InAWS
	InBehaviour
	InTrace
	InScreen
	InPictures
)

var sectionNames = [...]string{
	InDefinition: "Definition", InInput: "Input", InResults: "Results of tasks", InRecorded: "Recorded executions",
	InRedrive: "Redrive", InAWS: "AWS", InBehaviour: "Behaviour", InTrace: "Trace", InScreen: "Screen", InPictures: "Pictures",
}

// String returns the heading.
func (s Section) String() string { return wording.KindName(sectionNames[:], s) }

// Sections returns all sections in their order.
func Sections() iter.Seq[Section] {
	return func(yield func(Section) bool) {
		for i := range sectionNames {
			if !yield(Section(i)) {
				return
			}
		}
	}
}

// Rare reports whether a section is left out of a short help.
func (s Section) Rare() bool {
	return s == InRedrive || s == InBehaviour || s == InTrace || s == InPictures
}

// Uses are groups of rows that faces take together.
type Uses uint16

// The groups.
const (
	// Named has the definition inside of a template, and the names in it.
	Named Uses = 1 << iota
	// Projects has the project file.
	Projects
	// Outcomes has the input and the results of tasks.
	Outcomes
	// Executions has the choice of a recorded execution.
	Executions
	// Running has the behaviour of a run, and its trace.
	Running
	// Redriving has the continuation of a recorded execution.
	Redriving
	// Debugged has the screen with breakpoints.
	Debugged
	// Looks has the look of a screen.
	Looks
	// Edited has what a launch configuration of an editor takes.
	Edited
)

// Flags returns the rows that any of the uses takes, in the order of the table.
func Flags(u Uses) (rows []*Flag) {
	for i := range table {
		if table[i].Uses&u != 0 || u&Edited != 0 && table[i].Attribute() != "" {
			rows = append(rows, &table[i])
		}
	}
	return rows
}

// FlagOf returns a row by its name.
func FlagOf(name string) *Flag {
	at := slices.IndexFunc(table, func(f Flag) bool { return f.Name == name })
	return &table[at]
}

// stdin ends the meaning of flags that take a value as JSON.
const stdin = "a `FILE`, JSON text, or - for standard input"

// table has the rows by section.
var table = []Flag{
	{Name: "input", Short: "i", Section: InInput, Uses: Outcomes, Value: "FILE", Path: true, JSON: true,
		About: "the input: " + stdin,
		Rest:  "\n(default: the input in the fixtures, else {})", at: func(g *Given) any { return &g.Spec.Input.Text }},
	{Name: "test", Section: InInput, Value: "FILE:CASE", Path: true,
		About: "take the definition, the input and the results from a case of a suite: `FILE:CASE`",
		at:    func(g *Given) any { return &g.Test }},

	{Name: "fixtures", Short: "f", Section: InResults, Uses: Outcomes, Value: "FILE", Path: true,
		About: "the results of tasks: a fixtures `FILE` (YAML or JSON), or mocks of Step Functions\n" +
			"Local, sfn-test or TestState",
		at: func(g *Given) any { return &g.Spec.Fixtures.Name }},
	{Name: "no-fixtures", Section: InResults, Uses: Outcomes, Default: "false",
		About: "take no fixtures file that is not named: neither the project file's nor\n" +
			"order.fixtures.yaml beside order.asl.json",
		at: func(g *Given) any { return not{&g.Spec.Fixtures.Default} }},
	{Name: "mock-config", Section: InResults, Uses: Outcomes, Value: "FILE", Path: true,
		About: "a mock configuration `FILE` of Step Functions Local (MockConfigFile.json); needs a case",
		at:    func(g *Given) any { return &g.mockConfig }},
	{Name: "case", Section: InResults, Uses: Outcomes, Value: "NAME", About: "the `NAME` of a case in the fixtures",
		Rest: ", or of a test case (Machine#Case if several\nstate machines have it)",
		at:   func(g *Given) any { return &g.Spec.Fixtures.Case }},
	{Name: "allow-live", Section: InResults, Uses: Outcomes, Editor: "-",
		About: "allow the live calls of the fixtures in this run:\n" + outcome.Actions() +
			";\n\"asldb allow\" allows them permanently",
		at: func(g *Given) any { return &g.AllowLive }},
	{Name: "no-live", Section: InResults, Uses: Outcomes, Editor: "-",
		About: "make no live calls; their results are missing",
		at:    func(g *Given) any { return &g.NoLive }},
	{Name: "on-missing", Section: InResults, Uses: Running, Value: "ask|fail|echo", Default: "ask",
		About: "for a task without a result: ask for it, fail, or return the task's payload",
		at:    func(g *Given) any { return &g.Spec.Missing }},

	{Name: "history", Section: InRecorded, Uses: Outcomes, Value: "FILE", Path: true,
		About: "run a recorded execution again: a `FILE` with the output of aws stepfunctions\n" +
			"get-execution-history, or the log of an Express execution",
		Rest: "; repeat for more pages",
		at:   func(g *Given) any { return &g.Spec.History.Files }},
	{Name: "execution", Section: InRecorded, Uses: Outcomes | Executions, Value: "ARN",
		About: "the `ARN` of the execution to read from a log; also its id in the context object",
		at:    func(g *Given) any { return &g.Spec.History.Execution }},
	{Name: "attempt", Section: InRecorded, Uses: Outcomes | Executions, Value: "NUMBER",
		About: "the `NUMBER` of the attempt of a redriven execution (default: the last)",
		at:    func(g *Given) any { return &g.Spec.History.Attempt }},
	{Name: "recording", Section: InRecorded, Value: "FILE", Path: true, Editor: "trace",
		About: "a recorded run, from the trace `FILE`",
		at:    func(g *Given) any { return &g.Spec.Replay.File }},
	{Name: "fork", Section: InRecorded, Value: "NUMBER",
		About: "the `NUMBER` of the fork of a trace, as listed by trace info (default: the last)",
		at:    func(g *Given) any { return &g.Spec.Replay.Fork }},

	{Name: "redrive", Section: InRedrive, Uses: Redriving, Value: "FILE", Path: true,
		About: "continue a recorded execution that failed, as RedriveExecution does: a `FILE`,\n" +
			"a trace or a history; the definition may be a changed one",
		at: func(g *Given) any { return &g.Spec.Redrive.File }},
	{Name: "redrive-input", Section: InRedrive, Uses: Redriving, Value: "FILE", Path: true, JSON: true,
		About: "the input of the state that failed, in place of the recorded one: a `FILE` or JSON text",
		at:    func(g *Given) any { return &g.Spec.Redrive.Input.Text }},
	{Name: "redrive-time", Section: InRedrive, Uses: Redriving, Value: "TIME",
		About: "the virtual `TIME` of the redrive, within 14 days of the execution's end\n(default: its end)",
		at:    func(g *Given) any { return &g.Spec.Redrive.Time }},

	{Name: "definition", Section: InDefinition, Value: "FILE", Path: true, Editor: "program",
		About: "the definition `FILE`",
		at:    func(g *Given) any { return &g.Spec.Definition.File }},
	{Name: "resource", Section: InDefinition, Uses: Named, Value: "NAME",
		About: "the `NAME` of the state machine in a template, a serverless.yml or a .tf file",
		at:    func(g *Given) any { return &g.Spec.Definition.Resource }},
	{Name: "substitute", Section: InDefinition, Uses: Named, Value: "NAME=VALUE", Editor: "-",
		About: "replace ${NAME} in the definition, or set a template's parameter: `NAME=VALUE`; repeatable",
		at:    func(g *Given) any { return &g.Spec.Definition.Substitute }},
	{Name: "substitutions", Section: InDefinition, Uses: Named, Value: "FILE", Path: true,
		About: "a `FILE` (YAML or JSON) with an object of substitutions",
		at:    func(g *Given) any { return &g.Spec.Definition.Substitutions }},
	{Name: "project", Section: InDefinition, Uses: Named | Projects, Value: "FILE", Path: true,
		About: "the project `FILE` (default: " + project.FileName + " in the definition's folder or above)",
		at:    func(g *Given) any { return &g.projects().Name }},
	{Name: "no-project", Section: InDefinition, Uses: Named | Projects, Default: "false",
		About: "ignore the project file",
		at:    func(g *Given) any { return &g.projects().Off }},
	{Name: "read-outside", Section: InDefinition, Uses: Named | Projects, Editor: "-",
		About: "read what definitions, suites and fixtures name outside of the repository",
		at:    func(*Given) any { return effect(files.AllowOutside) }},
	{Name: "type", Section: InDefinition, Uses: Outcomes, Value: "standard|express", Editor: "machineType",
		About: "the type of the state machine",
		Rest:  ": an express execution ends after five minutes\n(default: as the template says, else standard)",
		at:    func(g *Given) any { return &g.Spec.Definition.Type }},

	{Name: "clock", Section: InBehaviour, Uses: Running, Value: "skip|real|xN|manual", Default: "skip",
		About: "virtual time: skip to the next timer, run in real time or N times as fast",
		Rest:  ",\nor stop until you move it",
		at:    func(g *Given) any { return &g.Spec.Clock }},
	{Name: "start-time", Section: InBehaviour, Uses: Running, Value: "TIME",
		About: "the virtual start `TIME`, such as 2026-01-01T00:00:00Z",
		Rest:  "\n(default: the time in the fixtures, else now)",
		at:    func(g *Given) any { return &g.Spec.Start }},
	{Name: "seed", Section: InBehaviour, Uses: Running, Value: "NUMBER",
		About: "the seed `NUMBER` of random values", Rest: " (default: the seed in the fixtures, else 1)",
		at: func(g *Given) any { return &g.Spec.Seed }},
	{Name: "stop", Section: InBehaviour, Uses: Running, Value: "'AFTER ERROR CAUSE'",
		About: "stop the execution from outside: `'AFTER ERROR CAUSE'`, as in '5m Cancelled by the customer';\n" +
			"ERROR and CAUSE may be left out (default: stop in the fixtures)",
		at: func(g *Given) any { return &g.Spec.Stop }},
	{Name: "dialect", Section: InBehaviour, Uses: Running, Value: strings.Join(engine.DialectNames(), "|"),
		Default: engine.AWS.String(),
		About:   "behave as Step Functions or as an edition of the specification", Rest: ": see asldb rules --dialects",
		at: func(g *Given) any { return &g.Spec.Dialect }},
	{Name: "no-limits", Section: InBehaviour, Uses: Running,
		About: "do not limit the size of payloads and variables (256 KiB in Step Functions)",
		at:    func(g *Given) any { return &g.NoLimits }},
	{Name: "max-history", Section: InBehaviour, Uses: Running, Value: "N",
		Default: strconv.Itoa(engine.ServiceLimits().History),
		About:   "end the execution when its Step Functions history would exceed `N` events;\n0 for no limit",
		at:      func(g *Given) any { return &g.Spec.Limits.History }},
	{Name: "max-evaluation", Section: InBehaviour, Uses: Running, Value: "N",
		Default: strconv.Itoa(jsonata.DefaultSteps), Least: 1,
		About: "stop a JSONata evaluation after `N` steps or N values, with error U1001\n" +
			"(a limit of asldb, not of Step Functions)",
		at: func(g *Given) any { return &g.Spec.Limits.Evaluation }},

	{Name: "trace", Section: InTrace, Uses: Running, Value: "FILE", Editor: "-",
		About: "record the run in `FILE`, for asldb replay; compressed if its name ends in " + CompressedSuffix,
		at:    func(g *Given) any { return &g.Trace.File }},
	{Name: "trace-compress", Section: InTrace, Uses: Running, Editor: "-",
		About: "compress the trace (zstd) regardless of its name",
		at:    func(g *Given) any { return &g.Trace.Compress }},
	{Name: "trace-replace", Section: InTrace, Uses: Running, Editor: "-",
		About: "let --trace replace an existing trace",
		at:    func(g *Given) any { return &g.Trace.Replace }},
	{Name: "redact", Section: InTrace, Uses: Running, Value: "PATH", Editor: "-",
		About: "leave the values at `PATH`, such as $..password, out wherever they occur",
		Rest:  " in the trace; repeatable",
		at:    func(g *Given) any { return &g.Trace.Redact }},

	{Name: "break", Short: "b", Section: InScreen, Uses: Debugged, Value: "STATE", Editor: "-",
		About: "break at a `STATE`: a name, a path, a pattern (Char*), a stage (Charge:ResultPath),\n" +
			"its errors (Charge:error); or at an event: error Card.*, A -> B, change $.total,\n" +
			"at +5m. Options: if $.total > 100, hits == 3, once, log TEXT. Repeatable.\n" +
			"Uncaught errors always stop the run, unless disabled under Breakpoints (B)",
		at: func(g *Given) any { return &g.Spec.Breakpoints }},
	{Name: "plain", Section: InScreen, Uses: Debugged | Looks, Editor: "-",
		About: "no screen: type commands, read sentences; for screen readers, pipes and\n" +
			"dumb terminals (or set ASLDB_PLAIN=1)",
		at: func(g *Given) any { return &g.Look.Plain }},
	{Name: "ascii", Section: InScreen, Uses: Debugged | Looks, Editor: "-", About: "write ASCII characters only",
		at: func(g *Given) any { return &g.Look.ASCII }},
	{Name: "no-color", Section: InScreen, Uses: Debugged | Looks, Editor: "-",
		About: "disable colours (or set NO_COLOR)",
		at:    func(g *Given) any { return &g.Look.NoColor }},
	{Name: "theme", Section: InScreen, Uses: Debugged | Looks, Value: "auto|dark|light", Default: "auto", Editor: "-",
		About: "colours for a dark or a light background; auto asks the terminal",
		at:    func(g *Given) any { return &g.Look.Theme }},
	{Name: "no-mouse", Section: InScreen, Uses: Debugged | Looks, Editor: "-",
		About: "do not capture the mouse, so that the terminal can select text",
		at:    func(g *Given) any { return &g.Look.NoMouse }},
	{Name: "config", Section: InScreen, Uses: Debugged | Looks, Value: "FILE", Editor: "-",
		About: "the configuration `FILE`\n(default: asldb/config.yaml in $XDG_CONFIG_HOME or ~/.config)",
		at:    func(g *Given) any { return &g.Look.Config }},
	{Name: "coverage-in", Section: InScreen, Uses: Debugged, Value: "FILE", Editor: "-",
		About: "show the coverage profile `FILE`",
		Rest:  ", with what the session goes through (:coverage, F2); repeatable",
		at:    func(g *Given) any { return &g.Profiles }},
	{Name: "explore", Section: InScreen, Uses: Debugged, Editor: "-",
		About: "open with every fault of the tasks and the findings (:explore, F6); Enter opens a run at its fault",
		at:    func(g *Given) any { return &g.Explore }},
	{Name: "no-state", Section: InScreen, Uses: Debugged, Editor: "-",
		About: "neither load nor save what is kept between runs",
		Rest: ": breakpoints, watches, prompt history\n" +
			"and consents to live calls (in $ASLDB_STATE, else in asldb in $XDG_STATE_HOME or ~/.local/state)",
		at: func(g *Given) any { return &g.NoState }},

	{Name: "svg", Section: InPictures, Uses: Debugged, Value: "FILE", Editor: "-",
		About: "write a picture of the screen to `FILE` after --keys, without opening it",
		Rest:  "; with captions (# text) in --keys it moves: a frame for each",
		at:    func(g *Given) any { return &g.Picture.SVG }},
	{Name: "cast", Section: InPictures, Uses: Debugged, Value: "FILE", Editor: "-",
		About: "record the screen in `FILE` while --keys are pressed, without opening it (asciicast v2)",
		at:    func(g *Given) any { return &g.Picture.Cast }},
	{Name: "keys", Section: InPictures, Uses: Debugged, Value: "KEYS", Empty: true, Editor: "-",
		About: "the `KEYS` for --svg and --cast, divided by blanks: i s enter ctrl+p \"text\" 2s",
		at:    func(g *Given) any { return &g.Picture.Keys }},
	{Name: "size", Section: InPictures, Uses: Debugged, Value: "COLSxROWS", Default: "120x40", Editor: "-",
		About: "the size of the screen for --svg and --cast, in cells",
		at:    func(g *Given) any { return &g.Picture.Size }},
}
