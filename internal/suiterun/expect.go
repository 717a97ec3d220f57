package suiterun

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/console"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// Finished is a run that has come to its end.
type Finished struct {
	Session *debug.Session
	// Source has the results of the fixtures; nil: there are none.
	Source *fixtures.Source
	// Nested has the executions that tasks started; nil: they are not known.
	Nested explain.Nested
	// Endless is set where the run was ended at the bound of its events.
	Endless bool
	// Brief leaves out of the findings why the execution failed and what its run noticed.
	Brief bool
	// Unnoticed leaves what the run noticed out of the findings.
	Unnoticed bool
}

// CheckExpectations returns the expectations of a case, its suite's bounds and rules included, that a run does not
// meet, in the order of their places in the suite. Snapshots and recordings are not its subject.
func CheckExpectations(c *suite.Case, run *Finished) []suite.Finding {
	k := &checker{run: run, session: run.Session, log: run.Session.Log(), suite: c.Suite.Name}
	k.bounds(c)
	if c.Expect != nil {
		k.expect(c)
	}
	k.found = append(k.found, Invariants(c.Suite, run)...)
	slices.SortStableFunc(k.found, func(a, b suite.Finding) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col))
	})
	return k.found
}

// checker compares one run.
type checker struct {
	run     *Finished
	session *debug.Session
	log     *runlog.Log
	suite   string // the suite's file
	found   []suite.Finding
}

// last returns the index of the last event.
func (k *checker) last() int { return k.log.Len() - 1 }

// differs adds a finding of one difference.
func (k *checker) differs(
	expectation string, at source.Position, event int, place suite.StatePlace, d suite.OutcomeDifference,
) {
	k.found = append(k.found, suite.Finding{
		Expectation: expectation,
		At:          at,
		Event:       event,
		Place:       place,
		Differences: []suite.OutcomeDifference{d},
	})
}

// bounds checks the defaults of the suite.
func (k *checker) bounds(c *suite.Case) {
	d := &c.Suite.Defaults
	if k.run.Endless {
		wanted := value.Value(nil)
		if d.MaxEvents > 0 {
			wanted = value.String("<= " + strconv.FormatInt(d.MaxEvents, 10))
		}
		k.differs("maxEvents", c.At, k.last(), nowhere, suite.OutcomeDifference{
			Wanted: wanted, Found: value.Int(int64(k.log.Len())), Reason: "the run has not come to its end" + explain.Where(k.session),
		})
	}
	if took := k.took(); d.Timeout > 0 && took > d.Timeout {
		k.differs("timeout", c.At, k.firstAfter(d.Timeout), nowhere, suite.OutcomeDifference{
			Wanted: value.String("<= " + wording.Duration(d.Timeout)), Found: value.String(wording.Duration(took)),
		})
	}
}

// took returns the virtual time of the run.
func (k *checker) took() time.Duration {
	if k.log.Len() == 0 {
		return 0
	}
	return k.log.Now().Sub(k.log.At(0).At())
}

// firstAfter returns the index of the first event that is later than a duration after the start, else of the last
// event.
func (k *checker) firstAfter(d time.Duration) int {
	for i := range k.log.Len() {
		if k.log.At(i).At().Sub(k.log.At(0).At()) > d {
			return i
		}
	}
	return k.last()
}

// expect checks the expectations of a case.
func (k *checker) expect(c *suite.Case) {
	e := c.Expect
	asWanted := k.run.Endless || k.status(c)
	if failure := k.session.Failure(); asWanted && failure != nil {
		asError, asCause := k.errorPart("error", e.Error, failure.Name), k.errorPart("cause", e.Cause, failure.Cause)
		if !asError || !asCause {
			k.because()
		}
	}
	if e.Output != nil && asWanted {
		known := len(k.found)
		if k.value("output", e.Output, k.session.Output(), k.last(), nowhere, nil); len(k.found) > known {
			k.because()
		}
	}
	if e.Path != nil {
		k.path("path", e.Path, k.visitsOf(func(v *engine.Visit) bool { return v.Parent == nil }), k.last())
	}
	for i := range e.Never {
		k.never(&e.Never[i])
	}
	k.bound("duration", e.Duration, float64(k.took()), value.String(wording.Duration(k.took())), k.last(), nowhere)
	k.bound("events", e.Events, float64(k.log.Len()), value.Int(int64(k.log.Len())), k.last(), nowhere)
	if out := k.session.Output(); out != nil {
		size := value.Size(out)
		k.bound("size", e.Size, float64(size), value.String(wording.Size(size)), k.last(), nowhere)
	}
	if e.Unused != nil {
		k.unused(*e.Unused)
	}
	for i := range e.States {
		k.state(&e.States[i])
	}
	for i := range e.Tasks {
		k.task(&e.Tasks[i])
	}
	for _, a := range e.Assert {
		if asWanted {
			k.assertion("assert", a)
		}
	}
}

