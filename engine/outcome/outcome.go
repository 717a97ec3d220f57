// Package outcome is the protocol between a session and the sources of what its execution needs from outside: the
// outcomes of tasks, the objects that ItemReaders read, and the outcomes of whole Map Runs.
//
// A session asks its [Source] with an [Ask] and gets a [Reply]. Both are sealed: a switch over their types can name every
// case. Sources are combined by [First], which asks one after the other. Package sourcetest checks a source against the
// protocol.
package outcome

import (
	"errors"
	"time"

	"asldb/engine"
)

// Source provides outcomes to one session. It is not for concurrent use.
type Source interface {
	// Ask returns what the source has for an ask. It calls nothing outside and does not wait: for a call it returns
	// [Later].
	Ask(Ask) Reply
	// Seek puts the source where it stands after it has been asked these, in this order, since its beginning: for a
	// restart (no asks), a step back or a fork. It forgets everything else that it was asked, and cancels its calls. It
	// returns those of asked to which the source replies [None], in their order, and does not change asked.
	Seek(asked []Ask) (left []Ask)
}

// Ask is what an execution needs from outside: a [Task], an [Object] or a [MapRun].
type Ask interface {
	// because returns the ask for the next source, after others had nothing for it.
	because(reason error) Ask
}

// Task asks for the outcome of a task. The replies are [Given], [Later], [None] and [Fault].
type Task struct {
	Request *engine.TaskRequest
	// Reason says why the sources that were asked before have no outcome; nil where none was asked, or none says why.
	Reason error
}

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

func (t Task) because(reason error) Ask {
	t.Reason = reason
	return t
}

func (o Object) because(error) Ask { return o }

func (m MapRun) because(error) Ask { return m }

// Reply is what a source has for an [Ask]: [Given], [Content], [Refusal], [Later], [None] or [Fault].
type Reply interface{ reply() }

// Given is the outcome of a task or of a Map Run.
type Given struct {
	Outcome engine.Outcome
	// Origin names the source, "fixtures" for example.
	Origin string
}

// Content is the content of an object or, for a request for a list, the list as JSON: {"Contents": [{"Key": …}, …]}.
type Content struct {
	Body   []byte // must not be changed
	Origin string
}

// Refusal says that the object store refuses a request. The Map Run fails with it.
type Refusal struct {
	Error  *engine.ObjectError
	Origin string
}

// Later says that something outside has to be called for the outcome of a task. The session begins the call and goes on
// with what else can run.
type Later struct {
	// Begin begins the call and returns at once. now is the virtual time. bound is how long an outcome matters: after that
	// a TimeoutSeconds or HeartbeatSeconds of the task or its state machine has passed; 0 is no bound.
	Begin func(now time.Time, bound time.Duration)
}

// None says that the source has nothing for the ask.
type None struct {
	Reason error // why; nil where the source does not say
}

// Fault says that something is wrong with the source. It ends the command of the session, except where the evaluation was
// interrupted (see [asldb/engine/interrupt.Is]): then the source is asked again.
type Fault struct{ Err error }

func (Given) reply()   {}
func (Content) reply() {}
func (Refusal) reply() {}
func (Later) reply()   {}
func (None) reply()    {}
func (Fault) reply()   {}

// Again asks a source that is at its beginning each of asked and returns those to which it replies [None]. It is the second
// half of [Source.Seek] for a source whose replies cost little.
func Again(source Source, asked []Ask) (left []Ask) {
	for _, ask := range asked {
		if _, none := source.Ask(ask).(None); none {
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
		if reason != nil {
			ask = ask.because(reason)
		}
		reply := source.Ask(ask)
		none, ok := reply.(None)
		if !ok {
			return reply
		}
		reason = join(none.Reason, reason)
	}
	return None{Reason: reason}
}

// Seek implements Source.
func (f *first) Seek(asked []Ask) (left []Ask) {
	for _, source := range f.sources {
		asked = source.Seek(asked)
	}
	return asked
}

// join is errors.Join, but that an error which stands alone stays as it is.
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
func (w without) Ask(Ask) Reply { return None{Reason: w.reason} }

// Seek implements Source.
func (without) Seek(asked []Ask) (left []Ask) { return asked }

// Func is a source of tasks' outcomes whose replies depend on the request alone.
type Func func(*engine.TaskRequest) Reply

// Ask implements Source.
func (f Func) Ask(ask Ask) Reply {
	if task, ok := ask.(Task); ok {
		return f(task.Request)
	}
	return None{}
}

// Seek implements Source.
func (f Func) Seek(asked []Ask) (left []Ask) { return Again(f, asked) }
