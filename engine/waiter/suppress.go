package waiter

import (
	"slices"
	"strings"

	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/engine/value"
)

// ruling is what the metadata of a model says of events in a namespace: they are suppressed, or have at least another
// severity (section "Model validation").
type ruling struct {
	id, namespace string
	suppresses    bool
	severity      source.Severity
}

// rulings reads the suppressions and severity overrides in the metadata.
func (r *reader) rulings() {
	for _, property := range []string{"suppressions", "severityOverrides"} {
		for _, trait := range r.model.shapes.Metadata(property) {
			if r.file = trait.File; trait.Node.Kind != value.KindArray {
				r.report(smithy.RuleSyntax, trait.Node.Span, "%s is a list, not %s", property, source.Article(trait.Node.Kind))
			}
			for _, n := range trait.Node.Items {
				r.ruling(property, n)
			}
		}
	}
}

var overrides = map[string]source.Severity{"WARNING": source.Warning, "DANGER": source.Danger}

func (r *reader) ruling(property string, n *source.Node) {
	one := ruling{n.Get("id").Text(), n.Get("namespace").Text(), property == "suppressions", source.Note}
	raised := false
	if !one.suppresses {
		one.severity, raised = overrides[n.Get("severity").Text()]
	}
	switch {
	case one.id == "" || one.namespace == "":
		r.report(smithy.RuleSyntax, n.Span, "an item of %s is an object with the strings id and namespace", property)
	case !one.suppresses && !raised:
		r.report(smithy.RuleSyntax, n.Span, `an item of %s has the severity "WARNING" or "DANGER"`, property)
	default:
		r.model.rulings = append(r.model.rulings, one)
	}
}

// includes reports whether an event has an id, or one that the id begins.
func includes(id, event string) bool { return event == id || strings.HasPrefix(event, id+".") }

// ranks are the severities, the worst last.
var ranks = []source.Severity{source.Note, source.Warning, source.Danger, source.Error}

// settle returns the events of a shape without those that the model suppresses, and with the severities that it
// overrides. Errors stay.
func (m *Model) settle(shape *smithy.Shape, events []source.Diagnostic) []source.Diagnostic {
	namespace, _, _ := strings.Cut(shape.ID, "#")
	value, _, _ := m.shapes.Trait(shape, "smithy.api#suppress")
	var kept []source.Diagnostic
	for _, d := range events {
		about := func(one ruling) bool {
			return includes(one.id, d.Rule) && (one.namespace == "*" || one.namespace == namespace)
		}
		suppressed := value != nil &&
			slices.ContainsFunc(value.Items, func(n *source.Node) bool { return includes(n.Text(), d.Rule) }) ||
			slices.ContainsFunc(m.rulings, func(one ruling) bool { return one.suppresses && about(one) })
		if suppressed && d.Severity != source.Error {
			continue
		}
		for _, one := range m.rulings {
			if about(one) && slices.Index(ranks, one.severity) > slices.Index(ranks, d.Severity) {
				d.Severity = one.severity
			}
		}
		kept = append(kept, d)
	}
	return kept
}
