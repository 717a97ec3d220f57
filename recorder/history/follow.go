package history

// Follow finds the threads of an execution. Branches and iterations interleave in the order of events, so it
// goes by the links: the successor of an event belongs to the event's thread, unless its type says otherwise. A
// link that leads nowhere counts as one to the event before.
func Follow(events []Event) *Run {
	f := &follower{
		run:  &Run{Events: events, Root: &Thread{}, Of: make([]Place, len(events))},
		byID: make(map[int64]int, len(events)),
	}
	for i := range events {
		f.byID[events[i].ID] = i
	}
	for i := range events {
		f.run.Of[i] = f.place(i)
	}
	return f.run
}

type follower struct {
	run  *Run
	byID map[int64]int
}

// previous returns the place of the event that event i follows; ok is false for the first.
func (f *follower) previous(i int) (place int, ok bool) {
	event := &f.run.Events[i]
	if event.Previous == 0 {
		return 0, false
	}
	if at, known := f.byID[event.Previous]; known && at < i {
		return at, true
	}
	return i - 1, i > 0
}

// before returns where the event belongs that event i follows, and the event; nil for the first.
func (f *follower) before(i int) (Place, *Event) {
	at, ok := f.previous(i)
	if !ok {
		return Place{Thread: f.run.Root}, nil
	}
	return f.run.Of[at], &f.run.Events[at]
}

func (f *follower) place(i int) Place {
	event := &f.run.Events[i]
	kind := event.Kind()
	switch kind.Family {
	case OfExecution:
		if kind.Phase == Redriven {
			f.redrive(i)
		}
		return Place{Thread: f.run.Root}
	case OfState:
		return f.state(i, event, kind)
	case OfTask, OfLambda, OfActivity:
		return f.attempt(i, kind)
	case OfParallel, OfMap:
		return f.container(i, kind)
	case OfIteration:
		return f.iteration(i, event, kind)
	case OfMapRun:
		return f.mapRun(i, kind)
	case OfEvaluation:
		return f.evaluation(i, event)
	case OfUnknown:
	}
	at, _ := f.before(i)
	return Place{Thread: at.Thread}
}

func (f *follower) state(i int, event *Event, kind Kind) Place {
	at, last := f.before(i)
	name, of := event.Text("name"), StateType(event.Type)
	switch kind.Phase {
	case Entered:
		thread := at.Thread
		if again := thread.current(); f.run.Redriven > 0 && again != nil && again.Exited < 0 && again.Entered >= 0 && again.Name == name {
			f.run.Of[again.Entered].Dropped = true
			again.Entered = i
			return Place{Thread: thread, Visit: again}
		}
		if last != nil && last.Type == "ParallelStateStarted" && at.Visit != nil && at.Visit.round() != nil {
			round := at.Visit.round()
			thread = &Thread{Container: at.Visit, Round: round, Index: len(round.Threads)}
			round.Threads = append(round.Threads, thread)
		}
		return Place{Thread: thread, Visit: thread.enter(name, of, i)}
	case Exited:
		visit := climb(at.Thread, func(v *Visit) bool { return v.Name == name && v.Type == of && v.Exited < 0 })
		if visit == nil { // its entry is not there
			visit = at.Thread.enter(name, of, -1)
		}
		visit.Exited = i
		return Place{Thread: visit.Thread, Visit: visit}
	default:
	}
	// Nothing says which state was aborted: it counts to the container that failed.
	return Place{Thread: at.Thread, Visit: nil}
}

// climb returns the first visit that fits: the one in which thread is now, or a container's above.
func climb(thread *Thread, fits func(*Visit) bool) *Visit {
	if v := thread.current(); v != nil && fits(v) {
		return v
	}
	for t := thread; t.Container != nil; t = t.Container.Thread {
		if fits(t.Container) {
			return t.Container
		}
	}
	return nil
}

func (f *follower) attempt(i int, kind Kind) Place {
	at, _ := f.before(i)
	visit := at.Visit
	if visit == nil || visit.Type != "Task" {
		visit = at.Thread.current()
	}
	if visit == nil || visit.Type != "Task" {
		if visit = f.waitingTask(i); visit == nil {
			return Place{Thread: at.Thread}
		}
	}
	if kind.Phase == Scheduled || visit.attempt() == nil {
		visit.Attempts = append(visit.Attempts, &Attempt{-1, -1, -1, -1})
	}
	attempt := visit.attempt()
	switch kind.Phase {
	case Scheduled:
		attempt.Scheduled = i
	case Started:
		attempt.Started = i
	case Submitted:
		attempt.Submitted = i
	default:
		attempt.Ended = i
	}
	return Place{Thread: visit.Thread, Visit: visit}
}

// waitingTask returns the Task state that continues after a redrive: the newest without an exit.
func (f *follower) waitingTask(i int) *Visit {
	for i--; i >= 0; i-- {
		if v := f.run.Of[i].Visit; v != nil && v.Type == "Task" && v.Exited < 0 && len(v.Attempts) == 0 {
			return v
		}
	}
	return nil
}

