package rules

import "strings"

// pages are the pages of sections, by how a section begins; the first that matches is the section's.
var pages = []struct{ section, url string }{
	{"States Language", "https://states-language.net/"},
	{"Developer guide: Context object", guide + "input-output-contextobject.html"},
	{"Developer guide: Error names", guide + "concepts-error-handling.html"},
	{"Developer guide: JSONata", guide + "transforming-data.html"},
	{"Developer guide: ItemReader", guide + "input-output-itemreader.html"},
	{"Developer guide: Map state", guide + "state-map.html"},
	{"Developer guide: Standard and Express", guide + "choosing-workflow-type.html"},
	{"Developer guide: Variable scope", guide + "workflow-variables.html"},
	{"Developer guide: Wait for a callback", guide + "connect-to-resource.html"},
	{"Developer guide: Integrating services", guide + "integrate-services.html"},
	{"Developer guide: AWS SDK", guide + "supported-services-awssdk.html"},
	{"Developer guide: Starting executions", guide + "connect-stepfunctions.html"},
	{"Developer guide: Best practices", guide + "sfn-best-practices.html"},
	{"Quotas", guide + "service-quotas.html"},
	{"API reference", reference},
	{"RFC 8259", reference},
	{"YAML", "https://yaml.org/spec/1.2.2/"},
	{"DefinitionSubstitutions", cloudformation + "aws-resource-stepfunctions-statemachine.html"},
	{"AWS::StepFunctions::StateMachine", cloudformation + "aws-resource-stepfunctions-statemachine.html"},
	{"CloudFormation intrinsic functions", cloudformation + "intrinsic-function-reference.html"},
}

const (
	guide          = "https://docs.aws.amazon.com/step-functions/latest/dg/"
	reference      = "https://docs.aws.amazon.com/step-functions/latest/apireference/API_ValidateStateMachineDefinition.html"
	cloudformation = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/"
)

// URL returns the address of the page with the rule's Section; empty for rules of asldb's own.
func (r Rule) URL() string {
	for _, p := range pages {
		if strings.HasPrefix(r.Section, p.section) {
			return p.url
		}
	}
	return ""
}
