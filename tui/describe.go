package tui

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/diff"
	"asldb/engine/value"
	"asldb/internal/visible"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// eventName is what an event is called in the list: the field of a stage that ran, or the type.
func eventName(e *engine.Event) string {
	if (e.Type == engine.StageCompleted || e.Type == engine.StageFailed) && e.Visit != nil {
		name := fieldOf(e.Visit.State, e.Stage)
		if e.Type == engine.StageFailed && e.Stage != engine.StageFail { // that is what a Fail state is for
			name += " failed"
		}
		return name
	}
	return e.Type.String()
}

// previewCells bounds the data that a row of the event list shows.
const previewCells = 120

// eventDetail is what a row of the event list says besides the name.
func eventDetail(e *engine.Event, start time.Time, g *canvas.Glyphs) string {
	switch detail := e.Detail.(type) {
	case *engine.Failure:
		return failureText(detail)
	case *engine.RetryDetail:
		return "retrier " + strconv.Itoa(detail.Retrier+1) + ", retry " + strconv.FormatInt(detail.Attempt, 10) + " in " + span(detail.Delay)
	case *engine.CatchDetail:
		return detail.Failure.Name + " " + g.Catches + " " + detail.Next
	case *engine.WaitDetail:
		return "until " + sinceStart(start, detail.Until)
	case *engine.StartDetail:
		return startText(e, detail)
	case *engine.MapRunDetail:
		return detail.Arn
	case *engine.ObjectRequest:
		return objectText(detail)
	case *engine.ThreadDetail:
		return preview(e.After, g)
	case *engine.ExitDetail:
		if detail.Next != "" {
			return g.To + " " + detail.Next
		}
		return g.End
	}
	switch {
	case e.Type == engine.StageCompleted && e.Stage != engine.StageResult, e.Type == engine.DataEdited:
		if counts := countsText(diff.Count(e.Before, e.After), g); counts != "" {
			return counts
		}
		return "no change"
	case e.After != nil:
		return preview(e.After, g)
	}
	return ""
}

// objectText says which object or list an ItemReader asks for.
func objectText(r *engine.ObjectRequest) string {
	return string(r.Object.Action) + " s3://" + r.Object.Bucket + "/" + r.Object.Key
}

func startText(e *engine.Event, d *engine.StartDetail) string {
	if e.Type != engine.MapStarted {
		return plural(d.Length, "branch", "branches")
	}
	text := plural(d.Length, "iteration", "iterations")
	if d.Length == 0 && e.Visit != nil && e.Visit.State.ItemReader != nil {
		text = "the items have yet to be read"
	}
	if d.MaxConcurrency > 0 {
		text += ", " + strconv.Itoa(d.MaxConcurrency) + " at a time"
	}
	return text
}

func preview(v value.Value, g *canvas.Glyphs) string { return cutPreview(v, previewCells, g) }

// cutPreview is a value on one line, of at most limit characters.
func cutPreview(v value.Value, limit int, g *canvas.Glyphs) string {
	if v == nil {
		return ""
	}
	text := visible.JSONLine(value.Preview(v, limit))
	if cut, was := strings.CutSuffix(text, "…"); was {
		text = cut + g.Ellipsis
	}
	return text
}

func failureText(f *engine.Failure) string {
	if f == nil {
		return ""
	}
	switch {
	case f.Cause != "":
		return f.Name + ": " + clip(f.Reason(), 4*previewCells)
	case ranOut(f) != "":
		return f.Name + ": " + ranOut(f)
	}
	return f.Name
}

// ranOut says which bound of a task ran out, "" for an error that is no timeout, or one by hand.
func ranOut(f *engine.Failure) string {
	if f.Name != engine.ErrorTimeout && f.Name != engine.ErrorHeartbeatTimeout {
		return ""
	}
	switch strings.TrimSuffix(f.Field, "Path") {
	case "TimeoutSeconds", "HeartbeatSeconds":
		return f.Field + " ran out"
	}
	return ""
}

// ranOutWords explains a bound that ran out.
func ranOutWords(f *engine.Failure) (para, bool) {
	text := ranOut(f)
	if text == "" {
		return para{}, false
	}
	beats := strings.HasPrefix(f.Field, "Heartbeat")
	if f.Origin != nil {
		def := f.Origin.State
		bound := def.TimeoutSeconds
		if beats {
			bound = def.HeartbeatSeconds
		}
		if bound != nil && bound.Literal != nil {
			text = f.Field + ", " + value.Compact(bound.Literal) + " s, ran out"
		}
	}
	if beats {
		return para{theme.Plain, text + ": the task sent no heartbeat for so long.", 0}, true
	}
	return para{theme.Plain, text + ": the task took longer.", 0}, true
}

