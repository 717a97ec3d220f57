// Finds the definitions of state machines inside of configurations of the Serverless Framework, as its plugin
// serverless-step-functions reads them: stepFunctions.stateMachines in serverless.yml, with the files that ${file(...)} names.
// A variable of the framework that is alone and is known from the configuration, ${self:custom.wait}, is replaced; all
// others stay as references. Functions of CloudFormation are evaluated as in a template.

package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// IsServerless reports whether the tree is a configuration with state machines: of the plugin, or among its resources
// of CloudFormation.
func IsServerless(root *source.Node) bool {
	steps := root.Get("stepFunctions")
	if steps != nil && (steps.Get("stateMachines") != nil || steps.IsText()) {
		return true
	}
	own := root.Get("resources")
	return own != nil && root.Get("service") != nil &&
		(IsCloudFormation(own) || slices.ContainsFunc(itemsOf(own), IsCloudFormation))
}

// Config is a configuration whose text has been read.
type Config struct {
	main  located
	open  func(name string) (*source.File, error)
	files map[string]located // that have been read, by their names
	// machines are the state machines by their names, in the order of the text.
	machines []serverlessMachine
	problems []source.Diagnostic
	err      error
}

// located is a tree with the file that its places belong to.
type located struct {
	file *source.File
	node *source.Node
}

// get returns the member of that name.
func (l located) get(key string) located { return located{l.file, l.node.Get(key)} }

// machine is one of the state machines.
type serverlessMachine struct {
	name string
	at   located
	// inResources: at is a template of CloudFormation that has the machine.
	inResources bool
}

// OfServerless returns the configuration that the tree of a file is; see [Is] and [cloudformation.Tags]. open reads a file that it names,
// relative to it; nil: there are no such files.
func OfServerless(file *source.File, root *source.Node, open func(name string) (*source.File, error)) *Config {
	c := &Config{main: located{file, root}, open: open, files: make(map[string]located)}
	all := c.follow(c.follow(c.main.get("stepFunctions"), 0).get("stateMachines"), 0)
	if all.node != nil {
		c.add(all)
		for _, item := range all.node.Items { // a list of objects
			c.add(c.follow(located{all.file, item}, 0))
		}
	}
	err, problems := c.err, c.problems
	own := c.follow(c.main.get("resources"), 0)
	for _, part := range append([]*source.Node{own.node}, itemsOf(own.node)...) {
		if at := c.follow(located{own.file, part}, 0); at.node != nil && IsCloudFormation(at.node) {
			for _, name := range OfCloudFormation(at.file, at.node).StateMachines() {
				c.machines = append(c.machines, serverlessMachine{name, at, true})
			}
		}
	}
	c.err, c.problems = err, problems // resources that cannot be read have no machine, and the others do
	return c
}

func (c *Config) add(object located) {
	if object.node == nil {
		return
	}
	for _, m := range object.node.Members {
		c.machines = append(c.machines, serverlessMachine{m.Key, located{object.file, m.Node}, false})
	}
}

// StateMachines returns the names of the state machines, in the order of the text.
func (c *Config) StateMachines() []string {
	return value.Each(c.machines, func(m serverlessMachine) string { return m.name })
}

const (
	// packaged is the way to a text that needs no variables.
	packaged = "run: serverless package; then give asldb .serverless/cloudformation-template-update-stack.json"
)

// Definition returns the definition of a state machine. It is nil when there is an error among the problems, or err: a
// *[embedded.NameError], or an error of the function that opens files.
func (c *Config) Definition(o Options) (found *Definition, problems []source.Diagnostic, err error) {
	wanted := o.Resource
	if wanted == "" && len(c.machines) == 1 {
		wanted = c.machines[0].name
	}
	var at located
	for _, m := range c.machines {
		if m.name == wanted && m.inResources {
			return c.inTemplate(m, o)
		}
		if m.name == wanted {
			at = c.follow(m.at, 0)
		}
	}
	switch {
	case c.err != nil || len(c.problems) > 0:
		return nil, c.problems, c.err
	case at.node == nil:
		return nil, nil, &NameError{Container: "configuration", Wanted: wanted, Names: c.StateMachines()}
	}
	definition := c.follow(at.get("definition"), 0)
	switch {
	case c.err != nil:
		return nil, c.problems, c.err
	case len(c.problems) > 0:
		return nil, c.problems, nil
	case definition.node == nil:
		c.problem(at.file, at.node.Span, "the state machine %s has no definition", wanted)
		return nil, c.problems, nil
	}
	if text := serverlessText(definition.node); variable().MatchString(strings.TrimSpace(text)) {
		return nil, nil, &SkipError{
			"the definition of " + wanted + " is " + text + ", which only the Serverless Framework can resolve; " + packaged,
		}
	}
	if definition.node = c.expand(definition, definition.file, 0); c.err != nil || len(c.problems) > 0 {
		return nil, c.problems, c.err
	}
	return OfCloudFormation(definition.file, c.template(wanted, definition.node, at)).Definition(c.values(wanted, o))
}

