package tui

import (
	"slices"

	"asldb/tui/keys"
	"asldb/tui/part/theme"
)

// room is a group of actions with what carries them out. The table of keys has a row for every action there is; the
// person sees those that a room contributes, so that nothing is offered that does nothing.
type room struct {
	actions []keys.Action
	// act carries out one of the actions, or returns false where another room is concerned: actions such as Fold mean
	// something in several panes, and each room answers for its own. argument is what was typed after the command; it
	// is empty when a key was pressed.
	act func(u *ui, a keys.Action, argument string) bool
	// disabled says why an action cannot be done now, or returns "". It may be nil.
	disabled func(u *ui, a keys.Action) string
	// unsaved lists what the person would lose by quitting now, one short phrase each. It may be nil.
	unsaved func(u *ui) []string
}

// rooms returns every room, in the order in which they are asked.
func rooms() []room {
	return []room{
		runRoom(), backRoom(), besideRoom(), watchesRoom(), breaksRoom(), editsRoom(), saveRoom(), clockRoom(), eventsRoom(), findRoom(), graphRoom(), dataRoom(), threadsRoom(), nestRoom(),
		sideRoom(), lookRoom(), moveRoom(), sourceRoom(), otherRoom(),
	}
}

// Keys returns the table of what can be done on the screen: the actions that a room carries out, with their usual
// keys.
func Keys() *keys.Map { return KeysOf(keys.Default()) }

// KeysOf is Keys with the keys of another table.
func KeysOf(table *keys.Map) *keys.Map { return tableOf(table, rooms()) }

func tableOf(all *keys.Map, list []room) *keys.Map {
	var actions []keys.Action
	for _, r := range list {
		actions = append(actions, r.actions...)
	}
	return all.Only(actions)
}

// act does what a key says.
func (u *ui) act(a keys.Action) { u.do(a, "") }

// do carries out an action with the argument of its command, or says why it cannot be done now.
func (u *ui) do(a keys.Action, argument string) {
	if reason := u.disabled(a); reason != "" {
		u.say(theme.Warn, u.keys.Key(a)+": "+reason)
		return
	}
	for _, r := range u.rooms {
		if slices.Contains(r.actions, a) && r.act(u, a, argument) {
			return
		}
	}
	u.say(theme.Warn, u.keys.Key(a)+": this pane has nothing for it")
}

// disabled says why an action cannot be done now, or returns "".
func (u *ui) disabled(a keys.Action) string {
	for _, r := range u.rooms {
		if r.disabled == nil || !slices.Contains(r.actions, a) {
			continue
		}
		if reason := r.disabled(u, a); reason != "" {
			return reason
		}
	}
	return ""
}

// unsaved lists what the person made and would lose by quitting now.
func (u *ui) unsaved() []string {
	var list []string
	for ; u != nil; u = u.nest.outer {
		list = append(list, u.unsavedHere()...)
	}
	return list
}

// unsavedHere is unsaved without the screens that lie below this one.
func (u *ui) unsavedHere() []string {
	var list []string
	for _, r := range u.rooms {
		if r.unsaved != nil {
			list = append(list, r.unsaved(u)...)
		}
	}
	for _, inner := range u.nest.behind {
		for _, text := range inner.unsavedHere() {
			list = append(list, text+", in "+inner.title)
		}
	}
	return list
}
