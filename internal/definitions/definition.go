// Package definitions reads definitions from files: in JSON and YAML, inside of CloudFormation, SAM and CDK templates, configurations
// of the Serverless Framework and of Terraform, with the values of their ${NAME}s, and finds those in a folder.
//
// A [Definition] has the names that the user gave. [Definition.Open] returns the [Text], [Text.Parse] the state machine, and
// [Text.Problems] the diagnostics.
package definitions

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/embedded"
	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// Definition names a definition. File, Text or Machine is set; with none of them there is no definition.
type Definition struct {
	// File is the name of a file in JSON or YAML, or of a template that holds the definition; "-" is standard input.
	File string
	// Named: another file names File, and not the user. Nothing of another file than a definition is shown then.
	Named bool
	// Resource is the logical name of the state machine in a template; empty: there is only one.
	Resource string
	// Stack is the name of the CDK's stack that File is the template of, where the folder that was searched tells it.
	Stack string
	// Substitute has a NAME=VALUE for each ${NAME}; Substitutions is the name of a file with an object of such names and
	// values.
	Substitute    []string
	Substitutions string
	// Projects finds the project file, whose substitutions Substitute and Substitutions replace; nil: there is none.
	Projects *project.Finder
	// ID identifies the definition to its saved setup; the default is File, with Resource. Definitions without an ID have
	// no saved setup.
	ID string

	// Type is the machine's, "standard" or "express"; empty: as the template says, else standard.
	Type string

	// Again reads File where it is being edited; nil: it is read once.
	Again *source.Rereader

	// Text is the definition as it is written, in place of File.
	Text *Text
	// Machine is the definition itself, in place of Text.
	Machine *asl.StateMachine
	// Compiled is Machine made ready in the dialect of the Spec; nil: New does it. Many runs may share one.
	Compiled *engine.Machine
}

// Text is the text of a definition, before it is parsed.
type Text struct {
	// Given is the file that was named: of a template, it and not the file in its DefinitionUri.
	Given *source.File
	// Resource is the logical name of the machine in a template; else empty.
	Resource string
	Source   *source.File // of the places in Root
	Root     *source.Node
	// Express: the machine is of the type EXPRESS, as its template says.
	Express bool
	// Deployment is the rest of what its template says of the machine.
	Deployment asl.Deployment
	functions  map[string]embedded.Function // of its template; see [Text.shortTimeouts]
	// machine returns the machine of the same template that an ARN in the definition means, or nil; nil: it has none.
	machine func(arn string) *Text
	// Made is the definition itself where it is not written in the language; else nil.
	Made *asl.StateMachine
	// Notes are about template functions and names that could not be replaced.
	Notes []source.Diagnostic

	unknown []source.Named // the ${Name}s without a value

	read     sync.Once
	model    *asl.StateMachine // see [Text.examined]
	problems []source.Diagnostic
	data     *lint.Followed
}

// InvalidError says that a text isn't a definition, with all its problems.
type InvalidError struct {
	Source   *source.File
	Problems []source.Diagnostic
}

// Error implements error: the number of errors. The problems are for the face to show, with their places.
func (e *InvalidError) Error() string {
	count := 0
	for _, d := range e.Problems {
		if d.Severity == source.Error {
			count++
		}
	}
	if count == 1 {
		return wording.Line(e.Source.Name) + " has 1 error"
	}
	return wording.Line(e.Source.Name) + " has " + strconv.Itoa(count) + " errors"
}

// first returns the first error among the problems, with its place.
func (e *InvalidError) first() error {
	for _, problem := range e.Problems {
		if problem.Severity == source.Error {
			return errors.New(problem.Format())
		}
	}
	return e
}

// Given reports whether there is a definition.
func (d *Definition) Given() bool { return d.File != "" || d.Text != nil || d.Machine != nil }

// Name returns the name of the definition's file, for messages.
func (d *Definition) Name() string {
	switch {
	case d.Text != nil:
		return d.Text.Source.Name
	case d.Machine != nil && d.Machine.Source != nil:
		return d.Machine.Source.Name
	}
	return d.File
}

// Identity returns the ID, or its default.
func (d *Definition) Identity() string {
	switch {
	case d.ID != "" || d.File == "" || d.File == files.Stdin:
		return d.ID
	case d.Resource != "":
		return d.File + "#" + d.Resource // a template may have several
	}
	return d.File
}

