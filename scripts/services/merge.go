package main

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// merge adds a newer module to a model: its operations, members and words of enumerations, and which members are
// required. Bounds and the errors of operations, which the module lacks, stay, and so does everything that it does not
// have any more.
func (m *model) merge(u *update) {
	for _, name := range slices.Sorted(maps.Keys(u.Operations)) {
		fresh, old := u.Operations[name], m.Operations[name]
		for _, part := range []struct{ now, was *reference }{{fresh.Input, old.Input}, {fresh.Output, old.Output}} {
			if part.now == nil {
				continue
			}
			if part.was != nil && part.was.Shape != part.now.Shape && m.Shapes[part.now.Shape].Type == "" {
				m.Shapes[part.now.Shape] = m.Shapes[part.was.Shape] // it has another name now
			}
		}
	}
	lower, shapes := m.lower(), maps.Clone(m.Shapes)
	for _, name := range slices.Sorted(maps.Keys(u.Shapes)) {
		shapes[name] = m.merged(m.Shapes[name], u.Shapes[name], u, lower, shapes)
	}
	m.Shapes = shapes
	for _, name := range slices.Sorted(maps.Keys(u.Operations)) {
		fresh, old := u.Operations[name], m.Operations[name]
		if fresh.Input == nil || len(u.Shapes[fresh.Input.Shape].Members) == 0 && old.Input == nil {
			fresh.Input = old.Input
		}
		if fresh.Output == nil || len(u.Shapes[fresh.Output.Shape].Members) == 0 && old.Output == nil {
			fresh.Output = old.Output
		}
		if fresh.Input != nil {
			m.fill(fresh.Input.Shape, u.inputs[name])
		}
		for _, e := range old.Errors {
			named := func(r reference) bool { return strings.EqualFold(r.Shape, e.Shape) }
			if !slices.ContainsFunc(fresh.Errors, named) {
				fresh.Errors = append(fresh.Errors, e)
			}
		}
		m.Operations[name] = fresh
	}
	for _, o := range m.Operations {
		for _, e := range o.Errors {
			m.known(e.Shape)
		}
	}
	m.errors = slices.DeleteFunc(u.errors, func(name string) bool { return m.raised[strings.ToLower(name)] })
	m.date = u.date
}

// known notes that an operation names an error.
func (m *model) known(name string) {
	if m.raised == nil {
		m.raised = make(map[string]bool)
	}
	m.raised[strings.ToLower(name)] = true
}

// fill notes the members of an input that the SDK makes up.
func (m *model) fill(input string, tokens []string) {
	s := m.Shapes[input]
	for name, member := range s.Members {
		if slices.ContainsFunc(tokens, func(token string) bool { return strings.EqualFold(token, name) }) {
			member.IdempotencyToken = true
			s.Members[name] = member
		}
	}
}

// lower reports whether the members of the model begin with small letters.
func (m *model) lower() bool {
	small, all := 0, 0
	for _, s := range m.Shapes {
		for name := range s.Members {
			if all++; unicode.IsLower(rune(name[0])) {
				small++
			}
		}
	}
	return small > all-small
}

// merged returns a shape of the model with the newer one. It adds to shapes those whose bounds a member alone has.
func (m *model) merged(was, now shape, u *update, lower bool, shapes map[string]shape) shape {
	if was.Type == "" || kindOf[was.Type] != kindOf[now.Type] || was.Document {
		was = shape{Type: now.Type}
	}
	now.Min, now.Max = was.Min, was.Max
	if len(now.Enum) > 0 {
		for _, word := range was.Enum {
			if !slices.Contains(now.Enum, word) {
				now.Enum = append(now.Enum, word)
			}
		}
	}
	if now.Type != "structure" {
		return now
	}
	members := make(map[string]reference, len(now.Members))
	maps.Copy(members, was.Members)
	required := slices.Clone(now.Required)
	if now.unsure {
		required = slices.Clone(was.Required)
	}
	for _, name := range slices.Sorted(maps.Keys(now.Members)) {
		fresh, written := now.Members[name], name
		if !u.named {
			written = m.written(was, name, lower)
			for i := range required {
				if required[i] == name {
					required[i] = written
				}
			}
		}
		old, had := was.Members[written]
		before, target := m.Shapes[old.Shape], u.Shapes[fresh.Shape]
		had = had && kindOf[before.Type] == kindOf[target.Type] && before.Type != "structure"
		switch {
		case !had:
		case !u.named && len(target.Enum) == 0:
			fresh.Shape = old.Shape
		case m.Shapes[fresh.Shape].Type == "" && (before.Min != nil || before.Max != nil):
			// Its shape has another name now.
			fresh.Shape += " " + old.Shape
			target.Min, target.Max = before.Min, before.Max
			shapes[fresh.Shape] = target
		}
		fresh.IdempotencyToken = old.IdempotencyToken
		members[written] = fresh
	}
	now.Members, now.Required = members, required
	return now
}

// written returns the name in the model of a member that is known by the name of its field.
func (m *model) written(was shape, field string, lower bool) string {
	for name := range was.Members {
		if strings.EqualFold(name, field) {
			return name
		}
	}
	if lower {
		return strings.ToLower(field[:1]) + field[1:]
	}
	return field
}
