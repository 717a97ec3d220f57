package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/why"
	"asldb/internal/wording"
)

// maxRuns is the number of runs that are kept: of more the oldest is dropped.
const maxRuns = 50

// maxEvents bounds the events that a call may bring, where it does not say how many.
const maxEvents = 100_000

// runs are the runs of a client, by their handles.
type runs struct {
	count int
	list  []*run
}

// run is a run with its handle.
type run struct {
	handle  string
	session *debug.Session
	all     *launch.Run
	ctx     context.Context // of the call that moves the run
	// most is the number of events that a call may bring, last the newest kind of command that went forward.
	most int
	last debug.CommandKind
}

// add gives a run its handle.
func (l *runs) add(r *run) {
	l.count++
	r.handle = "run-" + strconv.Itoa(l.count)
	if l.list = append(l.list, r); len(l.list) > maxRuns {
		_ = l.list[0].all.Close() // it records nothing
		l.list = slices.Delete(l.list, 0, 1)
	}
}

func (l *runs) close() {
	for _, r := range l.list {
		_ = r.all.Close() // it records nothing
	}
}

// find returns the run of a handle.
func (l *runs) find(handle string) (*run, error) {
	for _, r := range l.list {
		if r.handle == handle {
			return r, nil
		}
	}
	if len(l.list) == 0 {
		return nil, fmt.Errorf("there is no run %q: begin one with run or debug", handle)
	}
	return nil, fmt.Errorf("there is no run %q (the newest %d are kept); the newest is %q", handle, maxRuns,
		l.list[len(l.list)-1].handle)
}

// at returns the run of a handle, and the index of an event: of the number in at, of the newest visit of the state that
// it names, or the one at which the run is. It is -1 where nothing has run.
func (l *runs) at(handle, at string) (r *run, index int, err error) {
	if r, err = l.find(handle); err != nil {
		return nil, 0, err
	}
	index, err = r.event(at)
	return r, index, err
}

func (r *run) event(at string) (int, error) {
	log := r.session.Log()
	if at == "" {
		return r.session.Position() - 1, nil
	}
	if n, err := strconv.Atoi(at); err == nil {
		if n < 1 || n > log.Len() {
			return 0, fmt.Errorf("there is no event %d: the run has %d", n, log.Len())
		}
		return n - 1, nil
	}
	var names []string
	for state := range r.session.Machine().Definition().All() {
		if names = append(names, state.Path()); state.Path() != at && state.Name != at {
			continue
		}
		if i := explain.LastIn(log, state, log.Len()-1); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("the run has not come to the state %q", at)
	}
	if near := wording.Nearest(at, slices.Values(names)); near != "" {
		return 0, fmt.Errorf("there is no state %q: did you mean %q?", at, near)
	}
	return 0, fmt.Errorf("there is no state %q", at)
}

// begun are the arguments that begin a run.
type begun struct {
	named
	beginning
}

// beginning are the arguments about the data of a run.
type beginning struct {
	Input     anyJSON `json:"input,omitempty" jsonschema:"the execution's input"`
	InputFile string  `json:"input_file,omitempty" jsonschema:"a file with the input"`
	Fixtures  string  `json:"fixtures,omitempty" jsonschema:"a fixtures file; without it the one beside the definition"`
	Case      string  `json:"case,omitempty" jsonschema:"a case in the fixtures file"`
	Mocks     anyJSON `json:"mocks,omitempty" jsonschema:"results by state, as {\"Pay\": [{\"output\": {}}]}"`
	MaxEvents int     `json:"max_events,omitempty" jsonschema:"the greatest number of events (100000)"`
}

// begin makes a run, which is before its first event.
func (s *server) begin(in *begun) (*run, error) {
	if err := inside(in.Path, in.InputFile, in.Fixtures); err != nil {
		return nil, err
	}
	r := &run{ctx: context.Background(), most: cmp.Or(in.MaxEvents, maxEvents)}
	if r.most < 0 {
		return nil, errors.New("max_events is a number from 1")
	}
	spec := launch.Spec{
		Definition: in.definition(), Now: s.options.Now, Missing: fixtures.Ask, Limits: engine.ServiceLimits(),
		Warn: func(files.Warning) {}, Interrupt: func() error { return r.ctx.Err() },
		Fixtures: launch.Fixtures{Name: in.Fixtures, Case: in.Case, Default: true},
	}
	switch {
	case in.Input.Value != nil && in.InputFile != "":
		return nil, errors.New("input and input_file exclude each other")
	case in.InputFile != "":
		spec.Input.Text = in.InputFile
	default:
		spec.Input.Value = in.Input.Value
	}
	if in.Mocks.Value != nil {
		if in.Fixtures != "" {
			return nil, errors.New("mocks and fixtures exclude each other")
		}
		file, err := mocked(in.Mocks.Value)
		if err != nil {
			return nil, err
		}
		spec.Fixtures.File = file
	}
	launched, err := launch.New(spec)
	if err != nil {
		_ = launched.Close() // it records nothing
		return nil, withProblems(err)
	}
	r.all, r.session = launched, launched.Session
	s.runs.add(r)
	return r, nil
}