// Read reads File into Text, unless there is a Text or a Machine already. The errors come from [Definition.Open].
func (d *Definition) Read(reader files.Files) (err error) {
	if d.Text == nil && d.Machine == nil && d.File != "" {
		d.Text, err = d.Open(reader)
	}
	return err
}

// Parse makes Machine of Text, unless there is a Machine already. The errors come from [Text.Parse].
func (d *Definition) Parse() (err error) {
	if d.Machine == nil && d.Text != nil {
		d.Machine, err = d.Text.Parse()
	}
	return err
}

// Compile makes the definition ready in a dialect, for many runs of it.
func (d *Definition) Compile(dialect engine.Dialect) (err error) {
	d.Compiled, err = d.Ready(dialect)
	return err
}

// Ready returns the definition made ready in a dialect: Compiled where that is of the dialect.
func (d *Definition) Ready(dialect engine.Dialect) (*engine.Machine, error) {
	if d.Compiled != nil && d.Compiled.Dialect() == dialect {
		return d.Compiled, nil
	}
	problems := append(d.Machine.Refused(dialect), d.Text.notExpress()...)
	isError := func(p source.Diagnostic) bool { return p.Severity == source.Error }
	if d.Machine.Source != nil && slices.ContainsFunc(problems, isError) {
		source.Sort(problems)
		return nil, &InvalidError{d.Machine.Source, problems}
	}
	machine, err := engine.Compile(d.Machine, dialect)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name(), err)
	}
	return machine, nil
}

// Nested returns the definition in the file called name, with the substitutions of d.
func (d *Definition) Nested(reader files.Files, name string) (*asl.StateMachine, error) {
	nested := Definition{
		File:          name,
		Named:         true,
		Substitute:    d.Substitute,
		Substitutions: d.Substitutions,
		Projects:      d.Projects,
	}
	err := nested.Read(reader)
	if err == nil {
		err = nested.Parse()
	}
	var wrong *InvalidError
	if errors.As(err, &wrong) {
		return nil, wrong.first()
	}
	return nested.Machine, err
}

// Open reads File. An error about its text is a *[InvalidError].
func (d *Definition) Open(reader files.Files) (*Text, error) {
	text, err := d.open(reader)
	if err == nil && d.Type != "" {
		text.Express = d.Type == "express"
	}
	return text, err
}

func (d *Definition) open(reader files.Files) (*Text, error) {
	values, err := d.values(reader)
	if err != nil {
		return nil, err
	}
	if isFolder(d.File) {
		if err := d.only(reader); err != nil {
			return nil, err
		}
	}
	c, err := d.contents(reader)
	var wrong *InvalidError
	var model *ModelError
	var other *OtherError
	switch {
	case errors.As(err, &wrong), errors.As(err, &model), errors.As(err, &other):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("the definition: %w", err)
	case c.container != nil:
		names := c.container.StateMachines()
		if d.Resource != "" || len(names) < 2 {
			return c.text(d.Resource, values)
		}
		if deployed := c.deployedNames(names, values); len(deployed) == 1 {
			return c.text(deployed[0], values)
		} else if len(deployed) > 1 {
			names = deployed
		}
		return nil, d.choice(names)
	case d.Resource != "":
		return nil, files.ErrorAbout(files.PartResource, "%[1]s is for templates, and %[2]s is none",
			wording.Line(c.file.Name))
	}
	text, err := substituted(c.file, c.root, values)
	if err == nil {
		found, _ := d.Projects.For(d.File) // values has told its errors
		text.Express = found.For(d.File).Type == "express"
	}
	return text, err
}

// contents reads File and recognizes containers. The error is an *[OtherError] where another file names it.
func (d *Definition) contents(reader files.Files) (*contents, error) {
	if d.Named {
		name, data, err := reader.Read(d.File)
		if err == nil && !embedded.MayBeDefinition(data) && !MayContain(data) {
			return nil, &OtherError{name}
		}
	}
	return contentsOf(reader, d.File, d.Again)
}

// OtherError says that a file which another one names for a definition is none. The file may be anything: nothing of it is told.
type OtherError struct{ Name string }

// Error implements error: what it lacks.
func (e *OtherError) Error() string {
	return wording.Line(e.Name) + " is not a definition: it has neither StartAt nor States"
}

// ModelError says that a file is a Smithy model, whose waiters have their own commands.
type ModelError struct{ Name string }

