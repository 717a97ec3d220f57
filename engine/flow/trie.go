package flow

import (
	"math/bits"
	"sort"
)

// A node is a part of the members of an object: a big-endian Patricia trie over the hashes of their names, whose form
// does not depend on the order in which they came. Nodes never change and are shared, so that an object with one member
// more makes about as many nodes as the logarithm of its members, and two objects are joined only where they differ.
type node[M entry] struct {
	key         uint64 // of a leaf the hash of its name, else the bits that all keys below share
	bit         uint64 // the highest bit in which they differ; 0 of a leaf
	left, right *node[M]
	member      M // of a leaf
	hash        uint64
	count       int
	height      int
	optional    bool // every member may be missing
}

// An entry is a member with what is known of it.
type entry interface {
	label() string
	digest() uint64 // of all but the name
	depth() int
	may() bool // be missing
}

func (m Member) label() string  { return m.Name }
func (m Member) digest() uint64 { return mix(bit(m.Maybe), hashOf(m.Shape)) }
func (m Member) depth() int     { return heightOf(m.Shape) }
func (m Member) may() bool      { return m.Maybe }

func nameHash(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return mix(h, uint64(len(name)))
}

// leaf makes the node of a member.
func (p *Space) leaf(m Member) *node[Member] {
	if heightOf(m.Shape) >= maxHeight {
		m.Shape = nil
	}
	return leafOf(&p.left, m)
}

func (p *Space) branch(key, bit uint64, left, right *node[Member]) *node[Member] {
	return branchOf(&p.left, key, bit, left, right)
}

// leafOf makes the node of a member, and takes it from a budget.
func leafOf[M entry](budget *int, m M) *node[M] {
	*budget--
	key := nameHash(m.label())
	return &node[M]{key: key, member: m, hash: mix(key, m.digest()), count: 1, height: m.depth() + 1, optional: m.may()}
}

// branchOf makes a node of two parts; one may be empty.
func branchOf[M entry](budget *int, key, bit uint64, left, right *node[M]) *node[M] {
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	}
	*budget--
	return &node[M]{
		key: key, bit: bit, left: left, right: right, hash: mix(left.hash, right.hash), count: left.count + right.count,
		height: max(left.height, right.height), optional: left.optional && right.optional,
	}
}

// above returns the bits of a key above the one in which the keys of a node differ.
func above(key, bit uint64) uint64 { return key &^ (bit<<1 - 1) }

func (n *node[M]) holds(key uint64) bool { return n.bit != 0 && above(key, n.bit) == n.key }

// get returns the member of a name, or nil.
func (n *node[M]) get(name string) *M {
	key := nameHash(name)
	for n != nil && n.bit != 0 {
		switch {
		case !n.holds(key):
			return nil
		case key&n.bit == 0:
			n = n.left
		default:
			n = n.right
		}
	}
	if n == nil || n.key != key || n.member.label() != name {
		return nil
	}
	return &n.member
}

// apart makes the branch of two nodes whose keys differ.
func apart[M entry](budget *int, a, b *node[M]) *node[M] {
	highest := uint64(1) << (bits.Len64(a.key^b.key) - 1)
	if a.key&highest != 0 {
		a, b = b, a
	}
	return branchOf(budget, above(a.key, highest), highest, a, b)
}

// put returns the members with one set.
func (p *Space) put(n *node[Member], m Member) *node[Member] { return insert(&p.left, n, p.leaf(m)) }

func insert[M entry](budget *int, n, leaf *node[M]) *node[M] {
	switch {
	case n == nil || n.bit == 0 && n.key == leaf.key:
		return leaf
	case !n.holds(leaf.key):
		return apart(budget, n, leaf)
	case leaf.key&n.bit == 0:
		return branchOf(budget, n.key, n.bit, insert(budget, n.left, leaf), n.right)
	}
	return branchOf(budget, n.key, n.bit, n.left, insert(budget, n.right, leaf))
}

// loosen returns members that may be missing, since another object does not list them; where that is open they may be
// anything, as those that are not listed.
func (p *Space) loosen(n *node[Member], open bool) *node[Member] {
	switch {
	case open:
		return nil
	case n == nil || n.optional || p.left <= 0:
		return n
	case n.bit != 0:
		return p.branch(n.key, n.bit, p.loosen(n.left, open), p.loosen(n.right, open))
	}
	return p.leaf(Member{n.member.Name, n.member.Shape, true})
}

// joining joins the members of two objects; each may be open.
type joining struct {
	*Space
	a, b bool
}

// join returns the members that either of two objects may have. On which of the ways one is there is forgotten: later
// choices may know.
func (j joining) join(a, b *node[Member]) *node[Member] {
	switch {
	case a == b || a != nil && b != nil && a.hash == b.hash || j.left <= 0:
		return a
	case a == nil:
		return j.loosen(b, j.a)
	case b == nil:
		return j.loosen(a, j.b)
	case a.bit == 0 && b.bit == 0 && a.key == b.key:
		return j.leaf(Member{a.member.Name, j.Either(a.member.Shape, b.member.Shape), a.member.Maybe || b.member.Maybe})
	case a.bit == b.bit && a.key == b.key:
		return j.branch(a.key, a.bit, j.join(a.left, b.left), j.join(a.right, b.right))
	case a.bit > b.bit && a.holds(b.key):
		if b.key&a.bit == 0 {
			return j.branch(a.key, a.bit, j.join(a.left, b), j.loosen(a.right, j.b))
		}
		return j.branch(a.key, a.bit, j.loosen(a.left, j.b), j.join(a.right, b))
	case b.bit > a.bit && b.holds(a.key):
		if a.key&b.bit == 0 {
			return j.branch(b.key, b.bit, j.join(a, b.left), j.loosen(b.right, j.a))
		}
		return j.branch(b.key, b.bit, j.loosen(b.left, j.a), j.join(a, b.right))
	}
	if j.a || j.b {
		return j.branch(0, 0, j.loosen(a, j.b), j.loosen(b, j.a)) // at least one of them is empty
	}
	return apart(&j.left, j.loosen(a, false), j.loosen(b, false))
}

// list returns the members, sorted by their names.
func (n *node[M]) list() []M {
	if n == nil {
		return nil
	}
	all := n.add(make([]M, 0, n.count))
	sort.Slice(all, func(i, j int) bool { return all[i].label() < all[j].label() })
	return all
}

func (n *node[M]) add(list []M) []M {
	if n.bit == 0 {
		return append(list, n.member)
	}
	return n.right.add(n.left.add(list))
}
