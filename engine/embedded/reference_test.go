package embedded

import (
	"strings"
	"testing"

	"asldb/engine/source"
)

// problemsOf returns the problems of a template's one machine, a line for each.
func problemsOf(t *testing.T, text string, open func(string) (*source.File, error)) string {
	t.Helper()
	template, _ := read(t, "template.yaml", text)
	_, problems, err := template.Definition(Options{Open: open})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range problems {
		line := p.File.Name + " " + p.Severity.String() + " " + p.Rule + ": " + p.Message
		if p.Suggestion != "" {
			line += "; " + p.Suggestion
		}
		for _, reason := range p.Reasons {
			line += "; " + reason.String()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Values known only after deployment are one hint; a name that nothing gives is a warning with the name probably meant.
func TestReferences(t *testing.T) {
	const head = "Transform: AWS::Serverless-2016-10-31\nParameters:\n  Owner: {Type: String}\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n  Charge: {Type: AWS::Serverless::Function}\n" +
		"  M:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n"
	open := func(name string) (*source.File, error) {
		return &source.File{Name: name, Data: []byte(
			`{"StartAt": "A", "Comment": "${TopicArn} ${topicArn} ${TopicArn} ${Other}", "States": {}}`)}, nil
	}
	for name, test := range map[string]struct{ properties, want string }{
		"a substitution with other letters": {
			"DefinitionUri: m.json, DefinitionSubstitutions: {topicArn: !Ref Topic}",
			`m.json warning missing-substitution: DefinitionSubstitutions does not give ${TopicArn}, which stays as it is written; did you mean "topicArn"?; DefinitionSubstitutions gives topicArn (line 10)
m.json warning missing-substitution: DefinitionSubstitutions does not give ${Other}, which stays as it is written; DefinitionSubstitutions gives topicArn (line 10)
template.yaml hint unresolved-reference: 1 value is known only after deployment, and a placeholder is checked here: Topic`,
		},
		"all given": {"DefinitionUri: m.json, DefinitionSubstitutions: {topicArn: a, TopicArn: b, Other: c}",
			""},
		"a literal of Sub": {`Definition: {Comment: !Sub "${!Name} of ${AWS::Region}"}`, ""},
		"a literal that is given": {`Definition: {Comment: !Sub "${!Name}"}, DefinitionSubstitutions: {Name: x}`,
			""},
		"a literal in a string": {`DefinitionString: !Sub '{"Comment": "${!Name}"}'`, ""},
		"a resource that SAM generates": {`Definition: {Comment: !GetAtt ChargeRole.Arn}`,
			`template.yaml hint unresolved-reference: 1 value is known only after deployment, and a placeholder is checked here: ChargeRole.Arn`},
		"a resource that is not there": {`Definition: {Comment: !GetAtt Topik.Arn}`,
			`template.yaml warning unknown-reference: the template has no parameter or resource "Topik"; did you mean "Topic"?`},
		"a parameter that is not there": {`Definition: {Comment: !Sub "${Ovner}"}`,
			`template.yaml warning unknown-reference: the template has no parameter or resource "Ovner"; did you mean "Owner"?`},
		"known later": {`Definition: {Comment: !Sub "${Owner} ${Charge.Arn} ${Topic}", A: !ImportValue x, B: !GetAZs ""}`, `template.yaml hint unresolved-reference: 5 values are known only after deployment, and placeholders are checked here: Owner, Charge.Arn, Topic, x, Fn::GetAZs`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := problemsOf(t, head+"      {"+test.properties+"}\n", open); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
