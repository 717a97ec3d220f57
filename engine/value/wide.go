package value

import (
	"sync"
	"sync/atomic"
)

// wide is what a wide object has besides its members: an index, and where With made it a storage with room at its end.
// The objects that With makes one of the other share it, so that data which grow by a member in each state take no
// more time than their members.
type wide struct {
	index map[string]int32 // by key; nil: not built yet
	// room is set where the storage is shared, and the index and used change under the lock.
	room    bool
	lock    sync.RWMutex
	used    int // the members in the storage
	lookups atomic.Int32
}

func indexOf(members []Member) map[string]int32 {
	index := make(map[string]int32, len(members))
	for i := range members {
		index[members[i].Key] = int32(i)
	}
	return index
}

// find returns the position of a member of an object, -1 where it has none; false without an index.
func (w *wide) find(o *Object, key string) (at int, known bool) {
	if !w.room {
		return position(w.index, o, key), true
	}
	w.lock.RLock()
	index := w.index
	if index != nil {
		at = position(index, o, key)
	}
	w.lock.RUnlock()
	if index == nil && w.lookups.Add(1) > lookupsBeforeIndex {
		w.lock.Lock()
		w.index = indexOf(o.members[:w.used])
		at, index = position(w.index, o, key), w.index
		w.lock.Unlock()
	}
	return at, index != nil
}

// position looks a key up; behind the members of an object are members of longer ones.
func position(index map[string]int32, o *Object, key string) int {
	if i, ok := index[key]; ok && int(i) < len(o.members) {
		return int(i)
	}
	return -1
}

// appended returns the object with a further member.
func (o *Object) appended(m Member) *Object {
	n := len(o.members)
	object := &Object{}
	switch w := o.wide.Load(); {
	case n < wideObject:
		object.members = append(make([]Member, 0, n+1), o.members...)
		object.members = append(object.members, m)
	case w != nil && w.take(o, m):
		object.members = o.members[:n+1]
		object.wide.Store(w)
	default:
		object.members = append(make([]Member, 0, n+1+n/4), o.members...)
		object.members = append(object.members, m)
		object.wide.Store(&wide{room: true, used: n + 1})
	}
	if known := o.size.Load(); known > 0 {
		remember(&object.size, int(known)+min(n, 1)+quotedSize(m.Key)+1+Size(m.Value))
	}
	return object
}

// take puts a further member behind an object, where there is room and no other object has taken it.
func (w *wide) take(o *Object, m Member) bool {
	if !w.room {
		return false
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	n := len(o.members)
	if w.used != n || cap(o.members) == n {
		return false
	}
	o.members[:n+1][n] = m
	if w.used++; w.index != nil {
		w.index[m.Key] = int32(n)
	}
	return true
}
