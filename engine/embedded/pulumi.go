package embedded

import (
	"slices"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
)

// IsPulumi reports whether the tree is a program of Pulumi in YAML with state machines.
func IsPulumi(root *source.Node) bool {
	resources := root.Get("resources")
	return resources != nil && slices.ContainsFunc(resources.Members, func(m source.NodeMember) bool {
		return pulumiType(m.Node) == stepFunctionsType
	})
}

// pulumiTypes are the types of resources in Pulumi, without their modules, by the names that CloudFormation has for them. The table
// is never changed.
var pulumiTypes = map[string]string{
	"aws:sfn:StateMachine": stepFunctionsType, "aws:sfn:Activity": "AWS::StepFunctions::Activity",
	"aws:lambda:Function": "AWS::Lambda::Function", "aws:sqs:Queue": "AWS::SQS::Queue", "aws:sns:Topic": "AWS::SNS::Topic",
	"aws:dynamodb:Table": "AWS::DynamoDB::Table", "aws:iam:Role": "AWS::IAM::Role", "aws:s3:Bucket": "AWS::S3::Bucket",
	"aws:s3:BucketV2": "AWS::S3::Bucket", "aws:ecs:Cluster": "AWS::ECS::Cluster",
	"aws:ecs:TaskDefinition": "AWS::ECS::TaskDefinition", "aws:cloudwatch:EventBus": "AWS::Events::EventBus",
}

// pulumiType returns the name that CloudFormation has for the type of a resource: aws:sfn:StateMachine, in full
// aws:sfn/stateMachine:StateMachine. Of others it is the type as it is written.
func pulumiType(resource *source.Node) string {
	kind := resource.Get("type").Text()
	if module, name, found := strings.Cut(kind, "/"); found {
		_, name, _ = strings.Cut(name, ":")
		kind = module + ":" + name
	}
	if known := pulumiTypes[kind]; known != "" {
		return known
	}
	return kind
}

// pulumi is a program of Pulumi, read as a template of CloudFormation.
type pulumi struct {
	*Template
	program *source.Node
}

// OfPulumi returns the program that the tree of a file is; see [IsPulumi].
func OfPulumi(file *source.File, root *source.Node) Container {
	p := &pulumi{program: root}
	var resources []source.NodeMember
	for _, m := range root.Get("resources").Members {
		resources = append(resources, source.NodeMember{Key: m.Key, KeySpan: m.KeySpan, Node: p.resource(m.Node)})
	}
	at := root.Span
	p.Template = OfCloudFormation(file, source.NewObject([]source.NodeMember{
		{Key: "Resources", KeySpan: at, Node: source.NewObject(resources, at)},
	}, at))
	return p
}

// pulumiProperties are the properties of a machine, by the names that CloudFormation has for them.
var pulumiProperties = map[string]string{
	"name": "StateMachineName", "type": "StateMachineType", "roleArn": "RoleArn", "loggingConfiguration": "LoggingConfiguration",
}

// resource returns a resource as CloudFormation has it; of others than machines, only the type counts.
func (p *pulumi) resource(n *source.Node) *source.Node {
	at := n.Span
	member := func(key string, n *source.Node) source.NodeMember {
		return source.NodeMember{Key: key, KeySpan: n.Span, Node: n}
	}
	var properties []source.NodeMember
	if own := n.Get("properties"); own != nil && pulumiType(n) == stepFunctionsType {
		for _, m := range own.Members {
			node := p.functions(p.variable(m.Node))
			name, argument := intrinsicFunction(node)
			switch {
			case m.Key == "definition" && name == "Fn::ToJsonString":
				properties = append(properties, member("Definition", argument))
			case m.Key == "definition" && node.Get("fn::readFile") != nil:
				properties = append(properties, member("DefinitionUri", node.Get("fn::readFile")))
			case m.Key == "definition":
				properties = append(properties, member("DefinitionString", node))
			case m.Key == "loggingConfiguration" && node.Get("level") != nil:
				node = source.NewObject([]source.NodeMember{member("Level", node.Get("level"))}, node.Span)
				properties = append(properties, member(pulumiProperties[m.Key], node))
			case pulumiProperties[m.Key] != "":
				properties = append(properties, member(pulumiProperties[m.Key], p.text(node)))
			}
		}
	}
	return source.NewObject([]source.NodeMember{
		member("Type", source.NewString(pulumiType(n), at)), member("Properties", source.NewObject(properties, at)),
	}, at)
}

