package screen

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/fixtures"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/part/theme"
)

// openIntervene lists the ways to let the run take another course than it would by itself.
func (u *ui) openIntervene() {
	thread := u.threadNow()
	request := u.taskOf(thread)
	menu := &dialog.Menu{About: "the run"}
	if visit := u.selection.Visit; visit != nil {
		menu.About = explain.PlaceName(visit)
	}
	noTask := ""
	if request == nil {
		noTask = "no task is under way here"
	}
	waiting := u.waitingRequest(thread)
	unanswered := ""
	if waiting == nil {
		if unanswered = noTask; request != nil {
			unanswered = "the task has its answer already; an error can still be injected"
		}
	}
	answered, neverAnswered := u.answeredRequest(), ""
	if answered == nil {
		neverAnswered = "no task was answered in this visit"
	}
	menu.List = []dialog.Item{
		{Key: "a", Text: "answer the task: a result, or an error", Reason: unanswered, Do: func() { u.ask(waiting) }},
		{Key: "o", Text: "let it have got another answer: a new branch from there", Reason: neverAnswered, Do: func() { u.askAgain(answered) }},
		{Key: "e", Text: "inject an error into what comes next", Reason: u.notInjectable(thread), Do: func() { u.askForError(thread) }},
		{Key: "h", Text: "send a heartbeat", Reason: noTask, Do: func() { u.heartbeat(request) }},
		{Key: "t", Text: "time the task out", Reason: noTask, Do: func() { u.timeOut(request) }},
	}
	u.dialog = menu
}

// notInjectable says why no error can be given to a thread as things stand; "" where one can.
func (u *ui) notInjectable(thread engine.ThreadID) string {
	err := u.session.Interventions().Injectable(thread)
	var reason *engine.EditError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &reason) && reason.Doing != "":
		return "the run " + reason.Doing + ": " + u.keys.Key(keys.StepStage) + " goes on"
	}
	return err.Error()
}

// taskOf returns the request of the task that a thread is in, or nil.
func (u *ui) taskOf(id engine.ThreadID) *engine.TaskRequest {
	for _, t := range u.session.Threads() {
		if t.ID != id || t.Visit == nil {
			continue
		}
		log := u.session.Log()
		for i := u.session.Position() - 1; i >= int(t.Visit.Entered); i-- {
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
			}
		}
	}
	return nil
}

// waitingRequest returns the request of a thread that nobody has answered, or else the first of any thread, or nil.
func (u *ui) waitingRequest(id engine.ThreadID) *engine.TaskRequest {
	requests := u.session.Requests()
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

func (u *ui) heartbeat(request *engine.TaskRequest) {
	if err := u.session.Interventions().Heartbeat(request.ID); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.sync()
	u.say(theme.Plain, "A heartbeat was sent by hand for "+explain.PlaceName(request.Visit)+".")
}

func (u *ui) timeOut(request *engine.TaskRequest) {
	if err := u.session.Interventions().TimeOut(request.ID); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.sync()
	u.say(theme.Plain, "Timed out by hand: "+explain.PlaceName(request.Visit)+". "+u.keys.Key(keys.StepStage)+" shows what comes of it.")
}

// askForError asks for an Error Name and a Cause, and lets what a thread is about to do fail with them.
func (u *ui) askForError(thread engine.ThreadID) {
	p := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt("Error:", "", nil), Title: "Inject an error"}
	p.Check = func(text string) (string, error) {
		name, cause := splitError(text)
		if cause == "" {
			return "What comes next fails with " + name + ".", nil
		}
		return "What comes next fails with " + name + ", and the Cause " + cause, nil
	}
	p.Done = func(text string) {
		name, cause := splitError(text)
		if err := u.session.Interventions().Inject(thread, name, cause); err != nil {
			u.say(theme.Bad, err.Error())
			return
		}
		u.sync()
		u.say(theme.Plain, "Injected by hand: "+name+". "+u.keys.Key(keys.StepStage)+" shows what comes of it.")
	}
	p.Forms = []dialog.Form{{Text: "NAME [CAUSE]", Meaning: "an Error Name, and behind it any text for its Cause"}}
	if visit := u.selection.Visit; visit != nil {
		p.Forms = append(p.Forms, dialog.Form{Meaning: "such as:"})
		for _, name := range fixtures.LikelyErrors(visit.State) {
			p.Forms = append(p.Forms, dialog.Form{Text: name, Meaning: handlerOf(visit, name, u.session.Machine().Dialect())})
		}
	}
	u.dialog = p
}

// splitError takes the Error Name from the Cause behind it.
func splitError(text string) (name, cause string) {
	name, cause, _ = strings.Cut(strings.TrimSpace(text), " ")
	return name, strings.TrimSpace(cause)
}

// handlerOf says what of the state takes an error of a name.
func handlerOf(visit *engine.Visit, name string, dialect engine.Dialect) string {
	failure := &engine.Failure{Name: name}
	retrier := engine.MatchingRetrier(visit.State, failure, dialect)
	catcher := engine.MatchingCatcher(visit.State, failure, dialect)
	switch {
	case retrier >= 0:
		return "retrier " + strconv.Itoa(retrier+1) + " takes it"
	case catcher >= 0:
		return "catcher " + strconv.Itoa(catcher+1) + " takes it, to " + visit.State.Catch[catcher].Next
	}
	return "nothing in the state takes it"
}

// unsavedAnswers lists what the person gave by hand, where it can be saved.
func (u *ui) unsavedAnswers() []string {
	hands := u.session.Origins().Interventions()
	if u.saving.write == nil || handsOf(hands) == u.saving.saved {
		return nil
	}
	answers, edits := 0, 0
	for _, hand := range hands {
		if hand.Data != nil {
			edits++
		} else {
			answers++
		}
	}
	var list []string
	if answers > 0 {
		list = append(list, explain.Plural(answers, "answer", "answers")+" that you gave to tasks")
	}
	if edits > 0 {
		list = append(list, explain.Plural(edits, "edit", "edits")+" of the data")
	}
	return list
}
