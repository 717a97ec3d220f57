package screen

import (
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/services"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// interventions change the run: answers to tasks, injected errors, edits of the data.
type interventions struct {
	contract
	calls   *calling
	nest    *nesting
	endings *endings
	results *Results
	grown   func() value.Value // an input that is made up, or nil
	resume  func()             // carries on the command that stopped for an answer
	compare func(a, b int)     // shows two forks side by side
	// changedFrom is the fork at whose end a result was changed, and changedTo the what-if; 0: it has been compared.
	changedFrom, changedTo int
	draft                  *dialog.Edit // the text that was typed for the data and is not taken yet
	asked                  int64        // the newest request for which the question was opened
	askedObject            int64        // the number of the requests for objects
}

func (iv *interventions) bindings() view.Bindings {
	return view.Bindings{
		{Action: keys.EditData, Applies: iv.atStart, Run: plainly(iv.editInput)},
		{Action: keys.EditData, Run: plainly(iv.editData), Disabled: func() string {
			if reason := iv.editsDisabled(); reason != "" || !iv.Newest() {
				return reason
			}
			if _, _, err := iv.Session().Interventions().Editable(iv.thread()); err != nil {
				return err.Error()
			}
			return ""
		}},
		{Action: keys.Intervene, Run: plainly(iv.openIntervene), Disabled: iv.interveneDisabled},
	}
}

// atStart reports whether the run has not begun, or went back to its beginning, so that its input can be changed.
func (iv *interventions) atStart() bool {
	return !iv.Session().ReadOnly() && iv.Session().Position() == 0
}

// editInput opens the input of a run that has not begun. Where none was given it is generated.
func (iv *interventions) editInput() {
	facts := dialog.EditFacts{
		Title: "The input", Data: iv.Session().Options().Input, Limit: iv.Session().Options().Limits.Payload,
	}
	if given, ok := facts.Data.(*value.Object); iv.grown != nil && (facts.Data == nil || ok && given.Len() == 0) {
		grown := iv.grown()
		if object, isObject := grown.(*value.Object); grown != nil && !(isObject && object.Len() == 0) {
			facts.Title, facts.Data = "An input made up from the paths that the states read", grown
		}
	}
	facts.Take = func(v value.Value, _ bool) error {
		if iv.Session().Log().Len() > 0 { // the run before stays as a what-if
			iv.Session().Restart()
		}
		if err := iv.Session().SetInput(v); err != nil {
			return err
		}
		iv.Open(nil)
		iv.Sync()
		iv.Say(canvas.Plain, "The run begins with this input.")
		return nil
	}
	iv.Open(dialog.NewEdit(iv, facts))
}

// interveneDisabled is editsDisabled, but at the end of a run that has failed its first failure can be answered
// otherwise.
func (iv *interventions) interveneDisabled() string {
	if readOnly(iv.contract) != "" {
		return iv.editsDisabled()
	}
	if iv.endings.answerable() != "" || iv.Newest() && iv.Session().Status().Done() &&
		iv.requestOf(iv.lastAnswer()) != nil {
		return ""
	}
	if iv.endings.atUncaught() && iv.Session().Inputs().Len() == 0 {
		return "no task has run whose result could be changed; " + iv.Key(keys.EditData) + " edits the data"
	}
	return iv.editsDisabled()
}

// editsDisabled is the reason why the run cannot be changed here.
func (iv *interventions) editsDisabled() string {
	if reason := readOnly(iv.contract); reason != "" {
		return reason
	}
	switch {
	case !iv.Newest(): // the session moves there first
		return ""
	case iv.Session().Log().Len() == 0:
		return "nothing has run yet"
	case iv.Session().Status().Done():
		return "the run is over"
	}
	return ""
}

// thread is the thread that the run is in: the thread of the event on the screen.
func (iv *interventions) thread() engine.ThreadID {
	if iv.Selection().Event == nil {
		return 0
	}
	return iv.Selection().Event.Thread
}

// stand moves the session to the event on the screen, which is to be changed. It says why where nothing can be changed
// there.
func (iv *interventions) stand() bool {
	if iv.Newest() {
		return true
	}
	standHere(iv.contract)
	iv.Sync()
	reason := iv.editsDisabled()
	if reason != "" {
		iv.Say(canvas.Warn, strings.ToUpper(reason[:1])+reason[1:]+".")
	}
	return reason == ""
}

// editData opens the data of this stage; a text that was left without being taken is there again.
func (iv *interventions) editData() {
	if !iv.stand() {
		return
	}
	thread := iv.thread()
	data, stage, err := iv.Session().Interventions().Editable(thread)
	if err != nil {
		iv.Say(canvas.Bad, err.Error())
		return
	}
	if d := iv.draft; d != nil && d.Thread == thread && d.Events == iv.Session().Log().Len() {
		iv.Open(d)
		return
	}
	facts := dialog.EditFacts{
		Thread: thread, Stage: stage, Data: data, Events: iv.Session().Log().Len(),
		Limit: iv.Session().Options().Limits.Payload,
		Take:  func(v value.Value, unchanged bool) error { return iv.takeEdit(thread, v, unchanged) },
	}
	if iv.Selection().Visit != nil {
		facts.Where = explain.PlaceName(iv.Selection().Visit)
	}
	if visit := iv.Selection().Visit; visit != nil {
		facts.Call = payloadOf(visit.State, stage)
	}
	d := dialog.NewEdit(iv, facts)
	iv.draft = d
	iv.Open(d)
}

// payloadOf returns the operation whose parameters the data of a state after a stage are; nil where they are other
// data.
func payloadOf(s *asl.State, stage engine.Stage) *services.Call {
	if s.Type != asl.Task {
		return nil
	}
	evaluated := s.Parameters
	if s.QueryLanguage == asl.JSONata {
		evaluated = s.Arguments
	}
	switch {
	case stage == engine.StageParameters:
	case evaluated == nil && (stage == engine.StageInputPath || stage == engine.StageInput &&
		s.InputPath == nil): // the input is the payload
	default:
		return nil
	}
	call, ok := services.CallOf(s.Resource)
	if !ok || call.Operation == nil {
		return nil
	}
	return &call
}

// takeEdit lets the next stage of a thread read other data.
func (iv *interventions) takeEdit(thread engine.ThreadID, v value.Value, unchanged bool) error {
	if unchanged {
		iv.draft = nil
		iv.Open(nil)
		iv.Say(canvas.Plain, "No changes made.")
		return nil
	}
	if err := iv.Session().Interventions().Edit(thread, v); err != nil {
		return err
	}
	iv.draft = nil
	iv.Open(nil)
	iv.Sync()
	iv.Say(canvas.Plain, "Edited. The next stage reads this.")
	return nil
}