// maxCause bounds how much of a Cause is shown, in bytes: it may quote a whole input.
const maxCause = 1200

// clip returns the beginning of text, at most limit bytes of it and no half character.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + " ..."
}

// eventStyle is the colour of an event's name.
func eventStyle(e *engine.Event) canvas.Style {
	switch e.Type {
	case engine.StageFailed, engine.TaskFailed, engine.TaskTimedOut, engine.ParallelFailed, engine.MapFailed,
		engine.MapRunFailed, engine.BranchFailed, engine.IterationFailed, engine.StateFailed, engine.ExecutionFailed,
		engine.ExecutionTimedOut, engine.ExecutionAborted:
		return theme.Bad
	case engine.RetryScheduled, engine.RetryStarted, engine.ErrorCaught, engine.WaitStarted, engine.ObjectRequested,
		engine.BranchAborted, engine.IterationAborted:
		return theme.Warn
	case engine.ExecutionSucceeded, engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded, engine.MapRunSucceeded,
		engine.BranchSucceeded, engine.IterationSucceeded:
		return theme.Good
	case engine.StateEntered, engine.ExecutionStarted:
		return theme.Title
	case engine.DataEdited:
		return theme.Changed
	}
	return theme.Plain
}

// eventGlyph is the sign of an event, so that its colour says nothing that the text does not say.
func eventGlyph(e *engine.Event, g *canvas.Glyphs) string {
	switch eventStyle(e) {
	case theme.Bad:
		return g.Failed
	case theme.Good:
		return g.Visited
	}
	switch e.Type {
	case engine.StateEntered:
		return g.Current
	case engine.RetryScheduled, engine.RetryStarted:
		return g.Retried
	case engine.ErrorCaught:
		return g.Caught
	case engine.DataEdited:
		return g.Changed
	case engine.WaitStarted, engine.TaskScheduled, engine.TaskSubmitted, engine.ObjectRequested:
		return g.Waiting
	case engine.MapRunStarted:
		return g.Map
	}
	return " "
}

// explainEvent says in words what an event means, for the large pane.
func explainEvent(e *engine.Event, start time.Time, g *canvas.Glyphs) []para {
	switch detail := e.Detail.(type) {
	case *engine.Failure:
		return explainFailure(e, detail, g)
	case *engine.RetryDetail:
		return explainRetry(e, detail, start, g)
	case *engine.CatchDetail:
		return explainCatch(e, detail, g)
	case *engine.WaitDetail:
		return []para{{theme.Warn, g.Waiting + " waits until " + sinceStart(start, detail.Until) + " (" + instant(detail.Until) + ")", 2}}
	case *engine.StartDetail:
		return []para{{theme.Plain, startText(e, detail), 0}}
	case *engine.MapRunDetail:
		return []para{
			{theme.Plain, g.Map + " a Map Run begins: each item, or batch of items, runs in an execution of its own", 2},
			{theme.Dim, detail.Arn, 0},
		}
	case *engine.ObjectRequest:
		return []para{{theme.Warn, g.Waiting + " the ItemReader asks for " + objectText(detail), 2}}
	case *engine.TaskRequest:
		return explainRequest(detail)
	case *engine.ExitDetail:
		return explainExit(e, detail, g)
	}
	return explainType(e, g)
}

func explainType(e *engine.Event, g *canvas.Glyphs) []para {
	switch e.Type {
	case engine.ExecutionStarted:
		return []para{{theme.Dim, "The execution begins with this input.", 0}}
	case engine.ExecutionSucceeded:
		return []para{{theme.Good, g.Visited + " The execution succeeded with this output.", 2}}
	case engine.StateEntered:
		text := "The state's raw input."
		if e.Visit.Number > 1 {
			text = "The state's raw input, visit " + strconv.Itoa(e.Visit.Number) + "."
		}
		return []para{{theme.Dim, text, 0}}
	case engine.WaitEnded:
		return []para{{theme.Plain, "The time has come.", 0}}
	case engine.RetryStarted:
		return []para{{theme.Warn, g.Retried + " The delay is over: the state's work begins again.", 2}}
	case engine.TaskSubmitted:
		return []para{{theme.Plain, g.Waiting + " The service has taken the task on and answered this; the task's result comes later.", 2}}
	case engine.MapRunSucceeded:
		return []para{{theme.Good, g.Visited + " The Map Run is over: these are the results of its executions.", 2}}
	case engine.DataEdited:
		return []para{{theme.Plain, "The next stage reads what stands here in place of what " + e.Stage.String() + " gave.", 0}}
	case engine.TaskHeartbeat:
		return []para{{theme.Dim, "The task reports that it is alive.", 0}}
	}
	return nil
}

