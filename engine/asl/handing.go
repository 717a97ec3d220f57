package asl

import (
	"strings"

	"asldb/engine/value"
)

// Handing is an ItemSelector of a Map state with parts of an item, or with the whole one, and a member of the input.
func (s *State) Handing(member string, parts []string, whole bool) string {
	suffix, from, item := ".$", "$.", "$$.Map.Item.Value"
	wrap := func(text string) string { return value.Quote(text) }
	if s.QueryLanguage == JSONata {
		suffix, from, item = "", "$states.input.", "$states.context.Map.Item.Value"
		wrap = func(text string) string { return value.Quote("{% " + text + " %}") }
	}
	var list []string
	for _, part := range parts {
		text := item
		if !whole {
			text += "." + part
		}
		list = append(list, value.Quote(part+suffix)+": "+wrap(text))
	}
	list = append(list, value.Quote(member+suffix)+": "+wrap(from+member))
	return "{" + strings.Join(list, ", ") + "}"
}
