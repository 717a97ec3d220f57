package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/why"
	"asldb/internal/wording"
)

// inspectIn are the arguments of inspect.
type inspectIn struct {
	Run  string `json:"run" jsonschema:"a run"`
	At   string `json:"at,omitempty" jsonschema:"an event's number or a state; default: where the run is"`
	What string `json:"what,omitempty" jsonschema:"stages (of the state), variables, context, tasks, timeline or value"`
	Path string `json:"path,omitempty" jsonschema:"value: a path or an expression; the others: a path in the answer"`
	From int    `json:"from,omitempty" jsonschema:"timeline, tasks: the first event"`
}

// inspected is the document of inspect.
type inspected struct {
	Value     value.Value `json:"value,omitempty"`
	State     string      `json:"state,omitempty"`
	Place     string      `json:"place,omitempty"`
	Stages    []stage     `json:"stages,omitempty" jsonschema:"each stage with its expression and data"`
	Variables value.Value `json:"variables,omitempty"`
	Context   value.Value `json:"context,omitempty"`
	Tasks     []taskRow   `json:"tasks,omitempty"`
	Timeline  []row       `json:"timeline,omitempty"`
	More      int         `json:"more,omitempty" jsonschema:"rows that were left out: ask with from"`
}

// stage is a stage of a state: its expression, and the data that it made.
type stage struct {
	Stage      string      `json:"stage"`
	Expression string      `json:"expression,omitempty"`
	Place      string      `json:"place,omitempty"`
	State      string      `json:"state"`
	Event      int64       `json:"event,omitempty"`
	Changed    []string    `json:"changed,omitempty"`
	Data       value.Value `json:"data,omitempty"`
}

// taskRow is an attempt of a task.
type taskRow struct {
	Event    int64       `json:"event"`
	State    string      `json:"state"`
	Resource string      `json:"resource"`
	Attempt  int         `json:"attempt"`
	Payload  value.Value `json:"payload"`
}

