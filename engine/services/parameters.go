package services

import "strings"

// Parameter returns the shape of a part of the call's parameters: path has the names that lead to it, of members, of keys
// of maps, and any text for an item of a list. It is nil where the operation or the part is not in the table, or the call has
// its own parameters.
func (c *Call) Parameter(path []string) *Shape {
	if c.Operation == nil {
		return nil
	}
	shape := c.Operation.Input
	for _, name := range path {
		if shape == nil {
			return nil
		}
		switch shape.Kind {
		case Structure:
			m, found := c.Member(shape, name)
			if !found {
				return nil
			}
			shape = m.Shape
		case List, Map:
			shape = shape.Item
		default:
			return nil
		}
	}
	return shape
}

// MembersWith returns the members of a structure whose names in the call's parameters begin with a prefix, in any letter case:
// those that are required first, else in the order of their names.
func (c *Call) MembersWith(s *Shape, prefix string) []*Member {
	var required, others []*Member
	for i := range s.Members {
		m := &s.Members[i]
		name := c.Name(m)
		if len(name) < len(prefix) || !strings.EqualFold(name[:len(prefix)], prefix) {
			continue
		}
		if m.Required {
			required = append(required, m)
		} else {
			others = append(others, m)
		}
	}
	return append(required, others...)
}
