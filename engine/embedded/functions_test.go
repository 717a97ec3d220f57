package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// filesOf opens the files of a map by their names.
func filesOf(files map[string]string) func(string) (*source.File, error) {
	return func(name string) (*source.File, error) {
		text, known := files[name]
		if !known {
			return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
		}
		return &source.File{Name: name, Data: []byte(text)}, nil
	}
}

// withoutAdvice returns an error without the advice of one about a definition that is not read.
func withoutAdvice(err error) string {
	text := err.Error()
	if _, skipped := errors.AsType[*SkipError](err); skipped {
		text, _, _ = strings.Cut(text, "; ")
	}
	return text
}

// definitionIn returns the definition of a template's machine as JSON, or its errors.
func definitionIn(t *testing.T, name, text, machine string, files map[string]string) (string, *Definition) {
	t.Helper()
	template, _ := read(t, name, text)
	d, problems, err := template.Definition(Options{Resource: machine, Open: filesOf(files)})
	if err != nil {
		return err.Error(), nil
	}
	if d == nil {
		var lines []string
		for _, p := range problems {
			if p.Severity == source.Error {
				lines = append(lines, strings.SplitN(p.Format(), "\n", 2)[0])
			}
		}
		return strings.Join(lines, "\n"), nil
	}
	return value.Compact(d.Root.Value), d
}

