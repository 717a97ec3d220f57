package rules

import "asldb/engine/source"

// The rules about JSONata.
const (
	JSONata          = "invalid-jsonata"
	JSONataInLiteral = "jsonata-in-literal"
)

func jsonataRules() []Rule {
	const section = "States Language: Using JSONata expressions; Reserved variable $states"
	return []Rule{
		{
			Name: JSONata, Section: section,
			Summary:     "An expression {% … %} must be JSONata, and use only the parts of $states that its field has.",
			Explanation: "$states.input and $states.context are there everywhere, $states.result in Output and Assign of states that do work, $states.errorOutput in those of a catcher. A string that begins with {% must end with %}.",
			Wrong:       jsonata(`"A": {"Type": "Pass", "Output": "{% $states.result %}", "End": true}`),
			Right:       jsonata(`"A": {"Type": "Pass", "Output": "{% $states.input %}", "End": true}`),
		}, {
			Name: JSONataInLiteral, Severity: source.Warning, Section: section,
			Summary:     "{% … %} stands where it is a plain string.",
			Explanation: "A string is an expression only in a JSONata state, and only when it begins with {% and ends with %}, without a blank before or behind.",
			Wrong:       jsonata(`"A": {"Type": "Pass", "Output": {"id": " {% $states.input.id %}"}, "End": true}`),
			Right:       jsonata(`"A": {"Type": "Pass", "Output": {"id": "{% $states.input.id %}"}, "End": true}`),
		},
	}
}
