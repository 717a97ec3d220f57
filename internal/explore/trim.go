package explore

import (
	"context"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/fixtures"
)

// trim leaves those members out of a made-up input that states of the definition write themselves, where the run
// without faults does not read them. A state may read such a member behind a fault that has kept it from being written:
// an input that has it would hide the bug. The base is its run, nil where it does not fit the definition.
func (x *exploration) trim(ctx context.Context, draft *fixtures.Draft) (*madeUp, *Base, error) {
	results, err := placeholders(draft)
	if err != nil {
		return nil, nil, err
	}
	usual, err := x.base(ctx, Given{}, results)
	if err != nil {
		return results, nil, nil
	}
	if x.writtenPaths == nil {
		x.writtenPaths = resultPaths(x.options.Machine.Definition.Machine)
	}
	for _, p := range x.writtenPaths {
		smaller, err := without(draft.Input, p, 0)
		if err != nil || ctx.Err() != nil {
			continue
		}
		other := *draft
		other.Input = smaller
		tried, err := placeholders(&other)
		if err != nil {
			continue
		}
		if base, err := x.base(ctx, Given{}, tried); err == nil && base.Run.signature == usual.Run.signature {
			draft, results, usual = &other, tried, base
		}
	}
	return results, usual, nil
}

// resultPaths returns the paths at which states put results into their input, each once.
func resultPaths(machine *asl.StateMachine) []*path.Path {
	list := []*path.Path{}
	seen := map[string]bool{}
	add := func(text string) {
		if p, err := path.ParseReference(text); err == nil && !seen[text] && p.Len() > 0 {
			seen[text] = true
			list = append(list, p)
		}
	}
	for s := range machine.All() {
		if p := s.ResultPath; p != nil && p.Path != nil {
			add(p.Path.String())
		}
		for _, m := range asl.FlowOf(s, true).Moves() {
			if m.Field == nil || m.Field.Name != "Output" {
				continue
			}
			for _, part := range m.Parts() {
				if p := part.To.Path; p != nil && p.Len() > 0 {
					add("$" + path.Member(p.Segment(0).Name))
				}
				if part.Expression == nil {
					continue
				}
				for x := range part.Expression.Tree().All() {
					for _, name := range x.Keys() {
						add("$" + path.Member(name))
					}
				}
			}
		}
	}
	return list
}
