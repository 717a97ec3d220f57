package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/wording"
)

// debugIn are the arguments of debug.
type debugIn struct {
	Run  string `json:"run,omitempty" jsonschema:"a run to go back to its start; without it a run is begun with path"`
	Path string `json:"path,omitempty" jsonschema:"a definition or a template, to begin a run"`
	chosen
	beginning
	Break []string `json:"break,omitempty" jsonschema:"breakpoints: a state, STATE:error, STATE if CONDITION"`
	Until string   `json:"until,omitempty" jsonschema:"a state to stop at once"`
}

// positionDoc is the document of debug and step.
type positionDoc struct {
	Run      string      `json:"run"`
	Status   string      `json:"status"`
	Reason   string      `json:"reason" jsonschema:"start, step, breakpoint, question, end, limit, ..."`
	Message  string      `json:"message"`
	State    string      `json:"state,omitempty"`
	Stage    string      `json:"stage,omitempty"`
	Place    string      `json:"place,omitempty" jsonschema:"file:line:col"`
	Event    int         `json:"event"`
	Events   int         `json:"events"`
	Time     string      `json:"time"`
	Before   value.Value `json:"before,omitempty" jsonschema:"the data before the stage"`
	After    value.Value `json:"after,omitempty" jsonschema:"the data after it"`
	Output   value.Value `json:"output,omitempty"`
	Error    *string     `json:"error,omitempty"`
	Cause    *string     `json:"cause,omitempty"`
	Missing  []question  `json:"missing,omitempty"`
	Steps    []string    `json:"steps,omitempty" jsonschema:"the kinds of step that make sense now"`
	Replaced value.Value `json:"replaced,omitempty"`
}

func (s *server) debug(ctx context.Context, in *debugIn) (*answer, error) {
	var r *run
	var err error
	switch {
	case in.Run != "" && in.Path != "":
		return nil, errors.New("run and path exclude each other")
	case in.Run != "":
		if r, err = s.runs.find(in.Run); err == nil {
			r.session.GoTo(0)
		}
	case in.Path == "":
		return nil, errors.New("path or run is missing")
	default:
		r, err = s.begin(&begun{named{in.Path, in.chosen}, in.beginning})
	}
	if err != nil {
		return nil, err
	}
	for _, spec := range in.Break {
		if _, err := r.session.Breakpoints().Add(spec); err != nil {
			return nil, err
		}
	}
	command := debug.Command{Kind: debug.Continue}
	switch {
	case in.Until != "":
		command = debug.Command{Kind: debug.RunTo, Target: in.Until}
	case len(in.Break) == 0 && in.Run == "":
		command.Kind = debug.StepState
	}
	stop, err := r.forward(ctx, command)
	if err != nil {
		return nil, err
	}
	return r.stand(stop), nil
}

// stepIn are the arguments of step.
type stepIn struct {
	Run    string   `json:"run" jsonschema:"a run"`
	Kind   string   `json:"kind" jsonschema:"stage, state, over, out, back, continue, answer or set"`
	Task   string   `json:"task,omitempty" jsonschema:"answer: the state whose task is answered (default: the oldest)"`
	Output *anyJSON `json:"output,omitempty" jsonschema:"answer: the result"`
	Error  string   `json:"error,omitempty" jsonschema:"answer: the Error Name of a task that fails"`
	Cause  string   `json:"cause,omitempty" jsonschema:"answer: its cause"`
	Path   string   `json:"path,omitempty" jsonschema:"set: a Reference Path in the data that the next stage reads"`
	Value  anyJSON  `json:"value,omitempty" jsonschema:"set: the value"`
}

func (s *server) step(ctx context.Context, in *stepIn) (*answer, error) {
	r, err := s.runs.find(in.Run)
	if err != nil {
		return nil, err
	}
	if kind, err := debug.ParseCommand(in.Kind); err == nil && kind <= debug.Continue {
		stop, err := r.forward(ctx, debug.Command{Kind: kind})
		if err != nil {
			return nil, err
		}
		return r.stand(stop), nil
	}
	switch in.Kind {
	case "back":
		stop, err := r.session.Back(debug.Command{Kind: cmp.Or(r.last, debug.StepState)})
		if err != nil {
			return nil, err
		}
		return r.stand(stop), nil
	case "answer":
		if err := r.answer(in); err != nil {
			return nil, err
		}
		return r.stand(r.advance(ctx)), nil
	case "set":
		return r.set(in)
	}
	names := []string{"back", "answer", "set", "stage", "state", "over", "out", "continue"}
	return nil, noSuch("step", in.Kind, names)
}

// answer gives the result of a task.
func (r *run) answer(in *stepIn) error {
	requests := r.session.Requests()
	if len(requests) == 0 {
		return errors.New("no task waits for a result")
	}
	request := requests[0]
	if in.Task != "" {
		at := slices.IndexFunc(requests, func(q *engine.TaskRequest) bool {
			return q.Visit.Path() == in.Task || q.Visit.State.Name == in.Task
		})
		if at < 0 {
			return fmt.Errorf("no task of %q waits for a result; %q does", in.Task, request.Visit.Path())
		}
		request = requests[at]
	}
	switch {
	case in.Output != nil && in.Error != "":
		return errors.New("output and error exclude each other")
	case in.Error != "":
		return r.session.Interventions().Answer(request.ID, fixtures.Failure(in.Error, in.Cause))
	case in.Output == nil:
		return errors.New("answer needs output, or error")
	}
	return r.session.Interventions().Answer(request.ID, engine.Outcome{Output: value.OrNull(in.Output.Value)})
}

