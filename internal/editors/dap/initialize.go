package dap

import (
	"encoding/json"
	"errors"

	"github.com/google/go-dap"

	"asldb/internal/editors"
)

// Capabilities returns what the adapter can do.
func Capabilities() dap.Capabilities {
	return dap.Capabilities{
		SupportsConfigurationDoneRequest:      true,
		SupportsFunctionBreakpoints:           true,
		SupportsConditionalBreakpoints:        true,
		SupportsHitConditionalBreakpoints:     true,
		SupportsLogPoints:                     true,
		SupportsDataBreakpoints:               true,
		SupportsBreakpointLocationsRequest:    true,
		SupportsEvaluateForHovers:             true,
		SupportsClipboardContext:              true,
		SupportsCompletionsRequest:            true,
		CompletionTriggerCharacters:           []string{".", ":", "$"},
		SupportsSetVariable:                   true,
		SupportsSetExpression:                 true,
		SupportsStepBack:                      true,
		SupportsSteppingGranularity:           true,
		SupportsGotoTargetsRequest:            true,
		SupportsRestartFrame:                  true,
		SupportsRestartRequest:                true,
		SupportsTerminateRequest:              true,
		SupportsCancelRequest:                 true,
		SupportsDelayedStackTraceLoading:      true,
		SupportsLoadedSourcesRequest:          true,
		SupportsExceptionInfoRequest:          true,
		SupportsExceptionFilterOptions:        true,
		SupportsSingleThreadExecutionRequests: true,
		ExceptionBreakpointFilters:            filters(),
	}
}

// initialize returns the capabilities of the adapter. Lines and columns of an editor that says nothing about them begin with 1.
func (a *adapter) initialize(r *dap.InitializeRequest, content []byte) error {
	if len(a.levels) > 0 {
		return errors.New("a session is being debugged already")
	}
	var given struct {
		Arguments struct {
			Lines   *bool `json:"linesStartAt1"`
			Columns *bool `json:"columnsStartAt1"`
		} `json:"arguments"`
	}
	if err := json.Unmarshal(content, &given); err != nil {
		return editors.JSONError(err)
	}
	a.lineOffset, a.columnOffset = 0, 0
	if l := given.Arguments.Lines; l != nil && !*l {
		a.lineOffset = -1
	}
	if c := given.Arguments.Columns; c != nil && !*c {
		a.columnOffset = -1
	}
	if f := r.Arguments.PathFormat; f != "" && f != "path" {
		return errors.New("pathFormat: asldb knows path only")
	}
	a.client = r.Arguments
	a.out.respond(r, &dap.InitializeResponse{Body: Capabilities()})
	return nil
}
