package provenance

import (
	"asldb/engine/path"
	"asldb/engine/value"
)

// located is a value of a document and the way to it.
type located struct {
	segments []path.Segment
	value    value.Value
}

// below returns the value at one more segment.
func (l located) below(segment path.Segment, v value.Value) located {
	way := make([]path.Segment, 0, len(l.segments)+1)
	return located{segments: append(append(way, l.segments...), segment), value: v}
}

// spread returns the items of an array, the items of arrays in it included where deep is set, and anything else as it
// is.
func (l located) spread(list []located, deep bool) []located {
	array, ok := l.value.(*value.Array)
	if !ok {
		return append(list, l)
	}
	for i, item := range array.All() {
		inner := l.below(path.Segment{Kind: path.IndexSegment, Index: i}, item)
		if deep {
			list = inner.spread(list, true)
		} else {
			list = append(list, inner)
		}
	}
	return list
}

// maxMapped bounds the values that a path which maps over arrays leads to.
const maxMapped = 100_000

// followQuery follows names and indexes as JSONata does: a name is looked up in each item of an array, and its result
// is flattened. It returns the values that the result is made of: one, which it is itself, or the items of an array. It
// is nil where there is nothing, or too much.
func followQuery(document value.Value, segments []path.Segment) []located {
	at := []located{{value: document}}
	for _, segment := range segments {
		var next []located
		for _, from := range at {
			if segment.Kind == path.IndexSegment {
				next = from.item(next, segment)
				continue
			}
			for _, holder := range from.spread(nil, true) {
				object, ok := holder.value.(*value.Object)
				if !ok {
					continue
				}
				if v := object.Get(segment.Name); v != nil {
					next = append(next, holder.below(segment, v))
				}
			}
		}
		if at = next; len(at) > maxMapped {
			return nil
		}
	}
	if len(at) == 1 {
		return at
	}
	var flat []located
	for _, l := range at {
		flat = l.spread(flat, false)
	}
	return flat
}

// item adds item number segment.Index of an array; index 0 of anything else is itself.
func (l located) item(list []located, segment path.Segment) []located {
	array, ok := l.value.(*value.Array)
	switch {
	case ok && segment.Index < array.Len():
		return append(list, l.below(segment, array.At(segment.Index)))
	case !ok && segment.Index == 0:
		return append(list, l)
	}
	return list
}
