// Finds the definitions of state machines inside of AWS CloudFormation and SAM templates, in
// JSON and in YAML with its short forms of functions, and evaluates the functions in them as far as a
// template can tell. It replaces unknown values by readable placeholders, with a warning. Every place that a
// definition found here has is one of the template's text.

package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The resource types that hold a definition.
const (
	stepFunctionsType = "AWS::StepFunctions::StateMachine"
	serverlessType    = "AWS::Serverless::StateMachine"
)

// Template is a template whose text has been read.
type Template struct {
	file *source.File
	root *source.Node
	// resources are the text's, with the ones that Fn::ForEach makes.
	resources []resource
	home      *home // as the files beside the template tell it; nil: not looked for yet
}

// IsCloudFormation reports whether the tree is a template: it has resources with types.
func IsCloudFormation(root *source.Node) bool {
	resources := root.Get("Resources")
	if resources == nil || resources.Kind != value.KindObject {
		return false
	}
	return slices.ContainsFunc(resources.Members, func(m source.NodeMember) bool { return m.Node.Get("Type").Text() != "" })
}

// OfCloudFormation returns the template that the tree of a file is; see [Is] and [Tags].
func OfCloudFormation(file *source.File, root *source.Node) *Template {
	t := &Template{file: file, root: root}
	t.addResources(root.Get("Resources"), nil, new(int))
	return t
}

// Tags are the short forms of functions in YAML, for [source.ReadYAML]. The key of an unknown tag is the tag itself: it is an
// error in a definition, and of no importance elsewhere in a template.
func Tags(tag string) (key string) {
	switch name := strings.TrimPrefix(tag, "!"); name {
	case "Ref", "Condition":
		return name
	case "Sub", "GetAtt", "Join", "Select", "Split", "FindInMap", "If", "Equals", "And", "Or", "Not", "ImportValue",
		"Base64", "GetAZs", "Cidr", "Transform", "Length", "ToJsonString":
		return "Fn::" + name
	}
	if strings.HasPrefix(tag, "!!") && !slices.Contains([]string{"!!binary", "!!timestamp", "!!set", "!!omap", "!!pairs"}, tag) {
		return "" // of YAML itself
	}
	return tag
}

// StateMachines returns the logical names of the resources that hold a definition, in the order of the text.
func (t *Template) StateMachines() []string {
	var names []string
	for _, resource := range t.resources {
		if isMachine(resource.kind()) {
			names = append(names, resource.name)
		}
	}
	return names
}

// Definition returns the definition of a state machine. It is nil when there is an error among the problems, or
// err: a *[embedded.NameError], or an error of Options.Open. The warnings name the values replaced by placeholders.
func (t *Template) Definition(o Options) (found *Definition, problems []source.Diagnostic, err error) {
	machine, err := t.machine(o.Resource)
	if err != nil {
		return nil, nil, err
	}
	r := newResolver(t, o)
	r.loops = machine.loops
	property := func(name string) *source.Node { return r.branch(machine.node.Get("Properties").Get(name)) }
	r.substitutions = property("DefinitionSubstitutions")
	definition := &Definition{Name: machine.name, File: t.file}
	if kind := cmp.Or(property("StateMachineType"), property("Type")); kind != nil {
		definition.Express = r.resolve(kind).Text() == Express
	}
	definition.Deployment, definition.Functions = t.deployment(machine, o), t.functions(o)
	text, object, uri, s3 := property("DefinitionString"), property("Definition"), property("DefinitionUri"), property("DefinitionS3Location")
	switch {
	case text != nil:
		definition.Root = r.definitionString(text)
	case object != nil:
		definition.Root = r.substituteLeaves(r.resolve(object))
	case uri != nil && uri.Get("Bucket") == nil:
		definition.File, definition.Root, err = r.definitionFile(uri)
	case uri != nil || s3 != nil:
		definition.File, definition.Root, err = r.asset(cmp.Or(s3, uri))
	default:
		r.problem(source.Error, rules.DefinitionNotFound, machine.node.Span, "the resource %s has no DefinitionString, Definition or DefinitionUri", machine.name)
	}
	r.hint()
	problems, err = source.Own(t.file, r.problems), cmp.Or(err, r.skipped)
	if definition.Root == nil || err != nil || r.written > maxText || r.unread {
		return nil, problems, err
	}
	return definition, problems, nil
}

