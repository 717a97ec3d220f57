package tui

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/fixtures"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// intervention is a way to let a run take another course than it would by itself.
type intervention struct {
	key, text string
	// reason says why it cannot be done now, or is empty.
	reason string
	do     func(u *ui)
}

// interveneMenu lists them; one that cannot be done now says why.
type interveneMenu struct {
	list   []intervention
	cursor int
	about  string
}

func newInterveneMenu(u *ui) *interveneMenu {
	thread := u.threadNow()
	request := u.taskOf(thread)
	menu := &interveneMenu{about: "the run"}
	if visit := u.moment.visit; visit != nil {
		menu.about = explain.PlaceName(visit)
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
	menu.list = []intervention{
		{"a", "answer the task: a result, or an error", unanswered, func(u *ui) { u.ask(waiting) }},
		{"o", "let it have got another answer: a new branch from there", neverAnswered, func(u *ui) { u.askAgain(answered) }},
		{"e", "inject an error into what comes next", u.notInjectable(thread), func(u *ui) { u.askForError(thread) }},
		{"h", "send a heartbeat", noTask, func(u *ui) { u.heartbeat(request) }},
		{"t", "time the task out", noTask, func(u *ui) { u.timeOut(request) }},
	}
	return menu
}

// notInjectable says why no error can be given to a thread as things stand; "" where one can.
func (u *ui) notInjectable(thread engine.ThreadID) string {
	err := u.session.Injectable(thread)
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

func (m *interveneMenu) handle(u *ui, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, 1); ok {
		m.cursor = max(0, min(m.cursor+by, len(m.list)-1))
		return
	}
	chosen := -1
	for i := range m.list {
		if k.Text == m.list[i].key {
			chosen = i
		}
	}
	if k.Name == "enter" {
		chosen = m.cursor
	}
	if chosen < 0 {
		u.dialog = nil
		return
	}
	m.cursor = chosen
	if reason := m.list[chosen].reason; reason != "" {
		u.say(theme.Warn, strings.ToUpper(reason[:1])+reason[1:]+".")
		return
	}
	u.dialog = nil
	m.list[chosen].do(u)
}

func (m *interveneMenu) draw(u *ui, area canvas.Area) {
	title := "Let " + canvas.FitMiddle(m.about, 30, area.Glyphs().Ellipsis) + " go otherwise"
	inner := widget.Window(area, 104, len(m.list)+5, title, "any other key closes this")
	for i := range m.list {
		item := &m.list[i]
		style := theme.Plain
		if item.reason != "" {
			style = theme.Dim
		}
		inner.Text(2, i, theme.HintKey, item.key)
		x := inner.Fit(5, i, inner.W()-6, style, item.text)
		if item.reason != "" && inner.W()-x > 12 {
			inner.Fit(x+2, i, inner.W()-x-3, theme.Dim, "("+item.reason+")")
		}
		if i == m.cursor {
			inner.Text(0, i, theme.Current, inner.Glyphs().Pointer)
			inner.Mark(i)
		}
	}
	inner.Fit(1, inner.H()-1, inner.W()-2, theme.Hint, "enter does it  esc closes; what is done by hand is marked as such")
}

func (u *ui) heartbeat(request *engine.TaskRequest) {
	if err := u.session.Heartbeat(request.ID); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.settle()
	u.say(theme.Plain, "A heartbeat was sent by hand for "+explain.PlaceName(request.Visit)+".")
}

func (u *ui) timeOut(request *engine.TaskRequest) {
	if err := u.session.TimeOut(request.ID); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.settle()
	u.say(theme.Plain, "Timed out by hand: "+explain.PlaceName(request.Visit)+". "+u.keys.Key(keys.StepStage)+" shows what comes of it.")
}

// askForError asks for an Error Name and a Cause, and lets what a thread is about to do fail with them.
func (u *ui) askForError(thread engine.ThreadID) {
	p := &checkedPrompt{prompt: newPrompt("Error:", "", nil), title: "Inject an error"}
	p.check = func(_ *ui, text string) (string, error) {
		name, cause := splitError(text)
		if cause == "" {
			return "What comes next fails with " + name + ".", nil
		}
		return "What comes next fails with " + name + ", and the Cause " + cause, nil
	}
	p.done = func(u *ui, text string) {
		name, cause := splitError(text)
		if err := u.session.Inject(thread, name, cause); err != nil {
			u.say(theme.Bad, err.Error())
			return
		}
		u.settle()
		u.say(theme.Plain, "Injected by hand: "+name+". "+u.keys.Key(keys.StepStage)+" shows what comes of it.")
	}
	p.forms = []form{{"NAME [CAUSE]", "an Error Name, and behind it any text for its Cause"}}
	if visit := u.moment.visit; visit != nil {
		p.forms = append(p.forms, form{"", "such as:"})
		for _, name := range fixtures.LikelyErrors(visit.State) {
			p.forms = append(p.forms, form{name, handlerOf(visit, name, u.session.Machine().Dialect())})
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
	hands := u.session.ByHand()
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
