package screen

import (
	"slices"

	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// allBindings returns the bindings of the screen: the panes' own first, which apply while the pane has the focus.
func (u *ui) allBindings() pane.Bindings {
	return slices.Concat(
		u.backBindings(), u.side.Bindings(), u.events.Bindings(), u.states.Bindings(), u.data.Bindings(),
		u.runBindings(), u.clockBindings(), u.compareBindings(), u.editBindings(), u.saveBindings(), u.nestBindings(),
		u.focusBindings(), u.dividerBindings(), u.moveBindings(), u.findBindings(), u.otherBindings(),
	)
}

// Keys returns the table of what can be done on the screen: the actions that have a binding, with their usual keys.
func Keys() *keys.Map { return KeysOf(keys.Default()) }

// KeysOf is Keys with the keys of another table.
func KeysOf(table *keys.Map) *keys.Map {
	u := &ui{}
	u.panes = u.newPanes()
	return table.Only(u.allBindings().Actions())
}

// act does what a key says.
func (u *ui) act(a keys.Action) { u.do(a, "") }

// do carries out an action with the argument of its command, or says why it cannot be done now.
func (u *ui) do(a keys.Action, argument string) {
	b := u.bindings.For(a, argument)
	switch reason := b.Reason(); {
	case b == nil:
		u.say(theme.Warn, u.keys.Key(a)+": this pane has nothing for it")
	case reason != "":
		u.say(theme.Warn, u.keys.Key(a)+": "+reason)
	default:
		b.Run(argument)
	}
}

// disabled returns the reason why an action cannot be done now, or "".
func (u *ui) disabled(a keys.Action) string { return u.bindings.Find(a).Reason() }

// plainly makes of a function without an argument one that can be bound.
func plainly(f func()) func(string) { return func(string) { f() } }

// inPane returns the condition that a pane has the focus.
func (u *ui) inPane(p pane.ID) func() bool { return func() bool { return u.mode.focus == p } }

// nothingRun is the reason against what needs an event.
func (u *ui) nothingRun() string {
	if u.session.Log().Len() == 0 {
		return "nothing has run yet"
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
	for _, lost := range u.losses {
		list = append(list, lost()...)
	}
	for _, inner := range u.nest.behind {
		for _, text := range inner.unsavedHere() {
			list = append(list, text+", in "+inner.title)
		}
	}
	return list
}
