// Package why explains recorded executions: a history of Step Functions, with its definition or alone, and a trace. The
// explanation comes from engine/explain; here are the ways to it and the forms in which it is written.
package why

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/recorder"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// Question names a recorded execution and how it is explained.
type Question struct {
	// Files are the names of the files with the pages of a history or with logs, or the name of one trace; "-" is
	// standard input.
	Files []string
	// Execution chooses an execution of a log, Attempt one of a redriven execution, Fork one of a trace, as in
	// [launch.History] and [launch.Replay].
	Execution     string
	Attempt, Fork int
	// Definition is the state machine; left out, a history is explained by its events alone, and a trace by the
	// definition in it.
	Definition definitions.Definition
	// Redactions are the paths of values that are left out of the explanation.
	Redactions []*recorder.Redaction
	// Input opens files and standard input; Warn receives warnings about the files, nil drops them.
	Input files.Files
	Warn  func(files.Warning)
}

// Answer is the explanation of an execution.
type Answer struct {
	// Ending is why the execution ended. Its chain has no links where the execution succeeded, or had not ended.
	Ending *explain.Ending
	// Recording is the history, nil of a trace.
	Recording *rerun.Recording
	// Notes are remarks on the recording, a line each: pages that are missing, data that were not included, attempts
	// before this one.
	Notes []string
	// Next are the next steps, the best one first.
	Next []Step

	question *Question
	redactor *recorder.Redactor
	runs     []*launch.Run
}

// UnexplainedError says that there is nothing to explain: the execution succeeded, or had not ended.
type UnexplainedError struct{ Msg string }

// Error implements error.
func (e *UnexplainedError) Error() string { return e.Msg }

// Of explains a recorded execution. The answer is there, too, with an *[UnexplainedError], where anything is known.
// Errors about a part of the question are a *[files.PartError].
func Of(q Question) (*Answer, error) {
	a := &Answer{question: &q}
	defer a.close()
	run, header, err := a.run()
	if err != nil {
		return nil, err
	}
	a.redactor = recorder.NewRedactor(q.Redactions)
	a.redactor.LearnHeader(header)
	if len(q.Redactions) > 0 {
		run = a.redacted(run)
	}
	a.Ending = explain.EndOf(run)
	a.note()
	if a.Ending.Chain.Root() == nil {
		return a, a.unexplained()
	}
	a.Next = a.steps()
	return a, nil
}

// OfRun explains a run that is at hand. It has no Next, which would name a recording.
func OfRun(run *provenance.RunAgain) *Answer {
	return &Answer{Ending: explain.EndOf(run), question: &Question{}, redactor: recorder.NewRedactor(nil)}
}

func (a *Answer) close() {
	for _, run := range a.runs {
		_ = run.Close() // it was only read
	}
}

// run opens the recording. The header names its data for redactions.
func (a *Answer) run() (*provenance.RunAgain, *recorder.Header, error) {
	trace, data, err := a.trace()
	switch {
	case err != nil:
		return nil, nil, err
	case trace != nil:
		return a.ofTrace(trace)
	}
	return a.ofHistory(data)
}

// trace opens the file as a trace; nil where it is none. data is the text of standard input, where that was read.
func (a *Answer) trace() (trace *recorder.Trace, data []byte, err error) {
	q := a.question
	if len(q.Files) != 1 {
		return nil, nil, nil
	}
	if q.Files[0] == files.Stdin {
		if _, data, err = q.Input.Read(files.Stdin); err != nil {
			return nil, nil, err
		}
		trace, err = recorder.NewTrace(files.StdinName, bytes.NewReader(data), int64(len(data)), launch.Formats())
	} else {
		trace, err = recorder.Open(q.Files[0], launch.Formats())
	}
	var format *recorder.FormatError
	var path *fs.PathError
	switch {
	case errors.As(err, &format) && format.Version == 0:
		return nil, data, nil // it may be a history
	case errors.As(err, &path):
		return nil, nil, fmt.Errorf("cannot read %q: %w", q.Files[0], path.Err)
	}
	return trace, data, err
}

// launch composes a run.
func (a *Answer) launch(spec launch.Spec) (*launch.Run, error) {
	spec.Warn, spec.Stdin = a.question.Warn, a.question.Input.Stdin
	run, err := launch.New(spec)
	a.runs = append(a.runs, run)
	return run, err
}

func (a *Answer) ofTrace(trace *recorder.Trace) (*provenance.RunAgain, *recorder.Header, error) {
	spec := launch.Spec{Replay: launch.Replay{Trace: trace, Fork: a.question.Fork}}
	if trace.Definition() == nil {
		spec.Definition = a.question.Definition
	}
	run, err := a.launch(spec)
	if err != nil {
		return nil, nil, err
	}
	if run.Replay != nil && run.Replay.Divergence != nil && !trace.Redacted() {
		a.Notes = append(a.Notes, fmt.Sprintf("executed again the run differs at event %d: it is explained as it was recorded", run.Replay.Divergence.Index+1))
	}
	if a.question.Definition.File != "" && trace.Definition() != nil {
		a.Notes = append(a.Notes, "the trace has its own definition: that one is explained")
	}
	return explain.RunOf(run.Session, nil), trace.Header(), nil
}

