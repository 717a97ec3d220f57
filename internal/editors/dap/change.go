package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"asldb/engine/debug"
	"asldb/engine/value"
)

// change answers the requests that change the run.
func (a changer) change(request dap.RequestMessage) (answered bool, err error) {
	switch r := request.(type) {
	case *dap.SetVariableRequest:
		return true, a.setVariable(r)
	case *dap.SetExpressionRequest:
		return true, a.setExpression(r)
	case *answerRequest:
		return true, a.answerTask(r)
	}
	return false, nil
}

// errPast says that data are not read any more.
var errPast = errors.New("only the data at the execution's position can be changed: go forward, or restart")

// setVariable changes a member of the data.
func (a changer) setVariable(r *dap.SetVariableRequest) error {
	of, err := a.views.heldOf(r.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	if of.frame == nil {
		return debug.ErrNotData
	}
	m, ok := of.named(r.Arguments.Name)
	if !ok {
		return fmt.Errorf("there is no member %q", r.Arguments.Name)
	}
	v, err := a.edit(of.frame, m.path, r.Arguments.Value)
	if err != nil {
		return err
	}
	shown := a.views.shown(member{path: m.path, value: v}, of.frame)
	a.out.respond(r, &dap.SetVariableResponse{Body: dap.SetVariableResponseBody{
		Value: shown.Value, Type: shown.Type, VariablesReference: shown.VariablesReference,
		NamedVariables: shown.NamedVariables, IndexedVariables: shown.IndexedVariables,
	}})
	a.invalidate()
	return nil
}

// setExpression changes the data at a Reference Path.
func (a changer) setExpression(r *dap.SetExpressionRequest) error {
	f, err := a.views.frameOf(r.Arguments.FrameId)
	if err != nil {
		return err
	}
	v, err := a.edit(&f, r.Arguments.Expression, r.Arguments.Value)
	if err != nil {
		return err
	}
	shown := a.views.shown(member{path: r.Arguments.Expression, value: v}, &f)
	a.out.respond(r, &dap.SetExpressionResponse{Body: dap.SetExpressionResponseBody{
		Value: shown.Value, Type: shown.Type, VariablesReference: shown.VariablesReference,
		NamedVariables: shown.NamedVariables, IndexedVariables: shown.IndexedVariables,
	}})
	a.invalidate()
	return nil
}

// edit replaces the value at a path of the data that the next stage of a frame's thread reads. The text of the value is JSON.
func (a changer) edit(f *frame, where, text string) (value.Value, error) {
	if f.level.over {
		return nil, errOver
	}
	if f.level != a.top() || !f.isNewest() {
		return nil, errPast
	}
	v, err := value.ParseString(text)
	if err != nil {
		return nil, fmt.Errorf("the value is JSON: write a text in quotes: %w", err)
	}
	s := f.level.session
	thread := s.Log().At(f.event).Thread
	data, _, err := s.Interventions().Editable(thread)
	if err != nil {
		return nil, err
	}
	newest := frame{level: f.level, event: f.level.eventOf(thread), visit: f.visit, top: true}
	if !value.Equal(data, newest.data()) {
		return nil, errors.New("the next stage reads other data: step first")
	}
	if _, err := s.Interventions().EditAt(thread, where, v); err != nil {
		return nil, err
	}
	return v, nil
}

// invalidate lets the editor ask again for what it shows, where it can.
func (a changer) invalidate() {
	if a.client.SupportsInvalidatedEvent {
		a.out.event("invalidated", &dap.InvalidatedEvent{Body: dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"stacks", "variables"}}})
	}
}
