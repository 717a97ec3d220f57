package screen

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// redrives continue a run that has failed from its end.
type redrives struct {
	contract
	forks *forks
	draft *dialog.Edit // the text that was typed for the input and is not taken yet
	run   int          // the fork that draft is about
}

func (rd *redrives) bindings() view.Bindings {
	return view.Bindings{{
		Action:   keys.Redrive,
		Run:      plainly(rd.open),
		Disabled: func() string { return redriveReason(rd.Session().Redrivable()) },
	}}
}

// redriveReason returns the reason in an error of a redrive, "" of nil.
func redriveReason(err error) string {
	var refused *engine.RedriveError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused):
		return strings.Replace(refused.Reason, "it ", "the execution ", 1)
	}
	return err.Error()
}

// open asks how the run is to continue.
func (rd *redrives) open() {
	plan, err := rd.Session().RedrivePlan()
	if err != nil {
		rd.Say(canvas.Bad, err.Error())
		return
	}
	name := plan.Root.State
	if name == "" {
		name = rd.Session().Machine().Definition().Top.StartAt
	}
	noTask := ""
	if !hasTask(rd.Session().Machine().Definition(), name) {
		noTask = "it has no task"
	}
	input := plan.Root.Input
	if input == nil {
		input = rd.Session().Options().Input
	}
	rd.Open(&dialog.Menu{Screen: rd, Title: "Redrive: run " + name + " again", List: []dialog.Item{
		{
			Key:  "c",
			Text: "with the input that it had; what succeeded in it stays",
			Do:   func() { rd.do(name, debug.Redriving{}) },
		},
		{Key: "e", Text: "with another input: edit it first", Do: func() { rd.edit(name, input) }},
		{
			Key:    "x",
			Text:   "with other results of its tasks: asldb asks for each",
			Reason: noTask,
			Do:     func() { rd.do(name, debug.Redriving{Ask: true}) },
		},
	}})
}

// hasTask reports whether a state is a Task, or there is one inside it.
func hasTask(definition *asl.StateMachine, name string) bool {
	for state := range definition.All() {
		if state.Type == asl.Task && (state.Path() == name || strings.HasPrefix(state.Path(), name+"/")) {
			return true
		}
	}
	return false
}

// edit opens the input of the state that failed; a text that was left without being taken is there again.
func (rd *redrives) edit(name string, input value.Value) {
	if run := rd.Session().Forks().Current(); rd.draft == nil || rd.run != run {
		rd.run = run
		rd.draft = dialog.NewEdit(rd, dialog.EditFacts{
			Title: "Redrive: the input of " + name, Again: keys.Redrive, Optional: true, Data: input, Where: name, Stage: engine.StageInput,
			Events: rd.Session().Log().Len(), Limit: rd.Session().Options().Limits.Payload,
			Take: func(v value.Value, unchanged bool) error {
				how := debug.Redriving{Input: v}
				if unchanged {
					how.Input = nil
				}
				return rd.redrive(name, how)
			},
		})
	}
	rd.Open(rd.draft)
}

// do redrives the run, or says why that is not possible.
func (rd *redrives) do(name string, how debug.Redriving) {
	if err := rd.redrive(name, how); err != nil {
		rd.Say(canvas.Bad, err.Error())
	}
}

func (rd *redrives) redrive(name string, how debug.Redriving) error {
	if err := rd.Session().Redrive(how); err != nil {
		return err
	}
	rd.draft = nil
	rd.Open(nil)
	rd.forks.entered()
	rd.Say(canvas.Plain, "Redriven, as what-if "+strconv.Itoa(rd.Session().Forks().Current())+": "+name+" runs again. "+
		rd.Key(keys.Continue)+" continues, "+rd.Key(keys.Undo)+" takes the redrive back.")
	return nil
}
