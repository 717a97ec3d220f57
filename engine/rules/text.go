package rules

import "asldb/engine/source"

// The rules about the text, before it means anything.
const (
	DuplicateKey           = "duplicate-json-key"
	UnresolvedSubstitution = "unresolved-substitution"
	UnresolvedReference    = "unresolved-reference"
	DefinitionNotFound     = "definition-not-found"
)

func textRules() []Rule {
	const text = "RFC 8259; the service's ValidateStateMachineDefinition"
	return []Rule{
		{
			Name: source.RuleMalformed, Code: CodeJSON, Section: text,
			Summary:     "The text must be JSON.",
			Explanation: "Nothing of a definition can be read before its text is JSON. Usual causes: a comma too many or too few, a comment, an unquoted ${placeholder}.",
			Wrong:       "{\"StartAt\": \"A\",}",
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: source.RuleMalformedYAML, Code: CodeJSON, Section: "YAML 1.2",
			Summary:     "The text must be YAML.",
			Explanation: "A definition in YAML is turned into JSON before it is deployed. Usual causes: tabs, wrong indentation, a value with a colon that is not in quotes.",
			Wrong:       "StartAt: A\nStates:\n  A: {Type: Succeed\n",
			Right:       "StartAt: A\nStates:\n  A: {Type: Succeed}\n",
		}, {
			Name: source.RuleTooLarge, Severity: source.Warning, Code: CodeSchema, Section: "Quotas: maximum definition size 1 MB",
			Summary:     "A definition has at most 1 MB.",
			Explanation: "The service refuses a larger one; here it runs all the same, so that this is a warning. Split it with nested executions, or keep large constants elsewhere.",
		}, {
			Name: DuplicateKey, Section: "States Language: field names are unique",
			Summary:     "An object has every key once.",
			Explanation: "Of two fields with one name, readers take the first, the last, or neither. It is most often a copied state whose name was not changed.",
			Wrong:       one(`"Type": "Pass", "End": true, "End": true`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: UnresolvedSubstitution, Severity: source.Hint, Section: "DefinitionSubstitutions",
			Summary:     "Every ${Name} should have a value.",
			Explanation: "Without a value the text stays as it is written. Give one with --substitute Name=VALUE or --substitutions FILE.",
		}, {
			Name: UnresolvedReference, Severity: source.Warning, Section: "CloudFormation intrinsic functions",
			Summary:     "A template's function should be one whose value is known.",
			Explanation: "What only a deployed stack knows (a GetAtt, an ImportValue) stays as it is written. Give a value with --substitute.",
		}, {
			Name: DefinitionNotFound, Section: "AWS::StepFunctions::StateMachine; AWS::Serverless::StateMachine",
			Summary:     "A template must have a state machine with a definition that can be read.",
			Explanation: "It is in DefinitionString, Definition, or the file of DefinitionUri. Of several machines --resource chooses one.",
		},
	}
}
