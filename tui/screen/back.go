package screen

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/pane/data"
	"asldb/tui/part/theme"
)

func (u *ui) backBindings() pane.Bindings {
	list := pane.Bindings{
		// Of a state's document the watches know the changes.
		{Action: keys.ChangedLast, Bare: true, Applies: func() bool { return u.mode.focus != pane.Side && u.inWork() }, Run: plainly(func() { u.follow(keys.ChangedLast) })},
		{Action: keys.Branches, Run: plainly(u.openForks), Disabled: u.nothingRun},
		{Action: keys.ComesFrom, Run: plainly(func() { u.follow(keys.ComesFrom) }), Disabled: func() string {
			if u.selection.Event == nil {
				return "nothing has happened to the data yet"
			}
			return ""
		}},
	}
	for _, step := range stepActions {
		list = append(list, pane.Binding{
			Action: step.back, Run: plainly(func() { u.goBack(debug.Command{Kind: step.kind}) }), Disabled: u.backDisabled,
		})
	}
	return list
}

func (u *ui) backDisabled() string {
	if u.session.Position() == 0 {
		return "the run stands at its beginning"
	}
	return ""
}

// goBack goes back as a command goes forward.
func (u *ui) goBack(command debug.Command) {
	if _, err := u.session.Back(command); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.sync()
}

// follow finds out where the value under the cursor came from, and goes to what changed it last, or lists the way.
func (u *ui) follow(a keys.Action) {
	at := u.data.Path()
	from := u.selection.Index
	if u.data.View() == data.Before {
		from = provenance.Before(u.session.Log(), from)
	}
	hops, err := provenance.Of(u.session.Log(), from, at)
	var miss *path.MissError
	if giver := provenance.Before(u.session.Log(), from); errors.As(err, &miss) && giver >= 0 { // a line that was removed
		hops, err = provenance.Of(u.session.Log(), giver, at)
	}
	switch {
	case errors.As(err, &miss):
		u.say(theme.Warn, at+" is not in the data of this event.")
	case err != nil:
		u.say(theme.Bad, err.Error())
	case len(hops) == 0:
		u.say(theme.Warn, "It cannot be told where "+at+" came from.")
	case a == keys.ComesFrom:
		u.openHops(at, hops)
	default:
		hop := &hops[0]
		event := u.session.Log().At(hop.Event)
		if hop.Event == u.selection.Index {
			u.say(theme.Plain, "It was this event that changed "+at+" last: "+hopWords(hop, event)+".")
			return
		}
		u.look(hop.Event)
		u.say(theme.Plain, at+" was made here, by event "+strconv.FormatInt(event.Seq, 10)+": "+hopWords(hop, event)+"; "+
			u.keys.Key(keys.Now)+" goes back to now.")
	}
}

// answeredRequest returns the request of the visit that is looked at which was answered: the newest one up to the event, or
// else the first after it; nil where there is none.
func (u *ui) answeredRequest() *engine.TaskRequest {
	visit := u.selection.Visit
	if visit == nil {
		return nil
	}
	given := make(map[int64]bool)
	for i := range u.session.Inputs().Len() {
		if a := u.session.Inputs().At(i); a.Kind == runlog.InputOutcome {
			given[a.Request] = true
		}
	}
	var found *engine.TaskRequest
	for i := int(visit.Entered); i < u.session.Log().Len(); i++ {
		request, ok := u.session.Log().At(i).Detail.(*engine.TaskRequest)
		if !ok || request.Visit != visit || !given[request.ID] {
			continue
		}
		if i > u.selection.Index && found != nil {
			break
		}
		found = request
	}
	return found
}

// askAgain asks what a task that was answered already should have returned.
func (u *ui) askAgain(r *engine.TaskRequest) {
	facts := u.questionFacts(r)
	facts.Take = func(o engine.Outcome) error { return u.answerWith(u.session.Interventions().AnswerOtherwise(r.ID, o)) }
	u.dialog = dialog.NewQuestion(facts)
}

// inWork reports whether the data shown are a payload or a raw result, and no document of a state.
func (u *ui) inWork() bool {
	e := u.selection.Event
	if e == nil || e.Visit == nil {
		return false
	}
	switch e.Stage {
	case engine.StageParameters, engine.StageResult, engine.StageResultSelector:
		return true
	}
	return false
}

// standAt brings the run to event index and looks at it.
func (u *ui) standAt(index int) {
	u.session.GoTo(index + 1)
	u.sync()
	if u.selection.Index != index { // it happened together with others
		u.look(index)
	}
}

// catchUp shows the present of the branch that the session has gone over to, where that is another than the one that is
// shown: the selection, the events and the question about a task were those of the other one. Whatever reads u.selection for
// what is on the screen comes after it.
func (u *ui) catchUp() {
	if u.session.Log() != u.log {
		u.look(u.present())
	}
}

// hopWords says what a hop did.
func hopWords(hop *provenance.Hop, event *engine.Event) string {
	by := ""
	if hop.Expression != "" {
		by = " by " + hop.Expression
	}
	switch {
	case hop.Kind == provenance.Moved && event.Stage == engine.StageResultPath:
		return hop.From + " of the result was put to " + hop.To
	case hop.Kind == provenance.Moved && event.Stage == engine.StageAssign:
		return "the variable $" + strings.TrimPrefix(hop.To, "$.") + " was set to " + hop.From + by
	}
	switch hop.Kind {
	case provenance.Moved:
		return hop.To + " was taken from " + hop.From + by
	case provenance.ChangedInside:
		return "something was put into " + hop.To + by
	case provenance.Gathered:
		return hop.To + " is " + hop.From + " of its output"
	case provenance.Input:
		return hop.To + " of the execution's input"
	case provenance.Result:
		return hop.To + " of the result of a task"
	case provenance.Literal:
		return hop.To + " stands in the definition: " + hop.Expression
	case provenance.Context:
		return hop.To + " is of the context object" + by
	case provenance.Computed:
		return hop.To + " was made here" + by
	case provenance.Error:
		return hop.To + " of the Error Output"
	case provenance.Edited:
		return hop.To + " was put in by hand"
	case provenance.Object:
		return hop.To + " was read by the ItemReader"
	}
	return hop.To + " cannot be followed further"
}
