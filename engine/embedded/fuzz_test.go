package embedded

import (
	"os"
	"testing"

	"asldb/engine/source"
)

// holder has state machines.
type holder interface {
	StateMachines() []string
	Definition(Options) (*Definition, []source.Diagnostic, error)
}

// FuzzHolders reads templates, configurations of the Serverless Framework and of Terraform: each machine has a
// definition, or a reason why it has none.
func FuzzHolders(f *testing.F) {
	f.Add(0, []byte(sam))
	f.Add(0, []byte(`{"Resources": {"M": {"Type": "AWS::StepFunctions::StateMachine",
		"Properties": {"DefinitionString": {"Fn::Sub": "{}"}}}}}`))
	f.Add(1, []byte(main))
	f.Add(2, []byte(terraformResource(`jsonencode({a = [for i in range(3) : i], b = "${var.x}"})`,
		`variable "x" { default = 1 }`)))
	f.Add(3, []byte(`{"resource": {"aws_sfn_state_machine": {"m": {"definition": "${jsonencode({})}"}}}}`))
	names := []string{"template.yaml", "serverless.yml", "main.tf", "main.tf.json"}
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		file := &source.File{Name: names[uint(kind)%uint(len(names))], Data: data}
		var found holder
		if IsTerraform(file.Name) {
			module, problem := Read(file, nil, nil)
			if problem != nil {
				return
			}
			found = module
		} else {
			root, problem := source.Read(file, Tags)
			switch {
			case problem != nil:
				return
			case IsCloudFormation(root):
				found = OfCloudFormation(file, root)
			case IsServerless(root):
				found = OfServerless(file, root, func(string) (*source.File, error) { return nil, os.ErrNotExist })
			default:
				return
			}
		}
		for _, name := range append(found.StateMachines(), "") {
			definition, problems, err := found.Definition(Options{Resource: name})
			if definition == nil && len(problems) == 0 && err == nil {
				t.Errorf("%q has no definition and no reason", name)
			}
		}
	})
}
