package provenance

// fold leaves as many nodes in a way as its lens shows, those nearest to its roots first, and puts Folded nodes in the
// place of the others. Some hidden ends stay: of a long way its beginning matters most.
func (l *Lens) fold(w *Way) {
	limit := l.limit()
	if limit < 0 || w.Total <= limit {
		return
	}
	ends := countEnds(w.Nodes)
	kept := make(map[*Node]bool, limit)
	var order []*Node
	queue := append([]*Node(nil), w.Nodes...)
	for len(queue) > 0 && len(order) < limit {
		n := queue[0]
		queue = append(queue[1:], n.Children...)
		kept[n] = true
		order = append(order, n)
	}
	spare := min(ends, limit/4)
	for len(order) > limit-spare && len(order) > 1 {
		delete(kept, order[len(order)-1])
		order = order[:len(order)-1]
	}
	f := &folder{kept: kept, spare: limit - len(order)}
	w.Nodes = f.fold(w.Nodes)
}

func countEnds(nodes []*Node) int {
	count := 0
	stack := append([]*Node(nil), nodes...)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], n.Children...)
		if len(n.Children) == 0 {
			count++
		}
	}
	return count
}

type folder struct {
	kept  map[*Node]bool
	spare int // the number of hidden ends that may be shown yet
}

// fold folds a list of nodes that are below one other.
func (f *folder) fold(nodes []*Node) []*Node {
	var shown []*Node
	hidden := &Node{Kind: Folded, Event: -1, Count: 1}
	for _, n := range nodes {
		if f.kept[n] {
			n.Children = f.fold(n.Children)
			shown = append(shown, n)
			continue
		}
		f.hide(n, hidden)
	}
	if hidden.Hidden > 0 {
		return append(shown, hidden)
	}
	return append(shown, hidden.Children...)
}

// hide counts a node and all below it, and keeps some of the ends.
func (f *folder) hide(n, hidden *Node) {
	stack := []*Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(n.Children) == 0 && f.spare > 0 {
			f.spare--
			hidden.Children = append(hidden.Children, n)
			continue
		}
		hidden.Hidden++
		for i := len(n.Children) - 1; i >= 0; i-- {
			stack = append(stack, n.Children[i])
		}
	}
}
