package definitions_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/testkit"
)

const (
	machine = `{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}`

	template = `{"Resources": {
	"First": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"Definition": ` + machine + `}},
	"Second": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": {"Fn::Sub": "{\"StartAt\": \"B\", \"States\": {\"B\": {\"Type\": \"Pass\", \"End\": true}}}"}}}}}`

	sam = `Transform: AWS::Serverless-2016-10-31
Resources:
  Third:
    Type: AWS::Serverless::StateMachine
    Properties:
      DefinitionUri: parts/third.asl.json
`
	configuration = `resource "aws_sfn_state_machine" "fourth" {
  name       = "fourth"
  definition = templatefile("${path.module}/fourth.json", { first = "A" })
}
`
	serverless = `service: five
provider: {name: aws}
stepFunctions:
  stateMachines:
    fifth:
      definition:
        StartAt: E
        States: {E: {Type: Pass, End: true}}
`
	manifest = `{"version": "36.0.0", "artifacts": {
	"Dev": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "One.template.json", "stackName": "Dev-One"}, "displayName": "Dev/One"},
	"Other": {"type": "aws:cloudformation:stack"}, "Assets": {"type": "cdk:asset-manifest"}}}`
)

// labels returns the definitions as they are given on a command line, without the folder, with their stacks.
func labels(dir string, list []definitions.Definition) []string {
	found := make([]string, len(list))
	for i := range list {
		found[i] = strings.TrimPrefix(list[i].Label(), dir+string(filepath.Separator))
		if list[i].Stack != "" {
			found[i] += " in " + list[i].Stack
		}
	}
	return found
}

// A folder has the definitions in files of all kinds; a file that one of them names is not a separate one.
func TestFolder(t *testing.T) {
	dir := testkit.New(t, map[string]string{
		"order.json": machine, "cdk/One.template.json": template, "cdk/manifest.json": manifest,
		"sam/template.yaml": sam, "sam/parts/third.asl.json": machine,
		"tf/main.tf": configuration, "tf/fourth.json": strings.Replace(machine, `"A"`, `"${first}"`, 1),
		"five/serverless.yml": serverless,
		"broken.asl.json":     `{"StartAt"`, "begun.json": `{"StartAt": "A", "States": {`,
		"package.json": `{"name": "x"}`,
		"note.txt":     "StartAt States", "none.yaml": "a: [",
	})
	want := []string{
		"begun.json", "broken.asl.json", "cdk/One.template.json --resource First in Dev/One",
		"cdk/One.template.json --resource Second in Dev/One",
		"five/serverless.yml --resource fifth", "order.json", "sam/template.yaml --resource Third",
		"tf/main.tf --resource fourth",
	}
	d := definitions.Definition{File: dir}
	list, err := d.Machines(files.Files{})
	if got := labels(dir, list); err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i := range list {
		_, err := list[i].Open(files.Files{})
		if broken := strings.Contains(list[i].File, "broken") ||
			strings.Contains(list[i].File, "begun"); (err != nil) != broken {
			t.Errorf("%s: %v", list[i].File, err)
		}
	}
	var several *definitions.ChoiceError
	if _, err := d.Open(files.Files{}); !errors.As(err, &several) || !several.Folder ||
		len(several.Definitions) != len(want) ||
		!strings.Contains(err.Error(), "has 8 definitions; give one of them:\n  "+filepath.Join(dir, "begun.json")) ||
		!strings.Contains(err.Error(), "  (stack Dev/One)") {
		t.Errorf("the choice: %v", err)
	}
	d.Resource = "Second"
	text, err := d.Open(files.Files{})
	if err != nil || text.Resource != "Second" || d.File != filepath.Join(dir, "cdk", "One.template.json") ||
		d.Identity() != d.File+"#Second" {
		t.Errorf("%v, %s", err, d.Identity())
	}
}

