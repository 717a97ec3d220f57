package jsonata

import "strconv"

// processor turns the tree as written into the tree that is evaluated: paths become lists of steps,
// predicates and groupings go to the step they belong to, and each parent operator finds the step that
// its value comes from.
type processor struct {
	labels int
	depth  int
	limit  int
}

// root processes the whole expression.
func (p *processor) root(n *node) (*node, error) {
	n, err := p.node(n)
	if err != nil {
		return nil, err
	}
	if n.kind == parentNode || len(n.seeking) > 0 {
		return nil, fail("S0217").at(n.pos).token(n.typeName())
	}
	return n, nil
}

// node processes n and the nodes in it.
func (p *processor) node(n *node) (*node, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > p.limit {
		return nil, tooDeep().at(n.pos)
	}
	out, err := p.dispatch(n)
	if err != nil {
		return nil, err
	}
	if n.keepArray {
		out.keepArray = true
	}
	return out, nil
}

func (p *processor) dispatch(n *node) (*node, error) {
	switch n.kind {
	case mapNode:
		return p.path(n)
	case predicateNode:
		return p.predicate(n)
	case groupNode:
		return p.grouping(n)
	case orderNode:
		return p.order(n)
	case focusNode:
		return p.focus(n)
	case indexNode:
		return p.index(n)
	case nameNode, wordNode:
		step := *n
		step.kind = nameNode
		return &node{kind: pathNode, start: n.start, end: n.end, pos: n.pos, list: []*node{&step}, keepSingletons: n.keepArray}, nil
	case parentNode:
		out := *n
		out.slot = &slot{label: &label{"!" + strconv.Itoa(p.labels)}, level: 1}
		p.labels++
		return &out, nil
	case endNode:
		return nil, fail("S0207").at(n.pos).token(endText)
	case negateNode:
		return p.negation(n)
	case lambdaNode:
		return p.lambda(n)
	default:
		return p.plain(n)
	}
}

// plain processes nodes that keep their kind.
func (p *processor) plain(n *node) (_ *node, err error) {
	out := *n
	if out.left, err = p.operand(&out, n.left, n.kind != callNode && n.kind != partialNode && n.kind != bindNode); err != nil {
		return nil, err
	}
	if out.right, err = p.operand(&out, n.right, true); err != nil {
		return nil, err
	}
	if out.third, err = p.operand(&out, n.third, true); err != nil {
		return nil, err
	}
	out.list = make([]*node, len(n.list))
	for i := range n.list {
		if out.list[i], err = p.node(n.list[i]); err != nil {
			return nil, err
		}
		out.seek(out.list[i])
		if n.kind == blockNode && (out.list[i].consArray || out.list[i].kind == pathNode && out.list[i].list[0].consArray) {
			out.consArray = true
		}
	}
	if out.pairs, err = p.pairs(n.pairs, &out); err != nil {
		return nil, err
	}
	if n.kind == applyNode {
		out.keepArray = out.left.keepArray || out.right.keepArray
	}
	return &out, nil
}

// operand processes an operand of seeker, which takes over the ancestors that it seeks if seeks is set.
func (p *processor) operand(seeker, n *node, seeks bool) (*node, error) {
	if n == nil {
		return nil, nil
	}
	out, err := p.node(n)
	if err != nil {
		return nil, err
	}
	if seeks && seeker.kind != transformNode && seeker.kind != applyNode {
		seeker.seek(out)
	}
	return out, nil
}

func (p *processor) pairs(pairs []pair, seeker *node) (out []pair, err error) {
	for _, member := range pairs {
		if member.key, err = p.node(member.key); err != nil {
			return nil, err
		}
		if member.value, err = p.node(member.value); err != nil {
			return nil, err
		}
		if seeker != nil {
			seeker.seek(member.key)
			seeker.seek(member.value)
		}
		out = append(out, member)
	}
	return out, nil
}

// negation folds a negative literal into a number.
func (p *processor) negation(n *node) (*node, error) {
	operand, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	if f, ok := operand.literal.(float64); ok && operand.kind == numberNode {
		out := *operand
		out.literal, out.start = -f, n.start
		return &out, nil
	}
	out := *n
	out.left = operand
	out.seek(operand)
	return &out, nil
}

func (p *processor) lambda(n *node) (*node, error) {
	body, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	out := *n
	out.left = tailCalls(body)
	return &out, nil
}