// statusOf returns the end of an execution in the words of the format; 0: it has not ended.
func statusOf(s engine.Status) suite.Status {
	switch s {
	case engine.Succeeded:
		return suite.Succeeded
	case engine.Failed:
		return suite.Failed
	case engine.TimedOut:
		return suite.TimedOut
	case engine.Aborted:
		return suite.Aborted
	default:
		return 0
	}
}

// status reports whether the execution ended as it should, or adds a finding.
func (k *checker) status(c *suite.Case) bool {
	found := statusOf(k.session.Status())
	if found == c.Expect.Status || slices.Contains(c.Expect.Others, found) {
		return true
	}
	at := c.Expect.StatusAt
	if at.Line == 0 {
		at = c.At
	}
	ends := value.Each(append([]suite.Status{c.Expect.Status}, c.Expect.Others...), suite.Status.String)
	d := suite.OutcomeDifference{Wanted: value.String(strings.Join(ends, " or ")), Found: value.String("RUNNING")}
	if found != 0 {
		d.Found = value.String(found.String())
	}
	event, place := k.last(), nowhere
	if failure := k.session.Failure(); failure != nil {
		d.Reason = failure.Error()
		event = k.raised(failure)
		place = k.failurePlace(failure)
	}
	k.differs("status", at, event, place, d)
	k.because()
	return false
}

// maxExplained bounds the values in an explanation, in characters.
const maxExplained = 100

// ErrorIn explains the newest error of a state, or of a field of it, as every face does; nil where it has none. The
// state is named by its path in the definition.
func ErrorIn(s *debug.Session, path, field string) []string {
	log := s.Log()
	for i := log.Len() - 1; i >= log.First(); i-- {
		e := log.At(i)
		of := e.Visit != nil && e.Visit.State.Path() == path
		if of && e.RaisesError() && (field == "" || e.Failure().Field == field) {
			said, _ := explain.Service(explain.Happened(s, i, nil))
			return explain.Plain(maxExplained).Labelled(said)
		}
	}
	return nil
}

// because adds to the newest finding why the execution failed, and which facts its run has noticed.
func (k *checker) because() {
	if k.run.Brief {
		return
	}
	status, plain, last := k.session.Status(), explain.Plain(maxExplained), &k.found[len(k.found)-1]
	if status.Done() && status != engine.Succeeded {
		last.Because = plain.Labelled(explain.Failed(k.session, k.run.Nested))
	}
	if k.run.Unnoticed {
		return
	}
	last.Because = append(last.Because, plain.Labelled(explain.NoticedBeside(explain.RunOf(k.session, nil)))...)
}

// raised returns the index of the event at which an error came up, else of the last event.
func (k *checker) raised(failure *engine.Failure) int {
	for i := range k.log.Len() {
		if e := k.log.At(i); e.RaisesError() && e.Failure() != nil && e.Failure().Origin == failure.Origin &&
			e.Failure().Name == failure.Name &&
			e.Visit == failure.Origin {
			return i
		}
	}
	return k.last()
}

func (k *checker) errorPart(name string, want *suite.Value, found string) bool {
	if want == nil {
		return true
	}
	failure := k.session.Failure()
	return k.value(
		name,
		want,
		value.String(found),
		-1,
		k.failurePlace(failure),
		func(f *suite.Finding) { f.Event = k.raised(failure) },
	)
}

