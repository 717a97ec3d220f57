package explain

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/items"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// EventName returns the name of an event in a list: the field of a stage that ran, otherwise the type.
func EventName(e *engine.Event) string {
	if (e.Type == engine.StageCompleted || e.Type == engine.StageFailed) && e.Visit != nil {
		name := FieldOf(e.Visit.State, e.Stage)
		if e.Type == engine.StageFailed && e.Stage != engine.StageFail { // the purpose of a Fail state is to fail
			name += " failed"
		}
		return name
	}
	return e.Type.String()
}

// FieldOf returns the name of the field that does a stage's work in a state.
func FieldOf(s *asl.State, stage engine.Stage) string {
	for _, info := range engine.StagesOf(s) {
		if info.Stage == stage {
			return info.Field
		}
	}
	return stage.String()
}

// PlaceName returns a short name of a visit: its state, and before it the number of the branch or iteration that it is
// in. It is empty for nil.
func PlaceName(v *engine.Visit) string {
	if v == nil {
		return ""
	}
	if v.Parent == nil {
		return v.State.Name
	}
	return "[" + strconv.Itoa(v.Index) + "] " + v.State.Name
}

// EventPlace returns a short name of the state that an event belongs to; for the event of a branch or an iteration it
// ends with its number.
func EventPlace(e *engine.Event) string {
	switch e.Type {
	case engine.BranchStarted, engine.BranchSucceeded, engine.BranchFailed, engine.BranchAborted,
		engine.IterationStarted, engine.IterationSucceeded, engine.IterationFailed, engine.IterationAborted:
		if index, ok := ThreadIndex(e); ok {
			return PlaceName(e.Visit) + "[" + strconv.Itoa(index) + "]"
		}
	default:
	}
	return PlaceName(e.Visit)
}

// ThreadIndex returns the number of the branch or iteration that an event belongs to, from 0; ok is false for the
// events of other things.
func ThreadIndex(e *engine.Event) (index int, ok bool) {
	switch detail := e.Detail.(type) {
	case *engine.ThreadDetail:
		return detail.Index, true
	case *engine.Failure:
		for v := detail.Origin; v != nil; v = v.Parent {
			if v.Parent == e.Visit {
				return v.Index, true
			}
		}
	}
	return 0, false
}

// EventTone returns the tone of an event's name.
func EventTone(e *engine.Event) Tone {
	switch e.Type {
	case engine.StageFailed, engine.TaskFailed, engine.TaskTimedOut, engine.ParallelFailed, engine.MapFailed,
		engine.MapRunFailed, engine.BranchFailed, engine.IterationFailed, engine.StateFailed, engine.ExecutionFailed,
		engine.ExecutionTimedOut, engine.ExecutionAborted:
		return ToneBad
	case engine.RetryScheduled, engine.RetryStarted, engine.ErrorCaught, engine.WaitStarted, engine.ObjectRequested,
		engine.BranchAborted, engine.IterationAborted:
		return ToneCaution
	case engine.ExecutionSucceeded, engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded, engine.MapRunSucceeded,
		engine.BranchSucceeded, engine.IterationSucceeded:
		return ToneGood
	case engine.StateEntered, engine.ExecutionStarted:
		return ToneHeading
	case engine.DataEdited:
		return ToneChanged
	default:
		return TonePlain
	}
}

// EventSign returns the sign of an event, which tells the same as its tone without a colour.
func EventSign(e *engine.Event) Sign {
	switch EventTone(e) {
	case ToneBad:
		return SignError
	case ToneGood:
		return SignSuccess
	default:
	}
	switch e.Type {
	case engine.StateEntered:
		return SignEnter
	case engine.RetryScheduled, engine.RetryStarted:
		return SignRetry
	case engine.ErrorCaught:
		return SignCatch
	case engine.DataEdited:
		return SignChanged
	case engine.WaitStarted, engine.TaskScheduled, engine.TaskSubmitted, engine.ObjectRequested:
		return SignWaits
	case engine.MapRunStarted:
		return SignMapRun
	default:
		return NoSign
	}
}

