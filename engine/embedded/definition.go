package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Definition returns the definition of a state machine. It is nil when there is an error among the problems, or err: a
// *[embedded.NameError], or an error of Options.Open.
func (m *Module) Definition(o Options) (found *Definition, problems []source.Diagnostic, err error) {
	machine, err := m.find(o.Resource)
	if err != nil {
		return nil, nil, err
	}
	r := machine.module.reader(machine.address, o)
	if machine.definition == nil {
		r.problem(source.Error, rules.DefinitionNotFound, m.main, m.span(machine.at), "%s has no definition", machine.address)
		return nil, r.problems, nil
	}
	file, root := r.definition(machine.definition, nil)
	if r.err != nil || root == nil {
		if why := machine.left(o); why != "" {
			return nil, nil, &SkipError{Reason: why}
		}
		return nil, r.problems, r.err
	}
	r.hint()
	return &Definition{
		Name: machine.name, File: file, Root: root, Express: r.attribute(machine.attributes, "type") == Express, Deployment: r.deployment(machine),
		Functions: r.functions(),
	}, r.problems, nil
}

// reader returns a reader of the definition at an address.
func (m *Module) reader(address string, o Options) *reader {
	return &reader{module: m, options: o, address: address, active: make(map[string]bool), values: make(map[string]cty.Value), used: make(map[string]bool)}
}

// reader reads one definition.
type reader struct {
	module     *Module
	options    Options
	address    string
	problems   []source.Diagnostic
	references []source.Named
	used       map[string]bool      // names of references
	active     map[string]bool      // local values that are being read
	values     map[string]cty.Value // of variables and local values
	standIns   bool                 // names of a template that only Terraform knows are evaluated as their stand-ins
	depth      int
	written    int
	err        error
	unnamed    error // a file is not read, since only Terraform can evaluate its name
}

// scope holds the names of a template that templatefile reads; nil is the configuration itself.
type scope struct {
	values map[string]hclsyntax.Expression
	names  []string
	// open: the names are not known, since they are computed.
	open bool
	// outer is the scope of the values.
	outer *scope
}

// Bounds of what is read.
const (
	maxNested   = 100
	maxRendered = 2 << 20 // bytes, twice the limit of a definition
)

func (r *reader) problem(severity source.Severity, rule string, file *source.File, at source.Span, format string, args ...any) {
	r.problems = append(r.problems, source.Diagnostic{File: file, Severity: severity, Rule: rule, Span: at, Message: fmt.Sprintf(format, args...)})
}

// fileOf returns the file of an expression.
func (r *reader) fileOf(expr hclsyntax.Expression) *source.File {
	return r.module.real(r.module.files[expr.Range().Filename])
}

// enter counts the levels of expressions; leave is called behind it.
func (r *reader) enter() bool { r.depth++; return r.depth <= maxNested && r.written <= maxRendered }
func (r *reader) leave()      { r.depth-- }

// definition returns the tree of an expression for a definition, and the file that most of it is written in; nil where it
// cannot be read.
func (r *reader) definition(expr hclsyntax.Expression, in *scope) (*source.File, *source.Node) {
	if !r.enter() {
		r.unreadable(expr, unknown)
		return nil, nil
	}
	defer r.leave()
	switch e := expr.(type) {
	case *hclsyntax.ParenthesesExpr:
		return r.definition(e.Expression, in)
	case *hclsyntax.TemplateWrapExpr:
		return r.definition(e.Wrapped, in)
	case *hclsyntax.FunctionCallExpr:
		if e.Name == "jsonencode" && len(e.Args) == 1 {
			if file, root, ok := r.decoded(e.Args[0], in); ok {
				return file, root
			}
			return r.fileOf(expr), r.node(e.Args[0], in)
		}
	case *hclsyntax.ConditionalExpr:
		return r.definition(r.chosen(e, in), in)
	case *hclsyntax.ScopeTraversalExpr:
		if target, key, ok := r.target(e, in); ok && key == "" {
			if blank(target) {
				r.unreadable(expr, empty)
				return nil, nil
			}
			var root *source.Node
			var file *source.File
			r.within(traversal(e), func() { file, root = r.definition(target, nil) })
			return file, root
		}
	}
	text, ok := r.text(expr, in)
	if !ok {
		r.unread(expr)
		return nil, nil
	}
	return r.parsed(text, "definition.json")
}

// parsed reads a text as JSON or YAML, as the name says.
func (r *reader) parsed(text piece, name string) (*source.File, *source.Node) {
	root, problem := text.ReadSubstituted(name)
	if problem != nil {
		problem.File = text.file
		r.problems = append(r.problems, *problem)
		return nil, nil
	}
	return text.file, root
}

