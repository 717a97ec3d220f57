package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/report"
)

// named are the arguments of a definition.
type named struct {
	Path string `json:"path" jsonschema:"a definition (JSON or YAML) or a template that has it"`
	chosen
}

// chosen are the arguments about the definition in a file.
type chosen struct {
	Resource      string            `json:"resource,omitempty" jsonschema:"the state machine's name in a template"`
	Substitutions map[string]string `json:"substitutions,omitempty" jsonschema:"values of ${NAME}"`
}

// flags returns the flags of the commands for a definition.
func (n *named) flags() (list []string) {
	if n.Resource != "" {
		list = append(list, "--resource="+n.Resource)
	}
	for _, name := range slices.Sorted(maps.Keys(n.Substitutions)) {
		list = append(list, "--substitute="+name+"="+n.Substitutions[name])
	}
	return list
}

// definition is the definition for a run.
func (n *named) definition() definitions.Definition {
	d := definitions.Definition{File: n.Path, Resource: n.Resource}
	for _, name := range slices.Sorted(maps.Keys(n.Substitutions)) {
		d.Substitute = append(d.Substitute, name+"="+n.Substitutions[name])
	}
	return d
}

// inside refuses names that are not of a file below the root.
func inside(names ...string) error {
	for _, name := range names {
		switch {
		case name == files.Stdin:
			return errors.New("- is standard input, which has the messages: name a file")
		case name != "":
			if err := files.Confined(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// statusUsage is the exit status of a command that has not done its work: a file cannot be read, for example.
const statusUsage = 2

// run runs a command, and returns its document and its report in a form for readers. The names are of files.
func (s *server) run(ctx context.Context, form string, names []string, args ...string) (*answer, error) {
	if err := inside(names...); err != nil {
		return nil, err
	}
	args = append(args, "--")
	ran := s.options.Command(ctx, append(args, names...))
	if ctx.Err() != nil && ran.Answer == nil {
		return nil, fmt.Errorf("not done within %s", callTime)
	}
	if ran.Answer == nil || ran.Status == statusUsage {
		return nil, errors.New(
			strings.TrimPrefix(cmp.Or(strings.TrimSpace(ran.Err), strings.TrimSpace(ran.Out)), "asldb: "),
		)
	}
	a, err := reported(ran.Answer, form, s.options.Version)
	if warned := strings.TrimSpace(ran.Err); err == nil && warned != "" {
		a.text += "\n" + warned
	}
	return a, err
}

// reported makes the answer of a report: its document, and its text in a form for readers.
func reported(r *report.Answer, form, version string) (*answer, error) {
	look := report.Look{Width: 100, Version: version}
	var text, doc bytes.Buffer
	if err := r.Write(&text, form, look); err != nil {
		return nil, err
	}
	if form != report.TextForm {
		return &answer{text: text.String(), doc: map[string]any{form: text.String()}}, nil
	}
	if err := r.Write(&doc, report.JSONForm, look); err != nil {
		return nil, err
	}
	return &answer{text: text.String(), doc: json.RawMessage(doc.Bytes())}, nil
}

// validateIn are the arguments of validate.
type validateIn struct {
	named
	Fix string `json:"fix,omitempty" jsonschema:"diff shows the certain corrections, write makes them (needs --write)"`
}

// validated is the document of validate.
type validated struct {
	Valid   bool   `json:"valid" jsonschema:"there are no errors"`
	Files   []any  `json:"files" jsonschema:"the problems, with place, rule, severity, message, suggestion and fix"`
	Summary any    `json:"summary" jsonschema:"counts"`
	Diff    string `json:"diff" jsonschema:"corrections as a unified diff"`
}

func (s *server) validate(ctx context.Context, in *validateIn) (*answer, error) {
	switch in.Fix {
	case "":
	case "diff":
		return s.corrections(ctx, in, "--diff")
	case "write":
		if !s.options.Write {
			return nil, errReadOnly
		}
		return s.corrections(ctx, in, "--fix")
	default:
		return nil, fmt.Errorf("fix is diff or write, not %q", in.Fix)
	}
	a, err := s.run(ctx, report.TextForm, []string{in.Path}, append([]string{"validate"}, in.flags()...)...)
	if err != nil {
		return nil, err
	}
	if strings.Contains(a.text, "error: ") {
		a.next = &call{"validate", map[string]any{"path": in.Path, "fix": "diff"}}
	} else {
		a.next = &call{"run", map[string]any{"path": in.Path}}
	}
	return a, nil
}

// errReadOnly says that the server does not write.
var errReadOnly = errors.New("this server does not write files: it was started without --write")

// corrections are the certain corrections of a definition, as a diff.
func (s *server) corrections(ctx context.Context, in *validateIn, flag string) (*answer, error) {
	if err := inside(in.Path); err != nil {
		return nil, err
	}
	ran := s.options.Command(ctx, append(append([]string{"validate", flag}, in.flags()...), "--", in.Path))
	text := ran.Out
	if ran.Answer != nil {
		text = ""
	}
	text = strings.TrimSpace(text + "\n" + ran.Err)
	return &answer{
		doc:  map[string]any{"diff": text},
		text: text,
		next: &call{"validate", map[string]any{"path": in.Path}},
	}, nil
}

// evalIn are the arguments of eval.
type evalIn struct {
	Expression string  `json:"expression" jsonschema:"a path, a payload template, an intrinsic function, or JSONata"`
	Language   string  `json:"language,omitempty" jsonschema:"path, template, intrinsic or jsonata"`
	Input      anyJSON `json:"input,omitempty" jsonschema:"the value of $, or of $states.input"`
	Run        string  `json:"run,omitempty" jsonschema:"a run, whose data are taken"`
	At         string  `json:"at,omitempty" jsonschema:"an event's number or a state; default: where the run is"`
}

// evaluated is the document of eval.
type evaluated struct {
	Value value.Value `json:"value" jsonschema:"the value"`
}

func (s *server) eval(ctx context.Context, in *evalIn) (*answer, error) {
	if in.Run != "" {
		r, at, err := s.runs.at(in.Run, in.At)
		if err != nil {
			return nil, err
		}
		v, err := r.session.Watches().Evaluate(in.Expression, at)
		if err != nil {
			return nil, err
		}
		return &answer{doc: evaluated{v}, text: value.Pretty(v)}, nil
	}
	languages := []string{"path", "template", "intrinsic", "jsonata"}
	language := cmp.Or(in.Language, "jsonata")
	if in.Language == "" && strings.HasPrefix(in.Expression, "$.") {
		language = "path"
	}
	if !slices.Contains(languages, language) {
		return nil, fmt.Errorf("language is one of %s, not %q", strings.Join(languages, ", "), in.Language)
	}
	if language == "template" {
		if _, err := value.ParseString(in.Expression); err != nil {
			return nil, fmt.Errorf("a template is JSON: %w", err)
		}
	}
	input := value.OrNull(in.Input.Value)
	if in.Input.Value == nil {
		input = value.ObjectOf()
	}
	ran := s.options.Command(
		ctx,
		[]string{"eval", "--" + language + "=" + in.Expression, "--input=" + value.Compact(input)},
	)
	if ran.Status != 0 {
		return nil, errors.New(strings.TrimPrefix(strings.TrimSpace(ran.Err), "asldb: "))
	}
	v, err := value.ParseString(ran.Out)
	if err != nil {
		return nil, err
	}
	return &answer{doc: evaluated{v}, text: strings.TrimSpace(ran.Out + ran.Err)}, nil
}

// whyIn are the arguments of why.
type whyIn struct {
	Files      []string `json:"files,omitempty" jsonschema:"the pages of a history of Step Functions, or one trace"`
	Run        string   `json:"run,omitempty" jsonschema:"a run, in place of files"`
	Definition string   `json:"definition,omitempty" jsonschema:"the definition of a history"`
	Resource   string   `json:"resource,omitempty" jsonschema:"the state machine's name in a template"`
}

// explained is the document of why.
type explained struct {
	Explained bool   `json:"explained"`
	Status    string `json:"status"`
	Error     string `json:"error"`
	Cause     string `json:"cause"`
	Chain     []any  `json:"chain" jsonschema:"the causes, from the end back to the error in which it began"`
	Values    []any  `json:"values" jsonschema:"values that the error had to do with, and their origins"`
	Next      any    `json:"next"`
}

func (s *server) why(ctx context.Context, in *whyIn) (*answer, error) {
	if in.Run != "" {
		return s.whyRun(in.Run)
	}
	if len(in.Files) == 0 {
		return nil, errors.New("files or run is missing")
	}
	args := []string{"why"}
	if in.Definition != "" {
		args = append(args, "--definition="+in.Definition)
	}
	if in.Resource != "" {
		args = append(args, "--resource="+in.Resource)
	}
	if err := inside(in.Definition); err != nil {
		return nil, err
	}
	a, err := s.run(ctx, report.TextForm, in.Files, args...)
	if err == nil && in.Definition != "" {
		a.next = &call{"validate", map[string]any{"path": in.Definition}}
	}
	return a, err
}

// testIn are the arguments of test.
type testIn struct {
	Suite    string `json:"suite,omitempty" jsonschema:"a suite, SUITE:CASE, or a folder (default: the root)"`
	Filter   string `json:"filter,omitempty" jsonschema:"a regular expression for the names of cases"`
	Coverage bool   `json:"coverage,omitempty" jsonschema:"also list what no case covers"`
	Init     string `json:"init,omitempty" jsonschema:"a definition: make its first suite (needs --write)"`
}

// tested is the document of test.
type tested struct {
	Summary  json.RawMessage   `json:"summary" jsonschema:"counts"`
	Cases    []json.RawMessage `json:"cases" jsonschema:"the cases that have not passed, with expected and found"`
	Coverage []json.RawMessage `json:"coverage,omitempty" jsonschema:"what no case covers"`
	Suite    string            `json:"suite,omitempty" jsonschema:"init: the suite"`
}

func (s *server) test(ctx context.Context, in *testIn) (*answer, error) {
	if in.Init != "" {
		return s.initSuite(ctx, in)
	}
	args := []string{"test", "--no-state"}
	if in.Filter != "" {
		args = append(args, "--run="+in.Filter)
	}
	if in.Coverage {
		args = append(args, "--coverage")
	}
	var names []string
	if in.Suite != "" {
		names = []string{in.Suite}
	}
	if err := inside(names...); err != nil {
		return nil, err
	}
	doc := s.options.Command(ctx, append(append(slices.Clone(args), "--json", "--"), names...))
	result, err := testedOf(doc.Out)
	if err != nil || result.Summary == nil {
		return nil, errors.New(strings.TrimPrefix(strings.TrimSpace(doc.Err), "asldb: "))
	}
	text := s.options.Command(ctx, append(append(args, "--quiet", "--"), names...))
	return &answer{doc: result, text: text.Out + text.Err}, nil
}

// testedOf gathers the lines of the report: the cases that have not passed, the coverage and the counts.
func testedOf(lines string) (*tested, error) {
	result := &tested{Cases: []json.RawMessage{}}
	for r := json.NewDecoder(strings.NewReader(lines)); r.More(); {
		var line json.RawMessage
		var of struct{ Event, Outcome string }
		if err := r.Decode(&line); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(line, &of); err != nil {
			return nil, err
		}
		switch {
		case of.Event == "case" && of.Outcome != "passed":
			result.Cases = append(result.Cases, line)
		case of.Event == "coverage":
			result.Coverage = append(result.Coverage, line)
		case of.Event == "end":
			result.Summary = line
		}
	}
	return result, nil
}

// initSuite makes the first suite of a definition.
func (s *server) initSuite(ctx context.Context, in *testIn) (*answer, error) {
	if err := inside(in.Init); err != nil {
		return nil, err
	}
	args := []string{"test", "init"}
	if !s.options.Write {
		args = append(args, "-o", "-")
	}
	ran := s.options.Command(ctx, append(args, "--", in.Init))
	if ran.Status != 0 {
		return nil, errors.New(strings.TrimPrefix(strings.TrimSpace(ran.Err), "asldb: "))
	}
	text := strings.TrimSpace(ran.Out + "\n" + ran.Err)
	return &answer{doc: map[string]any{"suite": text}, text: text, next: &call{"test", map[string]any{}}}, nil
}

// exploreIn are the arguments of explore.
type exploreIn struct {
	named
	Fixtures string `json:"fixtures,omitempty" jsonschema:"a fixtures file with the input and the results of tasks"`
	Runs     int    `json:"runs,omitempty" jsonschema:"the greatest number of runs"`
}

// explored is the document of explore.
type explored struct {
	Tasks    any             `json:"tasks"`
	Runs     any             `json:"runs"`
	Notes    any             `json:"notes,omitempty"`
	Findings json.RawMessage `json:"findings" jsonschema:"what becomes of the faults, grouped by cause"`
}

func (s *server) explore(ctx context.Context, in *exploreIn) (*answer, error) {
	args := append([]string{"explore", "--time=10s"}, in.flags()...)
	if in.Fixtures != "" {
		args = append(args, "--fixtures="+in.Fixtures)
	}
	if in.Runs > 0 {
		args = append(args, "--runs="+strconv.Itoa(in.Runs))
	}
	if err := inside(in.Fixtures); err != nil {
		return nil, err
	}
	a, err := s.run(ctx, report.TextForm, []string{in.Path}, args...)
	if err != nil {
		return nil, err
	}
	whole, _ := a.doc.(json.RawMessage)
	var kept explored // without the table of all faults
	if err := json.Unmarshal(whole, &kept); err != nil {
		return nil, err
	}
	a.doc, a.next = kept, &call{"validate", map[string]any{"path": in.Path}}
	return a, nil
}

// compareIn are the arguments of compare.
type compareIn struct {
	Old       string `json:"old" jsonschema:"the definition as it was"`
	New       string `json:"new" jsonschema:"the definition as it is to be"`
	Histories string `json:"histories" jsonschema:"recorded executions: a file, a folder or a pattern"`
	Fixtures  string `json:"fixtures,omitempty" jsonschema:"results of tasks that were not recorded"`
}

// compared is the document of compare.
type compared struct {
	Counts any   `json:"counts"`
	Groups []any `json:"groups" jsonschema:"executions with the same first difference"`
}

func (s *server) compare(ctx context.Context, in *compareIn) (*answer, error) {
	args := []string{"compare", "--histories=" + in.Histories}
	if in.Fixtures != "" {
		args = append(args, "--fixtures="+in.Fixtures)
	}
	if err := inside(in.Histories, in.Fixtures); err != nil {
		return nil, err
	}
	return s.run(ctx, report.TextForm, []string{in.Old, in.New}, args...)
}
