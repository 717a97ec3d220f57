package embedded

import (
	"errors"
	"os"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// config reads a configuration whose files are the map's.
func config(t *testing.T, files map[string]string) *Config {
	t.Helper()
	file := &source.File{Name: "serverless.yml", Data: []byte(files["serverless.yml"])}
	root, problem := source.Read(file, Tags)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	if !IsServerless(root) {
		t.Fatal("it is not a configuration with state machines")
	}
	return OfServerless(file, root, func(name string) (*source.File, error) {
		text, known := files[name]
		if !known {
			return nil, os.ErrNotExist
		}
		return &source.File{Name: name, Data: []byte(text)}, nil
	})
}

func shown(t *testing.T, c *Config, name string) string {
	t.Helper()
	found, problems, err := c.Definition(Options{Resource: name})
	switch {
	case err != nil:
		return withoutAdvice(err)
	case found == nil && len(problems) == 0:
		t.Error("no definition and no reason")
	case found == nil:
		return problems[0].Message
	}
	return value.Compact(found.Root.Value)
}

const main = `
custom: {wait: 5, part: {a: "${self:custom.wait}"}, loop: "${self:custom.loop}"}
functions:
  pay-now: {handler: x}
  book: {handler: x}
resources:
  - Resources: {Queue: {Type: AWS::SQS::Queue}}
  - ${file(resources.yml)}
stepFunctions:
  activities: [confirm]
  stateMachines:
    inline:
      definition: {Wait: "${self:custom.wait}", Part: "${self:custom.part}", Loop: "${self:custom.loop}", Stage: "${opt:stage}", Text: "a-${self:custom.wait}"}
    functions:
      definition: [!GetAtt pay-now.Arn, !GetAtt PayDashnowLambdaFunction.Arn, !Ref BookLambdaFunction, !Ref ConfirmStepFunctionsActivity]
    text:
      definition: '{"a": 1}'
    whole: ${file(whole.yml)}
    part: {definition: "${file(parts.json):machines.one}"}
    nothing: {name: x}
    later: {definition: "${ssm:/x}"}
    program: {definition: "${file(x.ts)}"}
    lost: {definition: "${file(lost.yml)}"}
    broken: {definition: "${file(broken.json)}"}
    absent: {definition: "${file(parts.json):machines.two}"}
`

func TestDefinitions(t *testing.T) {
	files := map[string]string{
		"serverless.yml": main, "resources.yml": "Resources: {Topic: {Type: AWS::SNS::Topic}}",
		"whole.yml": "name: w\ndefinition:\n  w: !Ref Queue\n", "parts.json": `{"machines": {"one": {"p": 1}}}`,
		"broken.json": "{",
	}
	for name, want := range map[string]string{
		"inline":    `{"Wait":5,"Part":{"a":5},"Loop":"${self:custom.loop}","Stage":"${opt:stage}","Text":"a-${self:custom.wait}"}`,
		"functions": `["arn:aws:lambda:us-east-1:123456789012:function:pay-now","arn:aws:lambda:us-east-1:123456789012:function:pay-now","arn:aws:lambda:us-east-1:123456789012:function:book","arn:aws:states:us-east-1:123456789012:activity:confirm"]`,
		"text":      `{"a":1}`,
		"part":      `{"p":1}`,
		"nothing":   "the state machine nothing has no definition",
		"later":     "not read: the definition of later is ${ssm:/x}, which only the Serverless Framework can resolve",
		"program":   "not read: x.ts is a program, which only the Serverless Framework can run",
		"lost":      os.ErrNotExist.Error(),
		"broken":    "unexpected end of file: the { is never closed",
		"absent":    "not read: the definition of absent is ${file(parts.json):machines.two}, which only the Serverless Framework can resolve",
		"x":         `the configuration has no state machine "x"; it has these state machines: inline, functions, text, whole, part, nothing, later, program, lost, broken, absent`,
		"":          `the configuration has these state machines: inline, functions, text, whole, part, nothing, later, program, lost, broken, absent; say which with --resource NAME`,
	} {
		got := shown(t, config(t, files), name)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	found, _, err := config(t, files).Definition(Options{Resource: "whole"})
	if err != nil || found == nil || found.File.Name != "whole.yml" || found.Root.Get("w") == nil ||
		found.Root.Get("w").Span.Start.Line != 3 {
		t.Errorf("%+v, %v", found, err)
	}
	given := Options{Resource: "inline", Values: func(name string) (string, bool) {
		return "prod", name == "opt:stage"
	}}
	if found, _, _ := config(t, files).Definition(given); value.Compact(found.Root.Get("Stage").Value) != `"prod"` {
		t.Error(value.Compact(found.Root.Value))
	}
}

// The state machines may stand in other files, and in a list.
func TestWhere(t *testing.T) {
	for text, want := range map[string]string{
		"stepFunctions: ${file(steps.yml)}":                                              "a",
		"stepFunctions: {stateMachines: \"${file(steps.yml):stateMachines}\"}":           "a",
		"stepFunctions: {stateMachines: [\"${file(list.yml)}\", {c: {definition: {}}}]}": "b c",
		"stepFunctions: {stateMachines: {}}":                                             "",
		"stepFunctions: ${file(none.yml)}":                                               "",
	} {
		c := config(t, map[string]string{
			"serverless.yml": text, "steps.yml": "stateMachines: {a: {definition: {x: 1}}}",
			"list.yml": "b: {definition: {}}",
		})
		if got := strings.Join(c.StateMachines(), " "); got != want {
			t.Errorf("%s: %q", text, got)
		}
		if want == "a" {
			if got := shown(t, c, ""); got != `{"x":1}` {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
	none := OfServerless(&source.File{}, source.NewObject(nil, source.Span{}), nil)
	var name *NameError
	if _, _, err := none.Definition(Options{}); !errors.As(err, &name) ||
		err.Error() != "the configuration has no state machine" {
		t.Error(err)
	}
	if _, _, err := config(t, map[string]string{"serverless.yml": "stepFunctions: ${file(none.yml)}"}).Definition(
		Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
