package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// files are the files beside a configuration.
type files map[string]string

func (f files) open(name string) (*source.File, error) {
	text, known := f[filepath.ToSlash(filepath.Clean(name))]
	if !known {
		return nil, os.ErrNotExist
	}
	return &source.File{Name: name, Data: []byte(text)}, nil
}

// module reads a configuration of main.tf and more files.
func module(t *testing.T, main string, beside files) *Module {
	t.Helper()
	var more []*source.File
	for name, text := range beside {
		if IsTerraform(name) {
			more = append(more, &source.File{Name: name, Data: []byte(text)})
		}
	}
	m, problem := Read(&source.File{Name: "main.tf", Data: []byte(main)}, more, nil)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	return m
}

// resource is a configuration with one machine.
func terraformResource(definition, more string) string {
	return "resource \"aws_sfn_state_machine\" \"m\" {\n  definition = " + definition + "\n}\n" + more
}

// shown returns a definition as JSON, or its first problem.
func shownTerraform(t *testing.T, m *Module, o Options) string {
	t.Helper()
	found, problems, err := m.Definition(o)
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

// The values of expressions, from Terraform's documentation.
func TestExpressions(t *testing.T) {
	const more = `
variable "stage" { default = "dev" }
variable "none" {}
variable "on" {
  default = false
}
locals {
  object = { a = { b = 1 } }
  list   = [1, "x"]
  loop   = local.loop
  text   = "t-${var.stage}"
}`
	for expression, want := range map[string]string{
		`jsonencode({a = 1, "b c" = true, (var.stage) = null})`:                                                      `{"a":1,"b c":true,"dev":null}`,
		`jsonencode({a = 1.50, b = -2, c = "é\n\"\u00e9"})`:                                                          `{"a":1.5,"b":-2,"c":"é\n\"é"}`,
		`jsonencode({a = local.object.a, b = local.object.a.b, c = local.list[1]})`:                                  `{"a":{"b":1},"b":1,"c":"x"}`,
		`jsonencode({a = var.on ? 1 : 2, b = var.none ? 1 : 2})`:                                                     `{"a":2,"b":1}`,
		`jsonencode({a = local.text, b = upper("x"), c = length(local.list)})`:                                       `{"a":"t-dev","b":"X","c":2}`,
		`jsonencode({a = aws_sqs_queue.q.url, b = "x-${aws_sqs_queue.q[0].arn}", c = each.key, d = aws_x.y[*].arn})`: `{"a":"${aws_sqs_queue.q.url}","b":"x-${aws_sqs_queue.q.0.arn}","c":"${each.key}","d":"${aws_x.y.arn}"}`,
		`jsonencode({a = local.loop, b = var.none, c = f(1)})`:                                                       `{"a":"${local.loop}","b":"${var.none}","c":"${f_1}"}`,
		`jsonencode({a = file(var.none)})`:                                                                           `{"a":"${file_var.none}"}`,
		`jsonencode(merge({a = 1, b = 2}, {a = 3}))`:                                                                 `{"b":2,"a":3}`,
		`jsonencode({a = concat([1], local.list), b = [for x in local.list : x]})`:                                   `{"a":[1,1,"x"],"b":[1,"x"]}`,
		`jsonencode({a = jsonencode({b = 1}), c = file("t.txt"), d = yamldecode(file("y.yaml"))})`:                   `{"a":"{\"b\":1}","c":"text","d":{"StartAt":"Y"}}`,
		`jsonencode(jsondecode(file("d.json")))`:                                                                     `{"StartAt":"D"}`,
		`jsonencode(yamldecode(templatefile("y.yaml", {})))`:                                                         `{"StartAt":"Y"}`,
		`(file("d.json"))`:                                                               `{"StartAt":"D"}`,
		`"${file("d.json")}"`:                                                            `{"StartAt":"D"}`,
		`var.on ? file("none.json") : file("d.json")`:                                    `{"StartAt":"D"}`,
		`replace(file("d.json"), "D", var.stage)`:                                        `{"StartAt":"dev"}`,
		`trimspace(file("d.json"))`:                                                      `{"StartAt":"D"}`,
		`"{\"a\": \"$${kept} %%{kept}\", \"n\": ${1 + 1}}"`:                              `{"a":"${kept} %{kept}","n":2}`,
		`templatefile("t.json", {n = 5, s = local.text, r = aws_sns_topic.t.arn})`:       `{"n":5,"s":"t-dev","r":"${aws_sns_topic.t.arn}","kept":"${x}"}`,
		`templatefile("t.json", merge({n = 5, s = 1}, {r = 2}))`:                         `{"n":5,"s":"1","r":"2","kept":"${x}"}`,
		`templatefile("each.json", {names = ["a", "b"], on = true})`:                     `{"names":["a","b"],"on":"yes"}`,
		`templatefile("for.json", {names = ["a", "b"], fn = aws_lambda_function.f.arn})`: `{"a":"${aws_lambda_function.f.arn}","b":"${aws_lambda_function.f.arn}","on":1}`,
		`templatefile("for.json", {names = ["a"], fn = var.none})`:                       `{"a":"${var.none}","on":1}`,
		`templatefile("for.json", {names = var.none, fn = "f"})`:                         `not read: the template repeats a part for a value that only Terraform can evaluate`,
		`file("none.json")`:                                                              os.ErrNotExist.Error(),
		`file(var.none)`:                                                                 `not read: the name of the file is var.none, which only Terraform can evaluate`,
		`data.http.x.body`:                                                               `not read: the definition is data.http.x.body, which only Terraform can evaluate`,
		`jsonencode(yamldecode(data.http.x.body))`:                                       `not read: the definition is yamldecode(data.http.x.body), which only Terraform can evaluate`,
		`local.loop`:                   `not read: the definition is local.loop, which only Terraform can evaluate`,
		`templatefile("bad.json", {})`: `the template cannot be read: the text is not Terraform's: Expected the start of an expression, but found the end of the file`,
		`5`:                            `5`,
	} {
		m := module(t, terraformResource(expression, more), nil)
		got := shownTerraform(t, m, Options{Open: files{
			"d.json": `{"StartAt": "D"}`, "t.txt": "text", "y.yaml": "StartAt: Y", "bad.json": "${",
			"t.json":    `{"n": ${n}, "s": "${s}", "r": "${r}", "kept": "$${x}"}`,
			"for.json":  `{%{ for n in names ~} "${n}": "${fn}", %{ endfor ~} "on": 1}`,
			"each.json": `{"names": [%{ for i, n in names }%{ if i > 0 },%{ endif }"${n}"%{ endfor }], "on": "%{ if on }yes%{ else }no%{ endif }"}`,
		}.open})
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", expression, got, want)
		}
	}
}

