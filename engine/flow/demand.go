package flow

import (
	"cmp"
	"slices"
	"strconv"

	"asldb/engine/value"
)

// Wanted is the kind of value that a place takes.
type Wanted uint8

// The kinds that are wanted. WantBytes is the number of bytes of a batch, WantTime a timestamp.
const (
	WantAny Wanted = iota
	WantText
	WantNumber
	WantBytes
	WantBool
	WantTime
	WantNull
	WantArray
	WantObject
)

// The weights of requirements on a value: of states aside and on the intended way of the run, and of a Choice that
// leads there.
const (
	asideWeight  = 1
	onWayWeight  = 4
	chosenWeight = 16
)

// A Demand is what states require of a value: the mirror of a [Shape]. nil requires nothing. Demands never change, and
// share their parts.
type Demand struct {
	votes          [WantObject + 1]uint64 // of each kind the weight, and behind it how early the reader is
	early          uint64                 // of the first reader, greater where it is earlier
	read, unwanted uint8                  // the weights with which it is read, and with which it must be absent
	all            bool                   // a reader may take any part of it
	// Count is the number of items that are asked for, Pieces the number of parts into which a text is split at
	// Separator.
	Count, Pieces int
	Separator     string
	// Sample is a value that will do.
	Sample value.Value
	Limits []Limit
	// Item means all items of an array; Document is the content of the value's JSON text.
	Item, Document *Demand
	each           *Demand         // what is asked of all items together,
	at             *node[Required] // and what of one by its index
	members        *node[Required]
	hash           uint64
	height         int
}

// Required is a member that is asked for.
type Required struct {
	Name   string
	Demand *Demand
}

func (m Required) label() string  { return m.Name }
func (m Required) digest() uint64 { return m.Demand.hash }
func (m Required) depth() int     { return m.Demand.height }
func (m Required) may() bool      { return false }

// A Limit is a comparison with a literal that is to hold, or not.
type Limit struct {
	Operator string
	Literal  value.Value
	Holds    bool
	Weight   int
}

// maxDemands bounds how deep demands are, maxLimits the comparisons of one value.
const (
	maxDemands = 16
	maxLimits  = 64
)

// Kind is the kind that is asked for with the greatest weight, and among those the first.
func (d *Demand) Kind() Wanted {
	best := WantAny
	if d != nil {
		for k, vote := range d.votes {
			if vote > d.votes[best] {
				best = Wanted(k)
			}
		}
	}
	return best
}

// Absent reports whether the value must not be there.
func (d *Demand) Absent() bool { return d != nil && d.unwanted > d.read }

// Read reports whether a state reads the value, and does not only ask whether it is there.
func (d *Demand) Read() bool { return d != nil && d.read > 0 }

// Reads reports whether a reader may take a member, by its name or with all others.
func (d *Demand) Reads(name string) bool {
	return d != nil && (d.all || d.Item != nil || d.members.get(name) != nil)
}

// Of is what is required of a member; everything where a reader may take it with all others.
func (d *Demand) Of(name string) *Demand {
	if d != nil && (d.all || d.Item != nil) {
		return everything
	}
	return d.Member(name)
}

// everything is the demand of a reader that may take any part of a value. It is never changed.
var everything = (&demanding{}).seal(&Demand{all: true})

// Members returns the members that are asked for, those first that are read first.
func (d *Demand) Members() []Required {
	if d == nil {
		return nil
	}
	list := d.members.list()
	slices.SortStableFunc(list, func(a, b Required) int { return cmp.Compare(b.Demand.early, a.Demand.early) })
	return list
}

// Member returns what is required of a member; nil where that is nothing.
func (d *Demand) Member(name string) *Demand {
	if d == nil {
		return nil
	}
	if m := d.members.get(name); m != nil {
		return m.Demand
	}
	return nil
}

// demanding makes demands, and knows the joins that were made.
type demanding struct {
	spent  int // counts down by each part that is made
	joined map[[2]uint64]*Demand
}