// Error implements error: the commands.
func (e *ModelError) Error() string {
	return fmt.Sprintf("%[1]s is a Smithy model, not a definition. Its waiters have their own commands:\n"+
		"  asldb waiter list %[1]s\n  asldb waiter check %[1]s\n  asldb waiter run %[1]s --waiter NAME --max-wait 5m\n  asldb waiter %[1]s --waiter NAME --max-wait 5m", wording.Line(e.Name))
}

// TextOf returns the text of a definition that is in memory. The error is a *[InvalidError].
func TextOf(file *source.File) (*Text, error) { return substituted(file, nil, nil) }

// substituted reads a definition after its ${Name}s have been replaced. root is the tree of the file without replacements,
// nil where it has not been read.
func substituted(file *source.File, root *source.Node, values source.Substitutions) (*Text, error) {
	if root != nil && !bytes.Contains(file.Data, []byte("${")) {
		return &Text{Given: file, Source: file, Root: root}, nil
	}
	whole := source.Whole(file)
	text, unknown := whole.Substitute(values)
	var problem *source.Diagnostic
	if root == nil || text != whole || len(unknown) > 0 {
		root, problem = text.ReadSubstituted(file.Name)
	}
	if problem != nil {
		for _, n := range unknown {
			if n.Span.Start.Line == problem.Span.Start.Line {
				problem.Suggestion = giveValue(n.Name)
			}
		}
		return nil, &InvalidError{file, source.Own(file, []source.Diagnostic{*problem})}
	}
	found := &Text{Given: file, Source: file, Root: root, unknown: unknown}
	for _, n := range unknown {
		found.Notes = append(found.Notes, source.Diagnostic{
			File: file, Severity: source.Hint, Rule: rules.UnresolvedSubstitution, Span: n.Span, Message: "${" + n.Name + "} has no value; it stays as it is written",
		})
	}
	return found, nil
}

// values returns the values of names.
func (d *Definition) values(reader files.Files) (source.Substitutions, error) {
	given := make(map[string]string)
	found, err := d.Projects.For(d.File)
	if err != nil {
		return nil, err
	}
	settings := found.For(d.File)
	for _, name := range settings.SubstitutionFiles {
		if err := readSubstitutions(reader, name, true, given); err != nil {
			return nil, fmt.Errorf("the substitutions of %s: %w", wording.Line(found.Source.Name), err)
		}
	}
	maps.Copy(given, settings.Substitutions)
	if d.Substitutions != "" {
		if err := readSubstitutions(reader, d.Substitutions, d.Named, given); err != nil {
			return nil, &files.PartError{Part: files.PartSubstitutions, Err: err}
		}
	}
	for _, pair := range d.Substitute {
		name, text, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, files.ErrorAbout(files.PartSubstitute, "%[1]s takes NAME=VALUE, not %[2]q", pair)
		}
		given[name] = text
	}
	return func(name string) (string, bool) { text, known := given[name]; return text, known }, nil
}

// readSubstitutions reads a file with an object of names and values; of a private one no line is shown.
func readSubstitutions(reader files.Files, name string, private bool, into map[string]string) error {
	name, data, err := reader.Read(name)
	if err != nil {
		return err
	}
	file := &source.File{Name: name, Data: data, Private: private}
	root, problem := source.Read(file, nil)
	if problem != nil {
		return errors.New(problem.Format())
	}
	if root.Kind != value.KindObject {
		return fmt.Errorf("%s holds %s, and should be an object of names and values", name, source.Article(root.Kind))
	}
	for _, m := range root.Members {
		into[m.Key] = value.Plain(m.Node.Value)
	}
	return nil
}