// tailCalls marks the calls in tail position of a function's body.
func tailCalls(n *node) *node {
	if len(n.filters) > 0 || n.group != nil || n.keepArray {
		return n
	}
	switch n.kind {
	case callNode:
		return &node{kind: thunkNode, start: n.start, end: n.end, pos: n.pos, left: n}
	case conditionNode:
		n.right = tailCalls(n.right)
		if n.third != nil {
			n.third = tailCalls(n.third)
		}
	case blockNode:
		if last := len(n.list) - 1; last >= 0 {
			n.list[last] = tailCalls(n.list[last])
		}
	default:
	}
	return n
}

// path joins the steps on both sides of a dot.
func (p *processor) path(n *node) (*node, error) {
	left, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	out := asPath(left, n)
	if left.kind == parentNode {
		out.seeking = []*slot{left.slot}
	}
	right, err := p.node(n.right)
	if err != nil {
		return nil, err
	}
	if right.kind == pathNode {
		out.list = append(out.list, right.list...)
	} else {
		right.stages, right.filters = append(right.stages, right.filters...), nil
		out.list = append(out.list, right)
	}
	for _, step := range out.list {
		switch step.kind {
		case numberNode, valueNode:
			return nil, fail("S0213").at(step.pos).value(step.literal)
		case stringNode:
			step.kind = nameNode
		default:
		}
		if step.keepArray {
			out.keepSingletons = true
		}
	}
	for _, step := range []*node{out.list[0], out.list[len(out.list)-1]} {
		if step.kind == arrayNode {
			step.consArray = true
		}
	}
	return out, p.ancestry(out)
}

// asPath returns left as a path that can take more steps; whole is the expression it is part of.
func asPath(left, whole *node) *node {
	if left.kind == pathNode {
		left.end, left.pos = whole.end, whole.pos
		return left
	}
	return &node{kind: pathNode, start: whole.start, end: whole.end, pos: whole.pos, list: []*node{left}}
}

// lastStep is the step that something behind n belongs to, n itself when it isn't a path.
func lastStep(n *node) *node {
	if n.kind == pathNode {
		return n.list[len(n.list)-1]
	}
	return n
}

func (p *processor) predicate(n *node) (*node, error) {
	out, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	step := lastStep(out)
	if step.group != nil {
		return nil, fail("S0209").at(n.pos)
	}
	filter, err := p.node(n.right)
	if err != nil {
		return nil, err
	}
	if len(filter.seeking) > 0 {
		for _, s := range filter.seeking {
			if s.level == 1 {
				if err := seekParent(step, s); err != nil {
					return nil, err
				}
			} else {
				s.level--
			}
		}
		step.seek(filter)
	}
	step.end, out.end = max(step.end, n.end), max(out.end, n.end)
	if out.kind == pathNode {
		step.stages = append(step.stages, stage{filter: filter})
	} else {
		step.filters = append(step.filters, stage{filter: filter})
	}
	return out, nil
}

func (p *processor) grouping(n *node) (*node, error) {
	out, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	if out.group != nil {
		return nil, fail("S0210").at(n.pos)
	}
	pairs, err := p.pairs(n.pairs, nil)
	if err != nil {
		return nil, err
	}
	out.group = &grouping{pairs: pairs, pos: n.pos}
	out.end = n.end
	return out, nil
}

func (p *processor) order(n *node) (*node, error) {
	left, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	out := asPath(left, n)
	step := &node{kind: sortNode, start: n.start, end: n.end, pos: n.pos, text: "^"}
	for _, term := range n.terms {
		if term.by, err = p.node(term.by); err != nil {
			return nil, err
		}
		step.seek(term.by)
		step.terms = append(step.terms, term)
	}
	out.list = append(out.list, step)
	return out, p.ancestry(out)
}

func (p *processor) focus(n *node) (*node, error) {
	out, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	step := lastStep(out)
	if len(step.stages) > 0 || len(step.filters) > 0 {
		return nil, fail("S0215").at(n.pos)
	}
	if step.kind == sortNode {
		return nil, fail("S0216").at(n.pos)
	}
	if n.keepArray {
		step.keepArray = true
	}
	step.focus, step.tuple = n.right.text, true
	step.end, out.end = n.end, n.end
	return out, nil
}

func (p *processor) index(n *node) (*node, error) {
	out, err := p.node(n.left)
	if err != nil {
		return nil, err
	}
	step := lastStep(out)
	if out.kind != pathNode {
		step.stages, step.filters = append(step.stages, step.filters...), nil
		out = asPath(step, n)
	}
	if len(step.stages) == 0 {
		step.index = n.right.text
	} else {
		step.stages = append(step.stages, stage{index: n.right.text})
	}
	step.tuple = true
	step.end, out.end = n.end, n.end
	return out, nil
}
