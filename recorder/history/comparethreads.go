package history

import "strconv"

// CompareThreads compares the actions of each thread, whatever the order in which the threads took their turns, and
// returns the earliest difference; nil where there is none. Ids and links, which depend on that order, are not
// compared, nor is the end of work that was stopped because something else had failed. Events beyond the
// extent of one side isn't a difference.
func CompareThreads(recorded, found *Run, extent Extent, same Same) *Difference {
	c := &threadComparer{recorded: recorded, found: found, extent: extent, same: same}
	c.wanted, c.got = byThread(recorded), byThread(found)
	c.threads(recorded.Root, found.Root)
	return c.first
}

// Extent says which of two histories that are compared go to the end of the comparison: the recording
// to the execution's end, the run as far as it has gone.
type Extent struct{ Recorded, Found bool }

// Whole is the extent of histories that are both complete.
var Whole = Extent{Recorded: true, Found: true}

type threadComparer struct {
	recorded, found *Run
	wanted, got     map[*Thread][]int
	extent          Extent
	same            Same
	first           *Difference
}

// byThread lists the events of each thread that count.
func byThread(run *Run) map[*Thread][]int {
	lists := make(map[*Thread][]int)
	for i, at := range run.Of {
		kind := run.Events[i].Kind()
		if at.Dropped || kind.Family == OfUnknown || kind.Phase == Aborted && kind.Family != OfExecution || kind.Phase == Redriven {
			continue
		}
		lists[at.Thread] = append(lists[at.Thread], i)
	}
	return lists
}

func (c *threadComparer) threads(recorded, found *Thread) {
	wanted, got := c.wanted[recorded], c.got[found]
	for n := range max(len(wanted), len(got)) {
		d := &Difference{At: len(c.recorded.Events)}
		if n < len(wanted) {
			d.At = wanted[n]
			d.Recorded, d.Path = &c.recorded.Events[wanted[n]], pathAt(c.recorded, wanted[n])
		} else if len(wanted) > 0 {
			d.At = wanted[len(wanted)-1] + 1
		}
		if n < len(got) {
			d.Found = &c.found.Events[got[n]]
			if d.Path == "" {
				d.Path = pathAt(c.found, got[n])
			}
		}
		if d.Recorded == nil || d.Found == nil {
			if !c.cut(recorded) && (d.Recorded != nil || c.extent.Recorded) && (d.Found != nil || c.extent.Found) {
				c.note(d)
			}
			break
		}
		if d.differs(c.same, false) {
			c.note(d)
			break
		}
	}
	for n := range min(len(recorded.Visits), len(found.Visits)) {
		c.rounds(recorded.Visits[n], found.Visits[n])
	}
}

// cut reports whether a branch or iteration stopped in the middle, because something else had failed.
func (c *threadComparer) cut(t *Thread) bool {
	if t.Container == nil || t.End == Succeeded || t.End == Failed {
		return false
	}
	last := t.current()
	return last == nil || last.Exited < 0
}

func (c *threadComparer) rounds(recorded, found *Visit) {
	if recorded.Name != found.Name {
		return
	}
	for n := range min(len(recorded.Rounds), len(found.Rounds)) {
		twins := make(map[string]*Thread, len(found.Rounds[n].Threads))
		for _, twin := range found.Rounds[n].Threads {
			twins[twin.key()] = twin
		}
		for _, child := range recorded.Rounds[n].Threads {
			if twin := twins[child.key()]; twin != nil {
				c.threads(child, twin)
			}
		}
	}
}

// key tells the threads of a round apart: iterations by their number, branches by their first state.
func (t *Thread) key() string {
	if t.Container.Type == "Map" {
		return strconv.Itoa(t.Index)
	}
	return t.First()
}

func (c *threadComparer) note(d *Difference) {
	if c.first == nil || d.At < c.first.At {
		c.first = d
	}
}

func pathAt(run *Run, i int) string {
	if v := run.Of[i].Visit; v != nil {
		return v.Path()
	}
	return ""
}
