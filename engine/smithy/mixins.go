package smithy

import (
	"slices"
	"strings"

	"asldb/engine/source"
)

// merge makes the shapes complete.
func (r *reader) merge() {
	for _, applied := range r.applies {
		r.apply(applied)
	}
	for _, shape := range r.model.Shapes {
		r.complete(shape, nil)
	}
	for _, applied := range r.applies { // to members that come from mixins
		r.applyToMember(applied)
	}
	source.Sort(r.problems)
}

// apply gives a shape the traits of an apply statement.
func (r *reader) apply(statement *Shape) {
	if strings.Contains(statement.ID, "$") {
		return
	}
	if shape := r.model.byID[statement.ID]; shape != nil {
		shape.Node = r.withApplied(shape.Node, statement, shape.File)
	}
}

// withApplied returns a shape or a member with the traits of an apply statement.
func (r *reader) withApplied(n *source.Node, statement *Shape, file *source.File) *source.Node {
	traits := statement.Node.Get("traits")
	if traits == nil {
		return n
	}
	if statement.File != file {
		for _, t := range traits.Members {
			r.model.applied[t.Node] = statement.File
		}
	}
	return set(n, "traits", union(n.Get("traits"), traits))
}

// applyToMember gives a member the traits of an apply statement.
func (r *reader) applyToMember(statement *Shape) {
	id, name, isMember := strings.Cut(statement.ID, "$")
	shape := r.model.byID[id]
	if !isMember || shape == nil {
		return
	}
	if members := shape.Node.Get("members"); members != nil {
		if held := members.Get(name); held != nil {
			shape.Node = set(shape.Node, "members", set(members, name, r.withApplied(held, statement, shape.File)))
		}
		return
	}
	if held := shape.Node.Get(name); held != nil && slices.Contains([]string{"member", "key", "value"}, name) {
		shape.Node = set(shape.Node, name, r.withApplied(held, statement, shape.File))
	}
}

// set returns an object with a member set; a member that is there stays at its place.
func set(n *source.Node, key string, held *source.Node) *source.Node {
	members := slices.Clone(n.Members)
	for i := range members {
		if members[i].Key == key {
			members[i].Node = held
			return source.NewObject(members, n.Span)
		}
	}
	return source.NewObject(append(members, source.M(key, held)), n.Span)
}

// union returns an object with the members of both; the second's count. Either may be nil.
func union(first, second *source.Node) *source.Node {
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	members := slices.Clone(first.Members)
	for _, m := range second.Members {
		i := slices.IndexFunc(members, func(other source.NodeMember) bool { return other.Key == m.Key })
		if i < 0 {
			members = append(members, m)
		} else {
			members[i] = m
		}
	}
	return source.NewObject(members, second.Span)
}

// complete makes the mixins of a shape a part of it (section "Mixins"). within are the shapes that are being completed.
func (r *reader) complete(shape *Shape, within []*Shape) {
	if shape.done {
		return
	}
	if slices.Contains(within, shape) {
		r.report(shape.File, RuleSyntax, shape.Key, "%s is a mixin of itself", shape.ID)
		return
	}
	within = append(within, shape)
	node := shape.Node
	var inherited []*Shape
	if list := node.Get("mixins"); list != nil {
		for _, item := range list.Items {
			id := item.Get("target").Text()
			mixin := r.model.byID[id]
			if mixin == nil {
				d := r.report(shape.File, RuleTarget, item.Span, "the mixin %s of %s is not in the model", id, shape.ID)
				d.Severity = source.Warning
				continue
			}
			r.complete(mixin, within)
			inherited = append(inherited, mixin)
		}
	}
	if len(inherited) == 0 && !elides(node) {
		shape.done = true
		return
	}
	for _, key := range memberKeys {
		if merged := r.inherit(shape, key, inherited); merged != nil {
			node = set(node, key, merged)
		}
	}
	if traits := r.inheritTraits(shape, inherited); traits != nil {
		node = set(node, "traits", traits)
	}
	for _, key := range []string{"operations", "resources", "errors"} {
		if list := inheritList(shape.Node.Get(key), key, inherited); list != nil {
			node = set(node, key, list)
		}
	}
	shape.Node, shape.done = node, true
}

// elides reports whether a shape has a member without a target.
func elides(n *source.Node) bool {
	without := func(member *source.Node) bool { return member != nil && member.Get("target") == nil }
	if members := n.Get("members"); members != nil {
		return slices.ContainsFunc(members.Members, func(m source.NodeMember) bool { return without(m.Node) })
	}
	return without(n.Get("member")) || without(n.Get("key")) || without(n.Get("value"))
}