// maxBrief bounds the Cause in a row of a list, in bytes.
const maxBrief = 480

// EventDetail returns the details of an event in a few words, for a row of a list. start is the start of the execution.
func EventDetail(e *engine.Event, start time.Time) []Span {
	switch d := e.Detail.(type) {
	case *engine.Failure:
		return FailureDetail(d)
	case *engine.RetryDetail:
		return []Span{words("retrier "), number(int64(d.Retrier + 1)), words(", retry "), number(d.Attempt), words(" in " + wording.Duration(d.Delay))}
	case *engine.CatchDetail:
		return []Span{errorName(d.Failure.Name), words(" "), mark(SignCaught), words(" "), state(d.Next)}
	case *engine.WaitDetail:
		return []Span{words("until " + SinceStart(start, d.Until))}
	case *engine.StartDetail:
		return []Span{words(startText(e, d))}
	case *engine.MapRunDetail:
		return []Span{words(d.Arn)}
	case *engine.ObjectRequest:
		return []Span{words(objectText(d))}
	case *engine.ThreadDetail:
		return []Span{val(e.After)}
	case *engine.ExitDetail:
		if d.Next != "" {
			return []Span{mark(SignLeads), words(" "), state(d.Next)}
		}
		return []Span{mark(SignEnd)}
	}
	switch {
	case e.Type == engine.StageCompleted && e.Stage != engine.StageResult, e.Type == engine.DataEdited:
		return Changes(value.Count(e.Before, e.After))
	case e.After != nil:
		return []Span{val(e.After)}
	}
	return nil
}

// Changes says how much changed, such as "+1 -2 ~3" or "no change".
func Changes(c value.Counts) []Span {
	var spans []Span
	for _, part := range []struct {
		sign Sign
		n    int
	}{{SignAdded, c.Added}, {SignRemoved, c.Removed}, {SignChanged, c.Changed}} {
		if part.n == 0 {
			continue
		}
		if len(spans) > 0 {
			spans = append(spans, words(" "))
		}
		spans = append(spans, mark(part.sign), number(int64(part.n)))
	}
	if len(spans) == 0 {
		return []Span{words("no change")}
	}
	return spans
}

// Object says which object an ItemReader reads, and in which format: "Each reads s3://bucket/key (getObject, CSV)".
func Object(r *engine.ObjectRequest) string {
	text := r.Visit.Path() + " reads s3://" + r.Object.Bucket + "/" + r.Object.Key + " (" + r.Object.Action.String()
	if reader := r.Visit.State.ItemReader; reader != nil && r.Object.Action == items.GetObject {
		text += ", " + reader.Config.InputType.String()
	}
	return text + ")"
}

// objectText names the object or list that an ItemReader asks for.
func objectText(r *engine.ObjectRequest) string {
	return r.Object.Action.String() + " s3://" + r.Object.Bucket + "/" + r.Object.Key
}

func startText(e *engine.Event, d *engine.StartDetail) string {
	if e.Type != engine.MapStarted {
		return wording.CountOf(d.Length, "branch", "branches")
	}
	text := wording.Count(d.Length, "iteration")
	if d.Length == 0 && e.Visit != nil && e.Visit.State.ItemReader != nil {
		text = "the items have yet to be read"
	}
	if d.MaxConcurrency > 0 {
		text += ", " + strconv.Itoa(d.MaxConcurrency) + " at a time"
	}
	return text
}

