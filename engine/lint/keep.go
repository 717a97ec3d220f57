package lint

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/path"
	"asldb/engine/source"
)

// keepMember suggests the change with which a read finds what the input of a state before had: without the OutputPath
// that drops it, or with an ItemSelector that hands it to the iterations. It reports whether the analysis would show
// that the change harms another read: not where the data that the OutputPath selects are unknown.
func (c *checker) keepMember(d *source.Diagnostic, f *flow.Fault, a *flow.Analysis) (shows bool) {
	at, err := path.Parse(strings.Replace(f.Read, "$states.input", "$", 1))
	if err != nil || at.Root() != path.DataRoot || at.Len() == 0 || at.Segment(0).Kind != path.NameSegment {
		return true
	}
	name := at.Segment(0).Name
	has := func(s *asl.State, r asl.Register) bool {
		return a.Part(s, asl.Ref{Register: r}).Certain([]string{name})
	}
	if s := f.Dropped; s != nil && s.OutputPath != nil && f.State.QueryLanguage == asl.JSONPath &&
		has(s, asl.RegisterPlaced) {
		d.Fix = &source.Fix{Into: s.Node, From: "OutputPath"}
		d.Suggestion = d.Fix.String() + " in " + s.Name + ", which drops it"
		return !a.Part(s, asl.Ref{Register: asl.RegisterOutput}).Open()
	}
	s := f.State.Scope.Container
	if d.Fix != nil || d.Suggestion != "" || f.Name == "" || s == nil || s.Type != asl.Map || s.Node == nil ||
		!path.Plain(
			name,
		) || s.Node.Get("ItemSelector") != nil || s.Node.Get("Parameters") != nil || s.ItemReader != nil ||
		!has(s, asl.RegisterEffective) {
		return true
	}
	if parts, ok := membersOf(a.Part(s, asl.Ref{Register: asl.RegisterItem}), name); ok {
		d.Fix = &source.Fix{Into: s.Node, From: "ItemSelector", To: s.Handing(name, parts, false)}
		d.Suggestion = d.Fix.String() + " in " + s.Name
	}
	return true
}

// mostMembers bounds the members of an item that are named one by one.
const mostMembers = 8

// membersOf returns the names of an item's members, where each is known and always there.
func membersOf(item *flow.Shape, besides string) (names []string, ok bool) {
	if item.Kind() != flow.Object || item.Open() || len(item.Members()) > mostMembers {
		return nil, false
	}
	for _, m := range item.Members() {
		if m.Maybe || !path.Plain(m.Name) || m.Name == besides {
			return nil, false
		}
		names = append(names, m.Name)
	}
	return names, true
}
