package launch

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/project"
	"asldb/recorder"
)

// Given is all that a user can say about a run: a Spec, the words that become parts of it (see [Given.Complete]), and
// those that are for the face alone.
type Given struct {
	Spec Spec
	// Test is a case of a suite that the run is taken from, as FILE:CASE.
	Test string
	// AllowLive and NoLive allow and forbid the calls of the fixtures; without them the user is asked.
	AllowLive, NoLive bool
	// NoLimits lifts the quotas of payloads and variables.
	NoLimits bool
	// NoState keeps nothing between runs.
	NoState bool
	Trace   TraceWords
	Look    Look
	Picture Picture
	// Explore opens the screen with the faults, Profiles with the coverage by earlier runs.
	Explore  bool
	Profiles []string

	mockConfig string
}

// TraceWords say where a run is recorded, and how.
type TraceWords struct {
	File              string // empty: there is no trace
	Compress, Replace bool
	Redact            []string
	// Redacts says that the paths of Redact are about more than the trace.
	Redacts bool
}

// Look is how a screen looks.
type Look struct {
	ASCII, NoColor, NoMouse, Plain bool
	Theme, Config                  string
}

// Picture asks for pictures of a screen in place of the screen.
type Picture struct {
	SVG, Cast  string // the files
	Keys, Size string
}

// ValueError says that a value is none that a flag takes.
type ValueError struct {
	Is    string // which values it takes: "a number from 0"
	Given string
}

// With returns the message with the name of the flag.
func (e *ValueError) With(name string) string {
	return fmt.Sprintf("%s is %s, not %q", name, e.Is, e.Given)
}

// Error implements error.
func (e *ValueError) Error() string { return e.With("it") }

// PairError says that flags do not go together.
type PairError struct {
	format string // of a sentence with the names
	rows   []string
}

// With returns the message with the names of a face for the rows of the table.
func (e *PairError) With(name func(row string) string) string {
	names := value.Each(e.rows, func(row string) any { return name(row) })
	return fmt.Sprintf(e.format, names...)
}

// Error implements error, with the names of the command line.
func (e *PairError) Error() string { return e.With(func(row string) string { return "--" + row }) }

// pair returns an error about rows that do not go together.
func pair(format string, rows ...string) error { return &PairError{format, rows} }

// The places of values besides pointers to texts, numbers and times.
type (
	// not is a switch that turns its place off.
	not struct{ place *bool }
	// effect is a switch that has an effect at once.
	effect func()
)

// noneGiven has the places whose kinds are asked for; nothing is put there.
var noneGiven Given

// Switch reports whether the flag takes no value.
func (f *Flag) Switch() bool {
	switch f.at(&noneGiven).(type) {
	case *bool, not, effect:
		return true
	}
	return false
}

// Number reports whether the value is a whole number.
func (f *Flag) Number() bool {
	switch f.at(&noneGiven).(type) {
	case *int, **int64:
		return true
	}
	return false
}

// Many reports whether the flag can be repeated.
func (f *Flag) Many() bool {
	_, many := f.at(&noneGiven).(*[]string)
	return many
}

// Words are the values that the flag takes; nil: others, too.
func (f *Flag) Words() []string {
	if !strings.Contains(f.Value, "|") || strings.Contains(f.Value, "xN") {
		return nil
	}
	return strings.Split(f.Value, "|")
}

// Set sets the value of the flag. A wrong one is a [ValueError], or an error of [strconv] for a number and a switch.
func (f *Flag) Set(g *Given, text string) (err error) {
	if words := f.Words(); words != nil && !slices.Contains(words, text) {
		last := len(words) - 1
		return &ValueError{Is: strings.Join(words[:last], ", ") + " or " + words[last], Given: text}
	}
	on := false
	if f.Switch() {
		if on, err = strconv.ParseBool(text); err != nil {
			return err
		}
	}
	switch place := f.at(g).(type) {
	case *bool:
		*place = on
	case not:
		*place.place = !on
	case effect:
		if on {
			place()
		}
	case *string:
		*place = text
	case *[]string:
		*place = append(*place, text)
	case *int:
		*place, err = strconv.Atoi(text)
		if err == nil && *place < f.Least {
			return &ValueError{Is: fmt.Sprintf("a number from %d", f.Least), Given: text}
		}
	case **int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		*place = &n
	case *time.Time:
		if *place, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return &ValueError{Is: "a time like 2026-01-01T00:00:00Z (RFC 3339)", Given: text}
		}
	case *engine.Dialect:
		*place, err = engine.ParseDialect(text)
	case *fixtures.Missing:
		*place, err = fixtures.ParseMissing(text)
	case *debug.Clock:
		if *place, err = debug.ParseClock(text); err != nil {
			return &ValueError{Is: "skip, real, manual, or a factor above 0 such as x60", Given: text}
		}
	case **fixtures.Stop:
		*place, err = parseStop(text)
	default:
		panic(fmt.Sprintf("launch: a flag with a place of the type %T", place))
	}
	return err
}

// parseStop reads AFTER ERROR CAUSE.
func parseStop(text string) (*fixtures.Stop, error) {
	after, rest, _ := strings.Cut(text, " ")
	stop := &fixtures.Stop{}
	stop.Error, stop.Cause, _ = strings.Cut(rest, " ")
	var err error
	if stop.After, err = fixtures.ParseDuration(after); err != nil {
		return nil, fmt.Errorf("it begins with the time after the start: %w", err)
	}
	return stop, nil
}