// seal completes a demand that is made.
func (s *demanding) seal(d *Demand) *Demand {
	s.spent--
	for _, part := range []**Demand{&d.Item, &d.Document, &d.each} {
		if *part != nil && (*part).height >= maxDemands {
			*part, d.all = nil, true
		}
		d.height = max(d.height, (*part).depth()+1)
	}
	h := mix(mix(d.early, uint64(d.read)), uint64(d.unwanted)<<1+bit(d.all))
	for _, vote := range d.votes {
		h = mix(h, vote)
	}
	h = mix(mix(mix(h, uint64(d.Count)), uint64(d.Pieces)), nameHash(d.Separator))
	if d.Sample != nil {
		h = mix(h, nameHash(value.Compact(d.Sample)))
	}
	for _, l := range d.Limits {
		h = mix(h, nameHash(l.Operator+" "+value.Compact(l.Literal))+uint64(l.Weight)<<1+bit(l.Holds))
	}
	for i, part := range []*node[Required]{d.members, d.at} {
		if part != nil {
			h, d.height = mix(h, part.hash+uint64(i)), max(d.height, part.height)
		}
	}
	d.hash = mix(mix(mix(h, d.Item.digest()), d.Document.digest()+1), d.each.digest()+2)
	return d
}

func (d *Demand) digest() uint64 {
	if d == nil {
		return 0
	}
	return d.hash
}

func (d *Demand) depth() int {
	if d == nil {
		return 0
	}
	return d.height
}

// join returns what both demands require.
func (s *demanding) join(a, b *Demand) *Demand {
	switch {
	case a == nil:
		return b
	case b == nil || a == b || a.hash == b.hash:
		return a
	}
	key := [2]uint64{a.hash, b.hash}
	if known := s.joined[key]; known != nil {
		return known
	}
	d := &Demand{
		early: max(a.early, b.early), read: max(a.read, b.read), unwanted: max(a.unwanted, b.unwanted),
		Count: max(a.Count, b.Count), Pieces: max(a.Pieces, b.Pieces), Separator: cmp.Or(a.Separator, b.Separator),
		all: a.all || b.all, Sample: a.Sample, Limits: a.Limits,
		Item: s.join(a.Item, b.Item), Document: s.join(a.Document, b.Document), members: s.union(a.members, b.members),
		each: s.join(a.each, b.each), at: s.union(a.at, b.at),
	}
	for k := range d.votes {
		d.votes[k] = max(a.votes[k], b.votes[k])
	}
	if d.Sample == nil || b.Sample != nil && b.early > a.early {
		d.Sample = cmp.Or(b.Sample, d.Sample)
	}
	for _, l := range b.Limits {
		same := func(have Limit) bool {
			literal := have.Literal
			have.Literal = l.Literal
			return have == l && value.Equal(literal, l.Literal)
		}
		if len(d.Limits) < maxLimits && !slices.ContainsFunc(d.Limits, same) {
			d.Limits = append(d.Limits[:len(d.Limits):len(d.Limits)], l)
		}
	}
	s.joined[key] = s.seal(d)
	return d
}

// union returns the members of two demands.
func (s *demanding) union(a, b *node[Required]) *node[Required] {
	switch {
	case a == nil:
		return b
	case b == nil || a == b || a.hash == b.hash:
		return a
	case a.bit == 0 && b.bit == 0 && a.key == b.key:
		return leafOf(&s.spent, Required{a.member.Name, s.join(a.member.Demand, b.member.Demand)})
	case a.bit == b.bit && a.key == b.key:
		return branchOf(&s.spent, a.key, a.bit, s.union(a.left, b.left), s.union(a.right, b.right))
	case b.bit > a.bit && b.holds(a.key):
		a, b = b, a
	case a.bit <= b.bit || !a.holds(b.key):
		return apart(&s.spent, a, b)
	}
	if b.key&a.bit == 0 {
		return branchOf(&s.spent, a.key, a.bit, s.union(a.left, b), a.right)
	}
	return branchOf(&s.spent, a.key, a.bit, a.left, s.union(a.right, b))
}

// drop returns members without one.
func (s *demanding) drop(n *node[Required], key uint64) *node[Required] {
	switch {
	case n == nil || n.bit == 0 && n.key == key:
		return nil
	case !n.holds(key):
		return n
	case key&n.bit == 0:
		return branchOf(&s.spent, n.key, n.bit, s.drop(n.left, key), n.right)
	}
	return branchOf(&s.spent, n.key, n.bit, n.left, s.drop(n.right, key))
}

// without returns a demand that leaves out the part that a ResultPath makes, with the objects that it makes on the way.
func (s *demanding) without(d *Demand, names []string) *Demand {
	inner := d.Member(names[0])
	if inner == nil {
		return d
	}
	twin := *d
	twin.members = s.drop(d.members, nameHash(names[0]))
	if len(names) > 1 && inner.members != nil {
		if left := s.without(inner, names[1:]); left.members != nil {
			twin.members = insert(&s.spent, twin.members, leafOf(&s.spent, Required{names[0], left}))
		}
	}
	return s.seal(&twin)
}

