// Package terraform finds the definitions of state machines inside of Terraform configurations: resources of the type
// aws_sfn_state_machine whose definition is a heredoc, file, templatefile, jsonencode, a local value or a data source
// template_file, and modules of the registry that make such a resource. Values that only Terraform knows stay as references,
// ${aws_lambda_function.charge.arn} for example. Every place that a definition found here has is one of the file that it is
// written in: the configuration, or the file that it names.
package terraform

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"asldb/engine/embedded"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// resourceType is the type of the resources that hold a definition.
const resourceType = "aws_sfn_state_machine"

// Extension is that of the files of a configuration.
const Extension = ".tf"

// Is reports whether a file is one of a Terraform configuration, by its name.
func Is(name string) bool { return strings.EqualFold(filepath.Ext(name), Extension) }

// Module is the configuration of one folder.
type Module struct {
	main      *source.File
	files     map[string]*source.File // by their names
	whole     map[*source.File]*source.Text
	machines  []machine
	locals    map[string]hclsyntax.Expression
	variables map[string]hclsyntax.Expression // the defaults; nil: there is none
	templates map[string]*hclsyntax.Body      // of the data sources template_file
}

// machine is a resource, or a module, with a definition.
type machine struct {
	name, address string
	definition    hclsyntax.Expression // nil: it has none
	at            hcl.Range
}

// Read reads a file of a configuration, and those beside it for their variables, local values and data sources. Files beside it
// with errors are left out.
func Read(main *source.File, beside []*source.File) (*Module, *source.Diagnostic) {
	m := &Module{
		main: main, files: make(map[string]*source.File), whole: make(map[*source.File]*source.Text),
		locals: make(map[string]hclsyntax.Expression), variables: make(map[string]hclsyntax.Expression), templates: make(map[string]*hclsyntax.Body),
	}
	if problem := m.add(main, true); problem != nil {
		return nil, problem
	}
	for _, file := range beside {
		_ = m.add(file, false) // Terraform reports its errors
	}
	return m, nil
}

// add reads a file; only the machines of the main one are meant.
func (m *Module) add(file *source.File, isMain bool) *source.Diagnostic {
	m.files[file.Name] = file
	parsed, problems := hclsyntax.ParseConfig(file.Data, file.Name, hcl.InitialPos)
	if problems.HasErrors() {
		return m.syntax(problems)
	}
	for _, block := range parsed.Body.(*hclsyntax.Body).Blocks {
		attribute := func(name string) hclsyntax.Expression {
			if a := block.Body.Attributes[name]; a != nil {
				return a.Expr
			}
			return nil
		}
		switch {
		case isMain && block.Type == "resource" && len(block.Labels) == 2 && block.Labels[0] == resourceType:
			m.machines = append(m.machines, machine{block.Labels[1], resourceType + "." + block.Labels[1], attribute("definition"), block.DefRange()})
		case isMain && block.Type == "module" && len(block.Labels) == 1 && attribute("definition") != nil && makesMachine(attribute("source")):
			m.machines = append(m.machines, machine{block.Labels[0], "module." + block.Labels[0], attribute("definition"), block.DefRange()})
		case block.Type == "variable" && len(block.Labels) == 1:
			m.variables[block.Labels[0]] = attribute("default")
		case block.Type == "data" && len(block.Labels) == 2 && block.Labels[0] == "template_file":
			m.templates[block.Labels[1]] = block.Body
		case block.Type == "locals":
			for name, a := range block.Body.Attributes {
				m.locals[name] = a.Expr
			}
		}
	}
	return nil
}

// makesMachine reports whether the source of a module names one for state machines.
func makesMachine(expr hclsyntax.Expression) bool {
	text, ok := literal(expr)
	return ok && slices.ContainsFunc([]string{"step-function", "stepfunction", "step_function", "sfn", "state-machine", "state_machine"}, func(part string) bool {
		return strings.Contains(strings.ToLower(text), part)
	})
}

// syntax returns the first error of a file.
func (m *Module) syntax(problems hcl.Diagnostics) *source.Diagnostic {
	for _, p := range problems {
		if p.Severity != hcl.DiagError {
			continue
		}
		d := &source.Diagnostic{Severity: source.Error, Rule: rules.DefinitionNotFound, Message: "the text is not Terraform's: " + strings.TrimSuffix(p.Detail, ".")}
		if p.Subject != nil {
			d.File, d.Span = m.files[p.Subject.Filename], m.span(*p.Subject)
		}
		return d
	}
	return nil
}

// text returns the whole text of a file.
func (m *Module) text(file *source.File) *source.Text {
	if m.whole[file] == nil {
		m.whole[file] = source.Whole(file)
	}
	return m.whole[file]
}

// span returns the place of a stretch in its file.
func (m *Module) span(r hcl.Range) source.Span {
	file := m.files[r.Filename]
	if file == nil {
		return source.Span{}
	}
	text := m.text(file)
	span := source.Span{Start: text.Position(r.Start.Byte), End: text.Position(r.End.Byte)}
	if file != m.main {
		span.File = file
	}
	return span
}

// StateMachines returns the names of the resources and modules that hold a definition, in the order of the text. Those whose
// definition is an input of the configuration are left out.
func (m *Module) StateMachines() []string {
	var names []string
	for _, machine := range m.machines {
		if name, ok := m.input(machine.definition); !ok || m.variables[name] != nil {
			names = append(names, machine.name)
		}
	}
	return names
}

// input returns the name of the variable that an expression is.
func (m *Module) input(expr hclsyntax.Expression) (string, bool) {
	names := traversal(expr)
	if len(names) != 2 || names[0] != "var" {
		return "", false
	}
	return names[1], true
}

// find returns the machine of that name or address, or the only one.
func (m *Module) find(wanted string) (*machine, error) {
	names := m.StateMachines()
	if wanted == "" && len(names) == 1 {
		wanted = names[0]
	}
	if wanted == "" && len(names) == 0 && len(m.machines) == 1 {
		wanted = m.machines[0].name
	}
	for i := range m.machines {
		if m.machines[i].name == wanted || m.machines[i].address == wanted {
			return &m.machines[i], nil
		}
	}
	return nil, &embedded.NameError{Container: "configuration", Machine: "resource " + resourceType, Wanted: wanted, Names: names}
}
