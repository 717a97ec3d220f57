package suite

import (
	"slices"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// ownKeys are the keys of a case that one which extends it does not take over.
var ownKeys = []string{"extends", "table", "skip"}

// exclusive are the keys of a case, of expect and of an invocation that exclude each other: one that a case has replaces both of the
// case that it extends.
var exclusive = [][]string{
	{"output", "output!"},
	{"path", "order"},
	{"payload", "payload!"},
	{"history", "trace", "execution", "attempt"},
}

// extended returns the case at an index with the keys of the case that it extends below its own. above are the names of the cases
// that extend it.
func (r *reader) extended(cases []source.NodeMember, i int, above []string) *source.Node {
	own := cases[i].Node
	if own.Kind != value.KindObject {
		return own // it is reported where it is read
	}
	extends := own.Get("extends")
	if extends == nil {
		return own
	}
	name, ok := r.text(extends, "extends names a case; it")
	if !ok {
		return own
	}
	at := slices.IndexFunc(cases, func(m source.NodeMember) bool { return m.Key == name })
	above = append(above, cases[i].Key)
	switch {
	case at < 0:
		r.wrong(extends.Span.Start, "there is no case %q to extend", name)
		r.found[len(r.found)-1].Suggestion = wording.Nearest(name,
			slices.Values(value.Each(cases, func(m source.NodeMember) string { return m.Key })))
	case slices.Contains(above, name):
		r.wrong(extends.Span.Start, "the case %q extends itself", name)
	case cases[at].Node.Kind != value.KindObject:
	case cases[at].Node.Get("table") != nil:
		r.wrong(extends.Span.Start, "%q has a table, and so is several cases: extend one without a table", name)
	default:
		base := r.extended(cases, at, above)
		return merged(base, own, func(key string) bool { return slices.Contains(ownKeys, key) })
	}
	return own
}

// merged returns an object with the members of two: of a member that both have, objects are merged, and all else is as own has it. without
// holds for the keys that base does not give.
func merged(base, own *source.Node, without func(key string) bool) *source.Node {
	var members []source.NodeMember
	for _, m := range base.Members {
		over := own.Get(m.Key)
		switch {
		case without(m.Key) || replaced(m.Key, own):
			continue
		case over == nil:
		case m.Key == "expect" && over.Kind == value.KindObject && m.Node.Kind == value.KindObject:
			m.Node = merged(m.Node, over, func(key string) bool { return unlike(key, over) })
		case over.Kind == value.KindObject && m.Node.Kind == value.KindObject:
			m.Node = merged(m.Node, over, func(string) bool { return false })
		default:
			continue
		}
		members = append(members, m)
	}
	for _, m := range own.Members {
		if !slices.ContainsFunc(members, func(known source.NodeMember) bool { return known.Key == m.Key }) {
			members = append(members, m)
		}
	}
	return source.NewObject(members, own.Span)
}

// replaced reports whether an object has a key that excludes another one.
func replaced(key string, own *source.Node) bool {
	for _, group := range exclusive {
		if slices.Contains(group, key) && own.Get(key) == nil &&
			slices.ContainsFunc(group, func(other string) bool { return own.Get(other) != nil }) {
			return key != "execution" && key != "attempt" || own.Get("history") != nil || own.Get("trace") != nil
		}
	}
	return false
}

// unlike reports whether an expectation is one of runs that end otherwise than expect wants: on the error of one that succeeds, or
// on the output of one that does not.
func unlike(key string, expect *source.Node) bool {
	status := expect.Get("status")
	if status == nil || status.Kind == value.KindArray {
		return false
	}
	if status.Value == value.Value(value.String(Succeeded.String())) {
		return key == "error" || key == "cause"
	}
	return key == "output" || key == "output!"
}
