package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/engine/cloudformation"
	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/visible"
)

// definitionFlags say where in a file a definition is, and what the names in it stand for.
type definitionFlags struct {
	resource      string
	substitute    []string // Name=value
	substitutions string   // a file
}

func (f *definitionFlags) addDefinitionTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.resource, "resource", "", "the logical `NAME` of the state machine, where the definition is a CloudFormation or SAM template")
	flags.StringArrayVar(&f.substitute, "substitute", nil, "a `NAME=VALUE` for ${NAME} in the definition (also for a template's parameter); repeatable")
	flags.StringVar(&f.substitutions, "substitutions", "", "a `FILE` (YAML or JSON) with an object of such names and values")
}

// definitionText is a definition as it was found, before anything in it is understood.
type definitionText struct {
	source *source.File // what the places in root belong to
	root   *source.Node
	// made is the definition itself where it does not come from the language; else nil.
	made *asl.StateMachine
	// unknown are the ${Name}s that have no value.
	unknown []source.Named
	// notes are what could not be replaced on the way, for whoever wants to know it.
	notes []source.Diagnostic
}

// wrongDefinition says that a text is no definition, with every problem.
type wrongDefinition struct {
	source   *source.File
	problems []source.Diagnostic
}

// Error implements error: how many there are. The problems themselves are written where they are found.
func (e *wrongDefinition) Error() string {
	wrong := 0
	for _, d := range e.problems {
		if d.Severity == source.Error {
			wrong++
		}
	}
	return fmt.Sprintf("%s has %s", visible.Line(e.source.Name), counted(wrong, "error"))
}

// readDefinition reads the file of a definition, in JSON or YAML, or the definition inside of a template. An error
// about the text is a *wrongDefinition.
func (f *definitionFlags) readDefinition(s *streams, name string) (*definitionText, error) {
	values, err := f.values(s)
	if err != nil {
		return nil, err
	}
	name, data, err := readFile(s, name)
	if err != nil {
		return nil, fmt.Errorf("the definition: %w", err)
	}
	file := &source.File{Name: name, Data: data}
	tagged := false
	root, problem := source.Read(file, func(tag string) string {
		key := cloudformation.Tags(tag)
		tagged = tagged || key != ""
		return key
	})
	if problem == nil && cloudformation.Is(root) {
		return f.fromTemplate(s, file, root, values)
	}
	if tagged { // what they stand for has a meaning in templates only
		root = nil
	}
	if f.resource != "" {
		return nil, fmt.Errorf("--resource is for templates, and %s is none", visible.Line(name))
	}
	return substituted(file, root, values)
}

// substituted reads a definition after its ${Name}s have been replaced. root is the tree of the file as it stands,
// nil where it has not been read.
func substituted(file *source.File, root *source.Node, values source.Substitutions) (*definitionText, error) {
	whole := source.Whole(file)
	text, unknown := whole.Substitute(values)
	var problem *source.Diagnostic
	if root == nil || text != whole {
		root, problem = text.Read(file.Name)
	}
	if problem != nil {
		for _, n := range unknown {
			if n.Span.Start.Line == problem.Span.Start.Line {
				problem.Suggestion = giveValue(n.Name)
			}
		}
		return nil, &wrongDefinition{file, []source.Diagnostic{*problem}}
	}
	found := &definitionText{source: file, root: root, unknown: unknown}
	for _, n := range unknown {
		found.notes = append(found.notes, source.Diagnostic{
			Severity: source.Hint, Rule: rules.UnresolvedSubstitution, Span: n.Span, Message: "${" + n.Name + "} has no value; it stays as it is written",
		})
	}
	return found, nil
}

// fromTemplate finds the definition inside of a template.
func (f *definitionFlags) fromTemplate(s *streams, file *source.File, root *source.Node, values source.Substitutions) (*definitionText, error) {
	found, problems, err := cloudformation.Of(file, root).Definition(cloudformation.Options{
		Resource: f.resource, Values: values,
		Open: func(name string) (*source.File, error) {
			if !filepath.IsAbs(name) && file.Name != stdinName {
				name = filepath.Join(filepath.Dir(file.Name), name)
			}
			name, data, err := readFile(s, name)
			return &source.File{Name: name, Data: data}, err
		},
	})
	var wrong *cloudformation.FileError
	switch {
	case errors.As(err, &wrong):
		return nil, &wrongDefinition{wrong.File, []source.Diagnostic{wrong.Problem}}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file.Name, err)
	case found == nil:
		return nil, &wrongDefinition{file, problems}
	}
	return &definitionText{source: found.File, root: found.Root, notes: problems}, nil
}

// values returns what the flags say about names.
func (f *definitionFlags) values(s *streams) (source.Substitutions, error) {
	given := make(map[string]string)
	if f.substitutions != "" {
		name, data, err := readFile(s, f.substitutions)
		if err != nil {
			return nil, fmt.Errorf("--substitutions: %w", err)
		}
		file := &source.File{Name: name, Data: data}
		root, problem := source.Read(file, nil)
		if problem != nil {
			return nil, fmt.Errorf("--substitutions: %s", problem.Format(file))
		}
		if root.Kind != value.KindObject {
			return nil, fmt.Errorf("--substitutions: %s holds %s, and should be an object of names and values", name, source.Article(root.Kind))
		}
		for _, m := range root.Members {
			given[m.Key] = plain(m.Node.Value)
		}
	}
	for _, pair := range f.substitute {
		name, text, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--substitute takes NAME=VALUE, and this is %q", pair)
		}
		given[name] = text
	}
	return func(name string) (string, bool) { text, known := given[name]; return text, known }, nil
}

// plain returns a value as it stands in a text: a string bare, anything else as JSON.
func plain(v value.Value) string {
	if text, ok := v.(value.String); ok {
		return string(text)
	}
	return value.Compact(v)
}

// parse makes the machine from the text, or writes what is wrong with it. Of a definition that can be run nothing is
// said: see warn.
func (t *definitionText) parse(s *streams) (*asl.StateMachine, error) {
	if t.made != nil {
		return t.made, nil
	}
	definition, diagnostics := asl.ParseTree(t.source, t.root)
	if definition == nil {
		t.suggestValues(diagnostics)
		writeProblems(s, t.source, diagnostics)
		return nil, &wrongDefinition{t.source, diagnostics}
	}
	return definition, nil
}

// giveValue says how a ${Name} gets a value.
func giveValue(name string) string {
	return "${" + name + "} has no value: give one with --substitute " + name + "=..."
}

// suggestValues says of errors at a ${Name} without a value that it is what may be missing.
func (t *definitionText) suggestValues(problems []source.Diagnostic) {
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

// warn writes what is probably wrong with a definition that can be run.
func (t *definitionText) warn(s *streams) {
	if definition, _ := asl.ParseTree(t.source, t.root); definition != nil {
		writeProblems(s, t.source, t.problems(lint.Options{}))
	}
}

// openDefinition reads a definition and writes what is wrong with it.
func (f *definitionFlags) openDefinition(s *streams, name string) (*definitionText, error) {
	text, err := f.readDefinition(s, name)
	var wrong *wrongDefinition
	if errors.As(err, &wrong) {
		writeProblems(s, wrong.source, wrong.problems)
	}
	return text, err
}

func writeProblems(s *streams, file *source.File, problems []source.Diagnostic) {
	for _, d := range problems {
		fmt.Fprintln(s.err, visible.Text(strings.TrimRight(d.Format(file), "\n")))
	}
}
