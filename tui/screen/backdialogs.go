package screen

import (
	"strconv"

	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/part/theme"
)

// sealed says why a recorded run cannot be changed, and what can be done about it; "" where it can be.
func (u *ui) sealed() string {
	switch {
	case !u.session.ReadOnly():
		return ""
	case !u.session.Executable():
		return "this shows what was recorded; without the definition it cannot be changed"
	}
	return "a recorded run does not change: " + u.keys.Key(keys.Branches) + " and then " + u.keys.Key(keys.EditData) + " make it live"
}

// goLive lets a recorded run be changed: what is said otherwise begins a branch, and the recording stays as it is.
func (u *ui) goLive() {
	if !u.session.ReadOnly() {
		u.say(theme.Warn, "The run is live already.")
		return
	}
	if err := u.session.GoLive(u.session.Options().Source); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.sync()
	u.say(theme.Plain, "The run is live now: what you change begins a branch, and the recording stays as it is.")
}

// compare opens the comparison of a branch with the one that the session is in, or of that one with its parent.
func (u *ui) compare(forks []debug.Fork, chosen debug.Fork) {
	a, b := chosen.ID, chosen.ID
	for _, other := range forks {
		if other.Current {
			b = other.ID
		}
	}
	if a == b {
		if a = chosen.Parent; a == 0 {
			u.say(theme.Warn, "This is the branch that the run is in: choose another one to compare it with.")
			return
		}
	}
	u.openBeside(a, b)
}

// openForks lists the continuations of the run.
func (u *ui) openForks() {
	forks := u.session.Forks().All()
	l := &dialog.Forks{
		Forks: forks, Dropped: u.session.Forks().Dropped(), Recorded: u.session.ReadOnly(),
		Switch: u.switchTo, Compare: func(b debug.Fork) { u.compare(forks, b) }, GoLive: u.goLive,
	}
	l.Select()
	u.dialog = l
}

// switchTo goes over to another continuation of the run.
func (u *ui) switchTo(b debug.Fork) {
	if err := u.session.Forks().Switch(b.ID); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.catchUp()
	u.passLogged()
	u.sync()
	u.say(theme.Plain, "This is branch "+strconv.Itoa(b.ID)+" of the run.")
}

// openHops lists the way of the value at a path.
func (u *ui) openHops(path string, hops []provenance.Hop) {
	l := &dialog.Hops{Path: path, Go: func(i int) { u.standAt(hops[i].Event) }}
	for i := range hops {
		event := u.session.Log().At(hops[i].Event)
		place := explain.EventPlace(event)
		if place != "" {
			place += " "
		}
		l.Hops = append(l.Hops, dialog.Hop{Number: strconv.FormatInt(event.Seq, 10), Event: place + explain.EventName(event), Text: hopWords(&hops[i], event)})
	}
	u.dialog = l
}
