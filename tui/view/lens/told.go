package lens

import "asldb/engine/explain"

// Told implements [view.Told]: the way, or the loss, as reports have it.
func (v *View) Told() (lines []string, stays bool) {
	text := explain.Text(nil)
	if v.loss != nil {
		text = explain.Loss(v.loss, v.log())
	} else {
		text = explain.Way(v.way, v.log())
	}
	return explain.Plain(toldValue).Labelled(text), false
}

// toldValue bounds a value in a line, in characters.
const toldValue = 120