// Placeholders returns a line for each ${Name} without a value in place of a number, for which a run uses another one.
func (t *Text) Placeholders() (lines []string) {
	if !bytes.Contains(t.Source.Data, []byte("${")) { // most texts: this is asked before each run
		return nil
	}
	_, names := source.Whole(t.Source).Substitute(nil)
	unknown := make(map[source.Position]bool)
	if t.Root != nil && len(names) > 0 {
		for n := range t.Root.Pointers() {
			unknown[n.Span.Start] = n.Unknown || unknown[n.Span.Start]
		}
	}
	for _, n := range names {
		line := "1 is used for ${" + n.Name + "}, which has no value: give one with --substitute " + n.Name + "=..."
		if unknown[n.Span.Start] && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// examined returns the machine as far as it can be read, nil where it has no states, with its problems in the dialect
// aws.
func (t *Text) examined() (*asl.StateMachine, []source.Diagnostic) {
	t.read.Do(func() {
		if t.model, t.problems = asl.Examine(t.Source, t.Root, engine.AWS); t.model != nil {
			t.model.Name, t.model.Express, t.model.Deployment = t.Resource, t.Express, t.Deployment
		}
	})
	return t.model, slices.Clone(t.problems)
}

// Parse returns the definition of the text. The error is a *[InvalidError]; warnings are left to [Text.Problems].
func (t *Text) Parse() (*asl.StateMachine, error) {
	if t.Made != nil {
		return t.Made, nil
	}
	definition, problems := t.examined()
	if definition == nil || definition.Unusable(problems, engine.AWS) {
		t.suggestValues(problems)
		return nil, &InvalidError{t.Source, problems}
	}
	return definition, nil
}

// Examine returns the definition as far as it can be read, to be shown and not run, with a *[InvalidError] where it has errors.
// Where there is no state, the definition is nil.
func (t *Text) Examine() (*asl.StateMachine, error) {
	definition, err := t.Parse()
	if err == nil {
		if refused := t.notExpress(); len(refused) > 0 {
			return definition, &InvalidError{t.Source, refused}
		}
		return definition, nil
	}
	if definition, _ = t.examined(); definition == nil || len(definition.Top.States) == 0 {
		return nil, err
	}
	return definition, err
}

// Data follows the data of the definition, which may have errors, once; nil where it has no states. Problems then has
// its faults.
func (t *Text) Data() *lint.Followed {
	if machine, problems := t.examined(); machine != nil && t.data == nil {
		t.data = lint.Data(machine, problems)
	}
	return t.data
}

// Problems returns all problems of the text, in its order: errors, warnings and, where the options say so, hints. The type of the
// machine is the text's.
func (t *Text) Problems(o lint.Options) []source.Diagnostic {
	if t.Made != nil { // not from the language: its own reader has checked it
		return t.Notes
	}
	notes := slices.DeleteFunc(
		slices.Clone(t.Notes),
		func(d source.Diagnostic) bool { return d.Severity == source.Hint && !o.Hints },
	)
	o.Express = t.Express
	problems := lint.Merge(slices.Concat(notes, t.shortTimeouts(), t.nestedInputs()), t.all(o))
	t.suggestValues(problems)
	return problems
}

// all returns the problems that the language and its checks find.
func (t *Text) all(o lint.Options) []source.Diagnostic {
	if o.Dialect != engine.AWS {
		return lint.All(t.Source, t.Root, o)
	}
	o.Followed = t.data
	machine, problems := t.examined()
	return lint.Beside(machine, problems, o)
}

// notExpress returns the errors of a machine of the type EXPRESS that a standard one does not have.
func (t *Text) notExpress() []source.Diagnostic {
	if t == nil || !t.Express {
		return nil
	}
	return slices.DeleteFunc(t.Problems(lint.Options{}), func(d source.Diagnostic) bool {
		return d.Rule != rules.ExpressPattern || d.Severity != source.Error
	})
}

// InDialect makes errors of warnings about what Step Functions refuses, where the dialect is its own.
func InDialect(problems []source.Diagnostic, dialect engine.Dialect) []source.Diagnostic {
	for i := range problems {
		if d := &problems[i]; d.Severity == source.Warning && d.Refused() && dialect.Does(rules.RefusesAsTheService) {
			d.Severity = source.Error
		}
	}
	return problems
}

// GiveValue returns the advice for a ${Name} of the definition without a value.
func (d *Definition) GiveValue(name string) string { return giveValue(name) }

func giveValue(name string) string {
	return "${" + name + "} has no value: give one with --substitute " + name + "=..."
}

// suggestValues adds the advice to errors at a ${Name} without a value.
func (t *Text) suggestValues(problems []source.Diagnostic) {
	for i := range problems {
		p := &problems[i]
		if p.Severity != source.Error || p.Suggestion != "" {
			continue
		}
		for _, n := range t.unknown {
			if at := n.Span.Start.Offset; at >= p.Span.Start.Offset && at < p.Span.End.Offset {
				p.Suggestion = giveValue(n.Name)
				break
			}
		}
	}
}