// memberKeys are the properties that hold members: one in an object of several, or one member itself.
var memberKeys = []string{"members", "member", "key", "value"}

// inherit returns a property with members, with the mixins' members; nil where there is none.
func (r *reader) inherit(shape *Shape, key string, mixins []*Shape) *source.Node {
	own := shape.Node.Get(key)
	if key != "members" {
		var from *source.Node
		for _, mixin := range mixins {
			if held := mixin.Node.Get(key); held != nil {
				from = overridden(from, held)
			}
		}
		if own == nil {
			return from
		}
		return r.withTarget(shape, key, own, from)
	}
	var members []source.NodeMember
	add := func(m source.NodeMember, of *Shape) {
		i := slices.IndexFunc(members, func(other source.NodeMember) bool { return other.Key == m.Key })
		var from *source.Node
		if i >= 0 {
			from = members[i].Node
		}
		if of == nil {
			m.Node = r.withTarget(shape, m.Key, m.Node, from)
		} else {
			m.Node = overridden(from, m.Node)
		}
		if i >= 0 {
			members[i] = m
		} else {
			members = append(members, m)
		}
	}
	for _, mixin := range mixins {
		if held := mixin.Node.Get(key); held != nil {
			for _, m := range held.Members {
				add(m, mixin)
			}
		}
	}
	if own == nil && len(members) == 0 {
		return nil
	}
	span := shape.Key
	if own != nil {
		span = own.Span
		for _, m := range own.Members {
			add(m, nil)
		}
	}
	return source.NewObject(members, span)
}

// overridden returns a member with the traits of the one that it replaces.
func overridden(from, own *source.Node) *source.Node {
	if from == nil {
		return own
	}
	if traits := union(from.Get("traits"), own.Get("traits")); traits != nil {
		return set(own, "traits", traits)
	}
	return own
}

// withTarget returns a shape's own member: with the target of its resource or its mixins where it is elided (section "Target
// Elision"), and with the traits of the mixins' member.
func (r *reader) withTarget(shape *Shape, name string, own, from *source.Node) *source.Node {
	if own.Get("target") == nil {
		target := r.model.Shape(shape.resource).Get("identifiers").Get(name).Get("target")
		if target == nil {
			target = r.model.Shape(shape.resource).Get("properties").Get(name).Get("target")
		}
		if target == nil {
			target = from.Get("target")
		}
		if target == nil {
			if shape.resource == "" || r.model.Shape(shape.resource) != nil {
				r.report(shape.File, RuleSyntax, own.Span, "the target of $%s is not known: neither a resource nor a mixin of %s has a member of that name", name, shape.ID)
			}
			return own
		}
		own = source.NewObject(append([]source.NodeMember{source.M("target", target)}, own.Members...), own.Span)
	}
	return overridden(from, own)
}

// inheritTraits returns the traits of a shape with its mixins' traits; nil where there are none.
func (r *reader) inheritTraits(shape *Shape, mixins []*Shape) *source.Node {
	var traits *source.Node
	for _, mixin := range mixins {
		held := mixin.Node.Get("traits")
		if held == nil {
			continue
		}
		local := localTraits(held)
		var passed []source.NodeMember
		for _, t := range held.Members {
			if slices.Contains(local, t.Key) {
				continue
			}
			passed = append(passed, t)
			if file := r.model.applied[t.Node]; file == nil && mixin.File != shape.File {
				r.model.applied[t.Node] = mixin.File
			}
		}
		if len(passed) > 0 {
			traits = union(traits, source.NewObject(passed, held.Span))
		}
	}
	return union(traits, shape.Node.Get("traits"))
}

// localTraits are the traits of a mixin that the shapes with it do not get.
func localTraits(traits *source.Node) []string {
	local := []string{prelude + "mixin"}
	if list := traits.Get(prelude + "mixin").Get("localTraits"); list != nil {
		for _, item := range list.Items {
			local = append(local, item.Text())
		}
	}
	return local
}

// inheritList returns a list of references with the mixins' references before its own; nil where there is none.
func inheritList(own *source.Node, key string, mixins []*Shape) *source.Node {
	var items []*source.Node
	add := func(list *source.Node) {
		if list == nil {
			return
		}
		for _, item := range list.Items {
			if !slices.ContainsFunc(items, func(other *source.Node) bool { return other.Get("target").Text() == item.Get("target").Text() }) {
				items = append(items, item)
			}
		}
	}
	for _, mixin := range mixins {
		add(mixin.Node.Get(key))
	}
	if len(items) == 0 {
		return nil
	}
	span := items[0].Span
	if add(own); own != nil {
		span = own.Span
	}
	return source.NewArray(items, span)
}