// event explains event i of a session's log.
func event(s *debug.Session, i int) Text {
	e, start := s.Log().At(i), s.Options().Start
	switch d := e.Detail.(type) {
	case *engine.Failure:
		return failure(s, i, d)
	case *engine.RetryDetail:
		return retry(e, d, start)
	case *engine.CatchDetail:
		return catch(e, d)
	case *engine.WaitDetail:
		return Text{say(ToneCaution, SignWaits, words("waits until "+SinceStart(start, d.Until)+" ("+wording.Instant(d.Until)+")"))}
	case *engine.StartDetail:
		return Text{say(TonePlain, NoSign, words(startText(e, d)))}
	case *engine.MapRunDetail:
		text := "a Map Run begins: each item, or batch of items, runs in its own execution"
		if d.Redriven > 0 {
			text = "the Map Run is redriven: the executions that did not succeed run again"
		}
		return Text{say(TonePlain, SignMapRun, words(text)), say(ToneQuiet, NoSign, words(d.Arn))}
	case *engine.ObjectRequest:
		return Text{say(ToneCaution, SignWaits, words("the ItemReader asks for "+objectText(d)))}
	case *engine.TaskRequest:
		return request(d)
	case *engine.ExitDetail:
		return exit(e, d)
	}
	return byType(e)
}

// byType explains an event without details.
func byType(e *engine.Event) Text {
	one := func(tone Tone, sign Sign, sentence string) Text { return Text{say(tone, sign, words(sentence))} }
	switch e.Type {
	case engine.ExecutionStarted:
		return one(ToneQuiet, NoSign, "The execution begins with this input.")
	case engine.ExecutionSucceeded:
		return one(ToneGood, SignSuccess, "The execution succeeded with this output.")
	case engine.StateEntered:
		if e.Visit.Number > 1 {
			return one(ToneQuiet, NoSign, "The state's raw input, visit "+strconv.Itoa(e.Visit.Number)+".")
		}
		return one(ToneQuiet, NoSign, "The state's raw input.")
	case engine.WaitEnded:
		return one(TonePlain, NoSign, "The time has come.")
	case engine.RetryStarted:
		return one(ToneCaution, SignRetry, "The delay is over: the state's work begins again.")
	case engine.TaskSubmitted:
		return one(TonePlain, SignWaits, "The service has taken the task on and answered this; the task's result comes later.")
	case engine.MapRunSucceeded:
		return one(ToneGood, SignSuccess, "The Map Run is over: these are the results of its executions.")
	case engine.DataEdited:
		return one(TonePlain, NoSign, "The next stage reads this in place of the data of "+e.Stage.String()+".")
	case engine.TaskHeartbeat:
		return one(ToneQuiet, NoSign, "The task reports that it is alive.")
	default:
		return nil
	}
}

// request explains the request for a task's outcome.
func request(r *engine.TaskRequest) Text {
	spans := []Span{words("asks for the task "), code(r.Resource)}
	if r.Attempt > 1 {
		spans = append(spans, words(", attempt "), number(int64(r.Attempt)))
	}
	text := Text{say(TonePlain, NoSign, spans...)}
	var bounds []string
	if r.Timeout > 0 {
		bounds = append(bounds, "TimeoutSeconds "+wording.Duration(r.Timeout))
	}
	if r.Heartbeat > 0 {
		bounds = append(bounds, "HeartbeatSeconds "+wording.Duration(r.Heartbeat))
	}
	if len(bounds) > 0 {
		text = append(text, say(ToneQuiet, NoSign, words(strings.Join(bounds, ", "))))
	}
	return text
}

// exit explains where a state leads.
func exit(e *engine.Event, d *engine.ExitDetail) Text {
	if d.Next == "" {
		return Text{say(TonePlain, SignEnd, words("the state's output; here its scope ends"))}
	}
	spans := []Span{words("the state's output goes to "), state(d.Next)}
	switch {
	case e.Visit == nil || e.Visit.State.Type != asl.Choice:
	case d.Rule < 0:
		spans = append(spans, words(" (Default)"))
	default:
		spans = append(spans, words(" (rule "+strconv.Itoa(d.Rule+1)+")"))
	}
	return Text{say(TonePlain, SignLeads, spans...)}
}
