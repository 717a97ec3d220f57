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
			Summary:     "A Path begins with $, $$ or $name, and is JSONPath.",
			Explanation: "$ is the data, $$ the context object, $name a variable. Filters compare with quoted words: [?(@.name == 'x')].",
			Wrong:       one(`"Type": "Pass", "InputPath": "order.id", "End": true`),
			Right:       one(`"Type": "Pass", "InputPath": "$.order.id", "End": true`),
		}, {
			Name: ReferencePath, Section: section,
			Summary:     "A Reference Path leads to one place: names and indexes only.",
			Explanation: "No wildcards, slices, filters, unions or \"..\": the field writes to, or reads, a single node. A ResultPath begins with $ and cannot lead into the context object or a variable.",
			Wrong:       one(`"Type": "Pass", "ResultPath": "$.orders[*]", "End": true`),
			Right:       one(`"Type": "Pass", "ResultPath": "$.orders[0]", "End": true`),
		}, {
			Name: UnknownContext, Severity: source.Warning, Section: "Developer guide: Context object",
			Summary:     "A path into the context object should name a field that it has there.",
			Explanation: "Execution (Id, Name, RoleArn, Input, StartTime, RedriveCount, RedriveTime), State (Name, EnteredTime, RetryCount), StateMachine (Id, Name); Task.Token in Tasks that wait for it; Map.Item in a Map's ItemSelector.",
			Wrong:       task(`"Parameters": {"id.$": "$$.Execution.ID"}`),
			Right:       task(`"Parameters": {"id.$": "$$.Execution.Id"}`),
		}, {
			Name: UnquotedWord, Severity: source.Warning, Section: section,
			Summary:     "A word that a filter compares with should stand in quotes.",
			Explanation: "The language's JSONPath library has no words without quotes, yet deployed workflows have them. AWS's answer is not known; asldb compares the word as text, and refuses it in the dialect spec.",
			Wrong:       one(`"Type": "Pass", "InputPath": "$.fields[?(@.name == Receipt)]", "End": true`),
			Right:       one(`"Type": "Pass", "InputPath": "$.fields[?(@.name == 'Receipt')]", "End": true`),
		},
	}
}