func (f *follower) container(i int, kind Kind) Place {
	at, last := f.before(i)
	of := "Parallel"
	if kind.Family == OfMap {
		of = "Map"
	}
	visit := at.Visit
	// Right after its own entry it is the state itself; after anything else, one around it.
	if last == nil || visit == nil || visit.Type != of || visit.failed || !own(last) {
		visit = climb(at.Thread, func(v *Visit) bool { return v.Type == of && v.Exited < 0 && !v.failed })
	}
	if visit == nil {
		return Place{Thread: at.Thread}
	}
	visit.failed = kind.Phase == Failed
	if kind.Phase == Started {
		visit.Rounds = append(visit.Rounds, &Round{Started: i, MapRun: -1, MapRunEnd: -1})
	}
	return Place{Thread: visit.Thread, Visit: visit}
}

// own reports whether an event is one of a container itself and not of its branches or iterations.
func own(event *Event) bool {
	switch kind := event.Kind(); kind.Family {
	case OfParallel, OfMap, OfMapRun, OfEvaluation:
		return true
	case OfState:
		return kind.Phase == Entered
	default:
		return false
	}
}

func (f *follower) iteration(i int, event *Event, kind Kind) Place {
	at, _ := f.before(i)
	name := event.Text("name")
	number, _ := event.Int("index")
	index := int(number)
	visit := climb(at.Thread, func(v *Visit) bool { return v.Type == "Map" && v.Name == name && v.round() != nil })
	if visit == nil {
		return Place{Thread: at.Thread}
	}
	if kind.Phase == Started {
		round := visit.round()
		f.replace(round, index)
		thread := &Thread{Container: visit, Round: round, Index: index}
		round.Threads = append(round.Threads, thread)
		return Place{Thread: thread}
	}
	thread := visit.child(index)
	if thread == nil {
		return Place{Thread: visit.Thread, Visit: visit}
	}
	thread.End = kind.Phase
	return Place{Thread: thread}
}

func (f *follower) mapRun(i int, kind Kind) Place {
	at, _ := f.before(i)
	visit := climb(at.Thread, func(v *Visit) bool { return v.Type == "Map" && v.Exited < 0 })
	if visit == nil {
		return Place{Thread: at.Thread}
	}
	if round := visit.round(); round != nil {
		switch {
		case kind.Phase == Started:
			round.MapRun = i
		case kind.Phase == Redriven:
			round.MapRunEnd = -1
		case kind.Phase >= Succeeded:
			round.MapRunEnd = i
		}
	}
	return Place{Thread: visit.Thread, Visit: visit}
}

// evaluation finds the state whose expression failed. The service links the event to the one before the
// state's entry.
func (f *follower) evaluation(i int, event *Event) Place {
	at, _ := f.before(i)
	name := event.Text("state")
	if v := climb(at.Thread, func(v *Visit) bool { return v.Name == name && v.Exited < 0 }); v != nil {
		return Place{Thread: v.Thread, Visit: v}
	}
	for j := i - 1; j >= 0; j-- {
		v := f.run.Of[j].Visit
		if v != nil && v.Name == name && v.Exited < 0 && v.Entered == j && f.run.Events[j].Previous == event.Previous {
			return Place{Thread: v.Thread, Visit: v}
		}
	}
	return Place{Thread: at.Thread}
}

// redrive removes the parts that the redrive undoes: the attempts of states that were not left, and branches and
// iterations that failed or were aborted. Earlier failures that were caught or retried stay: the execution had gone on.
func (f *follower) redrive(i int) {
	f.run.Redriven++
	for j := range i {
		at := &f.run.Of[j]
		kind := f.run.Events[j].Kind()
		switch {
		case kind.Family == OfExecution && kind.Phase != Started:
			at.Dropped = true
		case !at.Thread.open():
		case kind.Family == OfState && kind.Phase == Aborted:
			at.Dropped = true
		case kind.Family == OfIteration && kind.Phase >= Failed:
			at.Dropped = true
		case at.Visit != nil && at.Visit.Exited < 0 && j != at.Visit.Entered && len(at.Visit.Rounds) == 0:
			at.Dropped = true
		case (kind.Family == OfMap || kind.Family == OfParallel || kind.Family == OfMapRun) && kind.Phase >= Failed && at.Visit != nil && at.Visit.Exited < 0:
			at.Dropped = true
		}
	}
	forget(f.run.Root)
}

// open reports whether a thread is in states that were not left, in their newest round: the execution had not continued
// from there.
func (t *Thread) open() bool {
	for ; t.Container != nil; t = t.Container.Thread {
		if t.Container.Exited >= 0 || t.Round != t.Container.round() {
			return false
		}
	}
	return true
}

func forget(t *Thread) {
	v := t.current()
	if v == nil || v.Exited >= 0 {
		return
	}
	v.Attempts = nil
	for _, round := range v.Rounds {
		for _, child := range round.Threads {
			if child.End >= Failed {
				child.End = 0
			}
			forget(child)
		}
	}
}

// replace takes an iteration out of its round that a redrive begins again.
func (f *follower) replace(round *Round, index int) {
	for n, thread := range round.Threads {
		if thread.Index != index {
			continue
		}
		round.Threads = append(round.Threads[:n:n], round.Threads[n+1:]...)
		for i := range f.run.Of {
			if f.run.Of[i].Thread == thread {
				f.run.Of[i].Dropped = true
			}
		}
		return
	}
}