// mocked reads results by state as fixtures.
func mocked(tasks value.Value) (*fixtures.File, error) {
	object, ok := tasks.(*value.Object)
	if !ok {
		return nil, errors.New("mocks is an object: a list of results for each state")
	}
	var members []value.Member
	for name, list := range object.All() {
		if _, many := list.(*value.Array); !many {
			list = value.ArrayOf(list)
		}
		members = append(members, value.M(name, list))
	}
	tasks = value.ObjectOf(value.M("version", value.Int(1)), value.M("tasks", value.NewObject(members)))
	f := launch.Fixtures{Name: "mocks"}
	return f.Read(files.Files{Changed: map[string][]byte{f.Name: []byte(value.Compact(tasks))}}, func(files.Warning) {})
}

// withProblems returns an error with the problems of the definition that it is about, with their places.
func withProblems(err error) error {
	var wrong *definitions.InvalidError
	if !errors.As(err, &wrong) {
		return err
	}
	lines, endless := []string{err.Error()}, false
	for i := range wrong.Problems {
		endless = endless || wrong.Problems[i].Rule == "no-terminal-state"
		lines = append(lines, strings.TrimRight(wrong.Problems[i].Format(), "\n"))
	}
	lines = append(lines, "Nothing was run: Step Functions takes no definition with errors.")
	if endless {
		lines = append(lines, "A run of it would have no end but its limit, max_events.")
	}
	return errors.New(strings.Join(lines, "\n"))
}

// budget is the number of steps of the engine between two looks at the context.
const budget = 4096

// forward carries a command to its stop.
func (r *run) forward(ctx context.Context, command debug.Command) (debug.Stop, error) {
	command.Events = r.most
	if err := r.session.Begin(command); err != nil {
		return debug.Stop{}, err
	}
	r.last = command.Kind
	return r.advance(ctx), nil
}

// advance carries the command on to its stop, and interrupts it where the context ends.
func (r *run) advance(ctx context.Context) debug.Stop {
	r.ctx = ctx
	defer func() { r.ctx = context.Background() }()
	for {
		if ctx.Err() != nil {
			r.session.Interrupt()
		}
		if at := r.session.Advance(budget); at.Reason != debug.StillRunning {
			return at
		}
	}
}

// ended is the document of run.
type ended struct {
	Run      string      `json:"run" jsonschema:"the handle"`
	Status   string      `json:"status" jsonschema:"RUNNING, AWAITING_ANSWER, SUCCEEDED, FAILED, TIMED_OUT or ABORTED"`
	Message  string      `json:"message"`
	Output   value.Value `json:"output,omitempty"`
	Error    *string     `json:"error,omitempty"`
	Cause    *string     `json:"cause,omitempty"`
	State    string      `json:"state,omitempty"`
	Place    string      `json:"place,omitempty"`
	Path     []string    `json:"path" jsonschema:"the states in their order"`
	Duration string      `json:"duration"`
	Events   int         `json:"events"`
	Missing  []question  `json:"missing,omitempty" jsonschema:"tasks that need a result, with a sample"`
	Noticed  any         `json:"noticed,omitempty" jsonschema:"probable mistakes that the run noticed"`
	Fixtures string      `json:"fixtures,omitempty"`
}

// question is a task without a result, with a sample of its shape.
type question struct {
	State      string      `json:"state"`
	Place      string      `json:"place,omitempty"`
	Resource   string      `json:"resource"`
	Invocation int         `json:"invocation"`
	Payload    value.Value `json:"payload"`
	Sample     value.Value `json:"sample,omitempty"`
	Errors     []string    `json:"errors,omitempty"`
}

// questions are the tasks that wait for a result.
func (r *run) questions() (list []question) {
	for _, request := range r.session.Requests() {
		list = append(list, question{
			State: request.Visit.Path(), Place: placeText(request.Visit.State.Place("")),
			Resource: request.Resource, Invocation: request.Invocation,
			Payload: request.Parameters, Sample: fixtures.Shape(request),
			Errors: fixtures.LikelyErrors(request.Visit.State),
		})
	}
	return list
}

// placeText writes a place; empty where there is none.
func placeText(p asl.Place) string {
	l := explain.LocationOf(&p)
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", relative(l.File), l.Line, l.Column)
}