// row is an event of a timeline.
type row struct {
	Event  int64  `json:"event"`
	Time   string `json:"time"`
	Type   string `json:"type"`
	State  string `json:"state,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// maxRows is the number of rows of an answer.
const maxRows = 60

func (s *server) inspect(_ context.Context, in *inspectIn) (*answer, error) {
	r, i, err := s.runs.at(in.Run, in.At)
	if err != nil {
		return nil, err
	}
	if i < r.session.Log().First() {
		return nil, errors.New("nothing has run yet: step first")
	}
	views := []string{"stages", "variables", "context", "tasks", "timeline", "value"}
	doc := &inspected{}
	a := &answer{doc: doc, next: &call{"step", map[string]any{"run": r.handle, "kind": "state"}}}
	switch cmp.Or(in.What, map[bool]string{true: "value", false: "stages"}[in.Path != ""]) {
	case "value":
		if doc.Value, err = r.session.Watches().Evaluate(cmp.Or(in.Path, "$"), i); err != nil {
			return nil, err
		}
		a.text = value.Pretty(doc.Value)
	case "stages":
		a.text = r.stages(doc, i)
	case "variables":
		doc.Variables = value.NewObject(r.session.VariablesAt(i))
		a.text = value.Pretty(doc.Variables)
	case "context":
		doc.Context, _ = r.session.RootsAt(i)
		a.text = value.Pretty(value.OrNull(doc.Context))
	case "tasks":
		a.text = r.tasks(doc, in.From)
	case "timeline":
		a.text = r.timeline(doc, in.From)
	default:
		return nil, noSuch("view", in.What, views)
	}
	return a, nil
}

// stages adds the stages of the state of an event, and returns them as text.
func (r *run) stages(doc *inspected, i int) string {
	marks := r.session.Log().StagesAt(i, nil)
	if marks.Visit == nil {
		e := r.session.Log().At(i)
		doc.Value = e.After
		return explain.EventName(e) + ": " + value.Preview(value.OrNull(e.After), 2000)
	}
	state := marks.Visit.State
	doc.State, doc.Place = marks.Visit.Path(), placeText(state.Place(""))
	lines := []string{doc.State + " (" + doc.Place + ")"}
	var before value.Value
	for k := range marks.Stages {
		m := &marks.Stages[k]
		field, text, _ := explain.Expression(state, &m.Info, marks.Caught)
		one := stage{
			Stage:      field,
			Expression: text,
			Place:      placeText(state.Place(explain.FieldOf(state, m.Info.Stage))),
			State:      stageState(m.State),
		}
		line := "  " + field
		if text != "" {
			line += " " + wording.Clip(text, 120)
		}
		if data := m.Data(); data != nil {
			one.Event, one.Data = m.Newest.Seq, data
			if before != nil {
				one.Changed = differences(before, data)
			}
			if len(one.Changed) == 0 && before != nil {
				one.Data = nil // the stage before has it
				line += ": unchanged"
			} else {
				line += ": " + value.Preview(data, 400)
			}
			before = data
		}
		doc.Stages, lines = append(doc.Stages, one), append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// stageState names how far a stage has come.
func stageState(s runlog.StageState) string {
	switch s {
	case runlog.StagePending:
		return "pending"
	case runlog.StageAbsent:
		return "absent"
	case runlog.StageBegun:
		return "begun"
	case runlog.StageFailed:
		return "failed"
	case runlog.StageCompleted:
	}
	return "completed"
}

// differences are the differences of two values, a line each.
func differences(before, after value.Value) []string {
	return value.Each(
		value.List(before, after),
		func(d value.Difference) string { return cmp.Or(d.Path, "$") + " " + d.Change(100) },
	)
}

// tasks are the attempts of tasks from an event on.
func (r *run) tasks(doc *inspected, from int) string {
	var lines []string
	log := r.session.Log()
	for i := max(from-1, log.First()); i < log.Len(); i++ {
		e := log.At(i)
		request, ok := e.Detail.(*engine.TaskRequest)
		if !ok {
			continue
		}
		if len(doc.Tasks) == maxRows {
			doc.More++
			continue
		}
		doc.Tasks = append(
			doc.Tasks,
			taskRow{e.Seq, e.Visit.Path(), request.Resource, request.Attempt, request.Parameters},
		)
		lines = append(
			lines,
			fmt.Sprintf("%d %s (%s), attempt %d: %s", e.Seq, e.Visit.Path(), request.Resource, request.Attempt,
				value.Preview(request.Parameters, 200)),
		)
	}
	return strings.Join(lines, "\n")
}

// timeline are the states, attempts, errors and waits of a run from an event on.
func (r *run) timeline(doc *inspected, from int) string {
	var lines []string
	log, plain := r.session.Log(), explain.Plain(120)
	for i := max(from-1, log.First()); i < log.Len(); i++ {
		e := log.At(i)
		if e.Type == engine.StageCompleted || e.Type == engine.StateExited && e.Failure() == nil {
			continue
		}
		if len(doc.Timeline) == maxRows {
			doc.More++
			continue
		}
		one := row{
			Event:  e.Seq,
			Time:   explain.SinceStart(r.session.Options().Start, e.At()),
			Type:   e.Type.String(),
			Detail: plain.Spans(explain.EventDetail(e, r.session.Options().Start)),
		}
		if e.Visit != nil {
			one.State = e.Visit.Path()
		}
		doc.Timeline = append(doc.Timeline, one)
		lines = append(lines,
			strings.TrimSpace(fmt.Sprintf("%d %s %s %s %s", one.Event, one.Time, one.Type, one.State, one.Detail)))
	}
	if doc.More > 0 {
		lines = append(lines, fmt.Sprintf("(%d more: from=%d)", doc.More, doc.Timeline[len(doc.Timeline)-1].Event+1))
	}
	return strings.Join(lines, "\n")
}

// explainIn are the arguments of explain.
type explainIn struct {
	Run   string `json:"run" jsonschema:"a run"`
	State string `json:"state,omitempty" jsonschema:"a state: its newest visit"`
	Event int    `json:"event,omitempty" jsonschema:"an event, by its number"`
}

// toldDoc is the document of explain.
type toldDoc struct {
	State  string       `json:"state,omitempty"`
	Place  string       `json:"place,omitempty"`
	Lines  []string     `json:"lines" jsonschema:"the explanation"`
	Values []fieldValue `json:"values,omitempty" jsonschema:"the value of each expression of the state"`
}

// fieldValue is the value of an expression of the state.
type fieldValue struct {
	Field string      `json:"field"`
	Place string      `json:"place,omitempty"`
	Value value.Value `json:"value,omitempty"`
	Note  string      `json:"note,omitempty"`
}

func (s *server) explain(_ context.Context, in *explainIn) (*answer, error) {
	at := in.State
	if in.Event != 0 {
		at = fmt.Sprint(in.Event)
	}
	r, i, err := s.runs.at(in.Run, at)
	if err != nil {
		return nil, err
	}
	log := r.session.Log()
	if i < log.First() {
		return nil, errors.New("nothing has run yet: step first")
	}
	doc, plain := &toldDoc{}, explain.Plain(200)
	visit := log.At(i).Visit
	first, last := i, i
	if in.Event == 0 && visit != nil {
		first = max(int(visit.Entered)-1, log.First())
	}
	for k := first; k <= last; k++ {
		if e := log.At(k); e.Visit != visit || k < last && e.Stage == engine.NoStage && !e.RaisesError() {
			continue
		}
		for _, line := range plain.Labelled(explain.At(r.session, k, nil)) {
			if !slices.Contains(doc.Lines, line) {
				doc.Lines = append(doc.Lines, line)
			}
		}
	}
	if visit != nil {
		doc.State, doc.Place = visit.Path(), placeText(visit.State.Place(""))
		marks := log.StagesAt(i, nil)
		for _, v := range explain.Values(r.session, i, &marks) {
			doc.Values = append(doc.Values, fieldValue{v.Place.Pointer, placeText(v.Place), v.Value, noteOf(plain, &v)})
		}
	}
	lines := doc.Lines
	for _, v := range doc.Values {
		lines = append(lines, "  "+v.Field+" ("+v.Place+"): "+cmp.Or(v.Note, value.Preview(value.OrNull(v.Value), 200)))
	}
	return &answer{
		doc: doc, text: strings.Join(lines, "\n"),
		next: &call{"inspect", map[string]any{"run": r.handle, "what": "stages", "at": doc.State}},
	}, nil
}

// noteOf is a note about a part of the definition; empty for a value.
func noteOf(plain *explain.Writer, v *explain.FieldValue) string {
	if v.Value != nil {
		return ""
	}
	switch text := plain.Spans(v.Spans); {
	case text != "":
		return text
	case v.Sign == explain.SignHolds:
		return "holds"
	case v.Sign == explain.SignFails:
		return "does not hold"
	}
	return ""
}

// originIn are the arguments of origin.
type originIn struct {
	Run     string `json:"run" jsonschema:"a run"`
	At      string `json:"at,omitempty" jsonschema:"an event's number or a state; default: where the run is"`
	Path    string `json:"path,omitempty" jsonschema:"a path in the data there; default: the one for which it failed"`
	Forward bool   `json:"forward,omitempty" jsonschema:"follow the value to its later uses"`
}

// origins is the document of origin.
type origins struct {
	Way  any `json:"steps" jsonschema:"the hops, the newest first"`
	Lost any `json:"lostBy" jsonschema:"the state that lost the value"`
}

func (s *server) origin(_ context.Context, in *originIn) (*answer, error) {
	r, i, err := s.runs.at(in.Run, in.At)
	if err != nil {
		return nil, err
	}
	found, err := why.OriginOf(r.session, why.Origin{Event: i, Path: in.Path, Forward: in.Forward})
	if err != nil {
		return nil, err
	}
	a, err := reported(found, report.TextForm, s.options.Version)
	if err == nil {
		a.next = &call{"explain", map[string]any{"run": r.handle}}
	}
	return a, err
}

// graphIn are the arguments of graph.
type graphIn struct {
	named
	Coverage string `json:"coverage,omitempty" jsonschema:"a coverage profile to mark"`
}

// graphed is the document of graph.
type graphed struct {
	States  []stateRow `json:"states"`
	Mermaid string     `json:"mermaid"`
}

// stateRow is a state with where it leads.
type stateRow struct {
	State string   `json:"state"`
	Type  string   `json:"type"`
	Place string   `json:"place"`
	Next  []string `json:"next,omitempty"`
	Catch []string `json:"catch,omitempty"`
	End   bool     `json:"end,omitempty"`
}

func (s *server) graph(ctx context.Context, in *graphIn) (*answer, error) {
	args := append([]string{"graph", "--format=mermaid"}, in.flags()...)
	if in.Coverage != "" {
		args = append(args, "--coverage-in="+in.Coverage)
	}
	if err := inside(in.Coverage); err != nil {
		return nil, err
	}
	a, err := s.run(ctx, "mermaid", []string{in.Path}, args...)
	if err != nil {
		return nil, err
	}
	doc := &graphed{Mermaid: a.text}
	if d := in.definition(); d.Read(s.files()) == nil && d.Parse() == nil {
		for state := range d.Machine.All() {
			doc.States = append(doc.States, rowOf(state))
		}
	}
	a.doc, a.next = doc, &call{"run", map[string]any{"path": in.Path}}
	return a, nil
}

func rowOf(state *asl.State) stateRow {
	r := stateRow{State: state.Path(), Type: state.Type.String(), Place: placeText(state.Place("")), End: state.End}
	for _, e := range state.Edges() {
		if e.Kind == asl.EdgeCatch {
			r.Catch = append(r.Catch, e.To.Path())
		} else {
			r.Next = append(r.Next, e.To.Path())
		}
	}
	return r
}
