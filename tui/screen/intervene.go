package screen

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/fixtures"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view/dialog"
)

// openIntervene lists the ways to change the run.
func (iv *interventions) openIntervene() {
	if iv.endings.answerable() != "" { // of a run that fails it is the task that failed first
		iv.Inspect(int(iv.endings.shown().Root()) - 1)
		if request := iv.answeredRequest(); request != nil {
			iv.askAgain(request)
			return
		}
	}
	if iv.Newest() && iv.Session().Status().Done() {
		if request := iv.answeredRequest(); request != nil {
			iv.askAgain(request)
		} else {
			iv.openResults()
		}
		return
	}
	if !iv.stand() {
		return
	}
	thread := iv.thread()
	request := iv.taskOf(thread)
	about := "the run"
	if visit := iv.Selection().Visit; visit != nil {
		about = explain.PlaceName(visit)
	}
	noTask := ""
	if request == nil {
		noTask = "no task is under way here"
	}
	waiting := iv.waitingRequest(thread)
	unanswered := ""
	if waiting == nil {
		if unanswered = noTask; request != nil {
			unanswered = "the task has its answer already; an error can still be injected"
		}
	}
	answered, neverAnswered := iv.answeredRequest(), ""
	if answered == nil {
		neverAnswered = "no task was answered in this visit"
	}
	iv.Open(dialog.NewMenu(iv, about, []dialog.Item{
		{Key: "a", Text: "answer the task: a result, or an error", Reason: unanswered,
			Do: func() { iv.Answer(waiting) }},
		{Key: "o", Text: "let it have got another answer: a new what-if from there", Reason: neverAnswered,
			Do: func() { iv.askAgain(answered) }},
		{Key: "e", Text: "inject an error into the next step", Reason: iv.notInjectable(thread),
			Do: func() { iv.askForError(thread) }},
		{Key: "h", Text: "send a heartbeat", Reason: noTask, Do: func() { iv.heartbeat(request) }},
		{Key: "t", Text: "time the task out", Reason: noTask, Do: func() { iv.timeOut(request) }},
	}))
}

// notInjectable says why no error can be given to a thread now; "" where one can.
func (iv *interventions) notInjectable(thread engine.ThreadID) string {
	err := iv.Session().Interventions().Injectable(thread)
	var reason *engine.EditError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &reason) && reason.Doing != "":
		return "the run " + reason.Doing + ": " + iv.Key(keys.StepStage) + " continues"
	}
	return err.Error()
}

// taskOf returns the request of the task that a thread is in, or nil.
func (iv *interventions) taskOf(id engine.ThreadID) *engine.TaskRequest {
	for _, t := range iv.Session().Threads() {
		if t.ID != id || t.Visit == nil {
			continue
		}
		log := iv.Session().Log()
		for i := iv.Session().Position() - 1; i >= int(t.Visit.Entered); i-- {
			e := log.At(i)
			if e.Visit != t.Visit {
				continue
			}
			switch e.Type {
			case engine.TaskScheduled:
				request, _ := e.Detail.(*engine.TaskRequest)
				return request
			case engine.TaskSucceeded, engine.TaskFailed, engine.TaskTimedOut:
				return nil
			default:
			}
		}
	}
	return nil
}

// waitingRequest returns the unanswered request of a thread, or else the first of any thread, or nil.
func (iv *interventions) waitingRequest(id engine.ThreadID) *engine.TaskRequest {
	requests := iv.Session().Requests()
	for _, r := range requests {
		if r.Thread == id {
			return r
		}
	}
	if len(requests) > 0 {
		return requests[0]
	}
	return nil
}

func (iv *interventions) heartbeat(request *engine.TaskRequest) {
	if err := iv.Session().Interventions().Heartbeat(request.ID); err != nil {
		iv.Say(canvas.Bad, err.Error())
		return
	}
	iv.Sync()
	iv.Say(canvas.Plain, "Heartbeat sent for "+explain.PlaceName(request.Visit)+".")
}

func (iv *interventions) timeOut(request *engine.TaskRequest) {
	if err := iv.Session().Interventions().TimeOut(request.ID); err != nil {
		iv.Say(canvas.Bad, err.Error())
		return
	}
	iv.Sync()
	iv.Say(canvas.Plain,
		"Timed out manually: "+explain.PlaceName(request.Visit)+". "+iv.Key(keys.StepStage)+" shows the effect.")
}

// askForError asks for an Error Name and a Cause, and lets the next stage of a thread fail with them.
func (iv *interventions) askForError(thread engine.ThreadID) {
	p := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt(iv, "Error:", "", nil), Title: "Inject an error"}
	p.Check = func(text string) dialog.Judgement {
		name, cause := splitError(text)
		if cause == "" {
			return dialog.Judgement{Meaning: "The next step fails with " + name + "."}
		}
		return dialog.Judgement{Meaning: "The next step fails with " + name + ", and the Cause " + cause}
	}
	p.Done = func(text string) {
		name, cause := splitError(text)
		if err := iv.Session().Interventions().Inject(thread, name, cause); err != nil {
			iv.Say(canvas.Bad, err.Error())
			return
		}
		iv.Sync()
		iv.Say(canvas.Plain, "Injected manually: "+name+". "+iv.Key(keys.StepStage)+" shows the effect.")
	}
	forms := []dialog.Form{{Text: "NAME [CAUSE]", Meaning: "an Error Name, and behind it any text for its Cause"}}
	if visit := iv.Selection().Visit; visit != nil {
		forms = append(forms, dialog.Form{Meaning: "such as:"})
		for _, name := range fixtures.LikelyErrors(visit.State) {
			forms = append(forms, dialog.Form{Text: name, Meaning: handlerOf(visit, name,
				iv.Session().Machine().Dialect())})
		}
	}
	p.Forms = func(string) []dialog.Form { return forms }
	iv.Open(p)
}

// splitError takes the Error Name from the Cause behind it.
func splitError(text string) (name, cause string) {
	name, cause, _ = strings.Cut(strings.TrimSpace(text), " ")
	return name, strings.TrimSpace(cause)
}

// handlerOf names the retrier or catcher of the state that takes an error of a name.
func handlerOf(visit *engine.Visit, name string, dialect engine.Dialect) string {
	failure := &engine.Failure{Name: name}
	retrier := engine.MatchingRetrier(visit.State, failure, dialect)
	catcher := engine.MatchingCatcher(visit.State, failure, dialect)
	switch {
	case retrier >= 0:
		return "retrier " + strconv.Itoa(retrier+1) + " matches it"
	case catcher >= 0:
		return "catcher " + strconv.Itoa(catcher+1) + " matches it, next: " + visit.State.Catch[catcher].Next
	}
	return "no retrier or catcher matches it"
}
