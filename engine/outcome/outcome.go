// Package outcome is the protocol between a session and its sources, which provide the outcomes of tasks, the objects that
// ItemReaders read, and the outcomes of whole Map Runs.
//
// A session asks its [Source] with an [Ask] and gets a [Reply]. Both are sealed: a switch over the types of asks, or over the
// [Kind] of a reply, can name every case. Sources are combined by [First], which asks one after the other. Package
// sourcetest checks a source against the protocol.
package outcome

import (
	"errors"

	"asldb/engine"
)

// Source provides outcomes to one session. It is not for concurrent use.
type Source interface {
	// Ask returns the reply of the source. It calls nothing outside and does not wait: for a call it returns [Later].
	Ask(Ask) Reply
	// Seek puts the source where it is after it has been asked these, in this order, since its beginning: for a
	// restart (no asks), a step back or a fork. It forgets everything else that it was asked, and cancels its calls. It
	// returns the asks to which the source replies [None], in their order, and does not change asked.
	Seek(asked []Ask) (left []Ask)
}

// Ask is a question of an execution: a [Task], an [Object] or a [MapRun].
type Ask interface{ ask() }

// Task asks for the outcome of a task. The replies are [Given], [Later], [None] and [Fault].
type Task struct{ Request *engine.TaskRequest }

// Object asks for an object that an ItemReader reads, or for a list of objects. The replies are [Content], [Refusal],
// [None] and [Fault].
type Object struct{ Request *engine.ObjectRequest }

// MapRun asks for the outcome of a whole Map Run, when it begins. The replies are [Given], [None], after which the
// executions of the Map Run run, and [Fault].
type MapRun struct {
	Visit *engine.Visit // of the distributed Map
	// Attempt counts the Map Runs of the visit, from 1.
	Attempt int
}

func (Task) ask()   {}
func (Object) ask() {}
func (MapRun) ask() {}

// Again asks a source that is at its beginning each of asked and returns those to which it replies [None]. It is the second
// half of [Source.Seek] for a source whose replies cost little.
func Again(source Source, asked []Ask) (left []Ask) {
	for _, ask := range asked {
		if reply := source.Ask(ask); reply.Kind() == KindNone {
			left = append(left, ask)
		}
	}
	return left
}

// First returns a source that asks each source in turn, up to the first that does not reply [None].
func First(sources ...Source) Source {
	f := &first{}
	for _, source := range sources {
		if inner, ok := source.(*first); ok {
			f.sources = append(f.sources, inner.sources...)
		} else {
			f.sources = append(f.sources, source)
		}
	}
	return f
}

type first struct{ sources []Source }

// Ask implements Source. The reason of its None holds the reasons of all sources, the last first.
func (f *first) Ask(ask Ask) Reply {
	var reason error
	for _, source := range f.sources {
		reply := source.Ask(ask)
		if reply.kind != KindNone {
			if reason != nil && reply.because != nil {
				reply.err = reply.because(reason)
			}
			return reply
		}
		reason = join(reply.err, reason)
	}
	return None(reason)
}

// Seek implements Source.
func (f *first) Seek(asked []Ask) (left []Ask) {
	for _, source := range f.sources {
		asked = source.Seek(asked)
	}
	return asked
}

// join is errors.Join, but a single error stays as it is.
func join(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return errors.Join(a, b)
}

// Without returns a source that has nothing for any ask, for a reason that may be nil.
func Without(reason error) Source { return without{reason} }

type without struct{ reason error }

// Ask implements Source.
func (w without) Ask(Ask) Reply { return None(w.reason) }

// Seek implements Source.
func (without) Seek(asked []Ask) (left []Ask) { return asked }
