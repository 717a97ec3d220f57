package screen

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/lens"
)

// origins follows values back to where they came from.
type origins struct {
	contract
	data   *data.Pane
	ending func() *explain.Ending // of the failure that the screen shows, or nil
	slices *slicing
	found  lens.Found
}

func (og *origins) bindings() view.Bindings {
	return view.Bindings{{
		// Of a state's document the watches know the changes.
		Action: keys.ChangedLast, Bare: true, Run: plainly(og.follow),
		Applies: func() bool { return og.Focused() != view.Drawer && (inWork(og.contract) || og.reading()) },
	}, {Action: keys.ComesFrom, Run: og.openLens, Disabled: func() string {
		if og.Selection().Event == nil {
			return "nothing has happened to the data yet"
		}
		return ""
	}}}
}

// reading reports whether the cursor is on a value in the text of the definition.
func (og *origins) reading() bool {
	_, _, ok := og.data.Text().Reading()
	return ok
}

// follow goes to the event that changed the value under the cursor last.
func (og *origins) follow() {
	at := og.Path()
	from := og.Selection().Index
	if og.data.View() == data.Before {
		from = provenance.Before(og.Session().Log(), from)
	}
	read, text, inText := og.data.Text().Reading()
	if inText {
		at, from = text, read
	}
	hops, err := provenance.Of(og.Session().Log(), from, at)
	var miss *path.MissError
	if earlier := provenance.Before(og.Session().Log(), from); errors.As(err, &miss) && earlier >= 0 { // a line that was removed
		hops, err = provenance.Of(og.Session().Log(), earlier, at)
	}
	switch {
	case errors.As(err, &miss):
		og.Say(canvas.Warn, at+" is not in the data of this event.")
	case err != nil:
		og.Say(canvas.Bad, err.Error())
	case len(hops) == 0:
		og.Say(canvas.Warn, "The origin of "+at+" is unknown.")
	default:
		hop := &hops[0]
		if inText && hop.Event == from && len(hops) > 1 { // the expression itself: on to its operands
			hop = &hops[1]
		}
		event := og.Session().Log().At(hop.Event)
		if hop.Event == og.Selection().Index {
			og.Say(canvas.Plain, "This event last changed "+at+": "+hopWords(hop, event)+".")
			return
		}
		og.Inspect(hop.Event)
		og.Say(canvas.Plain, at+" was set by event "+strconv.FormatInt(event.Seq, 10)+": "+hopWords(hop, event)+"; "+
			og.Key(keys.Now)+" goes to the newest event.")
	}
}

// inWork reports whether the data shown are a payload or a raw result, and no document of a state.
func inWork(s contract) bool {
	e := s.Selection().Event
	if e == nil || e.Visit == nil {
		return false
	}
	switch e.Stage {
	case engine.StageParameters, engine.StageResult, engine.StageResultSelector:
		return true
	}
	return false
}

// hopWords describes a hop.
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
		return hop.To + " is in the definition: " + hop.Expression
	case provenance.Context:
		return hop.To + " is of the context object" + by
	case provenance.Computed:
		return hop.To + " was made here" + by
	case provenance.Error:
		return hop.To + " of the Error Output"
	case provenance.Edited:
		return hop.To + " was entered manually"
	case provenance.Object:
		return hop.To + " was read by the ItemReader"
	default:
	}
	return hop.To + " cannot be followed further"
}
