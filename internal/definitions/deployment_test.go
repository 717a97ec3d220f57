package definitions

import (
	"os"
	"path/filepath"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/testkit"
)

// TestDeployment: each kind of template gives the machine, and not its text alone: an Express one in Frankfurt, with a name, a
// role and logs of errors, a duration of the template's, and the ARN of another machine of the template that has its own name.
func TestDeployment(t *testing.T) {
	region := []string{"AWS::Region=eu-central-1"} // of the deployment: the template does not have it
	for name, substitute := range map[string][]string{
		"sam/template.yaml": region, "cloudformation/template.yaml": region, "cdk/assembly/Shop.template.json": nil,
		"serverless/serverless.yml": nil, "terraform/main.tf": nil, "pulumi/Pulumi.yaml": nil,
		"pulumi-with-tojson/Pulumi.yaml": nil,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "deployed", filepath.FromSlash(name))
			text, err := (&Definition{File: file, Resource: "Orders", Substitute: substitute}).Open(files.Files{})
			testkit.NoError(t, err)
			machine, err := text.Parse()
			testkit.NoError(t, err)
			want := asl.Deployment{
				Name: "orders", Role: "arn:aws:iam::210987654321:role/Runs", Logging: "ERROR", Region: "eu-central-1",
			}
			account := "123456789012" // a placeholder
			if name == "cdk/assembly/Shop.template.json" {
				want.Account, account = "210987654321", "210987654321"
			}
			if machine.Deployment != want || !machine.Express {
				t.Errorf("express: %v, %+v\nwant %+v", machine.Express, machine.Deployment, want)
			}
			const body = `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":7,"Comment":"arn:aws:states:eu-central-1:`
			if got := value.Compact(text.Root.Value); got != body+account+`:stateMachine:child-flow","End":true}}}` {
				t.Error(got)
			}
			found, _, err := (&Definition{File: filepath.Dir(file), Resource: "Orders"}).Search(files.Files{})
			if err != nil || len(found) != 1 {
				t.Errorf("in the folder: %v, %v", found, err)
			}
		})
	}
}

// TestNamesOfMachines: a name that only the deployment knows is not known, and no other takes its place.
func TestNamesOfMachines(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"serverless.yml": {"service: s\nstepFunctions: {stateMachines: {flow: {name: '${sls:stage}-flow', " +
			"definition: {StartAt: A, States: {A: {Type: Succeed}}}}}}\n", ""},
		"main.tf": {`resource "aws_sfn_state_machine" "flow" {
  name       = "${terraform.workspace}-flow"
  definition = jsonencode({ StartAt = "A", States = { A = { Type = "Succeed" } } })
}`, ""},
		"template.yaml": {"Resources: {flow: {Type: AWS::StepFunctions::StateMachine, Properties: {Definition: " +
			"{StartAt: A, States: {A: {Type: Succeed}}}}}}\n", "flow"},
	} {
		text := read(t, name, c.text)
		if text.Deployment.Name != c.want {
			t.Errorf("%s: %q, want %q", name, text.Deployment.Name, c.want)
		}
	}
}

// TestLiteralOfPulumi: $${ begins no reference.
func TestLiteralOfPulumi(t *testing.T) {
	text := read(t, "Pulumi.yaml", "name: p\nruntime: yaml\nvariables: {b: c}\nresources:\n  flow:\n"+
		"    type: aws:sfn:StateMachine\n    properties:\n      definition:\n        fn::toJSON: {StartAt: A, "+
		"States: {A: {Type: Pass, Comment: '$${a} ${b}', End: true}}}\n")
	want := `{"StartAt":"A","States":{"A":{"Type":"Pass","Comment":"${a} c","End":true}}}`
	if got := value.Compact(text.Root.Value); got != want || len(text.Notes) > 0 {
		t.Errorf("%s\nwant %s\n%v", got, want, text.Notes)
	}
}

// read returns the only definition in a file.
func read(t *testing.T, name, text string) *Text {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	testkit.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	found, err := (&Definition{File: file}).Open(files.Files{})
	testkit.NoError(t, err)
	return found
}
