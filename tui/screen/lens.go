package screen

import (
	"asldb/engine/provenance"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/lens"
)

// openLens follows a path through the run: the given one, else the value under the cursor, else the path that a failed
// stage did not find.
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
		og.Say(canvas.Warn, og.data.NoData()+" is not data of the run: there is no value to follow.")
		return
	default:
		text = og.Path()
		if og.data.View() == data.Before {
			event = provenance.Before(og.Log(), event)
		}
	}
	run := lens.Run{
		Lens:       provenance.LensOf(og.Session()),
		Definition: og.Session().Machine().Definition(), Glyphs: og.Glyphs(), Go: og.goTo, Found: &og.found,
		Slices: func(v *lens.View) { og.slices.begin(v, v.Advance, v.Stop) },
	}
	view, err := lens.New(og, run, event, text)
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

// missing returns the path for which the stage of the selected event failed, with the index of the event; of a failure
// at the end of a chain the path of the newest stage that failed for one. The path is empty for any other
// failure.
func (og *origins) missing() (text string, event int) {
	s := og.Selection()
	if s.Event == nil {
		return "", 0
	}
	if s.Event.Failure() != nil && s.Event.Visit != nil {
		if u := provenance.LensOf(og.Session()).Unmet(s.Index); u != nil {
			return u.Path, u.Event
		}
	}
	if ending := og.ending(); og.Newest() && ending != nil {
		for _, link := range ending.Chain.Links {
			if u := provenance.LensOf(og.Session()).Unmet(link.Event); u != nil && link.Visit != nil {
				return u.Path, u.Event
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
