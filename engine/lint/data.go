package lint

import (
	"slices"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// Followed is what a definition says about its data.
type Followed struct{ *flow.Analysis }

// Data follows the data of a definition, which may have errors; nil where it has no states.
func Data(src *source.File, root *source.Node) *Followed {
	machine, problems := asl.Examine(src, root, rules.AWS)
	if machine == nil {
		return nil
	}
	o := flow.Options{LiteralFirst: true}
	if slices.ContainsFunc(problems, func(d source.Diagnostic) bool { return d.Severity == source.Error }) {
		o.Damage = damageOf(machine, problems)
	}
	return &Followed{flow.Analyse(machine, o)}
}