// literalMark begins a ${...} that is text.
const literalMark = "$${"

// text returns a text with ${...} as Fn::Sub of it.
func (p *pulumi) text(n *source.Node) *source.Node {
	if !strings.Contains(n.Text(), "${") {
		return n
	}
	if strings.Contains(n.Text(), literalMark) {
		n = source.NewString(strings.ReplaceAll(n.Text(), literalMark, "${!"), n.Span)
	}
	return source.NewObject([]source.NodeMember{{Key: "Fn::Sub", KeySpan: n.Span, Node: n}}, n.Span)
}

// variable returns what a node that is the name of a variable of the program means.
func (p *pulumi) variable(n *source.Node) *source.Node {
	for range maxVariables {
		name, isName := strings.CutPrefix(n.Text(), "${")
		named := p.program.Get("variables").Get(strings.TrimSuffix(name, "}"))
		if !isName || named == nil {
			break
		}
		n = named
	}
	return n
}

// functions returns a tree with the functions of Pulumi that CloudFormation has, too, under its names for them.
func (p *pulumi) functions(n *source.Node) *source.Node {
	names := map[string]string{
		"fn::toJSON": "Fn::ToJsonString",
		"fn::join":   "Fn::Join",
		"fn::select": "Fn::Select",
		"fn::split":  "Fn::Split",
	}
	if strings.Contains(n.Text(), literalMark) {
		return p.text(n)
	}
	if n.Kind != value.KindObject && n.Kind != value.KindArray {
		return n
	}
	n = n.Map(func(inner *source.Node) *source.Node { return p.functions(p.variable(inner)) })
	for i, m := range n.Members {
		if name := names[m.Key]; name != "" && len(n.Members) == 1 {
			n.Members[i].Key = name
		}
	}
	return n
}

// Definition implements [Container].
func (p *pulumi) Definition(o Options) (*Definition, []source.Diagnostic, error) {
	given := o.Values
	o.Values = func(name string) (string, bool) {
		if given != nil {
			if text, known := given(name); known {
				return text, true
			}
		}
		return p.value(name, o)
	}
	return p.Template.Definition(o)
}

// value returns the value of a name in ${...}: of a setting, of a variable, or of an attribute of a resource, which is a placeholder.
func (p *pulumi) value(name string, o Options) (string, bool) {
	if name == "AWS::Region" {
		return p.setting("aws:region")
	}
	if text, known := p.setting(name); known {
		return text, true
	}
	if variable := p.program.Get("variables").Get(name).Text(); variable != "" && !strings.Contains(variable, "${") {
		return variable, true
	}
	resource, attribute, _ := strings.Cut(name, ".")
	if found := p.Template.resource(resource); found != nil {
		r := newResolver(p.Template, Options{Open: o.Open, Values: func(name string) (string, bool) {
			return p.setting(map[string]string{"AWS::Region": "aws:region"}[name])
		}})
		kind := found.kind()
		switch {
		case attribute == "arn" || attribute == "id" && isMachine(kind):
			return r.arn(kind, resource), true
		case attribute == "url" || attribute == "id" && kind == "AWS::SQS::Queue":
			return r.ref(resource, source.Span{}), true
		case attribute == "name" || attribute == "id":
			return resource, true
		}
	}
	return "${" + name + "}", !strings.HasPrefix(name, "AWS::")
}

// setting returns the value of a setting of the program.
func (p *pulumi) setting(name string) (string, bool) {
	for _, section := range []string{"config", "configuration"} {
		n := p.program.Get(section).Get(name)
		for _, n := range []*source.Node{n, n.Get("value"), n.Get("default")} {
			if n != nil && n.Kind != value.KindObject {
				return value.Plain(n.Value), true
			}
		}
	}
	return "", false
}
