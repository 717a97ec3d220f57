package tui

import (
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/tui/part/datatree"
	"asldb/tui/part/prose"
)

// originReach is the number of events up to which the origin of the value at the cursor is looked for on every frame.
const originReach = 20_000

// originNote caches the origin of the value at the cursor.
type originNote struct {
	log   *runlog.Log
	index int
	path  string
	text  string
}

// origin returns the origin of the value at the data's cursor in a few words, or "".
func (u *ui) origin() string {
	p := &u.data
	if u.running || u.selection.Event == nil || u.selection.Index >= originReach || p.tree == nil || p.tree.Len() == 0 || p.inNotes ||
		p.view == viewBefore || p.tree.Row(min(p.cursor, p.tree.Len()-1)).Change() == datatree.Removed {
		return ""
	}
	now := originNote{log: u.session.Log(), index: u.selection.Index, path: p.path()}
	if old := &u.originNote; old.log == now.log && old.index == now.index && old.path == now.path {
		return old.text
	}
	now.text = prose.Writer(u.glyphs, prose.PreviewLength).Spans(explain.Origin(u.session, now.index, now.path))
	u.originNote = now
	return now.text
}