func (a *Answer) ofHistory(data []byte) (*provenance.RunAgain, *recorder.Header, error) {
	q := a.question
	reader := q.Input
	if data != nil {
		reader.Changed = map[string][]byte{files.StdinName: data}
	}
	recorded := launch.History{Files: q.Files, Execution: q.Execution, Attempt: q.Attempt}
	var err error
	if recorded.Recording, err = recorded.Open(reader); err != nil {
		return nil, nil, err
	}
	a.Recording = recorded.Recording
	options, _ := a.Recording.Options()
	header := &recorder.Header{Input: options.Input, Context: options.Context}
	if q.Definition.File != "" {
		if run, err := a.withDefinition(recorded); run != nil || err != nil {
			if run != nil {
				header.Definition = recorder.DefinitionOf(run.Machine.Definition())
			}
			return run, header, err
		}
	}
	run, err := a.launch(launch.Spec{History: launch.History{Recording: a.Recording}})
	if err != nil {
		return nil, nil, err
	}
	return explain.RunOf(run.Session, nil), header, nil
}

// withDefinition runs the history again with its definition: all stages are known then. Where the run differs the
// recorded events are explained with the definition, and where that does not have the states of the failure the result
// is nil: they are explained alone.
func (a *Answer) withDefinition(recorded launch.History) (*provenance.RunAgain, error) {
	spec := launch.Spec{
		History: recorded, Definition: a.question.Definition, Unchecked: true, Limits: engine.ServiceLimits(),
		Input: launch.Input{},
	}
	run, err := a.launch(spec)
	var part *files.PartError
	switch {
	case errors.As(err, &part) && part.Part == files.PartInput: // the history does not have the input
		a.Notes = append(a.Notes, "the recorded events are explained, since the history does not have the input that a run with this definition needs")
	case err != nil:
		return nil, err
	default:
		check, err := a.Recording.Check(run.Session, run.History)
		switch {
		case err != nil:
			a.Notes = append(a.Notes, "the recorded events are explained, since it cannot be run with this definition: "+err.Error())
		case check.Agrees() && check.Session.Status().Done():
			return explain.RunOf(check.Session, nil), nil
		case check.First != nil:
			a.Notes = append(a.Notes, "the recorded events are explained, since with this definition "+check.String())
		case check.Waits != "" && a.Recording.Execution.End() != nil:
			a.Notes = append(a.Notes, "the recorded events are explained, since the run with this definition does not end: "+check.Waits)
		}
	}
	return a.recorded(run.Spec.Definition)
}

// recorded returns the recorded events as a run of the definition; nil where they do not lead to the failure.
func (a *Answer) recorded(definition definitions.Definition) (*provenance.RunAgain, error) {
	if definition.Machine == nil {
		return nil, nil
	}
	machine, err := engine.Compile(definition.Machine, engine.AWS)
	if err != nil {
		return nil, err
	}
	run := &provenance.RunAgain{Log: runlog.Of(a.Recording.Events(definition.Machine)), Machine: machine, Start: a.Recording.Start(), Recorded: true}
	if root := run.End().Root(); root != nil && root.Visit == nil && root.Kind == provenance.Failed {
		a.Notes = append(a.Notes, "the definition does not have the states of the failure: the history is explained without it")
		return nil, nil
	}
	return run, nil
}

// redacted returns a run without its secrets.
func (a *Answer) redacted(run *provenance.RunAgain) *provenance.RunAgain {
	cleaned := *run
	cleaned.Log, cleaned.Explainer = a.redactor.Log(run.Log), nil
	for _, path := range a.redactor.Unfound() {
		a.Notes = append(a.Notes, "--redact "+path+" led to nothing: nothing was left out for it")
	}
	return &cleaned
}

// note adds remarks on the recording.
func (a *Answer) note() {
	if a.Recording == nil {
		return
	}
	execution := a.Recording.Execution
	for _, note := range execution.Notes {
		i := slices.IndexFunc(execution.Events, func(e history.Event) bool { return e.ID == note.Event })
		if i >= 0 && (execution.Events[i].Type == "ExecutionRedriven" || execution.Events[i].Type == "MapRunStarted") {
			continue // the explanation says it
		}
		a.Notes = append(a.Notes, note.String())
	}
	a.Notes = append(a.Notes, a.Recording.AboutAttempts()...)
}

// unexplained returns the reason why there is nothing to explain.
func (a *Answer) unexplained() error {
	if a.Ending.Status == engine.Succeeded {
		return &UnexplainedError{"the execution succeeded: there is no failure to explain"}
	}
	if last := a.Ending.Run.Log.Last(); last != nil && last.Type.EndsExecution() {
		return &UnexplainedError{"the events do not say why the execution ended"}
	}
	return &UnexplainedError{"the execution had not ended when it was recorded: there is no failure to explain yet"}
}