// decoded returns the tree of jsondecode(text) or yamldecode(text).
func (r *reader) decoded(expr hclsyntax.Expression, in *scope) (*source.File, *source.Node, bool) {
	call, ok := expr.(*hclsyntax.FunctionCallExpr)
	names := map[string]string{"jsondecode": "definition.json", "yamldecode": "definition.yaml"}
	if !ok || names[call.Name] == "" || len(call.Args) != 1 {
		return nil, nil, false
	}
	text, ok := r.text(call.Args[0], in)
	if !ok {
		r.unread(expr)
		return nil, nil, true
	}
	file, root := r.parsed(text, names[call.Name])
	return file, root, true
}

// printed is the advice to print a definition.
func (r *reader) printed() string {
	return "print it with: echo 'nonsensitive(" + r.address + ".definition)' | terraform console; then give that text to asldb"
}

// The reasons why a definition cannot be read.
const (
	unknown = "which only Terraform can evaluate"
	empty   = "which is empty"
)

// unread notes why the text of a definition is not read, unless a problem tells it: mostly, the name of its file is not known.
func (r *reader) unread(expr hclsyntax.Expression) {
	if r.err = cmp.Or(r.err, r.unnamed); len(r.problems) == 0 {
		r.unreadable(expr, unknown)
	}
}

// unreadable notes why an expression for a definition is not read, and the ways to give it.
func (r *reader) unreadable(expr hclsyntax.Expression, why string) {
	advice := r.printed()
	if traversal(expr) != nil {
		name := reference(expr, r.sourceOf(expr))
		advice = "give its text with --substitutions FILE (" + name + ": ...), or " + advice
	}
	r.err = cmp.Or[error](r.err, &SkipError{"the definition is " + r.shown(expr) + ", " + why + "; " + advice})
}

// sourceOf returns the text of an expression.
func (r *reader) sourceOf(expr hclsyntax.Expression) string {
	file, at := r.module.files[expr.Range().Filename], expr.Range()
	if file == nil {
		return ""
	}
	return string(file.Data[min(at.Start.Byte, len(file.Data)):min(at.End.Byte, len(file.Data))])
}

