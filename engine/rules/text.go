package rules

import "asldb/engine/source"

// The rules about the text, before it means anything.
const (
	DuplicateKey           = "duplicate-json-key"
	UnresolvedSubstitution = "unresolved-substitution"
	UnresolvedReference    = "unresolved-reference"
	MissingSubstitution    = "missing-substitution"
	UnknownReference       = "unknown-reference"
	DefinitionNotFound     = "definition-not-found"
)

func textRules() []Rule {
	const text = "RFC 8259; the service's ValidateStateMachineDefinition"
	return []Rule{
		{
			Name: source.RuleMalformed, Code: CodeJSON, Section: text,
			Summary:     "The definition must be valid JSON.",
			Explanation: "The definition cannot be read otherwise. Common causes: a missing or an extra comma, a comment, an unquoted ${placeholder}.",
			Wrong:       "{\"StartAt\": \"A\",}",
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: source.RuleMalformedYAML, Code: CodeJSON, Section: "YAML 1.2",
			Summary:     "The definition must be valid YAML.",
			Explanation: "A YAML definition is converted to JSON before it is deployed. Common causes: tabs, wrong indentation, an unquoted value with a colon.",
			Wrong:       "StartAt: A\nStates:\n  A: {Type: Succeed\n",
			Right:       "StartAt: A\nStates:\n  A: {Type: Succeed}\n",
		}, {
			Name: source.RuleTooLarge, Code: CodeSchema, Section: "Quotas: maximum definition size 1 MB",
			Summary:     "A definition must not have more than 1,048,576 characters.",
			Explanation: "The service rejects larger definitions; asldb runs them. Split the machine into nested executions, or move large constants elsewhere.",
		}, {
			Name: DuplicateKey, Section: "States Language: field names are unique",
			Summary:     "An object must not have duplicate keys.",
			Explanation: "Of two fields with the same name, parsers use the first, the last, or reject both. A common cause is a copied state that was not renamed.",
			Wrong:       one(`"Type": "Pass", "End": true, "End": true`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: UnresolvedSubstitution, Severity: source.Hint, Section: "DefinitionSubstitutions",
			Summary:     "Every ${Name} should have a value.",
			Explanation: "Without a value, the text is left as it is. Pass one with --substitute Name=VALUE or --substitutions FILE.",
		}, {
			Name: UnresolvedReference, Severity: source.Hint, Section: "CloudFormation intrinsic functions",
			Summary:     "Some values of a template are known only after deployment.",
			Explanation: "The names and ARNs of resources, exports, and parameters without a default are known only after deployment. A placeholder of the same form is checked in place of each. Pass the value with --substitute Name=VALUE.",
		}, {
			Name: MissingSubstitution, Severity: source.Warning, Section: "DefinitionSubstitutions",
			Summary:     "Every ${Name} of a definition in a template must be in its DefinitionSubstitutions.",
			Explanation: "Without a value, the text ${Name} is deployed as it is. Names are case-sensitive: DefinitionSubstitutions: {topicArn: ...} gives ${topicArn}, and not ${TopicArn}. In Fn::Sub, write ${!Name} for a literal ${Name}.",
		}, {
			Name: UnknownReference, Severity: source.Warning, Section: "CloudFormation intrinsic functions",
			Summary:     "Ref, GetAtt and Sub must name a parameter or resource of the template.",
			Explanation: "CloudFormation rejects a template with a reference to a name that is not in it.",
		}, {
			Name: DefinitionNotFound, Section: "AWS::StepFunctions::StateMachine; AWS::Serverless::StateMachine",
			Summary:     "A template must have a state machine with a readable definition.",
			Explanation: "asldb reads DefinitionString, Definition, and the file in DefinitionUri. If the template has several machines, choose one with --resource.",
		},
	}
}
