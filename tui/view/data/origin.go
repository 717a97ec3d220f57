package data

import (
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
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

// originText returns the origin of the value at the cursor in a few words, or "".
func (p *Pane) originText() string {
	s := p.screen.Selection()
	if p.screen.Running() || s.Event == nil || s.Index >= originReach || p.doc.Tree.Len() == 0 || p.inNotes ||
		p.view == Before || p.doc.Tree.Row(min(p.doc.Cursor, p.doc.Tree.Len()-1)).Change() == tree.Removed {
		return ""
	}
	now := originNote{log: p.screen.Log(), index: s.Index, path: p.Path()}
	if old := &p.origin; old.log == now.log && old.index == now.index && old.path == now.path {
		return old.text
	}
	now.text = prose.Spans(explain.Origin(p.screen.Session(), now.index, now.path), p.screen.Glyphs())
	p.origin = now
	return now.text
}