// inTemplate returns the definition of a state machine among the resources of CloudFormation.
func (c *Config) inTemplate(
	m serverlessMachine,
	o Options,
) (found *Definition, problems []source.Diagnostic, err error) {
	root := c.expand(m.at, m.at.file, 0)
	if c.err != nil || len(c.problems) > 0 {
		return nil, c.problems, c.err
	}
	return OfCloudFormation(m.at.file, root).Definition(c.values(m.name, o))
}

// values returns the options for a template of the state machine: with the names that the configuration knows itself.
func (c *Config) values(wanted string, o Options) Options {
	o.Resource, o.Open = wanted, c.open
	given := o.Values
	o.Values = func(name string) (string, bool) {
		if given != nil {
			if text, known := given(name); known {
				return text, true
			}
		}
		if arn, known := c.own(name); known {
			return arn, true
		}
		if name == "AWS::Region" {
			region := c.region()
			return region, region != ""
		}
		return "${" + name + "}", ofFramework().MatchString(name)
	}
	return o
}

// region returns the region that the configuration tells, or "".
func (c *Config) region() string {
	region := serverlessText(c.follow(c.main.get("provider").get("region"), 0).node)
	if strings.Contains(region, "${") {
		return ""
	}
	return region
}

func (c *Config) home() home {
	return home{cmp.Or(c.region(), defaultHome.region), defaultHome.account}
}

// own returns the ARN of a function or activity of the configuration, by the name that Ref or Fn::GetAtt has for it. The plugin
// replaces Ref of a function by its ARN, too.
func (c *Config) own(name string) (arn string, known bool) {
	name = strings.TrimSuffix(name, ".Arn")
	if functions := c.follow(c.main.get("functions"), 0).node; functions != nil {
		for _, m := range functions.Members {
			if name == m.Key || name == logical(m.Key)+"LambdaFunction" {
				return c.home().arn("AWS::Lambda::Function", m.Key), true
			}
		}
	}
	for _, n := range itemsOf(c.follow(c.follow(c.main.get("stepFunctions"), 0).get("activities"), 0).node) {
		if activity := serverlessText(n); name == logical(activity)+"StepFunctionsActivity" {
			return c.home().arn("AWS::StepFunctions::Activity", activity), true
		}
	}
	return "", false
}

// machineProperties are the properties of a machine in a template, and their names in the configuration.
var machineProperties = []struct{ own, name string }{
	{"type", "Type"}, {"name", "Name"}, {"role", "Role"}, {"loggingConfig", "Logging"},
}

// template returns a template with the definition of a machine, with its other properties, and with the resources of the
// configuration for the functions in it.
func (c *Config) template(name string, definition *source.Node, machine located) *source.Node {
	at := definition.Span
	object := func(key string, n *source.Node) source.NodeMember {
		return source.NodeMember{Key: key, KeySpan: at, Node: n}
	}
	text := func(text string) *source.Node { return source.NewString(text, at) }
	field := "Definition"
	if definition.Kind == value.KindString {
		field = "DefinitionString"
	}
	properties := []source.NodeMember{object(field, definition)}
	for _, p := range machineProperties {
		if n := c.follow(machine.get(p.own), 0).node; n != nil {
			if level := c.follow(located{machine.file, n.Get("level")}, 0).node; level != nil {
				n = source.NewObject([]source.NodeMember{object("Level", level)}, at)
			}
			properties = append(properties, object(p.name, n))
		}
	}
	var resources []source.NodeMember
	if functions := c.follow(c.main.get("functions"), 0).node; functions != nil {
		for _, m := range functions.Members {
			var own []source.NodeMember
			if timeout := m.Node.Get("timeout"); timeout != nil {
				own = append(own, object("Timeout", timeout))
			}
			function := source.NewObject([]source.NodeMember{
				object("Type", text("AWS::Lambda::Function")), object("Properties", source.NewObject(own, at)),
			}, at)
			resources = append(resources, object(m.Key, function), object(logical(m.Key)+"LambdaFunction", function))
		}
	}
	own := c.follow(c.main.get("resources"), 0)
	for _, part := range append([]*source.Node{own.node}, itemsOf(own.node)...) {
		if r := c.follow(located{own.file, part}, 0).node.Get("Resources"); r != nil {
			resources = append(resources, r.Members...)
		}
	}
	resources = append(resources, object(name, source.NewObject([]source.NodeMember{
		object("Type", text("AWS::Serverless::StateMachine")),
		object("Properties", source.NewObject(properties, at)),
	}, at)))
	return source.NewObject([]source.NodeMember{object("Resources", source.NewObject(resources, at))}, at)
}

