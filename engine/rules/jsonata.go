package rules

import "asldb/engine/source"

// The rules about JSONata.
const (
	JSONata            = "invalid-jsonata"
	UnsupportedJSONata = "unsupported-jsonata"
	UnknownFunction    = "unknown-function"
	JSONataInLiteral   = "jsonata-in-literal"
)

func jsonataRules() []Rule {
	const section = "States Language: Using JSONata expressions; Reserved variable $states"
	return []Rule{
		{
			Name: JSONata, Code: CodeJSONata, Section: section,
			Summary:     "A {% … %} expression must be valid JSONata.",
			Explanation: "JSONata compares with = and !=, joins conditions with and and or, and negates with $not(...). A string that begins with {% must end with %}.",
			Wrong:       query(`"A": {"Type": "Pass", "Output": "{% $states.input.n == 1 %}", "End": true}`),
			Right:       query(`"A": {"Type": "Pass", "Output": "{% $states.input.n = 1 %}", "End": true}`),
		}, {
			Name: UnsupportedJSONata, Code: CodeReference, Section: section,
			Summary:     "An expression can refer only to variables and to the members of $states available in its field.",
			Explanation: "There is no context at the top level of an expression: write $states.input.phone for phone and for $.phone. $states.input and $states.context are available everywhere, $states.result in Output and Assign of Task, Parallel and Map states, $states.errorOutput in those of a catcher.",
			Wrong:       query(`"A": {"Type": "Pass", "Output": "{% phone %}", "End": true}`),
			Right:       query(`"A": {"Type": "Pass", "Output": "{% $states.input.phone %}", "End": true}`),
		}, {
			Name: UnknownFunction, Severity: source.Warning, Section: "Developer guide: JSONata functions",
			Summary:     "The expression calls a function that does not exist.",
			Explanation: "The evaluation fails with T1006. Step Functions has JSONata's functions except $eval, and $partition, $range, $hash, $random, $uuid and $parse. A variable holds JSON, never a function.",
			Wrong:       query(`"A": {"Type": "Pass", "Output": "{% $lenght($states.input.name) %}", "End": true}`),
			Right:       query(`"A": {"Type": "Pass", "Output": "{% $length($states.input.name) %}", "End": true}`),
		}, {
			Name: JSONataInLiteral, Severity: source.Warning, Section: section,
			Summary:     "{% … %} is a plain string here.",
			Explanation: "A string is an expression only in a JSONata state, and only when it begins with {% and ends with %}, without a space before or after.",
			Wrong:       query(`"A": {"Type": "Pass", "Output": {"id": " {% $states.input.id %}"}, "End": true}`),
			Right:       query(`"A": {"Type": "Pass", "Output": {"id": "{% $states.input.id %}"}, "End": true}`),
		},
	}
}
