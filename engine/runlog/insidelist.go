package runlog

import (
	"iter"
	"slices"
)

// insideBlock is the number of branches or iterations that are stored, and copied, together.
const insideBlock = 256

// InsideList holds the branches or iterations of a container by their number. Lists that were made from each other
// share their common parts. A nil list is empty.
type InsideList struct {
	length, ended int
	blocks        []*ownedBlock
	owner         *byte // of the blocks that this list may change
}

type ownedBlock struct {
	owner *byte
	items [insideBlock]Inside
}

// Len returns the number of branches or iterations. Those that have not begun may be missing at the end.
func (l *InsideList) Len() int {
	if l == nil {
		return 0
	}
	return l.length
}

// Ended returns how many succeeded or failed.
func (l *InsideList) Ended() int {
	if l == nil {
		return 0
	}
	return l.ended
}

// At returns branch or iteration i, counted from 0. One that is not in the list has not started.
func (l *InsideList) At(i int) Inside {
	if l == nil || i < 0 || i >= l.length {
		return Inside{}
	}
	return l.blocks[i/insideBlock].items[i%insideBlock]
}

// All iterates over the branches or iterations in their order.
func (l *InsideList) All() iter.Seq2[int, Inside] {
	return func(yield func(int, Inside) bool) {
		for i := range l.Len() {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// share returns a list with the same contents. From now on neither changes the other.
func (l *InsideList) share() *InsideList {
	if l == nil {
		return nil
	}
	l.owner = new(byte)
	return &InsideList{length: l.length, ended: l.ended, blocks: slices.Clone(l.blocks), owner: new(byte)}
}

func (l *InsideList) set(i int, in Inside) {
	for i >= len(l.blocks)*insideBlock {
		l.blocks = append(l.blocks, &ownedBlock{owner: l.owner})
	}
	block := l.blocks[i/insideBlock]
	if block.owner != l.owner {
		block = &ownedBlock{owner: l.owner, items: block.items}
		l.blocks[i/insideBlock] = block
	}
	l.length = max(l.length, i+1)
	place := &block.items[i%insideBlock]
	l.ended += in.State.over() - place.State.over()
	*place = in
}

// over counts one that succeeded or failed.
func (s InsideState) over() int {
	if s == Succeeded || s == Failed {
		return 1
	}
	return 0
}
