package provenance

import (
	"slices"

	"asldb/engine/path"
	"asldb/engine/value"
)

// matches returns the places that a path leads to in a document. Behind the second segment that can lead to several
// places it stops. cut reports that there were more than are followed.
func matches(document value.Value, at *path.Path) (found [][]path.Segment, cut bool) {
	if document == nil {
		return nil, false
	}
	found = [][]path.Segment{nil}
	several := false
	for i := range at.Len() {
		segment := at.Segment(i)
		if segment.Kind == path.NameSegment || segment.Kind == path.IndexSegment {
			for n := range found {
				found[n] = append(found[n][:len(found[n]):len(found[n])], segment)
			}
			found = slices.DeleteFunc(found, func(way []path.Segment) bool { return lookUp(document, way) == nil })
			continue
		}
		if several || segment.Kind == path.DescentSegment || len(found) != 1 {
			return found, false
		}
		several = true
		prefix, err := path.Parse(textRoot(at) + at.String()[at.Offset(0):endOf(at, i)])
		if err != nil {
			return found, false
		}
		chosen := prefix.Find(rootsOf(at, document))
		if found = chosenOf(document, found[0], chosen); len(found) > maxOperands {
			found, cut = found[:maxOperands], true
		}
	}
	return found, cut
}

// textRoot is the root of a path as text, rootsOf the roots in which it means a document.
func textRoot(at *path.Path) string { return at.String()[:at.Offset(0)] }

func rootsOf(at *path.Path, document value.Value) *path.Roots {
	switch at.Root() {
	case path.ContextRoot:
		return &path.Roots{Context: document}
	case path.VariableRoot:
		return &path.Roots{Variables: func(string) value.Value { return document }}
	case path.DataRoot:
	}
	return &path.Roots{Data: document}
}

// endOf is where segment i of a path ends in its text.
func endOf(at *path.Path, i int) int {
	if i+1 < at.Len() {
		return at.Offset(i + 1)
	}
	return len(at.String())
}

// chosenOf returns the places of the members or items of a container that were chosen of it, in their order.
func chosenOf(document value.Value, container []path.Segment, chosen value.Value) [][]path.Segment {
	list, _ := chosen.(*value.Array)
	at := 0
	var found [][]path.Segment
	take := func(segment path.Segment, v value.Value) {
		if at < list.Len() && value.Identical(list.At(at), v) {
			at++
			found = append(found, append(container[:len(container):len(container)], segment))
		}
	}
	switch c := lookUp(document, container).(type) {
	case *value.Array:
		for i, item := range c.All() {
			take(path.Segment{Kind: path.IndexSegment, Index: i}, item)
		}
	case *value.Object:
		for key, member := range c.All() {
			take(path.Segment{Kind: path.NameSegment, Name: key}, member)
		}
	}
	if len(found) == 0 {
		return [][]path.Segment{container}
	}
	return found
}
