package screen

import (
	"errors"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/lens"
)

// openLens follows a path through the run: the given one, else the value under the cursor, else the path that a failed stage
// did not find.
func (og *origins) openLens(text string) {
	event := og.Selection().Index
	read, at, inText := og.data.Text().Reading()
	switch miss, failed := og.missing(); {
	case text != "":
	case inText:
		event, text = read, at
	case miss != "" && !og.data.Chosen():
		event, text = failed, miss
	case og.data.NoData() != "":
		og.Say(canvas.Warn, og.data.NoData()+" is no data of the run: there is no value to follow.")
		return
	default:
		text = og.Path()
		if og.data.View() == data.Before {
			event = provenance.Before(og.Log(), event)
		}
	}
	run := lens.Run{
		Lens:       &provenance.Lens{Log: og.Log(), Explainer: og.Session().Explainer()},
		Definition: og.Session().Machine().Definition(), Glyphs: og.Glyphs(), Go: og.goTo, Found: &og.found,
		Slices: func(v *lens.View) { og.slices.begin(v, v.Advance, v.Stop) },
	}
	view, err := lens.New(run, event, text)
	if err != nil {
		og.Say(canvas.Bad, err.Error())
		return
	}
	og.Open(view)
}

// goTo shows an event of the log, with the cursor at a path of its data.
func (og *origins) goTo(event int, at string) {
	og.Inspect(event)
	og.Focus(view.Data)
	og.data.Aim(at)
}

// missing returns the path that the stage of the selected event did not find, with the index of the event; of a failure
// that is the end of a chain that of the newest stage that failed for one. The path is empty where that is no such failure.
func (og *origins) missing() (text string, event int) {
	s := og.Selection()
	if s.Event == nil {
		return "", 0
	}
	if text = missedBy(s.Event.Failure()); text != "" && s.Event.Visit != nil {
		return text, s.Index
	}
	if ending := og.ending(); og.Newest() && ending != nil {
		for _, link := range ending.Chain.Links {
			if text = missedBy(link.Failure); text != "" && link.Visit != nil {
				return text, link.Event
			}
		}
	}
	return "", 0
}

// missed is the path that missing returns.
func (og *origins) missed() string {
	text, _ := og.missing()
	return text
}

// missedBy returns the path that a failure is about, or "".
func missedBy(f *engine.Failure) string {
	var miss *path.MissError
	if f == nil || !errors.As(f.Err, &miss) {
		return ""
	}
	return miss.Path.String()
}