func itemsOf(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// logical returns the name of a function as the name of its resource begins.
func logical(name string) string {
	name = strings.NewReplacer("-", "Dash", "_", "Underscore").Replace(name)
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func serverlessText(n *source.Node) string {
	if n == nil {
		return ""
	}
	text, _ := n.Value.(value.String)
	return string(text)
}

func (c *Config) problem(file *source.File, at source.Span, format string, args ...any) {
	if at.File != nil {
		file = at.File
	}
	c.problems = append(c.problems, source.Diagnostic{
		File: file, Severity: source.Error, Rule: rules.DefinitionNotFound, Span: at, Message: fmt.Sprintf(format, args...),
	})
}

var (
	// fileReference is a reference to a file, or to a part of one.
	fileReference = wording.Pattern(`^\$\{file\(\s*([^(){}$]+?)\s*\)(?::([A-Za-z0-9_.\-/]+))?\}$`)
	// selfReference is a reference to a part of the configuration.
	selfReference = wording.Pattern(`^\$\{self:([A-Za-z0-9_.\-]+)\}$`)
	// variable is a text that is one variable of the framework.
	variable = wording.Pattern(`^\$\{[a-zA-Z]+[:(][^{}]*\}$`)
	// ofFramework matches the names of variables of the framework, without CloudFormation's.
	ofFramework = wording.Pattern(`^[a-z][A-Za-z0-9]*:[^:]`)
)

// maxDepth bounds how deep references lead to each other.
const maxVariables = 50

// follow returns what a node refers to: a file, a part of one, or a part of the configuration; any other node is itself.
func (c *Config) follow(at located, depth int) located {
	text := strings.TrimSpace(serverlessText(at.node))
	if depth > maxVariables || !strings.HasPrefix(text, "${") {
		return at
	}
	var target located
	if m := fileReference().FindStringSubmatch(text); m != nil {
		if target = c.read(strings.Trim(m[1], `"'`)); target.node == nil {
			return at
		}
		target = c.part(target, m[2], depth)
	} else if m := selfReference().FindStringSubmatch(text); m != nil {
		target = c.part(c.main, m[1], depth)
	}
	if target.node == nil || target.node == at.node {
		return at
	}
	return c.follow(target, depth+1)
}

// part returns the part of a tree with that path of names.
func (c *Config) part(at located, path string, depth int) located {
	for name := range strings.SplitSeq(path, ".") {
		if name == "" {
			continue
		}
		if at = c.follow(at.get(name), depth+1); at.node == nil {
			return located{}
		}
	}
	return at
}

// read reads a file that the configuration names. The names are relative to the configuration, also in other files.
func (c *Config) read(name string) located {
	if known, ok := c.files[name]; ok {
		return known
	}
	if c.open == nil {
		return located{}
	}
	c.files[name] = located{}
	for _, suffix := range []string{".js", ".cjs", ".mjs", ".ts"} {
		if strings.HasSuffix(name, suffix) {
			c.err = &SkipError{name + " is a program, which only the Serverless Framework can run; " + packaged}
			return located{}
		}
	}
	file, err := c.open(name)
	if err != nil {
		c.err = err
		return located{}
	}
	root, problem := source.Read(file, Tags)
	if problem != nil {
		c.problems = append(c.problems, *problem)
		return located{}
	}
	c.files[name] = located{file, root}
	return c.files[name]
}

// expand returns a tree with its references replaced where they are whole values and known.
func (c *Config) expand(at located, file *source.File, depth int) *source.Node {
	if depth > maxVariables {
		return at.node
	}
	target := c.follow(at, 0)
	if target.node == nil {
		return at.node
	}
	switch target.node.Kind {
	case value.KindArray, value.KindObject:
		n := target.node.Map(
			func(n *source.Node) *source.Node { return c.expand(located{target.file, n}, file, depth+1) },
		)
		mark(n, target.file, file)
		return n
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString:
	}
	if target.file == file {
		return target.node
	}
	n := *target.node
	mark(&n, target.file, file)
	return &n
}

// mark notes the file of a node where it is not the tree's.
func mark(n *source.Node, file, tree *source.File) {
	if file == tree {
		return
	}
	n.Span.File = file
	for i := range n.Members {
		n.Members[i].KeySpan.File = file
	}
}
