package embedded

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

func read(t *testing.T, name, text string) (*Template, *source.File) {
	t.Helper()
	f := &source.File{Name: name, Data: []byte(text)}
	root, problem := source.Read(f, Tags)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	if !IsCloudFormation(root) {
		t.Fatal("it is not taken for a template")
	}
	return OfCloudFormation(f, root), f
}

const sam = `AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Parameters:
  Stage: {Type: String, Default: dev}
  Owner: {Type: String}
Mappings:
  Delays:
    dev: {seconds: 5}
Conditions:
  IsDev: !Equals [!Ref Stage, dev]
  IsProd: !Not [!Condition IsDev]
Resources:
  Charge:
    Type: AWS::Serverless::Function
  Written:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: Pay
        States:
          Pay:
            Type: Task
            Resource: !GetAtt Charge.Arn
            Comment: !Sub "${Stage} of ${Owner} with ${!Later}"
            TimeoutSeconds: !FindInMap [Delays, !Ref Stage, seconds]
            Next: !If [IsProd, Real, Test]
          Test: {Type: Pass, Result: "${Topic}", End: true}
      DefinitionSubstitutions:
        Topic: !Join [":", [!Select [1, !Split [",", "a,b"]], !Ref AWS::Region]]
  Text:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      DefinitionString: !Sub
        - |
          {
            "StartAt": "A",
            "States": {
              "A": {"Type": "Task", "Resource": "${Arn}", "End": true}
            }
          }
        - Arn: !GetAtt Charge.Arn
  File:
    Type: AWS::Serverless::StateMachine
    Properties:
      DefinitionUri: machines/a.asl.json
      DefinitionSubstitutions: {Seconds: 5, Arn: !Ref Text}
`

func TestDefinitionObject(t *testing.T) {
	template, _ := read(t, "template.yaml", sam)
	d, problems, err := template.Definition(Options{Resource: "Written"})
	if err != nil || d == nil {
		t.Fatal(err, problems)
	}
	want := `{"StartAt":"Pay","States":{"Pay":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:Charge",` +
		`"Comment":"dev of ${Owner} with ${Later}","TimeoutSeconds":5,"Next":"Test"},"Test":{"Type":"Pass","Result":"b:us-east-1","End":true}}}`
	if got := value.Compact(d.Root.Value); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, node := d.Root.Find("/States/Pay/Type")
	if node.Span.Start.Line != 22 || node.Span.Start.Col != 19 {
		t.Errorf("Type of Pay is at %+v", node.Span.Start)
	}
	var reported []string
	for _, p := range problems {
		if p.Severity == source.Error {
			t.Error(p.Format())
		}
		reported = append(reported, fmt.Sprintf("%d: %s", p.Span.Start.Line, p.Message))
	}
	if got, want := strings.Join(reported, "\n"), `23: 2 values are known only after deployment, and placeholders are checked here: Charge.Arn, Owner`; got != want {
		t.Errorf("reported\n%s\nwant\n%s", got, want)
	}
}

func TestDefinitionString(t *testing.T) {
	template, _ := read(t, "template.yaml", sam)
	d, problems, err := template.Definition(Options{Resource: "Text",
		Values: func(name string) (string, bool) { return "arn:given", name == "Charge.Arn" }})
	if err != nil || d == nil || len(problems) != 0 {
		t.Fatal(err, problems)
	}
	key, node := d.Root.Find("/States/A/Resource")
	if node == nil || node.Value != value.String("arn:given") {
		t.Fatalf("Resource is %+v", node)
	}
	line := 1 + strings.Count(sam[:strings.Index(sam, `"Resource": "${Arn}"`)], "\n")
	if key.Start.Line != line || key.Start.Col != 37 || node.Span.Start.Col != 49 {
		t.Errorf("its key is at %+v, its value at %+v, want line %d", key.Start, node.Span.Start, line)
	}
}