// Every place is in the file that the character is in.
func TestPlaces(t *testing.T) {
	const heredoc = "<<-EOF\n    {\n      \"é\": \"a\",\n        \"b\": {\"c\": \"$${x}\", \"d\": \"${var.none}\", \"e\": 1}\n    }\n  EOF"
	for definition, file := range map[string]string{
		heredoc:                                       "main.tf",
		strings.Replace(heredoc, "<<-", "<<", 1):      "main.tf",
		`"{\"é\": \"a\", \"b\": {\"e\": 1}}"`:         "main.tf",
		`jsonencode({ é = "a", b = { e = 1 } })`:      "main.tf",
		`file("p.json")`:                              "p.json",
		`templatefile("p.json", { n = "long text" })`: "p.json",
		`local.definition`:                            "beside.tf",
	} {
		beside := files{
			"p.json":    "{\"é\": \"${n}\",\n  \"b\": {\"e\": 1}}",
			"beside.tf": "locals {\n  definition = jsonencode({ x = 1, b = { e = 1 } })\n}",
		}
		if strings.HasPrefix(definition, "<<EOF") {
			definition = strings.Replace(definition, "  EOF", "EOF", 1)
		}
		main := terraformResource(definition, "variable \"none\" {}")
		m := module(t, main, beside)
		found, problems, err := m.Definition(Options{Open: beside.open})
		if err != nil || found == nil {
			t.Fatalf("%s: %v %v", definition, err, problems)
		}
		if found.File.Name != file {
			t.Errorf("%s: in %s, want %s", definition, found.File.Name, file)
		}
		_, one := found.Root.Find("/b/e")
		if one == nil {
			t.Fatalf("%s: %s", definition, value.Compact(found.Root.Value))
		}
		at := found.File.Data[one.Span.Start.Offset:]
		line := string(found.File.Data[strings.LastIndex(string(found.File.Data[:one.Span.Start.Offset]), "\n")+
			1 : one.Span.Start.Offset])
		if at[0] != '1' || one.Span.Start.Col != len([]rune(line))+1 ||
			one.Span.Start.Line != 1+strings.Count(string(found.File.Data[:one.Span.Start.Offset]), "\n") {
			t.Errorf("%s: e is at %+v: %.20q", definition, one.Span.Start, at)
		}
	}
}

func TestMachines(t *testing.T) {
	m := module(t, terraformResource(`jsonencode({})`, `
resource "aws_sfn_state_machine" "input" { definition = var.definition }
resource "aws_sfn_state_machine" "none" {}
module "registry" {
  source     = "terraform-aws-modules/step-functions/aws"
  definition = jsonencode({a = 1})
}
module "other" {
  source     = "./network"
  definition = "x"
}
variable "definition" {}`), nil)
	if names := strings.Join(m.StateMachines(), " "); names != "m none registry" {
		t.Error(names)
	}
	for wanted, want := range map[string]string{
		"m": "{}", "aws_sfn_state_machine.m": "{}", "registry": `{"a":1}`, "module.registry": `{"a":1}`,
		"none":  "aws_sfn_state_machine.none has no definition",
		"input": "not read: the definition is var.definition, which only Terraform can evaluate",
		"":      "the configuration has these state machines: m, none, registry; say which with --resource NAME",
		"x":     `the configuration has no state machine "x"; it has these state machines: m, none, registry`,
	} {
		if got := shownTerraform(t, m, Options{Resource: wanted}); got != want {
			t.Errorf("%q: %s, want %s", wanted, got, want)
		}
	}
	given := Options{Resource: "input", Values: func(name string) (string, bool) {
		return `{"b": 2}`, name == "var.definition"
	}}
	if got := shownTerraform(t, m, given); got != `{"b":2}` {
		t.Error(got)
	}
	var name *NameError
	if _, _, err := module(t, "", nil).Definition(Options{}); !errors.As(err, &name) ||
		err.Error() != "the configuration has no resource aws_sfn_state_machine" {
		t.Error(err)
	}
	if _, problem := Read(&source.File{Name: "m.tf", Data: []byte("resource {")}, nil, nil); problem == nil ||
		problem.Span.Start.Line != 1 {
		t.Errorf("%+v", problem)
	}
}

