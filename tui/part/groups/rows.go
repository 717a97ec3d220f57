package groups

import "slices"

// fold is the user's choice for a group, and the mode of all groups without one.
type fold uint8

const (
	auto fold = iota // open while it holds the event looked at
	open
	folded
)

// Get returns the group whose header is event i; ok is false for other events.
func (x *Index) Get(i int) (g *Group, ok bool) {
	if i < 0 || i >= x.rows.n || x.rows.at(i).group == None {
		return nil, false
	}
	return x.groups.at(int(x.rows.at(i).group)), true
}

// Parent returns the header of the group that event i lies in, or None where that is the execution. A header
// lies in the group around its own.
func (x *Index) Parent(i int) int {
	if i < 0 || i >= x.rows.n {
		return None
	}
	return int(x.groups.at(int(x.rows.at(i).parent)).header)
}

// Depth returns how many groups event i lies in, the execution not counted.
func (x *Index) Depth(i int) int {
	depth := 0
	for i = x.Parent(i); i != None; i = x.Parent(i) {
		depth++
	}
	return depth
}

// Open reports whether the rows of the group with header i are shown.
func (x *Index) Open(i int) bool {
	return i >= 0 && i < x.rows.n && x.rows.at(i).group != None && x.isOpen(x.rows.at(i).group)
}

func (x *Index) isOpen(g int32) bool {
	group := x.groups.at(int(g))
	choice := group.fold
	if choice == auto {
		choice = x.mode
	}
	switch {
	case g == 0 || choice == open:
		return true
	case choice == folded:
		return false
	}
	return slices.Contains(x.anchor, g)
}

// Anchor says which event is looked at: the groups that hold it are open unless they were folded explicitly.
func (x *Index) Anchor(i int) { x.anchor = x.path(x.anchor[:0], i) }

// path appends the groups that hold event i; a header is held by its own group.
func (x *Index) path(dst []int32, i int) []int32 {
	if i < 0 || i >= x.rows.n {
		return dst
	}
	if g := x.rows.at(i).group; g != None {
		dst = append(dst, g)
	}
	for g := x.rows.at(i).parent; g != 0; g = x.rows.at(int(x.groups.at(int(g)).header)).parent {
		dst = append(dst, g)
	}
	return dst
}

// Reveal opens every group that event i lies in.
func (x *Index) Reveal(i int) {
	for at := x.Parent(i); at != None; at = x.Parent(at) {
		x.SetOpen(at, true)
	}
}

// SetOpen opens or folds the group with header i.
func (x *Index) SetOpen(i int, shown bool) {
	g, ok := x.Get(i)
	switch {
	case !ok:
	case shown:
		g.fold = open
	default:
		g.fold = folded
	}
}

// SetAll opens or folds every group, also those to come.
func (x *Index) SetAll(shown bool) {
	x.mode = folded
	if shown {
		x.mode = open
	}
	x.forget()
}

// Auto clears all choices: the groups that hold the event looked at are open, the others are not.
func (x *Index) Auto() {
	x.mode = auto
	x.forget()
}

func (x *Index) forget() {
	for _, page := range x.groups.list {
		for i := range page {
			page[i].fold = auto
		}
	}
}

// Visible returns the row that shows event i: its own, or the header of the outermost group that hides it.
func (x *Index) Visible(i int) int {
	if i < 0 || i >= x.rows.n {
		return None
	}
	shown := i
	for at := x.Parent(i); at != None; at = x.Parent(at) {
		if !x.Open(at) {
			shown = at
		}
	}
	return shown
}

// First returns the first row, or None where there is none.
func (x *Index) First() int { return int(x.groups.at(0).first) }

// Last returns the last row, or None where there is none.
func (x *Index) Last() int {
	if last := x.groups.at(0).last; last != None {
		return x.deepest(int(last))
	}
	return None
}

// deepest is the last row that is shown in the group with header i, or i itself.
func (x *Index) deepest(i int) int {
	for {
		g, ok := x.Get(i)
		if !ok || g.last == None || !x.Open(i) {
			return i
		}
		i = int(g.last)
	}
}

// Next returns the row below row i, which must be shown, or None.
func (x *Index) Next(i int) int {
	if g, ok := x.Get(i); ok && g.first != None && x.Open(i) {
		return int(g.first)
	}
	for ; i != None; i = x.Parent(i) {
		if next := x.rows.at(i).next; next != None {
			return int(next)
		}
	}
	return None
}

// Previous returns the row above row i, which must be shown, or None.
func (x *Index) Previous(i int) int {
	if prev := x.rows.at(i).prev; prev != None {
		return x.deepest(int(prev))
	}
	return x.Parent(i)
}

// Holds reports whether event i lies in the group with that header, or is it.
func (x *Index) Holds(header, i int) bool {
	for ; i != None; i = x.Parent(i) {
		if i == header {
			return true
		}
	}
	return false
}
