package mutate

import (
	"slices"

	"asldb/engine/source"
	"asldb/engine/value"
)

// change is one change of a definition. It is made in its tree; edits makes the same change in the text, where the text is written so
// that it can: the caller reads the text again and compares.
type change interface {
	// target is the value that is another after the change.
	target() *source.Node
	// made returns the target after the change. The target itself stays as it is.
	replacement() *source.Node
	// place is where it is shown.
	place() source.Position
	// edits returns the change of a text; nil where it cannot be told.
	edits(l *source.Layout) []source.Edit
}

// apply returns the tree with a change.
func apply(root *source.Node, c change) *source.Node {
	return root.Replace(c.target(), c.replacement())
}

// dropMember leaves a member out.
type dropMember struct {
	object *source.Node
	index  int
}

func (c dropMember) target() *source.Node { return c.object }

func (c dropMember) place() source.Position { return c.object.Members[c.index].KeySpan.Start }

func (c dropMember) replacement() *source.Node {
	return source.NewObject(slices.Delete(slices.Clone(c.object.Members), c.index, c.index+1), c.object.Span)
}

func (c dropMember) edits(l *source.Layout) []source.Edit {
	if len(c.object.Members) == 1 && !l.Flow(c.object) { // without it the block would be null
		from := c.object.Members[0].KeySpan.Start.Offset
		to, ok := l.MemberEnd(c.object, 0)
		return l.Edit(ok, from, to, "{}")
	}
	from, to, ok := l.MemberStretch(c.object, c.index)
	return l.Edit(ok, from, to, "")
}

// dropItem leaves an item out.
type dropItem struct {
	array *source.Node
	index int
}

func (c dropItem) target() *source.Node { return c.array }

func (c dropItem) place() source.Position { return c.array.Items[c.index].Span.Start }

func (c dropItem) replacement() *source.Node {
	return source.NewArray(slices.Delete(slices.Clone(c.array.Items), c.index, c.index+1), c.array.Span)
}

func (c dropItem) edits(l *source.Layout) []source.Edit {
	from, to, ok := l.ItemStretch(c.array, c.index)
	return l.Edit(ok, from, to, "")
}

// swapItems exchanges an item with the one after it.
type swapItems struct {
	array *source.Node
	index int
}

func (c swapItems) target() *source.Node { return c.array }

func (c swapItems) place() source.Position { return c.array.Items[c.index].Span.Start }

func (c swapItems) replacement() *source.Node {
	items := slices.Clone(c.array.Items)
	items[c.index], items[c.index+1] = items[c.index+1], items[c.index]
	return source.NewArray(items, c.array.Span)
}

func (c swapItems) edits(l *source.Layout) []source.Edit {
	a, aEnd, ok := l.ItemText(c.array, c.index)
	b, bEnd, both := l.ItemText(c.array, c.index+1)
	if !ok || !both || aEnd > b {
		return nil
	}
	return append(l.Edit(true, a, aEnd, string(l.File.Data[b:bEnd])), l.Edit(true, b, bEnd, string(l.File.Data[a:aEnd]))...)
}

// setScalar puts another scalar in the place of one.
type setScalar struct {
	node  *source.Node
	value value.Value
}

func (c setScalar) target() *source.Node { return c.node }

func (c setScalar) place() source.Position { return c.node.Span.Start }

func (c setScalar) replacement() *source.Node { return source.Of(c.value, c.node.Span) }

func (c setScalar) edits(l *source.Layout) []source.Edit {
	from := c.node.Span.Start.Offset
	to, ok := l.ScalarEnd(from)
	if !ok {
		return nil
	}
	return l.Edit(true, from, to, l.Written(c.value, from))
}

// renameKey gives a member another key.
type renameKey struct {
	object *source.Node
	index  int
	key    string
}

func (c renameKey) target() *source.Node { return c.object }

func (c renameKey) place() source.Position { return c.object.Members[c.index].KeySpan.Start }

func (c renameKey) replacement() *source.Node {
	members := slices.Clone(c.object.Members)
	members[c.index].Key = c.key
	return source.NewObject(members, c.object.Span)
}