// item returns what is required of the items of an array.
func (s *demanding) item(d *Demand) *Demand {
	if d == nil {
		return nil
	}
	return s.share(d, d.Item)
}

// share adds to what is required of a part of a value what a reader of all parts may.
func (s *demanding) share(d, part *Demand) *Demand {
	if d != nil && d.all {
		return s.join(part, everything)
	}
	return part
}

// nth returns what is required of the item of an index.
func (s *demanding) nth(d *Demand, index int) *Demand {
	if d == nil {
		return nil
	}
	if m := d.at.get(strconv.Itoa(index)); m != nil {
		return s.share(d, s.join(d.each, m.Demand))
	}
	return s.share(d, d.each)
}

// elements returns what is required of the items of a sequence, which may be one value.
func (s *demanding) elements(d *Demand) *Demand {
	if d.Kind() == WantArray {
		return s.item(d)
	}
	return d
}

// member returns what is required of a member; a wildcard asks for all.
func (s *demanding) member(d *Demand, name string) *Demand { return s.join(d.Member(name), s.item(d)) }

// reader makes the demands of one read.
type reader struct {
	*demanding
	weight uint8
	early  uint64
	asking bool // whether something is there
}

// leaf returns a demand that requires what is set in it.
func (r *reader) leaf(d Demand) *Demand {
	d.early = r.early
	return r.seal(&d)
}

// later returns a demand of a read that is not earlier than the reader is now.
func (r *reader) later(d *Demand) *Demand {
	if d == nil || d.early <= r.early {
		return d
	}
	twin := *d
	twin.early = r.early
	return r.seal(&twin)
}

// want requires a kind of value.
func (r *reader) want(k Wanted) *Demand {
	if k == WantAny {
		return nil
	}
	d := Demand{}
	d.votes[k] = uint64(r.weight)<<56 | r.early
	return r.leaf(d)
}

// sample requires a value unless another is asked for.
func (r *reader) sample(v value.Value) *Demand { return r.leaf(Demand{Sample: v}) }

// within requires an object with a member.
func (r *reader) within(name string, d *Demand) *Demand {
	mark := Demand{}
	if !r.asking {
		mark.read = r.weight
	}
	if d = r.join(d, r.leaf(mark)); d.height >= maxDemands {
		return r.join(r.want(WantObject), everything)
	}
	whole := Demand{members: leafOf(&r.spent, Required{name, d})}
	whole.votes[WantObject] = uint64(r.weight)<<56 | r.early
	return r.leaf(whole)
}

// array requires an array of at least so many items.
func (r *reader) array(item *Demand, count int) *Demand {
	if item == nil {
		item = r.leaf(Demand{})
	}
	return r.items(Demand{Item: item, each: item, Count: count})
}

// indexed requires an array with an item at an index, which is counted from the end if it is negative.
func (r *reader) indexed(item *Demand, index int) *Demand {
	if index < 0 {
		return r.array(item, -index)
	}
	item = r.join(item, r.leaf(Demand{}))
	if item.height >= maxDemands {
		return r.array(nil, index+1)
	}
	return r.items(Demand{Item: item, at: leafOf(&r.spent, Required{strconv.Itoa(index), item}), Count: index + 1})
}

func (r *reader) items(d Demand) *Demand {
	d.votes[WantArray] = uint64(r.weight)<<56 | r.early
	return r.leaf(d)
}

// like requires a value with the members of v.
func (r *reader) like(v value.Value) *Demand {
	object, ok := v.(*value.Object)
	if !ok {
		return r.join(r.sample(v), r.want(wantedOf(v)))
	}
	var all *Demand
	for name, member := range object.All() {
		all = r.join(all, r.within(name, r.like(member)))
	}
	return all
}

// wantedOf returns the kind of a value.
func wantedOf(v value.Value) Wanted {
	switch v.Kind() {
	case value.KindString:
		return WantText
	case value.KindNumber:
		return WantNumber
	case value.KindBool:
		return WantBool
	case value.KindNull:
		return WantNull
	case value.KindArray:
		return WantArray
	case value.KindObject:
	}
	return WantObject
}