// value compares a value. Where event is not negative, the value is the data of that event, whose origin is looked up.
func (k *checker) value(
	name string,
	want *suite.Value,
	found value.Value,
	event int,
	place suite.StatePlace,
	more func(*suite.Finding),
) bool {
	return k.valueIn(name, want, found, event, place, k.envAt(event), more)
}

func (k *checker) valueIn(
	name string,
	want *suite.Value,
	found value.Value,
	event int,
	place suite.StatePlace,
	env *console.Env,
	more func(*suite.Finding),
) bool {
	differences := want.Compare(found, env)
	if len(differences) == 0 {
		return true
	}
	finding := suite.Finding{
		Expectation: name,
		At:          differences[0].At,
		Event:       event,
		Place:       place,
		Wanted:      want.Beside(found, env),
		Found:       found,
	}
	for i := range differences {
		d := &differences[i]
		d.From = k.origin(event, d.Path)
		finding.Differences = append(finding.Differences, d.Difference)
	}
	if more != nil {
		more(&finding)
	}
	k.found = append(k.found, finding)
	return false
}

// envAt returns the values that conditions about the data of an event can refer to.
func (k *checker) envAt(event int) *console.Env {
	if event < 0 {
		return nil
	}
	return k.session.Watches().EnvAt(event)
}

// bound checks a number, and shows it as text where it is more than a number.
func (k *checker) bound(
	name string, want *suite.Bound, n float64, shown value.Value, event int, place suite.StatePlace,
) {
	if want == nil || want.Holds(n) {
		return
	}
	wanted := value.Value(value.String(want.Text))
	if number, err := value.Parse([]byte(want.Text), value.Limits{}); err == nil && number.Kind() == shown.Kind() {
		wanted = number
	}
	k.differs(name, want.At, event, place, suite.OutcomeDifference{Wanted: wanted, Found: shown})
}

func (k *checker) count(name string, want *suite.Bound, n int, event int, place suite.StatePlace) {
	k.bound(name, want, float64(n), value.Int(int64(n)), event, place)
}

// unused adds a finding with all results that were not used.
func (k *checker) unused(at source.Position) {
	if k.run.Source == nil {
		return
	}
	unused := k.run.Source.Unused()
	if len(unused) == 0 {
		return
	}
	finding := suite.Finding{Expectation: "unused", At: at, Event: k.last()}
	for i := range unused {
		finding.Differences = append(finding.Differences, suite.OutcomeDifference{Reason: unused[i].String()})
	}
	k.found = append(k.found, finding)
}

// assertion checks a condition on the output of the execution; of one that has failed, on its {Error, Cause}.
func (k *checker) assertion(name string, a *suite.Value) {
	data := k.session.Output()
	if failure := k.session.Failure(); failure != nil {
		data = value.ObjectOf(
			value.Member{Key: "Error", Value: value.String(failure.Name)},
			value.Member{Key: "Cause", Value: value.String(failure.Cause)},
		)
	}
	env := &console.Env{Profile: k.session.Machine().Dialect().Profile()}
	if i := k.lastOfState(); i >= 0 {
		env = k.envAt(i)
	}
	input := value.Value(value.Null{})
	if k.log.Len() > 0 {
		input = k.log.At(0).After
	}
	env.States = func() value.Value {
		members := []value.Member{{Key: "input", Value: input}, {Key: "output", Value: data}}
		if env.Context != nil {
			members = append(members, value.Member{Key: "context", Value: env.Context})
		}
		return value.ObjectOf(members...)
	}
	k.valueIn(name, a, data, k.last(), nowhere, env, func(f *suite.Finding) {
		f.Wanted, f.Found = nil, nil
		for i := range f.Differences {
			f.Differences[i].From, f.Differences[i].Found = "", nil // the data as a whole tell nothing
		}
	})
}

// lastOfState returns the index of the last event of a state at the top, -1 where there is none.
func (k *checker) lastOfState() int {
	for i := k.last(); i >= 0; i-- {
		if e := k.log.At(i); e.Visit != nil && e.Visit.Parent == nil {
			return i
		}
	}
	return -1
}
