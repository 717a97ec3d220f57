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
			Summary:     "A {% … %} expression must be valid JSONata and use only the members of $states available in its field.",
			Explanation: "$states.input and $states.context are available everywhere, $states.result in Output and Assign of Task, Parallel and Map states, $states.errorOutput in those of a catcher. A string that begins with {% must end with %}.",
			Wrong:       jsonata(`"A": {"Type": "Pass", "Output": "{% $states.result %}", "End": true}`),
			Right:       jsonata(`"A": {"Type": "Pass", "Output": "{% $states.input %}", "End": true}`),
		}, {
			Name: JSONataInLiteral, Severity: source.Warning, Section: section,
			Summary:     "{% … %} is a plain string here.",
			Explanation: "A string is an expression only in a JSONata state, and only when it begins with {% and ends with %}, without a space before or after.",
			Wrong:       jsonata(`"A": {"Type": "Pass", "Output": {"id": " {% $states.input.id %}"}, "End": true}`),
			Right:       jsonata(`"A": {"Type": "Pass", "Output": {"id": "{% $states.input.id %}"}, "End": true}`),
		},
	}
}
