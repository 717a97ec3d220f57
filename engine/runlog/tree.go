package runlog

// Get returns the group whose header is event i; ok is false for other events.
func (x *Index) Get(i int) (g Group, ok bool) {
	if i < 0 || i >= x.rows.Len() || x.rows.group(i) == None {
		return Group{}, false
	}
	return x.groups.get(x.rows.group(i)), true
}

// Parent returns the header of the group that event i is in, or None where that is the execution. A header
// is in the group around its own.
func (x *Index) Parent(i int) int {
	if i < 0 || i >= x.rows.Len() {
		return None
	}
	return int(x.groups.get(x.rows.parent(i)).header)
}

// Depth returns how many groups event i is in, the execution not counted.
func (x *Index) Depth(i int) int {
	depth := 0
	for i = x.Parent(i); i != None; i = x.Parent(i) {
		depth++
	}
	return depth
}

// Holds reports whether event i is in the group with that header, or is it.
func (x *Index) Holds(header, i int) bool {
	for ; i != None; i = x.Parent(i) {
		if i == header {
			return true
		}
	}
	return false
}

// First returns the first event directly inside of the group with that header, and Last the last one; [None] means
// the execution as the header, and for no event as the result.
func (x *Index) First(header int) int {
	if g, ok := x.groupInside(header); ok {
		return int(g.first)
	}
	return None
}

// Last is described at [Index.First].
func (x *Index) Last(header int) int {
	if g, ok := x.groupInside(header); ok {
		return int(g.last)
	}
	return None
}

func (x *Index) groupInside(header int) (Group, bool) {
	if header == None {
		return x.groups.get(0), true
	}
	return x.Get(header)
}

// After returns the event after event i in the same group, a group counting as its header; [None] where
// there is none.
func (x *Index) After(i int) int { return x.rows.next(i) }

// Before returns the event before event i in the same group, or [None].
func (x *Index) Before(i int) int { return x.rows.prev(i) }
