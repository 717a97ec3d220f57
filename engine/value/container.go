package value

import (
	"iter"
	"slices"
	"sync/atomic"
)

// Array is an immutable JSON array.
type Array struct {
	items []Value
	measures
}

// Member is one member of an object.
type Member struct {
	Key   string
	Value Value
}

// M is the member of a key with its value, for objects that are written out in code.
func M(key string, v Value) Member { return Member{Key: key, Value: v} }

// Text is a member whose value is a text.
func Text(key, text string) Member { return M(key, String(text)) }

// Object is an immutable JSON object. Its members have distinct keys and keep their order.
type Object struct {
	members []Member
	wide    atomic.Pointer[wide] // nil until a wide object is looked up often, or made by With
	lookups atomic.Int32
	measures
}

var (
	emptyArray  = &Array{}
	emptyObject = &Object{}
)

// NewArray returns the array of items. It keeps the slice: the caller must not change it afterwards.
// No item may be nil.
func NewArray(items []Value) *Array {
	if len(items) == 0 {
		return emptyArray
	}
	return &Array{items: items}
}

// ArrayOf returns the array of its arguments.
func ArrayOf(items ...Value) *Array { return NewArray(items) }

// Len returns the number of items.
func (a *Array) Len() int {
	if a == nil {
		return 0
	}
	return len(a.items)
}

// At returns item i, counted from 0. It panics when i is out of range, as a slice does.
func (a *Array) At(i int) Value { return a.items[i] }

// All iterates over index and item.
func (a *Array) All() iter.Seq2[int, Value] { return slices.All(a.items) }

// Slice returns the array of the items from (inclusive) to (exclusive); it shares their storage.
func (a *Array) Slice(from, to int) *Array { return NewArray(a.items[from:to:to]) }

// With returns the array with item i replaced by v. i may be Len, which appends.
func (a *Array) With(i int, v Value) *Array {
	items := make([]Value, max(len(a.items), i+1))
	copy(items, a.items)
	items[i] = v
	return &Array{items: items}
}

// NewObject returns the object of members. It keeps the slice: the caller must not change it
// afterwards. The keys must be distinct and no value nil; where keys may repeat use an [ObjectBuilder].
func NewObject(members []Member) *Object {
	if len(members) == 0 {
		return emptyObject
	}
	return &Object{members: members}
}

// ObjectOf returns the object of its arguments, which must have distinct keys.
func ObjectOf(members ...Member) *Object { return NewObject(members) }

// Len returns the number of members.
func (o *Object) Len() int { return len(o.members) }

// At returns member i in document order, counted from 0.
func (o *Object) At(i int) Member { return o.members[i] }

// All iterates over key and value in document order.
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i := range o.members {
			if !yield(o.members[i].Key, o.members[i].Value) {
				return
			}
		}
	}
}

// Get returns the value of the member called key, or nil when there is none.
func (o *Object) Get(key string) Value {
	if i := o.Index(key); i >= 0 {
		return o.members[i].Value
	}
	return nil
}

const (
	// wideObject is the number of members from which a lookup by map beats a scan.
	wideObject = 24
	// lookupsBeforeIndex lets an object that is looked up once and then replaced go without a map.
	lookupsBeforeIndex = 4
)

// Index returns the position of the member called key, or -1 when there is none.
func (o *Object) Index(key string) int {
	if len(o.members) >= wideObject {
		return o.indexWide(key)
	}
	for i := range o.members {
		if o.members[i].Key == key {
			return i
		}
	}
	return -1
}

func (o *Object) indexWide(key string) int {
	if w := o.wide.Load(); w != nil {
		if i, known := w.find(o, key); known {
			return i
		}
	} else if o.lookups.Add(1) > lookupsBeforeIndex {
		o.wide.Store(&wide{index: indexOf(o.members)})
	}
	for i := range o.members {
		if o.members[i].Key == key {
			return i
		}
	}
	return -1
}

// With returns the object with the member called key set to v: replaced where it is, or added at the end.
func (o *Object) With(key string, v Value) *Object {
	at := o.Index(key)
	if at < 0 {
		return o.appended(Member{key, v})
	}
	members := slices.Clone(o.members)
	members[at].Value = v
	object := &Object{members: members}
	if known := o.size.Load(); known > 0 {
		remember(&object.size, int(known)-Size(o.members[at].Value)+Size(v))
	}
	return object
}

// Without returns the object without the member called key.
func (o *Object) Without(key string) *Object {
	at := o.Index(key)
	if at < 0 {
		return o
	}
	return NewObject(slices.Delete(slices.Clone(o.members), at, at+1))
}

// Text returns the member of key that is a text; empty where there is none. o may be nil.
func (o *Object) Text(key string) string {
	if o == nil {
		return ""
	}
	text, _ := o.Get(key).(String)
	return string(text)
}

// ObjectBuilder collects members whose keys may repeat. The zero ObjectBuilder is ready to use.
type ObjectBuilder struct {
	members []Member
	index   map[string]int
}

// Set adds a member. When the key is there already its value is replaced, the member keeps its
// place, and Set reports false.
func (b *ObjectBuilder) Set(key string, v Value) bool {
	if i := b.find(key); i >= 0 {
		b.members[i].Value = v
		return false
	}
	b.members = append(b.members, Member{key, v})
	if b.index != nil {
		b.index[key] = len(b.members) - 1
	}
	return true
}

func (b *ObjectBuilder) find(key string) int {
	if b.index == nil && len(b.members) >= wideObject {
		b.index = make(map[string]int, 2*len(b.members))
		for i := range b.members {
			b.index[b.members[i].Key] = i
		}
	}
	if b.index != nil {
		if i, ok := b.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range b.members {
		if b.members[i].Key == key {
			return i
		}
	}
	return -1
}

// Object returns the collected members and empties the builder.
func (b *ObjectBuilder) Object() *Object {
	o := NewObject(b.members)
	b.members, b.index = nil, nil
	return o
}

// Find returns the value of the first member with a key, nil where there is none.
func Find(members []Member, key string) Value {
	for _, member := range members {
		if member.Key == key {
			return member.Value
		}
	}
	return nil
}

// OrNull returns null in place of nothing.
func OrNull(v Value) Value {
	if v == nil {
		return Null{}
	}
	return v
}

// Lost names the members of before that after does not have, in the order of before: "customer", or "order.total" for a
// member of an object that both have. At most limit names are returned; more counts the others. Items of arrays are
// not named.
func Lost(before, after Value, limit int) (names []string, more int) {
	l := lost{limit: limit}
	l.compare("", before, after)
	return l.names, l.more
}

type lost struct {
	names []string
	limit int
	more  int
}

func (l *lost) compare(prefix string, before, after Value) {
	b, ok := before.(*Object)
	if !ok || Identical(before, after) {
		return
	}
	a, _ := after.(*Object)
	for key, was := range b.All() {
		var is Value
		if a != nil {
			is = a.Get(key)
		}
		switch {
		case is != nil:
			if _, object := is.(*Object); object {
				l.compare(prefix+key+".", was, is)
			}
		case len(l.names) < l.limit:
			l.names = append(l.names, prefix+key)
		default:
			l.more++
		}
	}
}
