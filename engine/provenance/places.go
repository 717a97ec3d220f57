package provenance

import (
	"strconv"

	"asldb/engine/path"
	"asldb/engine/value"
)

// hasPrefix reports whether segments begin with names.
func hasPrefix(segments []path.Segment, names ...string) bool {
	if len(segments) < len(names) {
		return false
	}
	for i, name := range names {
		if segments[i].Kind != path.NameSegment || segments[i].Name != name {
			return false
		}
	}
	return true
}

// maxSearched bounds the values that a search looks at.
const maxSearched = 100_000

// findIn returns where v itself, not its like, is in the data after event i; nil where it is not. Scalars have no identity, so they
// are not looked for. Where v may have lost its identity (see [runlog.Log.Same]) its like is taken if there is just one.
func (t *tracer) findIn(i int, v value.Value) *[]path.Segment {
	switch c := v.(type) {
	case *value.Array:
		if c.Len() == 0 {
			return nil
		}
	case *value.Object:
		if c.Len() == 0 {
			return nil
		}
	default:
		return nil
	}
	if i < 0 {
		return nil
	}
	document := t.at(i).After
	if found := placesIn(document, 1, func(at value.Value) bool { return value.Identical(at, v) }); len(found) > 0 {
		return &found[0]
	}
	if !t.log.Copies() {
		return nil
	}
	if found := placesIn(document, 2, func(at value.Value) bool { return t.log.Same(at, v) }); len(found) == 1 {
		return &found[0]
	}
	return nil
}

// placesIn returns the first places in a document, at most so many, of values that fit.
func placesIn(document value.Value, most int, fits func(at value.Value) bool) (found [][]path.Segment) {
	left := maxSearched
	var walk func(at value.Value, way []path.Segment)
	walk = func(at value.Value, way []path.Segment) {
		if left--; left < 0 || len(found) == most {
			return
		}
		if fits(at) {
			found = append(found, append([]path.Segment{}, way...))
			return
		}
		switch c := at.(type) {
		case *value.Array:
			for i, item := range c.All() {
				walk(item, append(way, path.Segment{Kind: path.IndexSegment, Index: i}))
			}
		case *value.Object:
			for key, member := range c.All() {
				walk(member, append(way, path.Segment{Kind: path.NameSegment, Name: key}))
			}
		}
	}
	walk(document, nil)
	return found
}

// segmentsOf returns the names and indexes of a path as far as it has only those.
func segmentsOf(p *path.Path) []path.Segment {
	segments := make([]path.Segment, 0, p.Len())
	for i := range p.Len() {
		segments = append(segments, p.Segment(i))
	}
	return segments
}

// lookUp returns the value that names and indexes lead to, or nil.
func lookUp(v value.Value, segments []path.Segment) value.Value {
	for _, segment := range segments {
		switch c := v.(type) {
		case *value.Object:
			if segment.Kind != path.NameSegment {
				return nil
			}
			v = c.Get(segment.Name)
		case *value.Array:
			if segment.Kind != path.IndexSegment || segment.Index < 0 || segment.Index >= c.Len() {
				return nil
			}
			v = c.At(segment.Index)
		default:
			return nil
		}
	}
	return v
}

// pathText writes names and indexes as a JSONPath: $.order['unit price'][0].
func pathText(segments []path.Segment) string {
	text := "$"
	for _, segment := range segments {
		if segment.Kind == path.IndexSegment {
			text += "[" + strconv.Itoa(segment.Index) + "]"
		} else {
			text += path.Member(segment.Name)
		}
	}
	return text
}

// hasSegments reports whether segments begin with others.
func hasSegments(segments, begin []path.Segment) bool {
	if len(segments) < len(begin) {
		return false
	}
	for i := range begin {
		if segments[i] != begin[i] {
			return false
		}
	}
	return true
}
