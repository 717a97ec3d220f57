package embedded

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// maxDepth bounds how deep functions may be nested, and conditions refer to each other.
const maxDepth = 100

// function returns the name and the argument of the function that a node is; name is "" where it is none.
func intrinsicFunction(n *source.Node) (name string, argument *source.Node) {
	if n == nil || n.Kind != value.KindObject || len(n.Members) != 1 {
		return "", nil
	}
	m := n.Members[0]
	if m.Key == "Ref" || m.Key == "Condition" || strings.HasPrefix(m.Key, "Fn::") && !strings.HasPrefix(m.Key, forEachPrefix) || strings.HasPrefix(m.Key, "!") {
		return m.Key, m.Node
	}
	return "", nil
}

// resolve returns the tree with every function in it replaced by its result; in place of AWS::NoValue there is an empty string.
func (r *resolver) resolve(n *source.Node) *source.Node {
	if found := r.part(n); found != nil {
		return found
	}
	return source.NewString("", n.Span)
}

// part is resolve with nil for AWS::NoValue, which removes the member or item that has it as its value.
func (r *resolver) part(n *source.Node) *source.Node {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		return n
	}
	defer func() { r.depth-- }()
	name, argument := intrinsicFunction(n)
	switch name {
	case "":
		return r.container(n)
	case transformKey:
		return r.included(argument, n)
	case "Ref":
		if argument.Text() == noValue {
			return nil
		}
		return source.NewString(r.ref(argument.Text(), n.Span), n.Span)
	case "Fn::GetAtt":
		return source.NewString(r.attribute(argument, n.Span), n.Span)
	case "Fn::Sub", "Fn::Join", "Fn::Base64":
		return source.NewString(string(r.text(n).Data), n.Span)
	case "Fn::ToJsonString":
		return source.NewString(value.Compact(r.resolve(argument).Value), n.Span)
	case "Fn::Select":
		return r.selected(argument, n)
	case "Fn::Split":
		return r.split(argument, n)
	case "Fn::If":
		return r.chosen(argument, n)
	case "Fn::FindInMap":
		if found := r.mapped(argument); found != nil {
			return found // a mapping has no functions
		}
	case "Fn::ImportValue":
		export := value.Plain(r.resolve(argument).Value)
		return source.NewString(r.open(export, n.Span), n.Span)
	}
	if strings.HasPrefix(name, "!") {
		return r.wrongTag(name, n)
	}
	return source.NewString(r.open(name, n.Span), n.Span)
}

// noValue is the pseudo parameter that removes a property.
const noValue = "AWS::NoValue"

// container returns an array or object with the functions in it replaced by their results; other values are as they are.
func (r *resolver) container(n *source.Node) *source.Node {
	switch n.Kind {
	case value.KindArray:
		return n.Map(r.part)
	case value.KindObject:
		if slices.ContainsFunc(n.Members, func(m source.NodeMember) bool { return strings.HasPrefix(m.Key, forEachPrefix) }) {
			n = r.repeated(n)
		}
		if n.Get(transformKey) != nil {
			n = r.withIncluded(n)
		}
		return n.Map(r.part)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString:
	}
	return n
}

// wrongTag reports a tag that makes no sense in a definition, and returns the value without it.
func (r *resolver) wrongTag(tag string, n *source.Node) *source.Node {
	r.unread = true
	at := n.Members[0].KeySpan
	if key := Tags(tag); key != tag {
		r.problem(source.Error, source.RuleMalformedYAML, at, "YAML allows one tag before a value; write %s in its long form, %s:", tag, key)
	} else {
		r.problem(source.Error, source.RuleMalformedYAML, at, "the tag %s is not a function of CloudFormation", tag)
	}
	return n.Members[0].Node
}

// branch follows Fn::If to the value that it chooses, with the functions in that as they are; nil for none and for AWS::NoValue.
func (r *resolver) branch(n *source.Node) *source.Node {
	for range maxDepth {
		name, argument := intrinsicFunction(n)
		switch {
		case name == "Ref" && argument.Text() == noValue:
			return nil
		case name == "Fn::If" && len(argument.Items) == 3:
			n = r.choice(argument, n)
		default:
			return n
		}
	}
	return n
}

