package rules

import "asldb/engine/source"

// The rules about payload templates.
const (
	TemplateValue     = "invalid-payload-template-value"
	TemplateCollision = "payload-key-collision"
	LiteralPath       = "path-in-literal"
	ResultTemplate    = "template-in-result"
	LiteralInPath     = "path-in-constant"
	CallFails         = "intrinsic-always-fails"
)

func templateRules() []Rule {
	const section = "States Language: Payload Template; Intrinsic Functions"
	return []Rule{
		{
			Name: TemplateValue, Section: section,
			Summary:     "A field whose name ends in .$ must be a Path or a call of an intrinsic function.",
			Explanation: "The function must exist and get the right number of arguments. Calls are nested at most 10 deep, and the only escapes are \\' \\{ \\} \\\\.",
			Wrong:       task(`"Parameters": {"name.$": "States.Formt('{}', $.name)"}`),
			Right:       task(`"Parameters": {"name.$": "States.Format('{}', $.name)"}`),
		}, {
			Name: TemplateCollision, Section: section,
			Summary:     "A template must not have both \"x\" and \"x.$\".",
			Explanation: "The suffix is removed, so both would be the field x.",
			Wrong:       task(`"Parameters": {"name": "x", "name.$": "$.name"}`),
			Right:       task(`"Parameters": {"name.$": "$.name"}`),
		}, {
			Name: LiteralPath, Code: CodeDollar, Severity: source.Warning, Section: section,
			Summary:     "A Path or an intrinsic function in a field without .$ is a plain string.",
			Explanation: "Only fields whose names end in .$ are evaluated; the task gets the text \"$.id\". In a JSONata state only strings {% … %} are evaluated.",
			Wrong:       task(`"Parameters": {"id": "$.order.id"}`),
			Right:       task(`"Parameters": {"id.$": "$.order.id"}`),
		}, {
			Name: CallFails, Severity: source.Warning, Section: "States Language: Intrinsic Functions",
			Summary:     "A call of an intrinsic function should not always fail.",
			Explanation: "The template of States.Format must have one {} per argument; calls whose arguments are all literals are evaluated. The execution ends with States.Runtime, which no catcher takes.",
			Wrong:       task(`"Parameters": {"text.$": "States.Format('{} and {}', $.name)"}`),
			Right:       task(`"Parameters": {"text.$": "States.Format('{} and {}', $.name, $.other)"}`),
		}, {
			Name: ResultTemplate, Code: CodeStatic, Severity: source.Warning, Section: "States Language: Pass State",
			Summary:     "Paths and fields that end in .$ are not evaluated in a Pass state's Result.",
			Explanation: "Use Parameters for values that come from the input.",
			Wrong:       one(`"Type": "Pass", "Result": {"id.$": "$.order.id"}, "End": true`),
			Right:       one(`"Type": "Pass", "Parameters": {"id.$": "$.order.id"}, "End": true`),
		}, {
			Name: LiteralInPath, Code: CodePath, Severity: source.Warning, Section: "States Language: Choice State; Fail State",
			Summary:     "A Path in a field for constants is a plain string.",
			Explanation: "Fields whose names end in Path read the value: StringEqualsPath, ErrorPath, CausePath.",
			Wrong:       one(`"Type": "Fail", "Cause": "$.error.Cause"`),
			Right:       one(`"Type": "Fail", "CausePath": "$.error.Cause"`),
		},
	}
}