func explainFailure(e *engine.Event, f *engine.Failure, g *canvas.Glyphs) []para {
	name := f.Name
	if name == "" {
		name = "an error without a name"
	}
	paras := []para{{theme.Bad, g.Failed + " " + name, 2}}
	if f.Cause != "" {
		paras = append(paras, para{theme.Plain, clip(f.Reason(), maxCause), 0})
	}
	var at []string
	if words, ok := ranOutWords(f); ok {
		paras = append(paras, words)
	} else if f.Field != "" && !strings.Contains(f.Cause, f.Field) {
		at = append(at, "in "+f.Field)
	}
	if f.Origin != nil && f.Origin != e.Visit {
		at = append(at, "began in "+f.Origin.Path())
	}
	if len(at) > 0 {
		paras = append(paras, para{theme.Dim, strings.Join(at, ", "), 0})
	}
	return paras
}

func explainRetry(e *engine.Event, d *engine.RetryDetail, start time.Time, g *canvas.Glyphs) []para {
	paras := []para{{theme.Warn, g.Retried + " retrier " + strconv.Itoa(d.Retrier+1) + " takes " + d.Failure.Name + ": retry " +
		strconv.FormatInt(d.Attempt, 10) + " at " + sinceStart(start, d.Due), 2}}
	if d.Failure.Cause != "" {
		paras = append(paras, para{theme.Dim, clip(d.Failure.Reason(), maxCause), 0})
	}
	if e.Visit != nil && d.Retrier < len(e.Visit.State.Retry) {
		paras = append(paras, para{theme.Plain, retryFormula(e.Visit.State.Retry[d.Retrier], d), 0})
	}
	return paras
}

// retryFormula says how a retry's delay came about.
func retryFormula(r *asl.Retrier, d *engine.RetryDetail) string {
	text := strconv.FormatInt(r.IntervalSeconds, 10) + "s x " + strconv.FormatFloat(r.BackoffRate, 'g', -1, 64) +
		"^" + strconv.FormatInt(d.Attempt-1, 10) + " = " + span(d.Backoff)
	if r.MaxDelaySeconds > 0 {
		text += ", at most " + strconv.FormatInt(r.MaxDelaySeconds, 10) + "s"
	}
	if r.JitterStrategy == asl.JitterFull {
		text += ", jitter FULL: " + span(d.Delay)
	}
	return text + "; retry " + strconv.FormatInt(d.Attempt, 10) + " of at most " + strconv.FormatInt(r.MaxAttempts, 10)
}

func explainRequest(r *engine.TaskRequest) []para {
	text := "asks for the task " + r.Resource
	if r.Attempt > 1 {
		text += ", attempt " + strconv.Itoa(r.Attempt)
	}
	paras := []para{{theme.Plain, text, 2}}
	var bounds []string
	if r.Timeout > 0 {
		bounds = append(bounds, "TimeoutSeconds "+span(r.Timeout))
	}
	if r.Heartbeat > 0 {
		bounds = append(bounds, "HeartbeatSeconds "+span(r.Heartbeat))
	}
	if len(bounds) > 0 {
		paras = append(paras, para{theme.Dim, strings.Join(bounds, ", "), 0})
	}
	return paras
}

func explainExit(e *engine.Event, d *engine.ExitDetail, g *canvas.Glyphs) []para {
	if d.Next == "" {
		return []para{{theme.Plain, g.End + " the state's output; here its scope ends", 2}}
	}
	text := g.To + " the state's output goes to " + d.Next
	switch {
	case e.Visit == nil || e.Visit.State.Type != asl.Choice:
	case d.Rule < 0:
		text += " (Default)"
	default:
		text += " (rule " + strconv.Itoa(d.Rule+1) + ")"
	}
	return []para{{theme.Plain, text, 2}}
}
