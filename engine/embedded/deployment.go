package embedded

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// home is where a template is deployed. What it does not tell has a value of the shape that AWS gives, so that ARNs made of it
// are ones that can be read.
type home struct{ region, account string }

// defaultHome is the home that no template tells.
var defaultHome = home{"us-east-1", "123456789012"}

// start returns the ARNs of a service up to the resource.
func (h home) start(service string) string {
	return "arn:" + asl.PartitionOf(h.region) + ":" + service + ":" + h.region + ":" + h.account + ":"
}

// arn makes the ARN that a resource of a type could have.
func (h home) arn(kind, name string) string {
	switch kind {
	case "AWS::Lambda::Function", "AWS::Serverless::Function":
		return h.start("lambda") + "function:" + name
	case stepFunctionsType, serverlessType:
		return h.start("states") + "stateMachine:" + name
	case "AWS::StepFunctions::Activity":
		return h.start("states") + "activity:" + name
	case "AWS::DynamoDB::Table", "AWS::Serverless::SimpleTable":
		return h.start("dynamodb") + "table/" + name
	case "AWS::SNS::Topic", "AWS::SQS::Queue":
		return h.start(strings.ToLower(strings.Split(kind, "::")[1])) + name
	case "AWS::IAM::Role":
		return "arn:" + asl.PartitionOf(h.region) + ":iam::" + h.account + ":role/" + name
	case "AWS::S3::Bucket":
		return "arn:" + asl.PartitionOf(h.region) + ":s3:::" + strings.ToLower(name)
	case "AWS::ECS::Cluster", "AWS::ECS::TaskDefinition":
		return h.start("ecs") + strings.ToLower(kind[len("AWS::ECS::"):]) + "/" + name
	case "AWS::Events::EventBus":
		return h.start("events") + "event-bus/" + name
	}
	service := "cloudformation"
	if parts := strings.Split(kind, "::"); len(parts) == 3 {
		service = strings.ToLower(parts[1])
	}
	return h.start(service) + name
}

// setHome notes where the template is deployed: as the user says, else as the CDK's manifest beside the template does.
func (r *resolver) setHome() {
	if r.template.home == nil {
		h := environment(r.template.file, r.options.Open)
		r.template.home = &h
	}
	r.known = *r.template.home
	if text, given := r.given("AWS::Region"); given {
		r.known.region = text
	}
	if text, given := r.given("AWS::AccountId"); given {
		r.known.account = text
	}
	r.home = home{cmp.Or(r.known.region, defaultHome.region), cmp.Or(r.known.account, defaultHome.account)}
}

// environment returns the home of a template of the CDK, as the manifest.json beside it has it, aws://ACCOUNT/REGION.
func environment(file *source.File, open func(name string) (*source.File, error)) (h home) {
	if open == nil || file == nil || !strings.HasSuffix(file.Name, ".template.json") {
		return h
	}
	manifest, err := open("manifest.json")
	if err != nil {
		return h
	}
	root, _ := source.Read(manifest, nil)
	artifacts := root.Get("artifacts")
	if artifacts == nil {
		return h
	}
	for i := range artifacts.Members {
		artifact := artifacts.Members[i].Node
		place, found := strings.CutPrefix(artifact.Get("environment").Text(), "aws://")
		if artifact.Get("properties").Get("templateFile").Text() != filepath.Base(file.Name) || !found {
			continue
		}
		h.account, h.region, _ = strings.Cut(place, "/")
		if strings.HasPrefix(h.account, "unknown-") {
			h.account = ""
		}
		if strings.HasPrefix(h.region, "unknown-") {
			h.region = ""
		}
	}
	return h
}

// arn makes the ARN that a resource of the template could have.
func (r *resolver) arn(kind, name string) string {
	if resource := r.template.resource(name); isMachine(kind) && !r.naming {
		name = cmp.Or(r.template.quiet(resource, r.options).property("StateMachineName", "Name"), name)
	}
	return r.home.arn(kind, name)
}

func isMachine(kind string) bool { return kind == stepFunctionsType || kind == serverlessType }

// quiet evaluates the properties of a resource, and reports nothing.
type quiet struct {
	*resolver
	properties *source.Node
}

func (t *Template) quiet(of *resource, o Options) quiet {
	r := newResolver(t, o)
	r.loops, r.naming = of.loops, true
	return quiet{r, of.node.Get("Properties")}
}

// property returns the text of the first property there is of those names; empty where only a deployment knows it.
func (q quiet) property(names ...string) string {
	for _, name := range names {
		n := q.properties
		for part := range strings.SplitSeq(name, ".") {
			if n = q.branch(n.Get(part)); n == nil {
				break
			}
		}
		if n == nil {
			continue
		}
		if text := q.resolve(n).Text(); !strings.Contains(text, "${") {
			return text
		}
	}
	return ""
}

// deployment returns what the template says of a machine besides its definition.
func (t *Template) deployment(machine *resource, o Options) asl.Deployment {
	q := t.quiet(machine, o)
	name := q.property("StateMachineName", "Name")
	if own := machine.node.Get("Properties"); cmp.Or(own.Get("StateMachineName"), own.Get("Name")) == nil {
		name = machine.name
	}
	return asl.Deployment{
		Name: name, Role: q.property("RoleArn", "Role"),
		Logging: q.property("LoggingConfiguration.Level", "Logging.Level"),
		Region:  q.known.region, Account: q.known.account,
	}
}

// attribute returns the text of an attribute of a machine; empty where only Terraform knows it.
func (r *reader) attribute(of map[string]hclsyntax.Expression, name string) string {
	if of[name] == nil {
		return ""
	}
	v, _ := r.evaluated(of[name], nil)
	text, _ := v.(value.String)
	return string(text)
}

// deployment returns what the configuration says of a machine besides its definition.
func (r *reader) deployment(machine *terraformMachine) asl.Deployment {
	name := r.attribute(machine.attributes, "name")
	if machine.attributes["name"] == nil {
		name = machine.name
	}
	d := asl.Deployment{
		Name: name, Role: r.attribute(machine.attributes, "role_arn"),
		Logging: r.attribute(machine.attributes, loggingLevel), Region: r.region(),
	}
	if names := traversal(machine.attributes["role_arn"]); d.Role == "" && len(names) == 3 &&
		names[0] == "aws_iam_role" {
		d.Role = r.home().arn("AWS::IAM::Role", names[1])
	}
	return d
}

// region returns the region that the provider names; empty where only Terraform knows it.
func (r *reader) region() string {
	return r.attribute(map[string]hclsyntax.Expression{"region": r.module.region}, "region")
}

func (r *reader) home() home {
	return home{cmp.Or(r.region(), defaultHome.region), defaultHome.account}
}

// deployed returns the value of a reference that follows from the region and from names: the ARN of another machine, and the data
// sources of the region and its partition. It is empty of others.
func (r *reader) deployed(names []string) string {
	switch {
	case len(names) == 3 && names[0] == resourceType && (names[2] == "arn" || names[2] == "id"):
		if attributes := r.module.resources[resourceType+"."+names[1]]; attributes != nil {
			return r.home().arn(stepFunctionsType, cmp.Or(r.attribute(attributes, "name"), names[1]))
		}
	case len(names) == 4 && names[0] == "data" && names[1] == "aws_region" && names[3] != "description":
		return r.region()
	case len(names) == 4 && names[0] == "data" && names[1] == "aws_partition" && names[3] == "partition" && r.region() != "":
		return asl.PartitionOf(r.region())
	}
	return ""
}
