package history

import (
	"strconv"
	"strings"
)

// Run is the course of an execution, thread by thread.
type Run struct {
	Events []Event
	// Root is the thread of the machine's own states.
	Root *Thread
	// Of has the thread and the visit that each event belongs to, in the order of Events.
	Of []Place
	// Redriven counts the redrives.
	Redriven int
}

// Place is where an event belongs. Visit is nil for events of the whole execution and of a branch or iteration
// as such.
type Place struct {
	Thread *Thread
	Visit  *Visit
	// Dropped is set of an event whose effect a redrive has undone.
	Dropped bool
}

// Thread is the root, a branch of a Parallel state or an iteration of a Map state. It never has states of
// another thread; states of threads below it hang on its visits.
type Thread struct {
	// Container is the visit of the Parallel or Map state; nil for the root. Round is which of its starts
	// this thread belongs to: each retry starts over.
	Container *Visit
	Round     *Round
	// Index is the number of an iteration. The events do not say which branch a branch is: there it is its
	// place in the order in which they began.
	Index  int
	Visits []*Visit
	// End is how the thread ended: Succeeded, Failed or Aborted; 0 where the events do not say so. A branch
	// has no separate events.
	End Phase

	byName map[string][]*Visit
}

// First returns the name of the thread's first state, which identifies a branch.
func (t *Thread) First() string {
	if len(t.Visits) == 0 {
		return ""
	}
	return t.Visits[0].Name
}

// Round is one start of a Parallel or Map state's work.
type Round struct {
	Started int // the place of the event in Events
	// MapRun and MapRunEnd are the events of a distributed Map's Map Run; -1 where there are none.
	MapRun, MapRunEnd int
	Threads           []*Thread
}

// Visit is one stay of a thread in a state.
type Visit struct {
	Thread *Thread
	Name   string
	// Type is the state's: "Task".
	Type string
	// Number counts the thread's visits of this state, from 1.
	Number int
	// Entered and Exited are places of events in Events; -1 where there is none.
	Entered, Exited int
	Attempts        []*Attempt
	Rounds          []*Round

	failed bool // a Parallel or Map state whose failure has been recorded
}

// Attempt is one attempt of a task. Its members are places of events in Events; -1 where there is none.
type Attempt struct{ Scheduled, Started, Submitted, Ended int }

// Path returns the state path of the visit.
func (v *Visit) Path() string {
	names := []string{v.Name}
	for t := v.Thread; t.Container != nil; t = t.Container.Thread {
		names = append(names, t.segment()+"/", t.Container.Name)
	}
	var path strings.Builder
	for i := len(names) - 1; i >= 0; i-- {
		path.WriteString(names[i])
	}
	return path.String()
}

func (t *Thread) segment() string {
	if t.Container.Type == "Map" {
		return "/Iterations[" + strconv.Itoa(t.Index) + "]"
	}
	return "/Branches[" + strconv.Itoa(t.Index) + "]"
}

// Visit returns the thread's visit of a state with that number, nil where there is none.
func (t *Thread) Visit(name string, number int) *Visit {
	visits := t.byName[name]
	if number < 1 || number > len(visits) {
		return nil
	}
	return visits[number-1]
}

// current returns the visit that the thread is in, nil before its first.
func (t *Thread) current() *Visit {
	if len(t.Visits) == 0 {
		return nil
	}
	return t.Visits[len(t.Visits)-1]
}

func (t *Thread) enter(name, kind string, event int) *Visit {
	if t.byName == nil {
		t.byName = make(map[string][]*Visit)
	}
	v := &Visit{Thread: t, Name: name, Type: kind, Number: len(t.byName[name]) + 1, Entered: event, Exited: -1}
	t.byName[name] = append(t.byName[name], v)
	t.Visits = append(t.Visits, v)
	return v
}

// round returns the newest round of a container, nil before the first.
func (v *Visit) round() *Round {
	if len(v.Rounds) == 0 {
		return nil
	}
	return v.Rounds[len(v.Rounds)-1]
}

// child returns the newest thread of the newest round that has the index, nil where there is none.
func (v *Visit) child(index int) *Thread {
	round := v.round()
	if round == nil {
		return nil
	}
	for i := len(round.Threads) - 1; i >= 0; i-- {
		if round.Threads[i].Index == index {
			return round.Threads[i]
		}
	}
	return nil
}

// attempt returns the newest attempt, nil before the first.
func (v *Visit) attempt() *Attempt {
	if len(v.Attempts) == 0 {
		return nil
	}
	return v.Attempts[len(v.Attempts)-1]
}