func (c renameKey) edits(l *source.Layout) []source.Edit {
	m := &c.object.Members[c.index]
	from, ok := l.Word(m.KeySpan.Start.Offset, m.Key)
	return l.Edit(ok, from, from+len(m.Key), c.key)
}

// addMember adds a scalar member behind the others.
type addMember struct {
	object *source.Node
	key    string
	value  value.Value
}

func (c addMember) target() *source.Node { return c.object }

func (c addMember) place() source.Position { return c.object.Span.Start }

func (c addMember) replacement() *source.Node { return c.object.With(c.key, c.value) }

func (c addMember) edits(l *source.Layout) []source.Edit {
	return l.Set(c.object, c.key, value.Compact(c.value))
}

// negate puts members of a comparison into a Not, from the one with the lower number to the other.
type negate struct {
	object   *source.Node
	from, to int
}

func (c negate) target() *source.Node { return c.object }

func (c negate) place() source.Position { return c.object.Members[c.from].KeySpan.Start }

func (c negate) replacement() *source.Node {
	members := slices.Clone(c.object.Members[:c.from])
	at := c.object.Members[c.from].Node.Span
	not := source.NodeMember{Key: notKey, KeySpan: at, Node: source.NewObject(slices.Clone(c.object.Members[c.from:c.to+1]), at)}
	return source.NewObject(append(append(members, not), c.object.Members[c.to+1:]...), c.object.Span)
}

func (c negate) edits(l *source.Layout) []source.Edit {
	from := c.object.Members[c.from].KeySpan.Start.Offset
	to, ok := l.MemberEnd(c.object, c.to)
	if !ok {
		return nil
	}
	if l.Flow(c.object) {
		return l.Edit(true, from, to, l.Key(notKey, from)+": {"+string(l.File.Data[from:to])+"}")
	}
	part := source.NewObject(c.object.Members[c.from:c.to+1], source.Span{})
	return l.Edit(true, from, to, notKey+": "+value.Compact(part.Value))
}

const notKey = "Not"

// dropNot puts the members of a Not in its place.
type dropNot struct {
	object *source.Node
	index  int
}

func (c dropNot) target() *source.Node { return c.object }

func (c dropNot) place() source.Position { return c.object.Members[c.index].KeySpan.Start }

func (c dropNot) replacement() *source.Node {
	return source.NewObject(slices.Concat(c.object.Members[:c.index], c.object.Members[c.index].Node.Members, c.object.Members[c.index+1:]), c.object.Span)
}

func (c dropNot) edits(l *source.Layout) []source.Edit {
	m := &c.object.Members[c.index]
	from := m.KeySpan.Start.Offset
	to, ok := l.MemberEnd(c.object, c.index)
	if !ok || len(m.Node.Members) == 0 {
		return nil
	}
	if l.Flow(c.object) {
		first := m.Node.Members[0].KeySpan.Start.Offset
		last, ok := l.MemberEnd(m.Node, len(m.Node.Members)-1)
		return l.Edit(ok && last > first, from, to, string(l.File.Data[first:max(first, last)]))
	}
	text := ""
	for i := range m.Node.Members {
		if i > 0 {
			text += "\n" + l.Indent(from)
		}
		inner := &m.Node.Members[i]
		text += inner.Key + ": " + value.Compact(inner.Node.Value)
	}
	return l.Edit(true, from, to, text)
}

// rewrite changes a part of a string, in bytes of its text.
type rewrite struct {
	node     *source.Node
	from, to int
	with     string
}

func (c rewrite) target() *source.Node { return c.node }

func (c rewrite) place() source.Position { return c.node.Span.Start }

func (c rewrite) replacement() *source.Node {
	text, _ := c.node.Value.(value.String)
	return source.NewString(string(text[:c.from])+c.with+string(text[c.to:]), c.node.Span)
}

func (c rewrite) edits(l *source.Layout) []source.Edit {
	at := source.StringText(l.File, c.node).Stretch(c.from, c.to)
	from, to := at.Start.Offset, at.End.Offset
	old, _ := c.node.Value.(value.String)
	ok := at != (source.Span{}) && to <= len(l.File.Data) && string(l.File.Data[from:to]) == string(old[c.from:c.to])
	return l.Edit(ok, from, to, c.with)
}
