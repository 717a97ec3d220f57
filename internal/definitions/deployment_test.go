package definitions

import (
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
