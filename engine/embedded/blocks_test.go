package embedded

import (
	"strings"
	"testing"

	"asldb/engine/source"
)

// A configuration in JSON: labels are members, blocks may be items of arrays, and strings are templates.
func TestJSON(t *testing.T) {
	const text = `{
  "//": "a comment",
  "variable": {"v": [{"default": {"on": true, "none": null, "n": 1.50}}], "wrong": 1},
  "locals": [{"list": ["${var.v.n}", "plain"]}],
  "data": {"template_file": {"t": {"template": "${file(\"t.json\")}", "vars": {"x": "given"}}, "inline": {"template": "{\"i\": \"$${x}\"}", "vars": {"x": "given"}}}},
  "module": {"registry": {"source": "terraform-aws-modules/step-functions/aws", "definition": "{\"StartAt\":1}"}},
  "resource": {"aws_sfn_state_machine": {
    "coded": {"definition": "${jsonencode({a = var.v, l = local.list, q = aws_sqs_queue.q.url})}"},
    "plain": {"definition": "{\"a\": \"\\u00e9 ${\"x\"}\"}"},
    "inline": {"definition": "${data.template_file.inline.rendered}"},
    "rendered": {"definition": "${data.template_file.t.rendered}"},
    "bad": {"definition": "${"}
  }}
}`
	m, problem := Read(&source.File{Name: "main.tf.json", Data: []byte(text)}, nil, nil)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	if got := strings.Join(m.StateMachines(), " "); got != "registry coded plain inline rendered bad" {
		t.Errorf("machines: %s", got)
	}
	beside := files{"t.json": `{"a": "${x}"}`}
	for name, want := range map[string]string{
		"registry": `{"StartAt":1}`,
		"coded":    `{"a":{"on":true,"none":null,"n":1.5},"l":[1.5,"plain"],"q":"${aws_sqs_queue.q.url}"}`,
		"plain":    `{"a":"é x"}`,
		"rendered": `{"a":"given"}`,
		"inline":   `{"i":"given"}`,
	} {
		if got := shownTerraform(t, m, Options{Resource: name, Open: beside.open}); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	_, problems, err := m.Definition(Options{Resource: "bad"})
	if err != nil || len(problems) != 1 || problems[0].Span.Start.Line != 12 {
		t.Errorf("%v, %v", problems, err)
	}
	for text, want := range map[string]string{
		"[]": "must be an object, but is an array", "{": "unexpected end of file: the { is never closed",
	} {
		_, problem := Read(&source.File{Name: "a.TF.JSON", Data: []byte(text)}, nil, nil)
		if problem == nil || !strings.Contains(problem.Message, want) {
			t.Errorf("%s: %v, want %s", text, problem, want)
		}
	}
}

// Local modules have the inputs that are known without Terraform; a module that calls itself ends.
func TestModules(t *testing.T) {
	folders := map[string]string{
		"m": `variable "name" {}
variable "arn" { default = "none" }
variable "definition" { default = null }
module "again" {
  source = "../m"
  name = "again-${var.name}"
  arn = aws_a.b.arn
}
resource "aws_sfn_state_machine" "s" { definition = jsonencode({a = var.name, b = var.arn}) }`,
		"given": `variable "definition" {}
resource "aws_sfn_state_machine" "s" { definition = var.definition }`,
	}
	folder := func(name string) []*source.File {
		text, known := folders[name]
		if !known {
			return nil
		}
		return []*source.File{{Name: name + "/main.tf", Data: []byte(text)},
			{Name: name + "/broken.tf", Data: []byte("{")}}
	}
	main := `locals { who = "local" }
module "one" {
  source = "./m"
  name = local.who
}
module "literal" {
  source = "./given"
  definition = "{\"a\":1}"
}
module "unknown" {
  source = "./given"
  definition = aws_x.y.z
}
module "none" { source = "./nowhere" }
module "remote" { source = "git::https://example.com/x" }
`
	m, problem := Read(&source.File{Name: "main.tf", Data: []byte(main)}, nil, folder)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	names := m.StateMachines()
	if len(names) != maxDepthOfModules+1 || names[0] != "one.s" || names[1] != "one.again.s" ||
		names[len(names)-1] != "literal.s" {
		t.Errorf("machines: %v", names)
	}
	for name, want := range map[string]string{
		"one.s":                                  `{"a":"local","b":"none"}`,
		"one.again.s":                            `{"a":"again-local","b":"${var.arn}"}`,
		"module.literal.aws_sfn_state_machine.s": `{"a":1}`,
	} {
		if got := shownTerraform(t, m, Options{Resource: name}); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Modules that call themselves more than once are read so often at most.
func TestManyModules(t *testing.T) {
	calls := strings.Repeat("module \"m\" { source = \"./m\" }\n", 50)
	reads := 0
	_, problem := Read(&source.File{Name: "main.tf", Data: []byte(calls)}, nil, func(string) []*source.File {
		reads++
		return []*source.File{{Name: "m/main.tf", Data: []byte(calls)}}
	})
	if problem != nil || reads != maxModules {
		t.Errorf("%v, %d modules", problem, reads)
	}
}
