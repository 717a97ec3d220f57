package screen

import (
	"slices"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/dialog"
)

// allBindings returns the bindings of the screen: the panes' own first, which apply while the pane has the focus.
func (u *ui) allBindings() view.Bindings {
	return slices.Concat(data.TextBindings(u.data), u.origins.bindings(), u.endings.bindings(), u.fixing.bindings(),
		u.forks.bindings(), u.redrives.bindings(), u.run.pollBindings(), u.run.backBindings(), u.events.Bindings(),
		u.states.Bindings(), u.data.Bindings(), u.run.runBindings(), u.run.clockBindings(), u.answers.bindings(),
		u.saving.bindings(), u.nest.bindings(), u.layout.focusBindings(), u.layout.dividerBindings(),
		u.layout.moveBindings(), u.expect.bindings(), u.search.bindings(), u.jumps.bindings(), u.bookmarks.bindings(),
		u.covers.bindings(), u.explores.bindings(), u.otherBindings())
}

// Keys returns the table of the screen's actions: those that have a binding, with their usual keys.
func Keys() *keys.Map { return KeysOf(keys.Default()) }

// KeysOf is Keys with the keys of another table.
func KeysOf(table *keys.Map) *keys.Map {
	u := &ui{}
	u.wire(Options{})
	return table.Only(u.allBindings().Actions())
}

// act runs the action of a key.
func (u *ui) act(a keys.Action) { u.do(a, "") }

// do carries out an action with the argument of its command, or says why it cannot be done now.
func (u *ui) do(a keys.Action, argument string) {
	b := u.bindings.For(a, argument)
	waits := u.opening.waits(a)
	switch reason := b.Reason(); {
	case b != nil && waits != "":
		u.say(canvas.Warn, u.keys.Key(a)+": "+waits)
	case b == nil:
		u.say(canvas.Warn, u.keys.Key(a)+": not available in this pane")
	case reason != "":
		u.say(canvas.Warn, u.keys.Key(a)+": "+reason)
	default:
		b.Run(argument)
		if note := u.opening.after(a); note != "" {
			u.messages.add(note)
		}
	}
}

// disabled returns the reason why an action cannot be done now, or "".
func (u *ui) disabled(a keys.Action) string {
	if waits := u.opening.waits(a); waits != "" {
		return waits
	}
	return u.bindings.Find(a).Reason()
}

// plainly makes of a function without an argument one that can be bound.
func plainly(f func()) func(string) { return func(string) { f() } }

// nothingRun returns the reason against an action that needs an event.
func nothingRun(s contract) func() string {
	return func() string {
		if s.Log().Len() == 0 {
			return "nothing has run yet"
		}
		return ""
	}
}

// unsaved lists the user's work that would be lost by quitting now.
func (u *ui) unsaved() []string {
	var list []string
	for ; u != nil; u = u.nest.outer {
		list = append(list, u.unsavedHere()...)
	}
	return list
}

// unsavedHere is unsaved without the screens below this one.
func (u *ui) unsavedHere() []string {
	var list []string
	for _, lost := range u.losses {
		list = append(list, lost()...)
	}
	for _, inner := range u.nest.behind {
		for _, text := range inner.unsavedHere() {
			list = append(list, text+", in "+inner.nest.title)
		}
	}
	return list
}

// handle takes one key.
func (u *ui) handle(k keys.Press) {
	u.messages.clear()
	if u.dialog != nil || jumping(k.Action) {
		defer u.remember(u.jumps.here())
	}
	switch {
	case k.Action == keys.Kill && !u.run.running:
		u.kill()
	case u.run.running && u.calls.awaited && k.Action == keys.Answer:
		u.calls.cancelOldest()
	case u.run.running:
		u.run.interrupt()
		if k.Action == keys.Quit {
			u.end(nil)
		}
	case u.dialog != nil:
		u.dialog.Handle(k)
	case k.Action != keys.None:
		u.act(k.Action)
		u.nameCommand(k.Name)
	}
}

// nameCommand says what an earlier key has become, the first time that it is pressed and where nothing else is said.
func (u *ui) nameCommand(key string) {
	now := u.keys.Moved(key)
	if now == "" || u.named[key] || u.messages.shown || u.dialog != nil {
		return
	}
	if u.named == nil {
		u.named = make(map[string]bool)
	}
	u.named[key] = true
	u.messages.say(canvas.Plain, keys.Shown(key)+" is "+now+".")
}

// remember adds a place to the jumps where a key has left it. A command that continues leaves it.
func (u *ui) remember(from place) {
	if u.run.running || u.jumps.here() != from {
		u.jumps.left(from)
	}
}

func (u *ui) otherBindings() view.Bindings {
	return view.Bindings{
		{Action: keys.Prompt, Run: plainly(func() { u.prompts.askForCommand("") })},
		{Action: keys.Palette, Run: plainly(func() { u.dialog = dialog.NewPalette(u.context(), "All commands", nil) })},
		{Action: keys.Messages, Run: plainly(u.openMessages)},
		{Action: keys.Help, Run: plainly(u.help)},
		{Action: keys.Source, Run: plainly(u.openSource)},
		{Action: keys.Redraw, Run: plainly(func() { u.on.host.Redraw() })},
		{Action: keys.Suspend, Run: plainly(u.suspend)},
		{Action: keys.Quit, Run: plainly(u.quit)},
		{Action: keys.Kill, Run: plainly(u.kill)},
	}
}

// openMessages lists the earlier messages.
func (u *ui) openMessages() {
	u.dialog = dialog.NewMessages(u.context(), func() []dialog.Message { return u.messages.list })
}

// help lists the keys, the next ones first, and explains the signs of the pane that has the keys.
func (u *ui) help() {
	p := dialog.NewPalette(u.context(), "Keys", u.status.next())
	p.Legend = view.Legend(u.layout.mode.Focus, u.context().Glyphs())
	u.dialog = p
}
