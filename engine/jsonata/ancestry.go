package jsonata

// seek takes over the ancestors that part, which is inside n, does not find there.
func (n *node) seek(part *node) {
	n.seeking = append(n.seeking, part.seeking...)
	if part.kind == parentNode {
		n.seeking = append(n.seeking, part.slot)
	}
}

// seekParent looks at step n, from the right of the path to its left, for the ancestor that s needs.
// s.level says how many levels are still to go; at 0 the step is found.
func seekParent(n *node, s *slot) error {
	switch n.kind {
	case nameNode, wildcardNode:
		s.level--
		if s.level == 0 {
			if n.ancestor != nil { // another parent operator has been here: share its variable
				*s.label = *n.ancestor.label
				s.label = n.ancestor.label
			}
			n.ancestor = s
			n.tuple = true
		}
		return nil
	case parentNode:
		s.level++
		return nil
	case blockNode:
		if len(n.list) > 0 {
			n.tuple = true
			return seekParent(n.list[len(n.list)-1], s)
		}
		return nil
	case pathNode:
		n.tuple = true
		index := len(n.list) - 1
		err := seekParent(n.list[index], s)
		for index--; err == nil && s.level > 0 && index >= 0; index-- {
			err = seekParent(n.list[index], s)
		}
		return err
	default:
		return fail("S0217").at(n.pos).token(n.typeName())
	}
}

// ancestry resolves the ancestors that the last step of a path needs, as far as the path goes back.
func (p *processor) ancestry(path *node) error {
	last := path.list[len(path.list)-1]
	slots := last.seeking
	if last.kind == parentNode {
		slots = append(slots[:len(slots):len(slots)], last.slot)
	}
	for _, s := range slots {
		index := len(path.list) - 2
		for s.level > 0 {
			if index < 0 {
				path.seeking = append(path.seeking, s)
				break
			}
			step := path.list[index]
			index--
			for index >= 0 && step.focus != "" && path.list[index].focus != "" { // these all stand on the same value
				step = path.list[index]
				index--
			}
			if err := seekParent(step, s); err != nil {
				return err
			}
		}
	}
	return nil
}
