package suiterun

import (
	"cmp"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// visited are the events of the visits of the states of a pattern.
type visited struct {
	*suite.StateExpect
	entered []entry
	among   map[*engine.Visit]bool
	place   suite.StatePlace
	// The indexes of the events of a type, in order.
	retries, retried, caught, failed, exited []int
	took                                     time.Duration
}

func (k *checker) visitedBy(s *suite.StateExpect) *visited {
	v := &visited{StateExpect: s, entered: k.visits(&s.Pattern), among: map[*engine.Visit]bool{}}
	began := map[*engine.Visit]time.Time{}
	for _, e := range v.entered {
		v.among[e.visit] = true
		began[e.visit] = k.log.At(e.event).At()
	}
	if len(v.entered) > 0 {
		v.place = PlaceOf(v.entered[0].visit.State, "")
	} else if state := k.stateOf(s.Text); state != nil {
		v.place = PlaceOf(state, "")
	}
	for i := range k.log.Len() {
		e := k.log.At(i)
		if !v.among[e.Visit] {
			continue
		}
		switch e.Type {
		case engine.RetryScheduled:
			v.retries = append(v.retries, i)
		case engine.RetryStarted:
			v.retried = append(v.retried, i)
		case engine.ErrorCaught:
			v.caught = append(v.caught, i)
		case engine.StateFailed:
			v.failed = append(v.failed, i)
			v.took += e.At().Sub(began[e.Visit])
		case engine.StateExited:
			v.exited = append(v.exited, i)
			v.took += e.At().Sub(began[e.Visit])
		default:
		}
	}
	return v
}

// stateOf returns the first state of the definition that a pattern names, or nil.
func (k *checker) stateOf(pattern string) *asl.State {
	for state := range k.session.Machine().Definition().All() {
		if matchesState(pattern, state) {
			return state
		}
	}
	return nil
}

// at returns the last index of a list, else the index of the first entry, else of the last event of the run.
func (k *checker) at(v *visited, list []int) int {
	switch {
	case len(list) > 0:
		return list[len(list)-1]
	case len(v.entered) > 0:
		return v.entered[0].event
	}
	return k.last()
}

// state checks the expectations on the states of a pattern.
func (k *checker) state(s *suite.StateExpect) {
	if s.Path != nil {
		k.threadPaths(s)
	}
	if isThread(s.Text) {
		return
	}
	v := k.visitedBy(s)
	if len(v.entered) == 0 && s.Visits == nil && s.NeedsVisit() {
		k.differs(s.Text, s.At, k.last(), v.place, suite.OutcomeDifference{Wanted: value.String(s.Text), Reason: "it was not entered"})
		return
	}
	k.count(s.Text+", visits", s.Visits, len(v.entered), k.at(v, nil), v.place)
	k.count(s.Text+", attempts", s.Attempts, len(v.entered)+len(v.retried), k.at(v, v.retried), v.place)
	k.count(s.Text+", retries", s.Retries, len(v.retries), k.at(v, v.retries), v.place)
	k.bound(s.Text+", duration", s.Duration, float64(v.took), value.String(wording.Duration(v.took)), k.at(v, v.exited), v.place)
	k.delays(v)
	k.handled(v)
	k.rule(v)
	for i := range s.Stages {
		k.stage(v, &s.Stages[i])
	}
}

// delays checks the delays of retries.
func (k *checker) delays(v *visited) {
	var total time.Duration
	found := make([]value.Value, 0, len(v.retries))
	met := len(v.Delays) == len(v.retries)
	for n, i := range v.retries {
		delay := k.log.At(i).Detail.(*engine.RetryDetail).Delay
		total += delay
		found = append(found, value.String(wording.Duration(delay)))
		met = met && v.Delays[n].Holds(float64(delay))
	}
	if v.Delays != nil && !met {
		wanted := value.Each(v.Delays, func(b *suite.Bound) value.Value { return value.String(b.Text) })
		k.differs(v.Text+", retryDelays", v.DelaysAt, k.at(v, v.retries), v.place, suite.OutcomeDifference{
			Wanted: value.NewArray(wanted), Found: value.NewArray(found),
		})
	}
	k.bound(v.Text+", retryDelay", v.Delay, float64(total), value.String(wording.Duration(total)), k.at(v, v.retries), v.place)
}

// handled checks the ways in which the visits ended: caught by which catcher, failed, and where they led.
func (k *checker) handled(v *visited) {
	if v.Failed != nil {
		k.someError(v, "failed", v.Failed, v.failed)
	}
	if v.Caught == nil && v.By == nil {
		if v.Next != nil {
			k.next(v)
		}
		return
	}
	name := v.Text + ", caught"
	at := v.At
	if v.Caught != nil {
		at = v.Caught.At
	} else if v.By != nil {
		at = v.By.At
	}
	if len(v.caught) == 0 {
		d := suite.OutcomeDifference{Reason: "its catchers took no error"}
		if v.Caught != nil {
			d.Wanted = v.Caught.Written()
		}
		k.differs(name, at, k.at(v, append(v.failed, v.exited...)), v.place, d)
		return
	}
	var differences []suite.OutcomeDifference
	event := -1
	for _, i := range v.caught { // one that fits in all parts will do
		if differences = caughtAs(v.StateExpect, k.log.At(i).Detail.(*engine.CatchDetail)); len(differences) == 0 {
			return
		}
		event = i
	}
	d := k.log.At(event).Detail.(*engine.CatchDetail)
	k.found = append(k.found, suite.Finding{
		Expectation: name, At: at, Event: event, Differences: differences,
		Place: PlaceOf(k.log.At(event).Visit.State, "Catch["+strconv.Itoa(d.Catcher)+"]"),
	})
}

// caughtAs compares what a catcher did with the expectations on it.
func caughtAs(s *suite.StateExpect, d *engine.CatchDetail) (found []suite.OutcomeDifference) {
	add := func(path string, want *suite.Value, v, cause string) {
		if want == nil {
			return
		}
		for _, difference := range want.Compare(value.String(v), nil) {
			found = append(found, suite.OutcomeDifference{Path: path, Wanted: difference.Wanted, Found: difference.Found, Reason: cmp.Or(difference.Reason, cause)})
		}
	}
	add("caught", s.Caught, d.Failure.Name, d.Failure.Cause)
	if s.By != nil && !s.By.Holds(float64(d.Catcher)) {
		found = append(found, suite.OutcomeDifference{Path: "by", Wanted: value.String(s.By.Text), Found: value.Int(int64(d.Catcher))})
	}
	add("next", s.Next, d.Next, "")
	return found
}

// someError checks that one of the events failed with an error.
func (k *checker) someError(v *visited, name string, want *suite.Value, events []int) {
	d := suite.OutcomeDifference{Wanted: want.Written(), Reason: "it did not fail"}
	for _, i := range events {
		failure := k.log.At(i).Failure()
		differences := want.Compare(value.String(failure.Name), nil)
		if len(differences) == 0 {
			return
		}
		d = suite.OutcomeDifference{Wanted: differences[0].Wanted, Found: differences[0].Found, Reason: cmp.Or(differences[0].Reason, failure.Cause)}
	}
	k.differs(v.Text+", "+name, want.At, k.at(v, events), v.place, d)
}

// next checks that one of the visits led to a state.
func (k *checker) next(v *visited) {
	d := suite.OutcomeDifference{Wanted: v.Next.Written(), Reason: "it led to no state"}
	for _, i := range v.exited {
		exit, _ := k.log.At(i).Detail.(*engine.ExitDetail)
		if exit == nil {
			continue
		}
		differences := v.Next.Compare(value.String(exit.Next), nil)
		if len(differences) == 0 {
			return
		}
		d = suite.OutcomeDifference{Wanted: differences[0].Wanted, Found: differences[0].Found, Reason: differences[0].Reason}
	}
	k.differs(v.Text+", next", v.Next.At, k.at(v, v.exited), v.place, d)
}

// rule checks that one of the visits took a rule.
func (k *checker) rule(v *visited) {
	if v.Rule == nil {
		return
	}
	d := suite.OutcomeDifference{Wanted: value.String(v.Rule.Text), Reason: "it took no rule"}
	for _, i := range v.exited {
		exit, _ := k.log.At(i).Detail.(*engine.ExitDetail)
		if exit == nil {
			continue
		}
		if v.Rule.Holds(float64(exit.Rule)) {
			return
		}
		d.Found, d.Reason = value.Value(value.Int(int64(exit.Rule))), ""
		if exit.Rule < 0 {
			d.Found = value.String("default")
		}
	}
	k.differs(v.Text+", rule", v.Rule.At, k.at(v, v.exited), v.place, d)
}

// stage checks the data at a stage, each time that it ran.
func (k *checker) stage(v *visited, want *suite.StageExpect) {
	ran := false
	name := v.Text + ", " + want.Describe()
	for i := range k.log.Len() {
		e := k.log.At(i)
		if !v.among[e.Visit] || !isStage(e, want) {
			continue
		}
		data, event := e.After, i
		if !want.After && want.Stage != "input" {
			data, event = e.Before, -1
		}
		if e.Failure() != nil && want.After {
			continue
		}
		ran = true
		place := PlaceOf(e.Visit.State, "")
		if info := e.StageName(); info != "" && want.Stage != "input" && want.Stage != "output" {
			place = PlaceOf(e.Visit.State, info)
		}
		at := i
		if !k.value(name, want.Want, data, event, place, func(f *suite.Finding) { f.Event = at }) {
			return
		}
	}
	if !ran && v.Visits == nil {
		k.differs(name, want.At, k.at(v, nil), v.place, suite.OutcomeDifference{Reason: "the stage did not run"})
	}
}

// isStage reports whether an event has the data of a stage.
func isStage(e *engine.Event, want *suite.StageExpect) bool {
	switch {
	case want.Stage == "input":
		return e.Type == engine.StateEntered
	case want.Stage == "output":
		return e.Type == engine.StateExited
	case e.Stage == engine.NoStage:
		return false
	case e.Type != engine.StageCompleted && e.Type != engine.StageFailed && (e.Stage != engine.StageResult || !e.Type.Traits().Resumes):
		return false
	}
	return e.StageName() == want.Stage || e.Stage.String() == want.Stage
}
