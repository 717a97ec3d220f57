package rules

import "asldb/engine/source"

// The rules about payload templates.
const (
	TemplateValue     = "invalid-payload-template-value"
	TemplateCollision = "payload-key-collision"
	LiteralPath       = "path-in-literal"
	ResultTemplate    = "template-in-result"
	CallFails         = "intrinsic-always-fails"
)

func templateRules() []Rule {
	const section = "States Language: Payload Template; Intrinsic Functions"
	return []Rule{
		{
			Name: TemplateValue, Section: section,
			Summary:     "A field whose name ends in .$ holds a Path or a call of an intrinsic function.",
			Explanation: "The call must be of a function that there is, with the number of arguments that it takes, nested at most 10 deep, and with the escapes \\' \\{ \\} \\\\ only.",
			Wrong:       task(`"Parameters": {"name.$": "States.Formt('{}', $.name)"}`),
			Right:       task(`"Parameters": {"name.$": "States.Format('{}', $.name)"}`),
		}, {
			Name: TemplateCollision, Section: section,
			Summary:     "A template has not both \"x\" and \"x.$\".",
			Explanation: "The suffix is taken off, so that both would give the field x.",
			Wrong:       task(`"Parameters": {"name": "x", "name.$": "$.name"}`),
			Right:       task(`"Parameters": {"name.$": "$.name"}`),
		}, {
			Name: LiteralPath, Severity: source.Warning, Section: section,
			Summary:     "A Path or a call stands in a field without .$, where it is a plain string.",
			Explanation: "Only fields whose names end in .$ are evaluated; the task gets the text \"$.id\" itself. In a JSONata state only strings {% … %} are evaluated.",
			Wrong:       task(`"Parameters": {"id": "$.order.id"}`),
			Right:       task(`"Parameters": {"id.$": "$.order.id"}`),
		}, {
			Name: CallFails, Severity: source.Warning, Section: "States Language: Intrinsic Functions",
			Summary:     "A call of an intrinsic function should be one that can work.",
			Explanation: "A literal template of States.Format has as many {} as there are arguments behind it; calls with literals only are evaluated. The run would end with States.IntrinsicFailure.",
			Wrong:       task(`"Parameters": {"text.$": "States.Format('{} and {}', $.name)"}`),
			Right:       task(`"Parameters": {"text.$": "States.Format('{} and {}', $.name, $.other)"}`),
		}, {
			Name: ResultTemplate, Severity: source.Warning, Section: "States Language: Pass State",
			Summary:     "A Pass state's Result is taken as it is: fields that end in .$ are not evaluated.",
			Explanation: "Use Parameters for values that come from the input.",
			Wrong:       one(`"Type": "Pass", "Result": {"id.$": "$.order.id"}, "End": true`),
			Right:       one(`"Type": "Pass", "Parameters": {"id.$": "$.order.id"}, "End": true`),
		},
	}
}
