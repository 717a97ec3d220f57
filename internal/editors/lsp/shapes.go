package lsp

import (
	"context"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/flow"
	"asldb/engine/lint"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// flow returns what the definition alone says about its data, nil where it cannot be read.
func (m *machine) flow() *lint.Followed {
	if m == nil || m.text == nil {
		return nil
	}
	return m.text.Data()
}

// demands returns what the states of the definition require of its data, nil where it cannot be read.
func (m *machine) demands() *flow.Demands {
	if a := m.flow(); a != nil && m.required == nil {
		m.required = a.Demander().Demands(context.Background(), flow.Intent{})
	}
	if m == nil {
		return nil
	}
	return m.required
}

// scene returns what the definition alone tells where a field is evaluated, and the names of its variables; nil where
// that is nothing. It is followed as it was the last time that it had no errors, which is known already, unless the
// state is newer.
func (l *completions) scene(sound *machine, field *asl.Field) (*flow.Scene, []string) {
	for _, m := range []*machine{sound, l.machine} {
		a := m.flow()
		if a == nil {
			continue
		}
		if s := a.Machine().Lookup(l.statePath()); s != nil {
			return a.Scene(s, field), console.VariableNames(a.Machine())
		}
	}
	return nil, nil
}

// environment returns what an expression of a field can refer to: the data of a run in memory, and what the definition
// tells beyond them.
func (l *completions) environment(scene *flow.Scene, run *console.Env) *console.Env {
	env := &console.Env{Language: l.language}
	if run != nil {
		*env = *run
	}
	if scene == nil {
		return env
	}
	env.Data, env.Context = beyond(env.Data, scene.Data()), beyond(env.Context, scene.Context())
	variables, states := env.Variables, env.States
	env.Variables = func(name string) value.Value {
		var had value.Value
		if variables != nil {
			had = variables(name)
		}
		return beyond(had, scene.Variable(name))
	}
	env.States = func() value.Value {
		if states == nil {
			return scene.States()
		}
		return beyond(states(), scene.States())
	}
	return env
}

// beyond returns a value with the members of another one that it does not have; the other where it is nil.
func beyond(v, other value.Value) value.Value {
	if v == nil {
		return other
	}
	object, ok := v.(*value.Object)
	more, both := other.(*value.Object)
	if !ok || !both {
		return v
	}
	for name, member := range more.All() {
		object = object.With(name, beyond(object.Get(name), member))
	}
	return object
}

// describeReads says what the definition alone says about the paths that are read.
func (h *hovering) describeReads() {
	a := h.machine.flow()
	if a == nil {
		return
	}
	s := a.Machine().Lookup(h.statePath())
	if s == nil {
		return
	}
	var lines []string
	for _, r := range a.Reads(s, h.node.Span) {
		if r.Words != "" {
			lines = append(lines, wording.Code(r.Text)+": "+wording.Markdown(r.Words))
		}
	}
	if name, fact := h.inside(a, s); name != "" && !strings.Contains(strings.Join(lines, "\n"), "."+name+"`") {
		lines = append(lines, wording.Code(name)+": "+wording.Markdown(fact))
	}
	if len(lines) > 0 {
		h.add("%s", strings.Join(lines, "\\\n"))
	}
}

// inside returns the name at the cursor with what is known of it, in a predicate or a function of JSONata.
func (h *hovering) inside(a *lint.Followed, s *asl.State) (name, fact string) {
	text := h.upTo + h.rest[:len(h.rest)-len(strings.TrimLeftFunc(h.rest, flow.IsNamePart))]
	_, text, found := strings.Cut(text, "{%")
	name = text[len(strings.TrimRightFunc(text, flow.IsNamePart)):]
	field, _ := h.field()
	if !found || name == "" || h.language != asl.JSONata || strings.HasSuffix(strings.TrimSuffix(text, name), "$") {
		return "", ""
	}
	for _, m := range a.Scene(s, field).Inside(strings.ReplaceAll(text, `\"`, `"`)) {
		if m.Name == name {
			return name, m.Fact.String()
		}
	}
	return "", ""
}
