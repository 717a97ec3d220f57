// This part of the package shows a grouped log as rows: a group is one row, with the rows of its events below it while
// it is open. Walking from row to row costs as much as the rows walked, however long the log is.

package events

import (
	"slices"

	"asldb/engine/runlog"
)

// fold is the user's choice for a group, and the mode of all groups without one.
type fold uint8

const (
	auto fold = iota // open while it holds the selected event
	open
	folded
)

// Rows are the rows of a log. A row is given by its event: a group's by the group's header.
type Rows struct {
	*runlog.Index
	mode       fold
	choices    map[int]fold // by header
	anchor     []int        // the headers of the groups that hold the selected event, the innermost first
	generation int          // of the index to which choices and anchor belong
}

// NewFolds returns the rows of an index, folded but for the groups that hold the selected event.
func NewFolds(x *runlog.Index) *Rows { return &Rows{Index: x, generation: x.Generation()} }

// Extend reads the events appended to the log. Where the log has become another one, no choices are left but the one of
// [Rows.SetAll], and changed is true.
func (r *Rows) Extend(log *runlog.Log) (changed bool) {
	r.Index.Extend(log)
	if changed = r.generation != r.Generation(); changed {
		r.generation, r.choices, r.anchor = r.Generation(), nil, r.anchor[:0]
	}
	return changed
}

// Open reports whether the rows of the group with header i are shown.
func (r *Rows) Open(i int) bool {
	if _, ok := r.Get(i); !ok {
		return false
	}
	choice := r.choices[i]
	if choice == auto {
		choice = r.mode
	}
	return choice == open || choice == auto && slices.Contains(r.anchor, i)
}

// Anchor selects an event: the groups that hold it are open unless they were folded explicitly.
func (r *Rows) Anchor(i int) {
	r.anchor = r.anchor[:0]
	if _, ok := r.Get(i); ok {
		r.anchor = append(r.anchor, i)
	}
	for at := r.Parent(i); at != runlog.None; at = r.Parent(at) {
		r.anchor = append(r.anchor, at)
	}
}

// Reveal opens every group that event i is in.
func (r *Rows) Reveal(i int) {
	for at := r.Parent(i); at != runlog.None; at = r.Parent(at) {
		r.SetOpen(at, true)
	}
}

// SetOpen opens or folds the group with header i.
func (r *Rows) SetOpen(i int, shown bool) {
	if _, ok := r.Get(i); !ok {
		return
	}
	if r.choices == nil {
		r.choices = make(map[int]fold)
	}
	r.choices[i] = choice(shown)
}

// SetAll opens or folds every group, also those to come.
func (r *Rows) SetAll(shown bool) { r.mode, r.choices = choice(shown), nil }

// Auto drops all choices: the groups that hold the selected event are open, the others are not.
func (r *Rows) Auto() { r.mode, r.choices = auto, nil }

func choice(shown bool) fold {
	if shown {
		return open
	}
	return folded
}

// Visible returns the row that shows event i: its own, or the header of the outermost group that hides it.
func (r *Rows) Visible(i int) int {
	if i < 0 || i >= r.Len() {
		return runlog.None
	}
	shown := i
	for at := r.Parent(i); at != runlog.None; at = r.Parent(at) {
		if !r.Open(at) {
			shown = at
		}
	}
	return shown
}

// Top returns the first row, or [groups.None] where there is none.
func (r *Rows) Top() int { return r.First(runlog.None) }

// Bottom returns the last row, or [groups.None] where there is none.
func (r *Rows) Bottom() int {
	last := r.Last(runlog.None)
	if last == runlog.None {
		return last
	}
	return r.deepest(last)
}

// deepest returns the last row of the group with header i, or i itself where it is folded or no header.
func (r *Rows) deepest(i int) int {
	for r.Open(i) {
		last := r.Last(i)
		if last == runlog.None {
			break
		}
		i = last
	}
	return i
}

// Next returns the row below row i, which must be visible, or [groups.None].
func (r *Rows) Next(i int) int {
	if r.Open(i) {
		if first := r.First(i); first != runlog.None {
			return first
		}
	}
	for ; i != runlog.None; i = r.Parent(i) {
		if next := r.After(i); next != runlog.None {
			return next
		}
	}
	return runlog.None
}

// Previous returns the row above row i, which must be visible, or [groups.None].
func (r *Rows) Previous(i int) int {
	if before := r.Before(i); before != runlog.None {
		return r.deepest(before)
	}
	return r.Parent(i)
}
