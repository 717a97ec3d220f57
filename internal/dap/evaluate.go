package dap

import (
	"fmt"

	"github.com/google/go-dap"
)

// look answers the requests that look at the session.
func (a *adapter) look(request dap.RequestMessage) error {
	switch r := request.(type) {
	case *dap.StackTraceRequest:
		return a.stackTrace(r)
	case *dap.ScopesRequest:
		return a.scopes(r)
	case *dap.VariablesRequest:
		return a.variables(r)
	case *dap.EvaluateRequest:
		return a.evaluate(r)
	}
	return fmt.Errorf("asldb does not answer the request %q", request.GetRequest().Command)
}

// evaluate answers with the value of an expression at a frame.
func (a *adapter) evaluate(r *dap.EvaluateRequest) error {
	f, err := a.frameOf(r.Arguments.FrameId)
	if err != nil {
		return err
	}
	v, err := a.run.Session.Watches().Evaluate(r.Arguments.Expression, f.event)
	if err != nil {
		return err
	}
	shown := a.shown(member{path: r.Arguments.Expression, value: v}, false)
	a.out.respond(r, &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{
		Result: shown.Value, Type: shown.Type, VariablesReference: shown.VariablesReference,
		NamedVariables: shown.NamedVariables, IndexedVariables: shown.IndexedVariables,
	}})
	return nil
}
