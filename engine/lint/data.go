package lint

import (
	"slices"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/source"
)

// Followed is what a definition says about its data.
type Followed struct{ *flow.Analysis }

// Data follows the data of a definition with the problems that it has in the dialect aws, which may be errors.
func Data(machine *asl.StateMachine, problems []source.Diagnostic) *Followed {
	o := flow.Options{LiteralFirst: true}
	if slices.ContainsFunc(problems, func(d source.Diagnostic) bool { return d.Severity == source.Error }) {
		o.Damage = damageOf(machine, problems)
	}
	return &Followed{flow.Analyse(machine, o)}
}