// set changes the data that the next stage reads.
func (r *run) set(in *stepIn) (*answer, error) {
	log := r.session.Log()
	if r.session.Position() == 0 {
		return nil, errors.New("nothing has run: begin another run with the input")
	}
	thread, v := log.At(r.session.Position()-1).Thread, value.OrNull(in.Value.Value)
	before, err := r.session.Interventions().EditAt(thread, in.Path, v)
	if err != nil {
		return nil, err
	}
	a := r.stand(r.session.Stop())
	doc, _ := a.doc.(*positionDoc)
	doc.Reason, doc.Message, doc.Replaced = "changed", in.Path+" is "+value.Preview(v, 200), before
	a.text = doc.Message
	a.next = &call{"step", map[string]any{"run": r.handle, "kind": "continue"}}
	return a, nil
}

// reasonOf names the reason of a stop.
func reasonOf(reason debug.Reason) string {
	switch reason {
	case debug.StoppedAtStart:
		return "start"
	case debug.StoppedByStep, debug.StoppedAtTarget:
		return "step"
	case debug.StoppedByBreakpoint:
		return "breakpoint"
	case debug.StoppedForAnswer, debug.StoppedForCall:
		return "question"
	case debug.StoppedForTime, debug.StoppedAtTime:
		return "time"
	case debug.StoppedAtEnd, debug.StoppedAtRecordingEnd:
		return "end"
	case debug.StoppedByLimit:
		return "limit"
	case debug.StoppedByInterrupt, debug.StoppedBySource, debug.StillRunning:
	}
	return "interrupted"
}

// stand is the answer of a run that has stopped; at its end it is the answer of the tool run.
func (r *run) stand(stop debug.Stop) *answer {
	s := r.session
	if s.AtEnd() && stop.Reason == debug.StoppedAtEnd && s.Status().Done() {
		return r.report(stop)
	}
	said := explain.Standing(s, r.most)
	plain := explain.Plain(200)
	doc := &positionDoc{
		Run: r.handle, Status: s.Status().String(), Reason: reasonOf(stop.Reason),
		Message: plain.Paragraph(&said), Event: s.Position(),
		Events: s.Log().
			Len(),
		Missing: r.questions(), Steps: []string{"stage", "state", "over", "out", "back", "continue"},
		Time: wording.Duration(s.Now().Sub(s.Options().Start)),
	}
	if stop.Missed != "" {
		doc.Message += ": the run did not come to " + stop.Missed
	}
	a := &answer{doc: doc, next: &call{"step", map[string]any{"run": r.handle, "kind": "state"}}}
	a.text = doc.Message
	if i := s.Position() - 1; i >= s.Log().First() {
		r.describe(doc, i)
		a.text = r.positionText(doc, i)
	}
	if len(doc.Missing) > 0 {
		doc.Steps = []string{"answer", "back", "set"}
		a.next = &call{
			"step",
			map[string]any{"run": r.handle, "kind": "answer", "output": value.OrNull(doc.Missing[0].Sample)},
		}
	}
	return a
}

// describe adds the state, the place and the data of an event.
func (r *run) describe(doc *positionDoc, i int) {
	log := r.session.Log()
	e := log.At(i)
	if e.Visit != nil {
		doc.State, doc.Stage = e.Visit.Path(), e.StageName()
		doc.Place = placeText(e.Visit.State.Place(explain.FieldOf(e.Visit.State, e.Stage)))
	}
	doc.Before = e.Before
	if doc.After = e.After; doc.After == nil {
		if k := log.DataAt(i); k >= 0 && doc.Before == nil {
			doc.After = log.At(k).After
		}
	}
	if failure := e.Failure(); failure != nil {
		doc.Error, doc.Cause = &failure.Name, &failure.Cause
	}
}

// positionText is the text of a place: where, why, and the data.
func (r *run) positionText(doc *positionDoc, i int) string {
	lines := []string{doc.Message}
	where := "event " + fmt.Sprint(doc.Event)
	if doc.State != "" {
		where = doc.State
		if doc.Stage != "" {
			where += ", " + doc.Stage
		}
		where += " (" + doc.Place + ")"
	}
	lines[0] += " at " + where + ", " + explain.SinceStart(r.session.Options().Start, r.session.Log().At(i).At())
	lines = append(lines, explain.Plain(200).Labelled(explain.Happened(r.session, i, nil))...)
	switch {
	case doc.Before != nil && doc.After != nil && !value.Equal(doc.Before, doc.After):
		lines = append(lines, differences(doc.Before, doc.After)...)
	case doc.After != nil:
		lines = append(lines, "data: "+value.Preview(doc.After, 1500))
	case doc.Before != nil:
		lines = append(lines, "data: "+value.Preview(doc.Before, 1500))
	}
	for _, q := range doc.Missing {
		lines = append(lines, q.State+" needs a result; one of its shape: "+value.Preview(value.OrNull(q.Sample), 1000))
	}
	return strings.Join(lines, "\n")
}