// A template has one definition for each state machine; a resource names one.
func TestMachinesOfAFile(t *testing.T) {
	file := testkit.Named(t, map[string]string{"t.json": template, "order.json": machine,
		"package.json": `{"name": "x"}`})
	d := definitions.Definition{File: file("t.json")}
	list, err := d.Machines(files.Files{})
	if got := labels(filepath.Dir(d.File), list); err != nil ||
		!slices.Equal(got, []string{"t.json --resource First", "t.json --resource Second"}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := d.Open(files.Files{}); err == nil || err.Error() != d.File+
		" has these state machines: First, Second; say which with --resource NAME" {
		t.Errorf("%v", err)
	}
	for name, want := range map[string]int{"t.json": 2, "order.json": 1, "package.json": 0, "none.json": 0} {
		d := definitions.Definition{File: file(name)}
		if list := d.InFile(files.Files{}); len(list) != want {
			t.Errorf("%s has %d definitions, want %d", name, len(list), want)
		}
	}
	none := definitions.Definition{File: file("none.json")}
	if list, err := none.Machines(files.Files{}); err != nil || len(list) != 1 || list[0].Label() != none.File {
		t.Errorf("%v, %v", list, err)
	}
}

// The error about a folder without definitions tells how its program writes them.
func TestEmptyFolder(t *testing.T) {
	for file, advice := range map[string]string{
		"cdk.json":      "cdk.json: a CDK app without cdk.out: run cdk synth, then give the folder cdk.out",
		"serverless.ts": "run serverless package, then give the folder .serverless", "x.json": ".tf.json file",
	} {
		d := definitions.Definition{File: testkit.New(t, map[string]string{file: "{}"})}
		var empty *definitions.EmptyError
		if _, err := d.Open(files.Files{}); !errors.As(err, &empty) || !strings.HasSuffix(err.Error(), advice) {
			t.Errorf("%s: %v", file, err)
		}
		d.Resource = "Order"
		if _, err := d.Open(files.Files{}); !errors.As(err, &empty) || err.Error() != "the folder "+d.File+
			` has no state machine "Order"` {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Each program that writes definitions is named, wherever it is, where they are not read.
func TestMakersBelowAFolder(t *testing.T) {
	root := testkit.New(t, map[string]string{
		".gitignore": "ignored\n", "a.asl.json": `{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`,
		"packages/one/cdk.json": "{}", "packages/two/cdk.json": "{}", "packages/two/cdk.out/manifest.json": "{}",
		"packages/three/cdk.json": "{}", "packages/three/cdk.out/manifest.json": "{}",
		"packages/three/.gitignore": "cdk.out\n",
		"node_modules/x/cdk.json":   "{}", "ignored/cdk.json": "{}",
		"api/serverless.ts": "{}", "api/.serverless/x.json": "{}",
	})
	d := definitions.Definition{File: root}
	list, skipped, err := d.Search(files.Files{})
	if err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	want := []string{
		"api/serverless.ts: a Serverless service whose .serverless is left out here: give that folder, too",
		"packages/one/cdk.json: a CDK app without cdk.out: run cdk synth, then give the folder cdk.out",
		"packages/three/cdk.json: a CDK app whose cdk.out is left out here: give that folder, too",
	}
	for i := range max(len(skipped), len(want)) {
		if i >= len(skipped) || i >= len(want) ||
			skipped[i].String() != filepath.Join(root, filepath.FromSlash(want[i])) {
			t.Fatalf("%v, want %v", skipped, want)
		}
	}
}

// Files that hold no definition get an error about their kind.
func TestNoDefinition(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"w.smithy": "$version: \"2\"\nnamespace a.b\nservice S {}\n", "w.json": `{"smithy": "2.0", "shapes": {}}`,
		"bad.tf": "resource {", "tagged.yaml": "StartAt: !Ref A\nStates: {}\n",
	})
	for name, want := range map[string]string{
		"w.smithy": " is a Smithy model, not a definition.", "w.json": " is a Smithy model, not a definition.",
		"bad.tf": " has 1 error", "tagged.yaml": " has 1 error",
	} {
		d := definitions.Definition{File: file(name)}
		if _, err := d.Open(files.Files{}); err == nil || !strings.HasPrefix(err.Error(), file(name)+want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	two := &definitions.InvalidError{Source: &source.File{Name: "x.json"}, Problems: make([]source.Diagnostic, 2)}
	for i := range two.Problems {
		two.Problems[i].Severity = source.Error
	}
	if two.Error() != "x.json has 2 errors" {
		t.Error(two)
	}
}

// The substitutions of the command replace the project file's.
func TestSubstitutions(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"order.json":        `{"StartAt": "${First}", "Comment": "${Note}", "TimeoutSeconds": ${Seconds}, "States": {"A": {"Type": "Pass", "End": true}}}`,
		"names.yaml":        "First: A\nNote: {a: 1}\n",
		project.FileName:    "substitutions: names.yaml\npaths: [{path: order.json, substitutions: {Note: hello, Seconds: 7}}]\n",
		"other/wrong.json":  machine,
		"other/asldb.yaml":  "substitutions: none.yaml\n",
		"seconds.yaml":      "Seconds: 8\n",
		"bad.yaml":          "a: [",
		"placeholders.json": `{"StartAt": "A", "TimeoutSeconds": ${Seconds}, "States": {"A": {"Type": "Pass", "End": true, "Comment": "${Words}"}}}`,
	})
	d := definitions.Definition{File: file("order.json"), Projects: &project.Finder{},
		Substitutions: file("seconds.yaml"), Substitute: []string{"Note=bye"}}
	if err := d.Read(files.Files{}); err != nil {
		t.Fatal(err)
	}
	if err := d.Parse(); err != nil || d.Machine.TimeoutSeconds != 8 || d.Machine.Comment != "bye" {
		t.Errorf("%v, %+v", err, d.Machine)
	}
	if err := d.Compile(engine.AWS); err != nil || d.Compiled == nil {
		t.Error(err)
	}
	if ready, err := d.Ready(engine.AWS); err != nil || ready != d.Compiled {
		t.Errorf("it is compiled a second time: %v", err)
	}
	for _, wrong := range []definitions.Definition{
		{File: file("order.json"), Substitutions: file("bad.yaml")},
		{File: file("order.json"), Substitutions: file("none.yaml")},
		{File: file("other/wrong.json"), Projects: &project.Finder{Name: file("other/asldb.yaml")}},
	} {
		if _, err := wrong.Open(files.Files{}); err == nil {
			t.Errorf("%+v can be read", wrong)
		}
	}
	d = definitions.Definition{File: file("placeholders.json")}
	text, err := d.Open(files.Files{})
	if err != nil {
		t.Fatal(err)
	}
	if got := text.Placeholders(); !slices.Equal(got,
		[]string{"1 is used for ${Seconds}, which has no value: give one with --substitute Seconds=..."}) {
		t.Errorf("%q", got)
	}
}

// The identity and the name are the file's, or the definition's.
func TestNames(t *testing.T) {
	text, err := definitions.TextOf(&source.File{Name: "memory.json", Data: []byte(machine)})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := text.Parse()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		d        definitions.Definition
		name, id string
		given    bool
	}{
		{definitions.Definition{}, "", "", false},
		{definitions.Definition{File: "a.json"}, "a.json", "a.json", true},
		{definitions.Definition{File: "-"}, "-", "", true},
		{definitions.Definition{Text: text, ID: "x"}, "memory.json", "x", true},
		{definitions.Definition{Machine: parsed}, "memory.json", "", true},
	} {
		if c.d.Name() != c.name || c.d.Identity() != c.id || c.d.Given() != c.given {
			t.Errorf("%+v: %q, %q, %v", c.d, c.d.Name(), c.d.Identity(), c.d.Given())
		}
	}
}

// A text with errors is examined as far as it can be read; the dialects differ in the severity of problems.
func TestProblems(t *testing.T) {
	text, err := definitions.TextOf(&source.File{Name: "a.json", Data: []byte(
		`{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "C": {"Type": "Wait", "Seconds": 1, "End": true, "Comment": "${Name}"}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	definition, err := text.Examine()
	var wrong *definitions.InvalidError
	if !errors.As(err, &wrong) || definition == nil || len(definition.Top.States) != 2 {
		t.Errorf("%v, %v", definition, err)
	}
	hints := func(problems []source.Diagnostic) (count int) {
		for _, p := range problems {
			if p.Rule == rules.UnresolvedSubstitution {
				count++
			}
		}
		return count
	}
	if with, without := hints(text.Problems(lint.Options{Hints: true})),
		hints(text.Problems(lint.Options{})); with != 1 || without != 0 {
		t.Errorf("%d hints, %d where none are wanted", with, without)
	}
	empty, err := definitions.TextOf(&source.File{Name: "a.json", Data: []byte(`{"States": {}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if definition, err := empty.Examine(); definition != nil || err == nil {
		t.Errorf("%v, %v", definition, err)
	}
	language := source.Diagnostic{Rule: rules.WrongQueryLanguage, Severity: source.Warning}
	language.Service.Message = "x"
	aws := definitions.InDialect([]source.Diagnostic{language}, engine.AWS)
	if aws[0].Severity != source.Error {
		t.Errorf("%+v", aws)
	}
	language.Severity = source.Warning
	spec := definitions.InDialect([]source.Diagnostic{language}, engine.Spec)
	if spec[0].Severity != source.Warning {
		t.Errorf("%+v", spec)
	}
}
