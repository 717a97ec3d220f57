// Finds the definitions of state machines inside of Terraform configurations: resources of the type
// aws_sfn_state_machine whose definition is a heredoc, file, templatefile, jsonencode, a local value or a data source
// template_file, and modules of the registry that make such a resource. Values that only Terraform knows stay as references,
// ${aws_lambda_function.charge.arn} for example. Every place that a definition found here has is one of the file that it is
// written in: the configuration, or the file that it names.

package embedded

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// resourceType is the type of the resources that hold a definition.
const resourceType = "aws_sfn_state_machine"

// The extensions of the files of a configuration, in Terraform's language and in JSON.
const (
	Extension     = ".tf"
	JSONExtension = ".tf.json"
)

// IsTerraform reports whether a file is one of a Terraform configuration, by its name.
func IsTerraform(name string) bool {
	return strings.EqualFold(filepath.Ext(name), Extension) || isJSON(name)
}

func isJSON(name string) bool {
	at := len(name) - len(JSONExtension)
	return at >= 0 && strings.EqualFold(name[at:], JSONExtension)
}

// Module is the configuration of one folder.
type Module struct {
	main      *source.File
	files     map[string]*source.File // by their names
	whole     map[*source.File]*source.Text
	calls     []block                       // of modules
	path      string                        // of a local module: its folder, relative to the main file
	outer     map[*source.File]*source.File // of the texts of strings in JSON, the files that they are in
	machines  []terraformMachine
	locals    map[string]hclsyntax.Expression
	variables map[string]hclsyntax.Expression            // the defaults; nil: there is none
	templates map[string]map[string]hclsyntax.Expression // the attributes of the data sources template_file
	region    hclsyntax.Expression                       // of the provider
	resources map[string]map[string]hclsyntax.Expression // the attributes by the address, data sources included
	partial   bool                                       // there may be resources that are not read
}

// machine is a resource, or a module, with a definition.
type terraformMachine struct {
	name, address string
	attributes    map[string]hclsyntax.Expression
	definition    hclsyntax.Expression // nil: it has none
	at            hcl.Range
	module        *Module           // that the resource is in
	outer         *terraformMachine // of the call of a local module, whose attributes may leave the machine out
}

// Folder returns the files of the configuration in a folder, which is named relative to the main file; files that
// are not read are nil.
type Folder func(name string) []*source.File

// Bounds of the modules: their depth in one another, and their number.
const (
	maxDepthOfModules = 8
	maxModules        = 200
)

// Read reads a file of a configuration, those beside it for their variables, local values and data sources, and the
// files of the local modules that it calls, each with its inputs. Other files with errors are left out. Without folder
// there are no local modules.
func Read(main *source.File, beside []*source.File, folder Folder) (*Module, *source.Diagnostic) {
	m := newModule(main, ".")
	if problem := m.add(main, true); problem != nil {
		return nil, problem
	}
	for _, file := range beside {
		m.more(file, false)
	}
	if m.partial = m.partial || folder == nil; folder != nil {
		left := maxModules
		m.local(folder, 0, &left)
	}
	return m, nil
}

func newModule(main *source.File, path string) *Module {
	return &Module{
		main: main, path: path, files: make(map[string]*source.File), whole: make(map[*source.File]*source.Text),
		locals: make(map[string]hclsyntax.Expression), variables: make(map[string]hclsyntax.Expression), templates: make(map[string]map[string]hclsyntax.Expression),
		outer: make(map[*source.File]*source.File), resources: make(map[string]map[string]hclsyntax.Expression),
	}
}

// local adds the machines of the local modules that are called, of at most so many modules.
func (m *Module) local(folder Folder, depth int, left *int) {
	for _, call := range m.calls {
		from, ok := literal(call.attributes["source"])
		if !ok || !strings.HasPrefix(from, "./") && !strings.HasPrefix(from, "../") || depth == maxDepthOfModules || *left == 0 {
			continue
		}
		*left--
		inner, caller := newModule(m.main, path.Join(m.path, from)), &terraformMachine{address: "module." + call.labels[0], attributes: call.attributes, module: m}
		maps.Copy(inner.files, m.files) // the inputs are written there
		maps.Copy(inner.whole, m.whole)
		maps.Copy(inner.outer, m.outer)
		for _, file := range folder(inner.path) {
			inner.more(file, true)
		}
		for name := range inner.variables {
			if input := call.attributes[name]; input != nil {
				inner.variables[name] = m.input(input)
			}
		}
		if inner.region == nil && m.region != nil {
			inner.region = m.input(m.region)
		}
		inner.local(folder, depth+1, left)
		for _, one := range inner.machines {
			one.name, one.address = call.labels[0]+"."+one.name, caller.address+"."+one.address
			last := &one
			for last.outer != nil && last != caller {
				last = last.outer
			}
			if last != caller {
				last.outer = caller
			}
			m.machines = append(m.machines, one)
		}
	}
}

// input returns the expression for the value that a module is given; nil where only Terraform knows it.
func (m *Module) input(expr hclsyntax.Expression) hclsyntax.Expression {
	if len(expr.Variables()) == 0 {
		return expr
	}
	v := m.reader("", Options{}).cty(expr, nil)
	if !v.IsWhollyKnown() {
		return nil
	}
	return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: expr.Range()}
}