// projects returns the finder of project files.
func (g *Given) projects() *project.Finder {
	if g.Spec.Definition.Projects == nil {
		g.Spec.Definition.Projects = &project.Finder{}
	}
	return g.Spec.Definition.Projects
}

// Seed returns the seed of random values; the default is 1.
func (g *Given) Seed() int64 {
	if g.Spec.Seed == nil {
		return 1
	}
	return *g.Spec.Seed
}

// Complete makes the parts of the Spec that need several flags. Flags that do not go together are a [PairError].
func (g *Given) Complete(program string) (err error) {
	s := &g.Spec
	if g.mockConfig != "" && s.Fixtures.Name == "" {
		s.Fixtures.Name, s.Fixtures.MockConfig = g.mockConfig, true
	}
	if err := g.pairs(); err != nil {
		return err
	}
	limits := engine.LimitsOf(s.Dialect)
	if g.NoLimits {
		limits = engine.Limits{}
	}
	limits.History, limits.Evaluation = s.Limits.History, s.Limits.Evaluation
	if limits.Evaluation == jsonata.DefaultSteps { // a trace without one has it
		limits.Evaluation = 0
	}
	s.Limits = limits
	s.Trace, err = g.Trace.trace(program)
	return err
}

// pairs refuses flags that do not go together.
func (g *Given) pairs() error {
	s := &g.Spec
	h, r := &s.History, &s.Redrive
	recorded := h.isGiven()
	switch {
	case g.mockConfig != "" && s.Fixtures.Name != g.mockConfig:
		return pair("%s and %s exclude each other: give one of them", "fixtures", "mock-config")
	case recorded || r.isGiven() || g.Test != "":
	case h.Execution != "":
		return pair("%s names an execution in the files of %s; asldb debug --execution ARN fetches one from AWS",
			"execution", "history")
	case h.Attempt != 0:
		return pair("%s is for an execution that is run again: name it with %s, or in asldb debug with %s",
			"attempt", "history", "execution")
	}
	switch {
	case h.Files != nil && !s.Definition.Given() && (s.Fixtures.Name != "" || s.Input.Text != ""):
		return pair("without a definition a history is shown as it was recorded: %s and %s are for running it again",
			"fixtures", "input")
	case s.Stop != nil && (r.isGiven() || recorded):
		return pair("%s excludes %s and %s", "stop", "redrive", "history")
	case r.isGiven() && h.Files != nil:
		return pair("%[1]s and %[2]s exclude each other: %[1]s takes a history, too", "redrive", "history")
	case !r.isGiven() && (r.Input.Text != "" || !r.Time.IsZero()):
		return pair("%s and %s are for %s", "redrive-input", "redrive-time", "redrive")
	case g.Test == "":
		return nil
	}
	for _, row := range ofCases {
		if g.has(row) {
			return pair("%s takes all from the case, and excludes %s", "test", row)
		}
	}
	return nil
}

// ofCases are rows whose values a case of a suite has itself.
var ofCases = []string{
	"fixtures", "case", "mock-config", "input", "history", "execution", "attempt", "recording", "redrive", "type",
}

// has reports whether a text, a list or a number is given.
func (g *Given) has(row string) bool {
	switch place := FlagOf(row).at(g).(type) {
	case *string:
		return *place != ""
	case *[]string:
		return len(*place) > 0
	case *int:
		return *place != 0
	}
	return false
}

// trace is where the run is recorded, and how; nil where it is not. Words about a trace are refused where there is
// none: with redact the user expects a trace without secrets.
func (w *TraceWords) trace(program string) (*Trace, error) {
	if w.File == "" {
		switch {
		case w.Compress:
			return nil, idle("trace-compress")
		case w.Replace:
			return nil, idle("trace-replace")
		case len(w.Redact) > 0 && !w.Redacts:
			return nil, idle("redact")
		}
		return nil, nil
	}
	redactions, err := Redactions(w.Redact)
	if err != nil {
		return nil, err
	}
	return &Trace{File: w.File, Program: program, Options: recorder.TraceOptions{
		Compress: w.Compress || strings.HasSuffix(w.File, CompressedSuffix), Replace: w.Replace, Redactions: redactions,
	}}, nil
}

func idle(row string) error {
	return pair("%s is about the trace, and there is no %s", row, "trace")
}

// CompressedSuffix ends the name of a trace that is to be compressed.
const CompressedSuffix = ".zst"

// Redactions returns the redactions of the paths of --redact.
func Redactions(paths []string) (list []*recorder.Redaction, err error) {
	for _, path := range paths {
		redaction, err := recorder.ParseRedaction(path)
		if err != nil {
			return nil, fmt.Errorf("--redact: %w", err)
		}
		list = append(list, redaction)
	}
	return list, nil
}

// Sentence is the meaning of the flag with further words, as a sentence.
func (f *Flag) Sentence(rest string) string {
	words := strings.Split(strings.ReplaceAll(f.About+rest, "\n", " "), "`")
	for i := 1; i < len(words); i += 2 { // the name of the value
		if slices.Contains([]string{"FILE", "NAME", "NUMBER", "TIME"}, words[i]) {
			words[i] = strings.ToLower(words[i])
		}
	}
	sentence := strings.Join(words, "")
	return strings.ToUpper(sentence[:1]) + sentence[1:] + "."
}

// Attribute returns the name of the flag in launch configurations of editors; empty: there is none.
func (f *Flag) Attribute() string {
	if f.Editor == "-" {
		return ""
	}
	parts := strings.Split(f.Name, "-")
	for i, part := range parts[1:] {
		parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
	}
	return cmp.Or(f.Editor, strings.Join(parts, ""))
}