// relative returns the name of a file from the root.
func relative(name string) string {
	if rel, err := filepath.Rel(".", name); err == nil {
		return filepath.ToSlash(rel)
	}
	return name
}

func (s *server) execute(ctx context.Context, in *begun) (*answer, error) {
	r, err := s.begin(in)
	if err != nil {
		return nil, err
	}
	stop, err := r.forward(ctx, debug.Command{Kind: debug.Continue})
	if err != nil {
		return nil, err
	}
	return r.report(stop), nil
}

// report is the answer of a run that has come to its end, or that cannot continue.
func (r *run) report(stop debug.Stop) *answer {
	log := r.session.Log()
	doc := &ended{
		Run: r.handle, Status: r.session.Status().String(), Path: r.path(), Events: log.Len(), Missing: r.questions(),
		Duration: wording.Duration(r.session.Now().Sub(r.session.Options().Start)), Fixtures: r.all.Spec.Fixtures.Found,
	}
	a := &answer{doc: doc}
	failure := r.session.Failure()
	switch {
	case stop.Reason == debug.StoppedAtEnd && failure == nil:
		doc.Output = r.session.Output()
		doc.Message = doc.Status + " after " + doc.Duration
		a.text = doc.Message + ", by " + strings.Join(doc.Path, " > ") + "\noutput: " + value.Preview(doc.Output, 2000)
		if noticed := explain.RunOf(r.session, nil); len(explain.Noticed(noticed)) > 0 {
			doc.Noticed = explain.NoticedJSON(noticed)
			a.text += "\n" + strings.Join(explain.Plain(200).Labelled(explain.Noticed(noticed)), "\n")
		}
		a.next = &call{"inspect", map[string]any{"run": r.handle, "what": "timeline"}}
	case stop.Reason == debug.StoppedAtEnd:
		doc.Error, doc.Cause = &failure.Name, &failure.Cause
		if origin := failure.Origin; origin != nil {
			doc.State, doc.Place = origin.Path(), placeText(origin.State.Place(failure.Field))
		}
		a.text = why.Failure(r.session, nil).Error()
		doc.Message, _, _ = strings.Cut(a.text, "\n")
		a.next = &call{"why", map[string]any{"run": r.handle}}
	case len(doc.Missing) > 0:
		doc.Message = doc.Missing[0].State + " needs a result"
		a.text = fmt.Sprintf("%s (%s, %s) got %s", doc.Message, doc.Missing[0].Resource, doc.Missing[0].Place,
			value.Preview(doc.Missing[0].Payload, 500))
		sample := doc.Missing[0].Sample
		if sample != nil {
			a.text += "\na result of its shape: " + value.Preview(sample, 2000)
		}
		a.next = &call{"step", map[string]any{"run": r.handle, "kind": "answer", "output": value.OrNull(sample)}}
	default:
		doc.Message = explain.Plain(200).Paragraph(&explain.Stopped(stop, r.most)[0])
		a.text = doc.Message + " after " + strconv.Itoa(log.Len()) + " events, by " + strings.Join(doc.Path, " > ")
		a.next = &call{"inspect", map[string]any{"run": r.handle, "what": "timeline"}}
	}
	return a
}

// maxPath is the number of states of a path that are told: of more those at the beginning and at the end.
const maxPath = 40

// path are the states in the order in which the run entered them.
func (r *run) path() []string {
	var first, last []string
	left, log := 0, r.session.Log()
	for i := log.First(); i < r.session.Position(); i++ {
		e := log.At(i)
		if e.Type != engine.StateEntered {
			continue
		}
		if len(first) < maxPath/2 {
			first = append(first, e.Visit.Path())
			continue
		}
		if last = append(last, e.Visit.Path()); len(last) > maxPath/2 {
			last, left = last[1:], left+1
		}
	}
	if left > 0 {
		first = append(first, fmt.Sprintf("(%d more)", left))
	}
	return append(first, last...)
}

// whyRun explains why a run ended.
func (s *server) whyRun(handle string) (*answer, error) {
	r, err := s.runs.find(handle)
	if err != nil {
		return nil, err
	}
	if !r.session.Status().Done() {
		return nil, fmt.Errorf("%s has not ended: continue it with step", handle)
	}
	if r.session.Failure() == nil {
		return nil, fmt.Errorf("%s succeeded: there is no failure to explain", handle)
	}
	a, err := reported(why.OfRun(explain.RunOf(r.session, nil)).Report(), report.TextForm, s.options.Version)
	if err == nil {
		a.next = &call{"origin", map[string]any{"run": handle}}
	}
	return a, err
}
