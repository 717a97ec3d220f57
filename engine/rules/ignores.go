package rules

import "asldb/engine/source"

// The rules about ignores.
const (
	UnusedIgnore  = "unused-ignore"
	InvalidIgnore = "invalid-ignore"
)

func ignoreRules() []Rule {
	const section = "asldb: docs/rules.md"
	return []Rule{
		{
			Name: UnusedIgnore, Severity: source.Hint, Section: section,
			Summary:     "An ignore should be for a problem.",
			Explanation: "There is no such problem in the state (or in the files of the entry in .asldb.yaml): it was mended, or the ignore is in another state. An ignore that is left over would hide the problem if it came back.",
			Wrong: one(`"Type": "Pass", "End": true,
          "Comment": "asldb:ignore discarded-data: the input is not needed"`),
			Right: one(`"Type": "Pass", "End": true,
          "Comment": "The input is not needed."`),
		}, {
			Name: InvalidIgnore, Severity: source.Warning, Section: section,
			Summary:     "An ignore must name a rule and give a reason.",
			Explanation: "It is written as asldb:ignore RULE: REASON, with several rules separated by commas. It has no effect otherwise.",
			Wrong: one(`"Type": "Pass", "Assign": {"total": 1}, "End": true,
          "Comment": "asldb:ignore unused-variable"`),
			Right: one(`"Type": "Pass", "Assign": {"total": 1}, "End": true,
          "Comment": "asldb:ignore unused-variable: a reader of the history wants it"`),
		},
	}
}
