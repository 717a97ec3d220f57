package flow

import (
	"slices"
	"strings"

	"asldb/engine/value"
)

// The most members and alternatives that a sketch names.
const (
	sketchedMembers = 6
	sketchedCases   = 3
)

// Sketch returns a shape in a few characters: "{id, total?, …}", "[{sku}]", "string", "any".
func (s *Shape) Sketch() string {
	switch s.Kind() {
	case Object:
		members := s.Members()
		names := value.Each(members[:min(len(members), sketchedMembers)], func(m Member) string {
			name := m.Name
			if m.Maybe || !m.Shape.Every(func(c *Shape) bool { return c.Kind() != Absent }) {
				name += "?"
			}
			return name
		})
		if len(members) > sketchedMembers || s.Open() {
			names = append(names, "…")
		}
		return "{" + strings.Join(names, ", ") + "}"
	case Array:
		first, rest := s.Items()
		var items []string
		for _, item := range append(slices.Clone(first), rest) {
			if item == nil && len(first) > 0 && !s.Open() {
				continue
			}
			if one := item.Sketch(); !slices.Contains(items, one) {
				items = append(items, one)
			}
		}
		if len(first) == 0 && !s.Open() {
			return "[]"
		}
		return "[" + few(items) + "]"
	case Union:
		var cases []string
		for _, c := range s.Cases() {
			if one := c.Sketch(); !slices.Contains(cases, one) {
				cases = append(cases, one)
			}
		}
		return few(cases)
	case Unknown:
		return "any"
	case Absent, Null, Bool, Number, String, Function:
	}
	return s.word()
}

// few joins alternatives.
func few(list []string) string {
	if len(list) > sketchedCases {
		list = append(slices.Clone(list[:sketchedCases]), "…")
	}
	return strings.Join(list, " | ")
}
