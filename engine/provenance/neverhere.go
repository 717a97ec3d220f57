package provenance

import (
	"slices"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/value"
)

// wrappers are the members in which services put what is asked for. The table is never changed.
var wrappers = map[string]bool{
	"Payload": true, "Item": true, "Body": true, "body": true, "Output": true, "Attributes": true, "detail": true,
}

// elsewhere looks in the documents for the longest end of the path.
func (n *never) elsewhere(at *path.Path, doc document, names []path.Segment) {
	found := 0 // names that lead to something
	for found < len(names) && lookUp(doc.data, names[:found+1]) != nil {
		found++
	}
	if found == len(names) || names[found].Kind != path.NameSegment {
		return
	}
	for k := 0; k < len(names); k++ {
		if names[k].Kind != path.NameSegment {
			continue
		}
		for _, in := range n.documents(at, doc) {
			places := endsIn(in.data, names[k:], names[:min(k, found)])
			if len(places) == 0 {
				continue
			}
			if len(places) > maxAlike {
				return
			}
			h := Hint{Kind: HintAt, Event: in.event, Ends: k > found, Value: lookUp(in.data, places[0])}
			for _, place := range places {
				h.Paths = append(h.Paths, in.write(place))
			}
			h.From = n.branchOf(in, places[0])
			h.Path = n.text
			n.hints = append(n.hints, h)
			return
		}
	}
}

// written is a document and how places in it are written.
type written struct {
	document
	write func([]path.Segment) string
}

// documents returns the document of a path, and of one in $states.input or $states.result both.
func (n *never) documents(at *path.Path, doc document) []written {
	if at.Root() == path.VariableRoot && at.Variable() != "states" {
		return []written{{doc, variableText}}
	}
	if at.Root() == path.ContextRoot {
		return []written{{doc, func(s []path.Segment) string { return "$" + pathText(s) }}}
	}
	list := []written{{doc, pathText}}
	if at.Root() != path.VariableRoot || at.Len() == 0 || n.reader == nil {
		return list
	}
	under := func(name string) func([]path.Segment) string {
		return func(s []path.Segment) string { return "$states." + name + pathText(s)[1:] }
	}
	first := at.Segment(0).Name
	list[0].write = under(first)
	other, from := "result", n.resultOf(n.reader, n.event+1)
	if first != "input" {
		other, from = "input", n.rawInput(n.reader, n.event+1)
	}
	if from >= 0 {
		list = append(list, written{n.after(from), under(other)})
	}
	return list
}

// endsIn returns the places in a document at which names lead to something: where one is in a member of the place near
// in which services put things, or in an item there, only that one; else no more than one above the number that is
// named.
func endsIn(document value.Value, names, near []path.Segment) [][]path.Segment {
	full := func(places [][]path.Segment) [][]path.Segment {
		for i := range places {
			places[i] = append(places[i], names...)
		}
		return places
	}
	fits := func(at value.Value) bool { return lookUp(at, names) != nil }
	var wrapped []path.Segment
	switch c := lookUp(document, near).(type) {
	case *value.Object:
		for key, member := range c.All() {
			if wrappers[key] && fits(member) {
				wrapped = append(slices.Clone(near), path.Segment{Kind: path.NameSegment, Name: key})
			}
		}
	case *value.Array:
		for i, item := range c.All() {
			if fits(item) && wrapped == nil {
				wrapped = append(slices.Clone(near), path.Segment{Kind: path.IndexSegment, Index: i})
			}
		}
	}
	if wrapped != nil {
		return full([][]path.Segment{wrapped})
	}
	return full(placesIn(document, maxAlike+1, fits))
}

// branchOf returns the branch whose result a place is in, or nil.
func (n *never) branchOf(in written, at []path.Segment) *Branch {
	if in.place.event < 0 {
		return nil
	}
	t := &tracer{log: n.log}
	p := below(in.place, at)
	for range maxHops {
		before := p
		next, more := t.step(p)
		if event := t.at(before.event); event.Type == engine.ParallelSucceeded && len(before.segments) > 0 && more {
			for i := next.event; i >= 0; i-- {
				if e := t.at(i); e.Type == engine.StateExited && e.Thread == t.at(next.event).Thread {
					return &Branch{Index: before.segments[0].Index, State: e.Visit.State}
				}
			}
		}
		if !more {
			return nil
		}
		p = next
	}
	return nil
}