// AWS::NoValue removes what has it as its value (AWS::NoValue in the list of pseudo parameters).
func TestNoValue(t *testing.T) {
	no := object{"Ref": "AWS::NoValue"}
	choose := func(condition string, a, b any) object { return object{"Fn::If": []any{condition, a, b}} }
	conditions := object{"Yes": object{"Fn::Equals": []any{"a", "a"}}, "No": object{"Fn::Equals": []any{"a", "b"}}}
	for name, test := range map[string]struct {
		properties object
		want       string
	}{
		"a member": {object{"Definition": object{"A": no, "B": 1}}, `{"B":1}`},
		"chosen":   {object{"Definition": object{"A": choose("No", 1, no), "B": choose("Yes", 1, no)}}, `{"B":1}`},
		"an item":  {object{"Definition": object{"A": []any{1, no, 2}}}, `{"A":[1,2]}`},
		"an item of Join": {object{"Definition": object{"A": object{"Fn::Join": []any{",",
			[]any{"a", no, choose("No", "x", no), choose("Yes", "b", "c")}}}}}, `{"A":"a,b"}`},
		"a property":    {object{"DefinitionString": choose("No", "x", no), "Definition": object{"A": 1}}, `{"A":1}`},
		"a chosen text": {object{"DefinitionString": choose("Yes", `{"A": 1}`, `{"A": 2}`)}, `{"A":1}`},
		"a chosen object": {object{"DefinitionUri": no, "Definition": choose("No", object{"A": 1}, object{"A": 2})},
			`{"A":2}`},
		"the substitutions": {object{"Definition": object{"C": "${X}${Y}"},
			"DefinitionSubstitutions": choose("Yes", object{"X": "a", "Y": choose("No", "b", "c")}, no)}, `{"C":"ac"}`},
	} {
		if got, _ := definitionIn(t, "t.json", template(t, test.properties, object{"Conditions": conditions}), "",
			nil); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// AWS::Include reads a file beside the template; the places in it are its own.
func TestInclude(t *testing.T) {
	const text = `Resources:
  Whole:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Fn::Transform:
          Name: AWS::Include
          Parameters: {Location: states/a.yaml}
  Part:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: A
        Fn::Transform:
          Name: AWS::Include
          Parameters: {Location: states/part.json}
  Remote:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Fn::Transform:
          Name: AWS::Include
          Parameters: {Location: "s3://bucket/a.yaml"}
  Gone:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Fn::Transform:
          Name: AWS::Include
          Parameters: {Location: gone.yaml}
  Macro:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition: {States: {"Fn::Transform": {Name: Own}}}
`
	files := map[string]string{
		"states/a.yaml":    "StartAt: A\nStates:\n  A:\n    Type: Succeed\n    Comment: !Ref AWS::Region\n",
		"states/part.json": `{"States": {"A": {"Type": "Succeed", "Comment": "C"}}}`,
	}
	for machine, want := range map[string]string{
		"Whole":  `{"StartAt":"A","States":{"A":{"Type":"Succeed","Comment":"us-east-1"}}}`,
		"Part":   `{"StartAt":"A","States":{"A":{"Type":"Succeed","Comment":"C"}}}`,
		"Remote": `not read: AWS::Include reads "s3://bucket/a.yaml", which is not a file beside the template`,
		"Gone":   `t.yaml:28:9: error: AWS::Include: open gone.yaml: file does not exist [definition-not-found]`,
		"Macro":  `not read: a part of the definition is made by the macro Own, which runs only in a deployment`,
	} {
		got, d := definitionIn(t, "t.yaml", text, machine, files)
		if got != want {
			t.Errorf("%s: got %s, want %s", machine, got, want)
		}
		if d != nil {
			_, kind := d.Root.Find("/States/A/Type")
			if kind.Span.File == nil || !strings.HasPrefix(string(kind.Span.File.Data[kind.Span.Start.Offset:]),
				strings.Trim(`"Succeed"`, map[bool]string{true: `"`}[machine == "Whole"])) {
				t.Errorf("%s: Type is at %+v", machine, kind.Span)
			}
		}
	}
}

// Fn::ForEach makes resources, and members of objects; names have ${Name}, or &{Name} without punctuation.
func TestForEach(t *testing.T) {
	const text = `Transform: AWS::LanguageExtensions
Parameters:
  Regions: {Type: CommaDelimitedList, Default: "eu-1, us-2"}
Resources:
  Fn::ForEach::Machines:
    - Kind
    - [Fast, Slow]
    - Orders${Kind}:
        Type: AWS::StepFunctions::StateMachine
        Properties:
          DefinitionString: !Sub |
            {"Comment": "${Kind} in ${AWS::Region}"}
  Fn::ForEach::Outer:
    - Region
    - !Ref Regions
    - Fn::ForEach::Inner:
        - N
        - ["1", "2"]
        - M&{Region}x${N}:
            Type: AWS::Serverless::StateMachine
            Properties:
              Definition: {Comment: !Sub "${Region} ${N}", At: !Ref Region}
  Members:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Fn::ForEach::States:
          - Name
          - [A, B]
          - State${Name}: {Type: Pass, Comment: !Ref Name}
  Later:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Fn::ForEach::States:
          - Name
          - !ImportValue names
          - State${Name}: {Type: Pass}
`
	template, _ := read(t, "t.yaml", text)
	if got := strings.Join(template.StateMachines(),
		" "); got != "OrdersFast OrdersSlow Meu1x1 Meu1x2 Mus2x1 Mus2x2 Members Later" {
		t.Errorf("the machines are %s", got)
	}
	for machine, want := range map[string]string{
		"OrdersSlow": `{"Comment":"Slow in us-east-1"}`,
		"Mus2x1":     `{"Comment":"us-2 1","At":"us-2"}`,
		"Members":    `{"StateA":{"Type":"Pass","Comment":"A"},"StateB":{"Type":"Pass","Comment":"B"}}`,
		"Later":      `{"StateName":{"Type":"Pass"}}`,
	} {
		if got, _ := definitionIn(t, "t.yaml", text, machine, nil); got != want {
			t.Errorf("%s: got %s, want %s", machine, got, want)
		}
	}
}

// Loops inside of loops are bounded.
func TestForEachWithoutBound(t *testing.T) {
	items := strings.Repeat(`"a",`, 99) + `"a"`
	body := `"M${V0}": {"Type": "AWS::SNS::Topic"}`
	for i := range 6 {
		body = fmt.Sprintf(`"Fn::ForEach::L%d": ["V%d", [%s], {%s}]`, i, i, items, body)
	}
	template, _ := read(t, "t.json", `{"Resources": {"A": {"Type": "AWS::SNS::Topic"}, `+body+"}}")
	if n := len(template.resources); n > maxTurns+1 {
		t.Errorf("%d resources", n)
	}
}

// A tag that means nothing is an error in the definition, and of no importance elsewhere in the template.
func TestWrongTags(t *testing.T) {
	const text = `Parameters: {P: {Type: String, Default: !Unknown x}}
Resources:
  Subnet:
    Type: AWS::EC2::Subnet
    Properties:
      AvailabilityZone: !Select [0, !GetAZs !Ref AWS::Region]
      Zones:
        - !GetAZs !Ref AWS::Region
      Data: !!binary aGk=
  Good:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Comment: !Ref AWS::Region
  Unknown:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Comment: !Rfe AWS::Region
  Double:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        Comment: !Base64 !Ref AWS::Region
`
	for machine, want := range map[string]string{
		"Good":    `{"Comment":"us-east-1"}`,
		"Unknown": `t.yaml:19:18: error: the tag !Rfe is not a function of CloudFormation [malformed-yaml]`,
		"Double":  `t.yaml:24:18: error: YAML allows one tag before a value; write !Base64 in its long form, Fn::Base64: [malformed-yaml]`,
	} {
		if got, _ := definitionIn(t, "t.yaml", text, machine, nil); got != want {
			t.Errorf("%s: got %s, want %s", machine, got, want)
		}
	}
}

// The CDK's DefinitionBody.fromFile: the template names an object in S3, and the assets of cdk.out have its file.
func TestAsset(t *testing.T) {
	const text = `{"Resources": {"M": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {
  "DefinitionS3Location": {"Bucket": {"Fn::Sub": "cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}"}, "Key": "0a1b.json"},
  "DefinitionSubstitutions": {"Topic": "t"}}}}}`
	const machine = `{"StartAt": "${Topic}"}`
	for name, test := range map[string]struct {
		template, want, from string
		files                map[string]string
	}{
		"listed": {"App.template.json", `{"StartAt":"t"}`, "machines/order.asl.json", map[string]string{
			"App.assets.json":         `{"files": {"0a1b": {"source": {"path": "machines/order.asl.json", "packaging": "file"}, "destinations": {"current": {"objectKey": "0a1b.json"}}}}}`,
			"machines/order.asl.json": machine,
		}},
		"by its name": {"App.template.json", `{"StartAt":"t"}`, "asset.0a1b.json",
			map[string]string{"asset.0a1b.json": machine}},
		"a bad list": {"App.template.json", `{"StartAt":"t"}`, "asset.0a1b.json",
			map[string]string{"asset.0a1b.json": machine, "App.assets.json": `{"files": 5`}},
		"no file": {"App.template.json", `not read: the definition is the object 0a1b.json in S3, and no file of it is beside the template; ` +
			`give the definition's own file`, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, d := definitionIn(t, test.template, text, "", test.files)
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if d != nil && d.File.Name != test.from {
				t.Errorf("it is read from %s", d.File.Name)
			}
		})
	}
}