// machine returns the state machine of that name, or the only one.
func (t *Template) machine(wanted string) (*resource, error) {
	names := t.StateMachines()
	if wanted == "" && len(names) == 1 {
		wanted = names[0]
	}
	if !slices.Contains(names, wanted) {
		return nil, &NameError{Container: "template", Wanted: wanted, Names: names}
	}
	return t.resource(wanted), nil
}

// resolver evaluates a template's functions.
type resolver struct {
	template      *Template
	options       Options
	substitutions *source.Node // DefinitionSubstitutions, or nil
	loops         *loop        // the variables of Fn::ForEach around the place
	problems      []source.Diagnostic
	turns         *int            // of all loops
	unread        bool            // a part of the definition cannot be read
	skipped       error           // why the definition is not read
	later         []source.Named  // the names whose values are known only after deployment, each once
	reported      map[string]bool // names of later, and those with a warning
	literals      map[string]bool // names that Fn::Sub writes as ${!Name}
	conditions    map[string]verdict
	known, home   home // where the template is deployed, and that with values for what is not known
	naming        bool // the name of a machine is evaluated: other machines have their logical names in it
	depth         int
	written       int // bytes of text that functions have made
}

func newResolver(t *Template, o Options) *resolver {
	r := &resolver{template: t, options: o, turns: new(int), reported: make(map[string]bool), literals: make(map[string]bool), conditions: make(map[string]verdict)}
	r.setHome()
	return r
}

// verdict is the value of a condition, unknown while it is evaluated.
type verdict struct{ holds, known bool }

// maxText bounds the text that functions make, in bytes: a text of references to texts of references grows
// without bound. It is many times the limit of a definition.
const maxText = 8 << 20

// writes notes that a text of so many bytes is made, and reports false where that is too much for a definition.
func (r *resolver) writes(n int, at source.Span) bool {
	before := r.written
	r.written += n
	if r.written > maxText && before <= maxText {
		r.problem(source.Error, source.RuleTooLarge, at, "the functions of the template make a text of more than %d bytes, the limit", maxText)
	}
	return r.written <= maxText
}

func (r *resolver) problem(severity source.Severity, rule string, at source.Span, format string, args ...any) {
	r.problems = append(r.problems, source.Diagnostic{Severity: severity, Rule: rule, Span: at, Message: fmt.Sprintf(format, args...)})
}

// definitionString reads a definition that is a text, put together by functions or not.
func (r *resolver) definitionString(n *source.Node) *source.Node {
	text := r.text(n)
	text, unknown := text.Substitute(r.substituted)
	r.missing(r.template.file, unknown)
	root, problem := text.ReadSubstituted(r.template.file.Name + "#" + "definition.json")
	switch whole := strings.TrimSpace(string(text.Data)); {
	case problem == nil:
		return root
	case whole == "":
		r.problem(source.Error, rules.DefinitionNotFound, n.Span, "the definition is empty")
	case strings.IndexByte(whole, '}') == len(whole)-1 && strings.HasPrefix(whole, "${"), strings.HasPrefix(whole, "{{resolve:"):
		r.skipped = &SkipError{"the definition is " + whole + ", which is known only after deployment"}
	default:
		problem.Message = "the definition inside of the template: " + problem.Message
		r.problems = append(r.problems, *problem)
	}
	return nil
}

// substituted returns the value that DefinitionSubstitutions, or the user, give for a name in ${Name}.
func (r *resolver) substituted(name string) (string, bool) {
	if text, known := r.given(name); known {
		return text, true
	}
	if n := r.substitutions.Get(name); n != nil {
		return value.Plain(r.resolve(n).Value), true
	}
	return "", false
}

// given returns the value of a variable of Fn::ForEach, or the one that the user gave for a name.
func (r *resolver) given(name string) (string, bool) {
	if text, known := r.loops.value(name); known {
		return text, true
	}
	if r.options.Values == nil {
		return "", false
	}
	return r.options.Values(name)
}

// substituteLeaves replaces ${Name} in every string of a tree.
func (r *resolver) substituteLeaves(n *source.Node) *source.Node {
	switch n.Kind {
	case value.KindString:
		text, unknown := r.literal(n).Substitute(r.substituted)
		r.missing(r.template.file, unknown)
		return source.NewString(string(text.Data), n.Span)
	case value.KindArray, value.KindObject:
		return n.Map(r.substituteLeaves)
	case value.KindNull, value.KindBool, value.KindNumber:
	}
	return n
}

// literal returns the text of a string of the template with its places.
func (r *resolver) literal(n *source.Node) *source.Text { return source.StringText(r.template.file, n) }
