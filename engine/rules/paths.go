package rules

import "asldb/engine/source"

// The rules about paths.
const (
	Path           = "invalid-path"
	ReferencePath  = "invalid-reference-path"
	UnknownContext = "unknown-context-field"
	UnquotedWord   = "unquoted-word"
)

func pathRules() []Rule {
	const section = "States Language: Paths, Reference Paths"
	return []Rule{
		{
			Name: Path, Section: section,
			Summary:     "A Path must be valid JSONPath and begin with $, $$ or $name.",
			Explanation: "$ is the data, $$ the context object, $name a variable. Strings in filters are quoted: [?(@.name == 'x')].",
			Wrong:       one(`"Type": "Pass", "InputPath": "order.id", "End": true`),
			Right:       one(`"Type": "Pass", "InputPath": "$.order.id", "End": true`),
		}, {
			Name: ReferencePath, Section: section,
			Summary:     "A Reference Path must identify a single node: only names and indexes.",
			Explanation: "Wildcards, slices, filters, unions and \"..\" are not allowed. A ResultPath begins with $ and cannot refer to the context object or a variable.",
			Wrong:       one(`"Type": "Pass", "ResultPath": "$.orders[*]", "End": true`),
			Right:       one(`"Type": "Pass", "ResultPath": "$.orders[0]", "End": true`),
		}, {
			Name: UnknownContext, Severity: source.Warning, Section: "Developer guide: Context object",
			Summary:     "A path into the context object should name one of its fields.",
			Explanation: "Execution (Id, Name, RoleArn, Input, StartTime, RedriveCount, RedriveTime), State (Name, EnteredTime, RetryCount), StateMachine (Id, Name); Task.Token in Tasks that wait for it; Map.Item in a Map's ItemSelector.",
			Wrong:       task(`"Parameters": {"id.$": "$$.Execution.ID"}`),
			Right:       task(`"Parameters": {"id.$": "$$.Execution.Id"}`),
		}, {
			Name: UnquotedWord, Severity: source.Warning, Section: section,
			Summary:     "A string in a filter should be quoted.",
			Explanation: "Unquoted words occur in deployed workflows, but the JSONPath grammar does not have them. How the service evaluates them is not known; asldb compares them as strings, and rejects them with --dialect spec.",
			Wrong:       one(`"Type": "Pass", "InputPath": "$.fields[?(@.name == Receipt)]", "End": true`),
			Right:       one(`"Type": "Pass", "InputPath": "$.fields[?(@.name == 'Receipt')]", "End": true`),
		},
	}
}