// text returns the content of a string, or of a function that makes one, with the places of its parts.
func (r *resolver) text(n *source.Node) *source.Text {
	name, argument := intrinsicFunction(n)
	text := &source.Text{}
	switch {
	case name == "Fn::Sub":
		return r.sub(argument)
	case name == "Fn::Join" && len(argument.Items) == 2 && argument.Items[1].Kind == value.KindArray:
		between := argument.Items[0].Text()
		first := true
		for _, item := range argument.Items[1].Items {
			if item = r.branch(item); item == nil {
				continue
			}
			part := r.text(item)
			if !r.writes(len(between)+len(part.Data), item.Span) {
				break
			}
			if !first {
				text.Insert(between, part.Position(0))
			}
			first = false
			text.Add(part, 0, len(part.Data))
		}
		return text
	case name == "Fn::If" && len(argument.Items) == 3:
		if chosen := r.branch(n); chosen != nil {
			return r.text(chosen)
		}
		return text
	case name == "" && n.Kind == value.KindString:
		return r.literal(n)
	case name == "Fn::Base64":
		return r.text(argument)
	}
	text.Insert(value.Plain(r.resolve(n).Value), n.Span.Start)
	return text
}

// sub carries out Fn::Sub: a text, or a text and a map of names.
func (r *resolver) sub(argument *source.Node) *source.Text {
	names, pattern := (*source.Node)(nil), argument
	if len(argument.Items) == 2 {
		pattern, names = argument.Items[0], argument.Items[1]
	}
	// ${!Name} is the template's form of a ${Name} that is not its own.
	whole := r.literal(pattern)
	r.noteLiterals(whole.Data)
	text, _ := whole.Substitute(func(name string) (string, bool) {
		if n := names.Get(name); n != nil {
			if r.written > maxText {
				return "", true
			}
			filled := value.Plain(r.resolve(n).Value)
			if !r.writes(len(filled), n.Span) {
				return "", true
			}
			return filled, true
		}
		if r.substitutions.Get(name) != nil {
			return "", false // left for DefinitionSubstitutions
		}
		at := pattern.Span
		if resource, attribute, found := strings.Cut(name, "."); found {
			return r.attributeOf(resource, attribute, at), true
		}
		return r.ref(name, at), true
	})
	return text.Replace("${!", "${")
}

// ref returns the value of Ref: of a parameter its value, of a resource its name.
func (r *resolver) ref(name string, at source.Span) string {
	if text, known := r.given(name); known {
		return text
	}
	switch name {
	case "AWS::Region":
		return r.home.region
	case "AWS::AccountId":
		return r.home.account
	case "AWS::Partition":
		return asl.PartitionOf(r.home.region)
	case "AWS::URLSuffix":
		return "amazonaws.com"
	case "AWS::StackName":
		return "stack"
	case "AWS::StackId":
		return r.home.start("cloudformation") + "stack/stack/id"
	}
	if parameter := r.template.root.Get("Parameters").Get(name); parameter != nil {
		if fallback := parameter.Get("Default"); fallback != nil {
			return value.Plain(fallback.Value)
		}
		return r.open(name, at)
	}
	resource := r.template.resource(name)
	if resource == nil {
		return r.unknownName(name, name, at)
	}
	kind := resource.kind()
	standIn := name
	switch kind { // whose Ref is an ARN or a URL
	case "AWS::SNS::Topic", stepFunctionsType, serverlessType, "AWS::StepFunctions::Activity", "AWS::SecretsManager::Secret", "AWS::ECS::TaskDefinition":
		standIn = r.arn(kind, name)
	case "AWS::SQS::Queue":
		standIn = "https://sqs." + r.home.region + ".amazonaws.com/" + r.home.account + "/" + name
	}
	return r.unresolved(name, standIn, at)
}

