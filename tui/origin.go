package tui

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/part/datatree"
)

// originReach is the number of events up to which the origin of the value at the cursor is looked for on every frame.
const originReach = 20_000

// originNote is where the value at the cursor came from, as it was found last.
type originNote struct {
	log   *debug.Log
	index int
	path  string
	text  string
}

// origin says in a few words what gave the value at the data's cursor, or returns "".
func (u *ui) origin() string {
	p := &u.data
	if u.running || u.moment.event == nil || u.moment.index >= originReach || p.tree == nil || p.tree.Len() == 0 || p.inNotes ||
		p.view == viewBefore || p.tree.Row(min(p.cursor, p.tree.Len()-1)).Change() == datatree.Removed {
		return ""
	}
	now := originNote{log: u.session.Log(), index: u.moment.index, path: p.path()}
	if old := &u.originNote; old.log == now.log && old.index == now.index && old.path == now.path {
		return old.text
	}
	if hops, err := u.session.ComesFrom(now.index, now.path); err == nil && len(hops) > 0 {
		now.text = originWords(&hops[0], u.session.Log().At(hops[0].Event), hops[0].Event == now.index)
	}
	u.originNote = now
	return now.text
}

// originWords names the event that gave a value; here: it is the one that is looked at.
func originWords(hop *debug.Hop, event *engine.Event, here bool) string {
	text := ""
	switch {
	case hop.Kind == debug.HopInput:
		return "from the execution's input"
	case hop.Kind == debug.HopUnknown:
		return ""
	case here:
		text = "set here"
	case event.Visit != nil:
		text = "set by " + explain.PlaceName(event.Visit) + " in event " + strconv.FormatInt(event.Seq, 10)
	default:
		return ""
	}
	switch {
	case hop.Kind != debug.HopMoved || hop.From == "":
	case event.Stage != engine.StageResultPath:
		text += ", from " + hop.From
	case hop.From == "$":
		text += ", from the result"
	default:
		text += ", from " + hop.From + " of the result"
	}
	return text
}