// more reads a further file, of whose errors Terraform tells.
func (m *Module) more(file *source.File, isMain bool) {
	m.partial = file == nil || m.add(file, isMain) != nil || m.partial
}

// add reads a file; only the machines of the main one are meant.
func (m *Module) add(file *source.File, isMain bool) *source.Diagnostic {
	m.files[file.Name] = file
	blocks, problem := m.blocks(file)
	if problem != nil {
		return problem
	}
	for _, b := range blocks {
		definition := b.attributes["definition"]
		if address := strings.Join(b.labels, "."); b.kind == "resource" {
			m.resources[address] = b.attributes
		} else if b.kind == "data" {
			m.resources["data."+address] = b.attributes
		}
		switch {
		case isMain && b.kind == "resource" && len(b.labels) == 2 && b.labels[0] == resourceType:
			m.machines = append(m.machines, terraformMachine{b.labels[1], resourceType + "." + b.labels[1], b.attributes, definition, b.at, m, nil})
		case isMain && b.kind == "module" && len(b.labels) == 1 && definition != nil && makesMachine(b.attributes["source"]):
			m.machines = append(m.machines, terraformMachine{b.labels[0], "module." + b.labels[0], b.attributes, definition, b.at, m, nil})
		case isMain && b.kind == "module" && len(b.labels) == 1:
			m.calls = append(m.calls, b)
		case b.kind == "provider" && b.labels[0] == "aws" && b.attributes["alias"] == nil:
			m.region = b.attributes["region"]
		case b.kind == "variable" && len(b.labels) == 1:
			m.variables[b.labels[0]] = b.attributes["default"]
		case b.kind == "data" && len(b.labels) == 2 && b.labels[0] == "template_file":
			m.templates[b.labels[1]] = b.attributes
		case b.kind == "locals":
			maps.Copy(m.locals, b.attributes)
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
			d.File, d.Span = m.real(m.files[p.Subject.Filename]), m.span(*p.Subject)
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
	if file = m.real(file); file != m.main {
		span.File = file
	}
	return span
}

// real returns the file that a text is in.
func (m *Module) real(file *source.File) *source.File {
	if outer := m.outer[file]; outer != nil {
		return outer
	}
	return file
}

// StateMachines returns the names of the resources and modules that hold a definition, in the order of the text, but
// for the ones of [Module.Skipped].
func (m *Module) StateMachines() []string {
	var names []string
	for i := range m.machines {
		if m.machines[i].skipped() == "" {
			names = append(names, m.machines[i].name)
		}
	}
	return names
}

// Skipped returns the machines whose definition is an input of the configuration.
func (m *Module) Skipped() []Skipped {
	var list []Skipped
	for i := range m.machines {
		if reason := m.machines[i].skipped(); reason != "" {
			list = append(list, Skipped{Name: m.machines[i].name, Reason: reason})
		}
	}
	return list
}

// skipped returns why a machine is not among the StateMachines, or "".
func (m *terraformMachine) skipped() string {
	name, ok := m.module.variable(m.definition)
	if !ok {
		return ""
	}
	why := unknown
	if value := m.module.variables[name]; value != nil && blank(value) {
		why = empty
	} else if value != nil {
		return ""
	}
	r := m.module.reader(m.address, Options{})
	r.unreadable(m.definition, why)
	return cmp.Or(m.left(Options{}), strings.TrimPrefix(r.err.Error(), notRead))
}

// left returns why a deployment leaves a machine out, or "": a count of 0, or nothing in for_each.
func (m *terraformMachine) left(o Options) string {
	for at := m; at != nil; at = at.outer {
		r := at.module.reader(at.address, o)
		if count := at.attributes["count"]; count != nil {
			if v, ok := r.evaluated(count, nil); ok && value.Compact(v) == "0" {
				return "the count of " + at.address + " is 0"
			}
		}
		if each := at.attributes["for_each"]; each != nil {
			if v, ok := r.evaluated(each, nil); ok && (value.Compact(v) == "{}" || value.Compact(v) == "[]") {
				return "the for_each of " + at.address + " is empty"
			}
		}
	}
	return ""
}

// blank reports whether an expression is null or a text of blanks.
func blank(expr hclsyntax.Expression) bool {
	if text, ok := literal(expr); ok {
		return strings.TrimSpace(text) == ""
	}
	l, ok := expr.(*hclsyntax.LiteralValueExpr)
	return ok && l.Val.IsNull()
}

// variable returns the name of the variable that an expression is.
func (m *Module) variable(expr hclsyntax.Expression) (string, bool) {
	names := traversal(expr)
	if len(names) != 2 || names[0] != "var" {
		return "", false
	}
	return names[1], true
}

// find returns the machine of that name or address, or the only one.
func (m *Module) find(wanted string) (*terraformMachine, error) {
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
	return nil, &NameError{Container: "configuration", Machine: "resource " + resourceType, Wanted: wanted, Names: names}
}
