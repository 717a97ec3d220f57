package lsp

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/lint"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// flow returns what the definition alone tells of its data, nil where it cannot be read.
func (m *machine) flow() *lint.Followed {
	if m != nil && m.text != nil && !m.followed {
		m.followed = true
		m.shapes = lint.Data(m.text.Source, m.text.Root)
	}
	if m == nil {
		return nil
	}
	return m.shapes
}

// registerOf returns the register that $ is in a field.
func registerOf(s *asl.State, f *asl.Field) asl.Register {
	switch f.Reads {
	case asl.EffectiveInput:
		return asl.RegisterEffective
	case asl.RawResult:
		return asl.RegisterResult
	case asl.StateOutput:
		return asl.RegisterPlaced
	case asl.ErrorOutput:
		return asl.RegisterError
	case asl.AssignInput:
		if s.Type == asl.Pass || s.Type.Works() {
			return asl.RegisterResult
		}
		return asl.RegisterEffective
	case asl.RawInput, asl.NoDocument:
	}
	return asl.RegisterRaw
}

// fromShapes fills an environment with examples of what the definition tells of the data, the variables and $states.
func (l *completions) fromShapes(env *console.Env, field *asl.Field) {
	a := l.machine.flow()
	if a == nil {
		return
	}
	s := a.Machine().Lookup(l.statePath())
	if s == nil {
		return
	}
	env.Data = a.Register(s, registerOf(s, field)).Example()
	variables := a.Register(s, asl.RegisterVariables)
	env.Variables = func(name string) value.Value {
		for _, m := range variables.Members() {
			if m.Name == name {
				return m.Shape.Example()
			}
		}
		return value.Null{}
	}
	env.States = func() value.Value {
		all := noStates().(*value.Object)
		for name, r := range map[string]asl.Register{
			"input": asl.RegisterRaw, "result": asl.RegisterResult, "errorOutput": asl.RegisterError,
		} {
			all = all.With(name, a.Register(s, r).Example())
		}
		return all
	}
}

// describeReads says what the definition alone tells of the paths that are read.
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
	if len(lines) > 0 {
		h.add("%s", strings.Join(lines, "\\\n"))
	}
}
