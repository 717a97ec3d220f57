package embedded

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// unresolved notes, once for each name, that the value is known only after deployment, and returns the placeholder for it.
func (r *resolver) unresolved(name, placeholder string, at source.Span) string {
	if !r.reported[name] {
		r.reported[name] = true
		r.later = append(r.later, source.Named{Name: name, Span: at})
	}
	return placeholder
}

// open is unresolved for a value whose form is not known either: the placeholder is ${Name}.
func (r *resolver) open(name string, at source.Span) string {
	placeholder := oddInName().ReplaceAllString(strings.TrimPrefix(name, "Fn::"), "-")
	r.unresolved(name, "", at)
	r.reported[placeholder] = true
	return "${" + placeholder + "}"
}

// oddInName is a character that a ${Name} does not have.
var oddInName = wording.Pattern(`[^A-Za-z0-9_.:-]`)

// namedInHint is the greatest number of names in the hint about values that are known only after deployment.
const namedInHint = 8

// hint adds the one hint about values that are known only after deployment.
func (r *resolver) hint() {
	if len(r.later) == 0 {
		return
	}
	names := value.Each(r.later[:min(len(r.later), namedInHint)], func(n source.Named) string { return n.Name })
	list := strings.Join(names, ", ")
	if more := len(r.later) - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	verb := "values are known only after deployment, and placeholders are"
	if len(r.later) == 1 {
		verb = "value is known only after deployment, and a placeholder is"
	}
	r.problem(source.Hint, rules.UnresolvedReference, r.later[0].Span, "%d %s checked here: %s", len(r.later), verb, list)
}

// unknownName warns, once for each name, of a reference to a parameter or resource that the template does not have. A
// resource that a transform adds, such as the role of a function in SAM, is known only after deployment.
func (r *resolver) unknownName(full, name string, at source.Span) string {
	placeholder := "${" + full + "}"
	if strings.HasSuffix(full, ".Arn") {
		placeholder = r.home.arn("", name)
	}
	if r.reported[full] {
		return placeholder
	}
	if r.generated(name) {
		return r.unresolved(full, placeholder, at)
	}
	r.reported[full] = true
	r.problem(source.Warning, rules.UnknownReference, at, "the template has no parameter or resource %q", name)
	r.suggest(name, func(yield func(string) bool) {
		for key := range keysOf(r.template.root.Get("Parameters")) {
			if !yield(key) {
				return
			}
		}
		for i := range r.template.resources {
			if !yield(r.template.resources[i].name) {
				return
			}
		}
	})
	return placeholder
}

// generated reports whether a transform of the template may add a resource of that name.
func (r *resolver) generated(name string) bool {
	transforms := r.template.root.Get("Transform")
	switch {
	case transforms == nil:
		return false
	case transforms.Kind == value.KindArray && slices.ContainsFunc(transforms.Items, func(n *source.Node) bool { return !addsNothing(n.Text()) }),
		transforms.Kind != value.KindArray && !addsNothing(transforms.Text()):
		return true // a macro may add anything
	case strings.HasPrefix(name, "Serverless"):
		return true // ServerlessRestApi, ServerlessHttpApi, ServerlessDeploymentApplication
	}
	return slices.ContainsFunc(r.template.resources, func(other resource) bool {
		return other.name != name && strings.HasPrefix(name, other.name) // ChargeRole, ChargeAliaslive
	})
}

// addsNothing reports whether a transform adds no resources but those whose names begin with the name of one.
func addsNothing(transform string) bool {
	return transform == serverlessTransform || transform == "AWS::LanguageExtensions"
}

// serverlessTransform is the transform of SAM.
const serverlessTransform = "AWS::Serverless-2016-10-31"

func keysOf(n *source.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		if n == nil {
			return
		}
		for i := range n.Members {
			if !yield(n.Members[i].Key) {
				return
			}
		}
	}
}

// suggest adds the name that was probably meant to the last problem.
func (r *resolver) suggest(name string, names iter.Seq[string]) {
	r.problems[len(r.problems)-1].Suggestion = wording.Meant(name, names)
}

// missing warns of the ${Name}s of a definition in the file that nothing gives a value, once for each name.
func (r *resolver) missing(file *source.File, names []source.Named) {
	for _, n := range names {
		if r.reported[n.Name] || r.literals[n.Name] {
			continue
		}
		r.reported[n.Name] = true
		r.problem(source.Warning, rules.MissingSubstitution, n.Span, "DefinitionSubstitutions does not give ${%s}, which stays as it is written", n.Name)
		r.problems[len(r.problems)-1].File = file
		if r.substitutions != nil && r.substitutions.Kind == value.KindObject {
			r.suggest(n.Name, keysOf(r.substitutions))
			r.problems[len(r.problems)-1].Reasons = r.givenNames()
		}
	}
}

// givenNames says where the substitutions are and which names they give.
func (r *resolver) givenNames() []source.Reason {
	names := slices.Collect(keysOf(r.substitutions))
	if len(names) == 0 || r.template.file == nil {
		return nil
	}
	list := strings.Join(names[:min(len(names), namedInHint)], ", ")
	if more := len(names) - namedInHint; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return []source.Reason{{Text: "DefinitionSubstitutions gives " + list, Span: r.substitutions.Span, File: r.template.file}}
}

// literalName is a ${Name} in the form in which Fn::Sub leaves it alone.
var literalName = wording.Pattern(`\$\{!([^}]*)\}`)

// noteLiterals notes the names that a pattern of Fn::Sub writes as ${!Name}: they are text.
func (r *resolver) noteLiterals(pattern []byte) {
	for _, m := range literalName().FindAllSubmatch(pattern, -1) {
		r.literals[string(m[1])] = true
	}
}