// shown returns the text of an expression for a message, cut to one short line.
func (r *reader) shown(expr hclsyntax.Expression) string {
	const most = 60
	text := strings.Join(strings.Fields(r.sourceOf(expr)), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// reference notes a value that only Terraform knows, and returns its placeholder; a value that the user has given takes
// its place.
func (r *reader) reference(expr hclsyntax.Expression, in *scope) string {
	name := reference(expr, r.sourceOf(expr))
	if text, known := r.given(name); known {
		return text
	}
	if text := r.deployed(traversal(expr)); text != "" && in == nil {
		return text
	}
	if !r.used[name] {
		r.used[name] = true
		if in != nil && !in.open && r.missing(expr, name, in) {
			return "${" + name + "}"
		}
		if in == nil && r.undeclared(expr) {
			return "${" + name + "}"
		}
		span := r.module.span(expr.Range())
		if span.File == nil {
			span.File = r.fileOf(expr)
		}
		r.references = append(r.references, source.Named{Name: name, Span: span})
	}
	return "${" + name + "}"
}

// namedInHint bounds the names in the hint about references.
const namedCalls = 5

// hint notes the references, whose values are known only after deployment.
func (r *reader) hint() {
	if len(r.references) == 0 {
		return
	}
	names := value.Each(r.references[:min(len(r.references), namedCalls)], func(n source.Named) string {
		return n.Name
	})
	list := strings.Join(names, ", ")
	if more := len(r.references) - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	first := r.references[0].Span
	r.problem(source.Hint, rules.UnresolvedReference, first.File, first, "known only after deployment, and left as references: %s", list)
}

// missing reports a name of a template that templatefile gives no value for.
func (r *reader) missing(expr hclsyntax.Expression, name string, in *scope) bool {
	names := traversal(expr)
	if len(names) == 0 || in.values[names[0]] != nil {
		return false
	}
	d := source.Diagnostic{
		File: r.fileOf(expr), Severity: source.Warning, Rule: rules.UnresolvedSubstitution, Span: r.module.span(expr.Range()),
		Message: "${" + name + "} has no value: the configuration gives " + listed(in.names),
	}
	d.Suggestion = wording.Meant(names[0], slices.Values(in.names))
	r.problems = append(r.problems, d)
	return true
}

// undeclared reports a resource of AWS that no file of the module declares.
func (r *reader) undeclared(expr hclsyntax.Expression) bool {
	names := traversal(expr)
	if r.module.partial || len(names) < 3 || !strings.HasPrefix(names[0], "aws_") ||
		r.module.resources[names[0]+"."+names[1]] != nil {
		return false
	}
	d := source.Diagnostic{
		File: r.fileOf(expr), Severity: source.Warning, Rule: rules.UnknownReference, Span: r.module.span(expr.Range()),
		Message: "no file of the module declares the resource " + names[0] + "." + names[1],
	}
	d.Suggestion = wording.Meant(names[1], func(yield func(string) bool) {
		for address := range r.module.resources {
			if name, same := strings.CutPrefix(address, names[0]+"."); same && !yield(name) {
				return
			}
		}
	})
	r.problems = append(r.problems, d)
	return true
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (r *reader) given(name string) (string, bool) {
	if r.options.Values == nil {
		return "", false
	}
	return r.options.Values(name)
}

// node returns an expression as a tree.
func (r *reader) node(expr hclsyntax.Expression, in *scope) *source.Node {
	at := r.module.span(expr.Range())
	if !r.enter() {
		r.leave()
		return source.NewString("", at)
	}
	defer r.leave()
	switch e := expr.(type) {
	case *hclsyntax.ParenthesesExpr:
		return r.node(e.Expression, in)
	case *hclsyntax.TemplateWrapExpr:
		return r.node(e.Wrapped, in)
	case *hclsyntax.ObjectConsExpr:
		members := make([]source.NodeMember, 0, len(e.Items))
		for _, item := range e.Items {
			members = append(members, source.NodeMember{Key: r.key(item.KeyExpr, in), KeySpan: r.module.span(item.KeyExpr.Range()), Node: r.node(item.ValueExpr, in)})
		}
		return source.NewObject(members, at)
	case *hclsyntax.TupleConsExpr:
		items := value.Each(e.Exprs, func(item hclsyntax.Expression) *source.Node { return r.node(item, in) })
		return source.NewArray(items, at)
	case *hclsyntax.ConditionalExpr:
		return r.node(r.chosen(e, in), in)
	case *hclsyntax.TemplateExpr:
		if text, ok := r.text(expr, in); ok {
			return source.NewString(string(text.Data), at)
		}
	case *hclsyntax.ScopeTraversalExpr:
		if target, rest, ok := r.target(e, in); ok {
			var found *source.Node
			r.within(traversal(e), func() { _, found = r.node(target, nil).Find(rest) })
			if found != nil {
				return found
			}
		}
	case *hclsyntax.FunctionCallExpr:
		if n := r.call(e, in); n != nil {
			return n
		}
	}
	if v, ok := r.evaluated(expr, in); ok {
		return source.Of(v, at)
	}
	return source.NewString(r.reference(expr, in), at)
}

// key returns the key of a member of an object.
func (r *reader) key(expr hclsyntax.Expression, in *scope) string {
	if key, ok := expr.(*hclsyntax.ObjectConsKeyExpr); ok {
		if names := traversal(key.Wrapped); len(names) == 1 && !key.ForceNonLiteral {
			return names[0]
		}
		expr = key.Wrapped
	}
	if text, ok := r.text(expr, in); ok {
		return string(text.Data)
	}
	return r.reference(expr, in)
}

// call returns the tree of a function's result, nil where it is not one of those that keep the places of their parts.
func (r *reader) call(e *hclsyntax.FunctionCallExpr, in *scope) *source.Node {
	at := r.module.span(e.Range())
	switch e.Name {
	case "jsondecode", "yamldecode":
		if file, root, _ := r.decoded(e, in); root != nil {
			return r.moved(root, file)
		}
	case "file", "templatefile":
		if text, ok := r.text(e, in); ok {
			return source.NewString(string(text.Data), at)
		}
	case "jsonencode":
		if len(e.Args) == 1 {
			return source.NewString(value.Compact(r.node(e.Args[0], in).Value), at)
		}
	case "merge":
		var members []source.NodeMember
		for _, arg := range e.Args {
			n := r.node(arg, in)
			if n.Kind != value.KindObject {
				return nil
			}
			for _, m := range n.Members {
				members = slices.DeleteFunc(members, func(old source.NodeMember) bool { return old.Key == m.Key })
				members = append(members, m)
			}
		}
		return source.NewObject(members, at)
	case "concat":
		var items []*source.Node
		for _, arg := range e.Args {
			n := r.node(arg, in)
			if n.Kind != value.KindArray {
				return nil
			}
			items = append(items, n.Items...)
		}
		return source.NewArray(items, at)
	}
	return nil
}

// moved marks the places of a tree as places in a file.
func (r *reader) moved(root *source.Node, file *source.File) *source.Node {
	if file == r.module.main {
		return root
	}
	return inFile(root, file)
}