// A text that is empty, or a reference as a whole, is not taken for broken JSON: the problem is at the property, and
// says so.
func TestDefinitionStringNotThere(t *testing.T) {
	for property, want := range map[string]string{
		"{Ref: P}":                "t.yaml:3:78: error: the definition is empty [definition-not-found]",
		`""`:                      "t.yaml:3:78: error: the definition is empty [definition-not-found]",
		"{Ref: Q}":                "not read: the definition is ${Q}, which is known only after deployment",
		`!Sub "${Q}"`:             "not read: the definition is ${Q}, which is known only after deployment",
		"{Fn::ImportValue: x}":    "not read: the definition is ${x}, which is known only after deployment",
		`"{{resolve:ssm:/flow}}"`: "not read: the definition is {{resolve:ssm:/flow}}, which is known only after deployment",
	} {
		text := "Parameters: {P: {Type: String, Default: ''}, Q: {Type: String}}\nResources:\n  M: {Type: AWS::StepFunctions::StateMachine, Properties: {DefinitionString: " + property + "}}\n"
		template, _ := read(t, "t.yaml", text)
		d, problems, err := template.Definition(Options{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		for _, p := range problems {
			if p.Severity == source.Error {
				got = p.Format()
			}
		}
		if d != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", property, got, want)
		}
	}
}

func TestDefinitionFile(t *testing.T) {
	template, _ := read(t, "template.yaml", sam)
	open := func(name string) (*source.File, error) {
		if name != "machines/a.asl.json" {
			return nil, os.ErrNotExist
		}
		return &source.File{Name: name, Data: []byte(
			"{\"States\": {}, \"Seconds\": ${Seconds}, \"Arn\": \"${Arn}\", \"Other\": \"${Other}\"}")}, nil
	}
	d, problems, err := template.Definition(Options{Resource: "File", Open: open})
	if err != nil || d == nil {
		t.Fatal(err, problems)
	}
	if got, want := value.Compact(d.Root.Value), `{"States":{},"Seconds":5,"Arn":"arn:aws:states:us-east-1:123456789012:stateMachine:Text","Other":"${Other}"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if d.File.Name != "machines/a.asl.json" {
		t.Errorf("the places are in %s", d.File.Name)
	}
	if _, _, err = template.Definition(Options{Resource: "File",
		Open: func(string) (*source.File, error) { return nil, os.ErrPermission }}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("err = %v", err)
	}
}

// TestSynthesized: the form in which the CDK writes a definition.
func TestSynthesized(t *testing.T) {
	const text = `{"Resources": {
  "Fn": {"Type": "AWS::Lambda::Function"},
  "M": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {
    "DefinitionString": {"Fn::Join": ["", [
      "{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Task\",\"Resource\":\"",
      {"Fn::GetAtt": ["Fn", "Arn"]},
      "\",\"End\":true,\"Retry\":\"wrong\"}}}"]]}}}}}`
	template, _ := read(t, "cdk.json", text)
	d, problems, err := template.Definition(Options{})
	if err != nil || d == nil || len(problems) != 1 {
		t.Fatal(err, problems)
	}
	_, retry := d.Root.Find("/States/A/Retry")
	if retry == nil || retry.Span.Start.Line != 7 || !strings.HasPrefix(text[retry.Span.Start.Offset:], `\"wrong`) {
		t.Errorf("Retry is at %+v", retry)
	}
	if _, resource := d.Root.Find("/States/A/Resource"); resource.Value != value.String(
		"arn:aws:lambda:us-east-1:123456789012:function:Fn") {
		t.Errorf("Resource is %v", resource.Value)
	}
	broken := strings.Replace(text, `\"End\":true`, `\"End\":tru`, 1)
	template, _ = read(t, "cdk.json", broken)
	_, problems, err = template.Definition(Options{})
	if err != nil || len(problems) == 0 || problems[0].Severity != source.Error || problems[0].Span.Start.Line != 7 {
		t.Errorf("%v %+v", err, problems)
	}
	if shown := problems[0].Format(); !strings.HasPrefix(shown, "cdk.json:7:") {
		t.Errorf("shown as %s", shown)
	}
}

func TestWhichResource(t *testing.T) {
	template, _ := read(t, "template.yaml", sam)
	for wanted, want := range map[string]string{
		"":       "the template has these state machines: Written, Text, File; say which with --resource NAME",
		"Charge": `the template has no state machine "Charge"; it has these state machines: Written, Text, File`,
	} {
		_, _, err := template.Definition(Options{Resource: wanted})
		var name *NameError
		if !errors.As(err, &name) || err.Error() != want {
			t.Errorf("%q: %v, want %s", wanted, err, want)
		}
	}
	root, _ := source.Read(&source.File{Name: "a.json", Data: []byte(`{"StartAt": "A", "States": {}}`)}, Tags)
	if IsCloudFormation(root) {
		t.Error("a definition is taken for a template")
	}
}

// TestOddTemplates: nothing that a template says may end the program.
func TestOddTemplates(t *testing.T) {
	for _, properties := range []string{
		`{}`, `{DefinitionString: 5}`, `{DefinitionString: {"Fn::Join": 1}}`,
		`{DefinitionString: {"Fn::Join": ["", 1]}}`, `{DefinitionString: !Sub 5}`,
		`{DefinitionString: !Sub [a, 5]}`, `{Definition: !Ref X}`, `{Definition: !If [A]}`,
		`{Definition: !If [A, 1, 2]}`, `{Definition: !Select [9, [1]]}`,
		`{Definition: !Select x}`, `{Definition: !Split [x]}`, `{Definition: !GetAtt X}`,
		`{Definition: !FindInMap [a]}`, `{Definition: !FindInMap [a, b, c]}`,
		`{DefinitionUri: {Bucket: b, Key: k}}`, `{DefinitionUri: s3://b/k}`, `{DefinitionS3Location: {}}`,
		`{DefinitionString: ""}`, `5`, `null`,
		`{Definition: {a: !Ref A, b: !Ref M, c: !ImportValue x, d: !GetAZs ""}}`,
		`{Definition: !If [B, {a: 1}, {a: 2}]}`,
	} {
		text := "Conditions: {B: !Condition C, C: !Condition B}\nResources: {M: {Type: AWS::StepFunctions::StateMachine, Properties: " + properties + "}}\n"
		template, _ := read(t, "t.yaml", text)
		d, problems, err := template.Definition(Options{})
		if d == nil && err == nil && (len(problems) == 0 || problems[len(problems)-1].Severity != source.Error) {
			t.Errorf("%s: no definition and no reason", properties)
		}
		for _, p := range problems {
			if p.Format() == "" || p.Span.Start.Line == 0 {
				t.Errorf("%s: %+v", properties, p)
			}
		}
	}
}