// Nothing that a configuration says may end the program, or take without bound.
func TestOddConfigurations(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("locals {\n a0 = \"xxxxxxxxxx\"\n")
	for i := range 40 {
		doubling.WriteString(" a" + itoa(i+1) + " = \"${local.a" + itoa(i) + "}${local.a" + itoa(i) + "}\"\n")
	}
	doubling.WriteString("}\n")
	for _, text := range []string{
		terraformResource(`"${local.a40}"`, doubling.String()),
		terraformResource(`jsonencode({a = upper(local.a40)})`, doubling.String()), terraformResource(`file()`, ""),
		terraformResource(`file("a", "b")`, ""), terraformResource(`templatefile(1, 2)`, ""),
		terraformResource(`jsonencode()`, ""), terraformResource(`jsonencode(jsondecode())`, ""),
		terraformResource(`local.x`, "locals { x = local.y }\nlocals { y = local.x }"),
		terraformResource(`replace("a", "", "b")`, ""),
		terraformResource(`data.template_file.x.rendered`, "data \"template_file\" \"x\" {}"),
		terraformResource(`null`, ""), terraformResource(`[1]`, ""),
		terraformResource(strings.Repeat("(", 200)+"1"+strings.Repeat(")", 200), ""),
		terraformResource(`jsonencode(`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`)`, ""),
	} {
		m, problem := Read(&source.File{Name: "m.tf", Data: []byte(text)}, nil, nil)
		if problem != nil {
			continue
		}
		found, problems, err := m.Definition(Options{Open: files{}.open})
		if found == nil && err == nil && len(problems) == 0 {
			t.Errorf("no definition and no reason: %.80s", text)
		}
	}
}

func itoa(n int) string { return value.Compact(value.Int(int64(n))) }

// A data source template_file renders its template and nothing around it, whether that is a file, a text of the
// configuration, or one that is put together; what Terraform itself escapes is left for the template.
func TestTemplateFile(t *testing.T) {
	for name, c := range map[string]struct{ template, want string }{
		"a file": {`file("t.json")`, `{"a":"given","b":"${aws_sqs_queue.q.url}"}`},
		"a text": {`"{\"a\": \"$${x}\"}"`, `{"a":"given"}`},
		"a heredoc": {"<<EOF\n{\"a\": \"$${x}\",\n \"b\": \"$${y}\"}\nEOF\n",
			`{"a":"given","b":"${aws_sqs_queue.q.url}"}`},
		"YAML": {"<<-EOF\n    a: $${x}\n    b:\n      c: 1\n  EOF\n", `{"a":"given","b":{"c":1}}`},
		"several": {`"{\"a\": ${jsonencode("$${x}")}, \"t\": ${file("t.json")}}"`,
			`{"a":"given","t":{"a":"given","b":"${aws_sqs_queue.q.url}"}}`},
		"a local value": {`local.text`, `{"l":"given"}`},
		"trimmed":       {`trimspace(file("t.json"))`, `{"a":"given","b":"${aws_sqs_queue.q.url}"}`},
		"replaced":      {`replace(file("t.json"), "\"a\"", "\"c\"")`, `{"c":"given","b":"${aws_sqs_queue.q.url}"}`},
	} {
		rendered := `data.template_file.t.rendered`
		if name == "YAML" {
			rendered = "jsonencode(yamldecode(" + rendered + "))"
		}
		text := terraformResource(rendered, "locals { text = \"{\\\"l\\\": \\\"$${x}\\\"}\" }\ndata \"template_file\" \"t\" {\n  template = "+c.template+"\n  vars = { x = \"given\", y = aws_sqs_queue.q.url }\n}\n")
		m, problem := Read(&source.File{Name: "m.tf", Data: []byte(text)}, nil, nil)
		if problem != nil {
			t.Fatal(problem.Format())
		}
		if got := shownTerraform(t, m, Options{Open: files{"t.json": "{\"a\": \"${x}\",\n \"b\": \"${y}\"}"}.open}); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if name != "a heredoc" {
			continue
		}
		found, _, err := m.Definition(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if at := found.Root.Members[1].KeySpan.Start; !strings.HasPrefix(strings.Split(text,
			"\n")[at.Line-1][at.Col-1:], `"b"`) {
			t.Errorf("%s: the second member is at %v", name, at)
		}
	}
}
