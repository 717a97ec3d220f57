package value

// Counts are the numbers of members and items that were added, removed and changed. A container that was added or
// removed counts as one.
type Counts struct{ Added, Removed, Changed int }

// Zero reports whether nothing changed.
func (c Counts) Zero() bool { return c == Counts{} }

// Count compares two values member by member. It skips the parts that both share.
func Count(before, after Value) Counts {
	var c Counts
	c.compare(Comparer{}, before, after)
	return c
}

func (c *Counts) compare(same Comparer, a, b Value) {
	switch {
	case same.Equal(a, b):
		return
	case a == nil:
		c.Added++
		return
	case b == nil:
		c.Removed++
		return
	}
	switch x := a.(type) {
	case *Object:
		if y, ok := b.(*Object); ok {
			c.compareObjects(same, x, y)
			return
		}
	case *Array:
		if y, ok := b.(*Array); ok {
			c.compareArrays(same, x, y)
			return
		}
	}
	c.Changed++
}

func (c *Counts) compareObjects(same Comparer, a, b *Object) {
	common := 0
	for key, was := range a.All() {
		is := b.Get(key)
		if is == nil {
			c.Removed++
			continue
		}
		common++
		c.compare(same, was, is)
	}
	c.Added += b.Len() - common
	if common == a.Len() && common == b.Len() && c.Zero() {
		c.Changed++ // only the order of the members differs
	}
}

func (c *Counts) compareArrays(same Comparer, a, b *Array) {
	head, tail := same.Trim(a, b)
	i := head
	for ; i < min(a.Len(), b.Len())-tail; i++ {
		c.compare(same, a.At(i), b.At(i))
	}
	c.Removed += a.Len() - tail - i
	c.Added += b.Len() - tail - i
}

// pair is a pair of containers that were compared.
type pair struct{ a, b Value }

// Comparer reports whether two values are written alike: the same numbers in the same form, the members in
// the same order. It caches its results for containers, so that a walk down a document compares each part once.
type Comparer map[pair]bool

// Equal reports whether two values are written alike.
func (c Comparer) Equal(a, b Value) bool {
	if Identical(a, b) {
		return true
	}
	switch x := a.(type) {
	case *Object:
		if y, ok := b.(*Object); ok && x.Len() == y.Len() {
			if Lines(a) < minCached {
				return c.equalObjects(x, y)
			}
			return c.remember(a, b, func() bool { return c.equalObjects(x, y) })
		}
	case *Array:
		if y, ok := b.(*Array); ok && x.Len() == y.Len() {
			if Lines(a) < minCached {
				return c.equalArrays(x, y)
			}
			return c.remember(a, b, func() bool { return c.equalArrays(x, y) })
		}
	}
	return false
}

// minCached is the number of lines from which on the result for a container is cached: comparing a smaller one again
// costs less than looking it up.
const minCached = 64

func (c Comparer) remember(a, b Value, compare func() bool) bool {
	key := pair{a, b}
	result, ok := c[key]
	if !ok {
		result = compare()
		c[key] = result
	}
	return result
}

func (c Comparer) equalObjects(a, b *Object) bool {
	for i := range a.Len() {
		if m, n := a.At(i), b.At(i); m.Key != n.Key || !c.Equal(m.Value, n.Value) {
			return false
		}
	}
	return true
}

func (c Comparer) equalArrays(a, b *Array) bool {
	for i := range a.Len() {
		if !c.Equal(a.At(i), b.At(i)) {
			return false
		}
	}
	return true
}

// Trim returns how many items at the beginning and how many of the rest at the end are the same.
func (c Comparer) Trim(a, b *Array) (head, tail int) {
	shorter := min(a.Len(), b.Len())
	for head < shorter && c.Equal(a.At(head), b.At(head)) {
		head++
	}
	for tail < shorter-head && c.Equal(a.At(a.Len()-1-tail), b.At(b.Len()-1-tail)) {
		tail++
	}
	return head, tail
}

// TrimMembers is Trim for the members of objects, by name and value.
func (c Comparer) TrimMembers(a, b *Object) (head, tail int) {
	same := func(i, j int) bool {
		m, n := a.At(i), b.At(j)
		return m.Key == n.Key && c.Equal(m.Value, n.Value)
	}
	shorter := min(a.Len(), b.Len())
	for head < shorter && same(head, head) {
		head++
	}
	for tail < shorter-head && same(a.Len()-1-tail, b.Len()-1-tail) {
		tail++
	}
	return head, tail
}
