package lens

import (
	"slices"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/internal/wording"
)

// direction is where a view follows a value to.
type direction uint8

const (
	find    direction = iota // back, or to its loss
	back                     // back
	forward                  // to its uses
)

// question is the target of a search: a path of the data of an event, counted from 0.
type question struct {
	event int
	path  string
	turn  direction
}

func (q *question) search(l *provenance.Lens) *provenance.Search {
	switch q.turn {
	case forward:
		return l.SearchForward(q.event, q.path)
	case back:
		return l.SearchBack(q.event, q.path)
	case find:
	}
	return l.Search(q.event, q.path)
}

// Found has the results of the newest searches in a log, as it was then. The zero Found is empty.
type Found struct {
	log    *runlog.Log
	length int
	last   *engine.Event
	list   []found
}

type found struct {
	question
	way  *provenance.Way
	loss *provenance.Loss
}

// mostFound is how many results are known.
const mostFound = 16

// of returns the result of a search in a log, nil where it is not known.
func (f *Found) of(log *runlog.Log, q question) *found {
	if f == nil {
		return nil
	}
	if f.log != log || f.length != log.Len() || f.last != log.Last() {
		*f = Found{log: log, length: log.Len(), last: log.Last()}
	}
	if i := slices.IndexFunc(f.list, func(known found) bool { return known.question == q }); i >= 0 {
		return &f.list[i]
	}
	return nil
}

// add adds a result to the results of the log that was asked for last.
func (f *Found) add(log *runlog.Log, result found) {
	if f == nil || f.log != log || f.length != log.Len() || f.last != log.Last() {
		return
	}
	if len(f.list) == mostFound {
		f.list = slices.Delete(f.list, 0, 1)
	}
	f.list = append(f.list, result)
}

// follow shows the answer to a question, or the beginning of its search. The errors come from [provenance.Lens];
// with one the view stays as it was.
func (v *View) follow(q question) error {
	if known := v.run.Found.of(v.log(), q); known != nil {
		v.Stop()
		v.show(known.way, known.loss)
		return nil
	}
	search := q.search(v.run.Lens)
	more := search.Advance()
	for more && v.run.Slices == nil {
		more = search.Advance()
	}
	if !more {
		if _, _, err := search.Result(); err != nil {
			return err
		}
	}
	v.Stop()
	v.search, v.asked, v.taken, v.shownAt = search, q, 1, 1
	if v.progress(more); more {
		v.run.Slices(v)
	}
	return nil
}

// Advance carries the search on by a slice. It reports whether it continues.
func (v *View) Advance() (more bool) {
	if v.search == nil {
		return false
	}
	more = v.search.Advance()
	v.taken++
	v.progress(more)
	return more
}

// Stop ends the search.
func (v *View) Stop() {
	if v.search != nil {
		v.search.Stop()
		v.search = nil
	}
}

// progress shows the way that the search has found, or its part so far: after more and more slices, since
// the way grows.
func (v *View) progress(more bool) {
	if more {
		v.come = v.search.At()
		if v.taken >= v.shownAt {
			v.shownAt = 2 * v.taken
			way := v.search.Known()
			if way == nil {
				way = &provenance.Way{Event: v.asked.event, Path: v.asked.path, Forward: v.asked.turn == forward}
			}
			v.showAt(way, nil)
		}
		return
	}
	way, loss, err := v.search.Result()
	v.search = nil
	if err != nil {
		return // the errors come with the first slice
	}
	v.run.Found.add(v.log(), found{v.asked, way, loss})
	if v.taken > 1 && loss == nil {
		v.showAt(way, nil)
		return
	}
	v.show(way, loss)
}

// showAt shows a way with the cursor at the step where it was.
func (v *View) showAt(way *provenance.Way, loss *provenance.Loss) {
	cursor := v.rows.Cursor
	v.show(way, loss)
	v.rows.Select(cursor)
}

// foot is the text below the list: the number of steps, or how far the search has come.
func (v *View) foot() string {
	if v.search != nil {
		return "searching, at event " + wording.Grouped(v.come+1) + " of " + wording.Grouped(v.log().Len())
	}
	return wording.Count(len(v.steps), "step")
}