// attribute returns the value of Fn::GetAtt: the argument is "Name.Attribute" or a list of the two.
func (r *resolver) attribute(argument *source.Node, at source.Span) string {
	if len(argument.Items) == 2 {
		return r.attributeOf(argument.Items[0].Text(), value.Plain(r.resolve(argument.Items[1]).Value), at)
	}
	name, attribute, _ := strings.Cut(argument.Text(), ".")
	return r.attributeOf(name, attribute, at)
}

func (r *resolver) attributeOf(name, attribute string, at source.Span) string {
	full := name + "." + attribute
	if text, known := r.given(full); known {
		return text
	}
	standIn := "${" + full + "}"
	if r.template.resource(name) == nil {
		return r.unknownName(full, name, at)
	}
	if kind := r.template.resource(name).kind(); attribute == "Arn" && kind != "" {
		standIn = r.arn(kind, name)
	}
	return r.unresolved(full, standIn, at)
}

// selected carries out Fn::Select.
func (r *resolver) selected(argument, whole *source.Node) *source.Node {
	if len(argument.Items) == 2 {
		index, err := strconv.Atoi(value.Plain(r.resolve(argument.Items[0]).Value))
		if list := r.resolve(argument.Items[1]); err == nil && index >= 0 && index < len(list.Items) {
			return list.Items[index]
		}
	}
	return source.NewString(r.open("Fn::Select", whole.Span), whole.Span)
}

// split carries out Fn::Split.
func (r *resolver) split(argument, whole *source.Node) *source.Node {
	if len(argument.Items) != 2 || argument.Items[0].Text() == "" {
		return source.NewString(r.open("Fn::Split", whole.Span), whole.Span)
	}
	var items []*source.Node
	for part := range strings.SplitSeq(value.Plain(r.resolve(argument.Items[1]).Value), argument.Items[0].Text()) {
		items = append(items, source.NewString(part, whole.Span))
	}
	return source.NewArray(items, whole.Span)
}

// chosen carries out Fn::If.
func (r *resolver) chosen(argument, whole *source.Node) *source.Node {
	if len(argument.Items) != 3 {
		return source.NewString(r.open("Fn::If", whole.Span), whole.Span)
	}
	return r.part(r.choice(argument, whole))
}

// choice returns the value that Fn::If chooses, as it is written.
func (r *resolver) choice(argument, whole *source.Node) *source.Node {
	holds, known := r.condition(argument.Items[0].Text())
	if !known {
		name := argument.Items[0].Text()
		r.unresolved("the condition "+name, "true", whole.Span)
		holds = true
	}
	if holds {
		return argument.Items[1]
	}
	return argument.Items[2]
}

// condition evaluates a condition of the template by its name.
func (r *resolver) condition(name string) (holds, known bool) {
	v, begun := r.conditions[name]
	if !begun {
		r.conditions[name] = verdict{} // one that refers to itself has no value
		v.holds, v.known = r.test(r.template.root.Get("Conditions").Get(name))
		r.conditions[name] = v
	}
	return v.holds, v.known
}

func (r *resolver) test(n *source.Node) (holds, known bool) {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		return false, false
	}
	defer func() { r.depth-- }()
	name, argument := intrinsicFunction(n)
	switch name {
	case "Condition":
		return r.condition(argument.Text())
	case "Fn::Equals":
		if len(argument.Items) == 2 {
			return value.Plain(r.resolve(argument.Items[0]).Value) == value.Plain(r.resolve(argument.Items[1]).Value), true
		}
	case "Fn::Not":
		if len(argument.Items) == 1 {
			holds, known = r.test(argument.Items[0])
			return !holds, known
		}
	case "Fn::And", "Fn::Or":
		all := name == "Fn::And"
		for _, item := range argument.Items {
			one, sure := r.test(item)
			if !sure {
				return false, false
			}
			if one != all {
				return one, true
			}
		}
		return all, true
	}
	return false, false
}

// mapped carries out Fn::FindInMap; it returns nil where there is nothing.
func (r *resolver) mapped(argument *source.Node) *source.Node {
	if len(argument.Items) < 3 {
		return nil
	}
	at := r.template.root.Get("Mappings")
	for _, key := range argument.Items[:3] {
		at = at.Get(value.Plain(r.resolve(key).Value))
	}
	return at
}
