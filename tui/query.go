package tui

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/jsonata"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// maxUnfolded is how many lines an unfolded stage takes: the data stands below it.
const maxUnfolded = 14

// queryWords unfolds the JSONata expressions of the stage: what each part of them gave. Where one failed, only
// that one is shown.
func (u *ui) queryWords() []para {
	explained, not := u.session.ExplainStage(u.faultOf(u.moment.event))
	if not != nil {
		return unexplainedWords(not)
	}
	for i := range explained {
		if e := &explained[i]; e.Err != nil || e.Trace.Nothing() {
			explained = explained[i : i+1]
			break
		}
	}
	var words []para
	for i := range explained {
		e := &explained[i]
		words = append(words, para{outcomeStyle(e.Trace), e.Location + "  {% " + oneLine(e.Text) + " %}  " + u.glyphs.To + " " + u.partValue(e.Trace), 4})
		words = u.partsWords(words, e.Trace, 1)
	}
	if more := len(words) - maxUnfolded; more > 0 {
		words = append(words[:maxUnfolded], para{theme.Dim, explain.Plural(more, "more line", "more lines") + ": asldb eval --jsonata --explain has them all", 0})
	}
	return words
}

// unexplainedWords says why the expressions of a stage are not unfolded.
func unexplainedWords(not *debug.Unexplained) []para {
	text := "The explanation was stopped."
	switch {
	case not.Steps > 0:
		text = "This took " + explain.Grouped(not.Steps) + " steps to evaluate; its parts are not shown."
	case not.Bound > 0:
		text = "This takes more than " + explain.Grouped(not.Bound) + " steps to evaluate; its parts are not shown."
	case not.Random:
		text = "This drew random numbers, which the recording does not have; its parts are not shown."
	}
	return []para{{theme.Dim, text, 2}}
}

// faultOf returns the place in the log of the stage in which the error of an event came up, or of the event
// itself where it carries none.
func (u *ui) faultOf(event *engine.Event) int {
	own := int(event.Seq) - 1
	failure := event.Failure()
	if failure == nil {
		return own
	}
	for i := own; i >= max(0, own-borrowed); i-- {
		if earlier := u.session.Log().At(i); earlier.Type == engine.StageFailed && earlier.Failure() == failure {
			return i
		}
	}
	return own
}

// partsWords adds the parts that an expression is made of. A plain path is unfolded only where it leads to
// nothing: its steps repeat the data that is on the screen anyway.
func (u *ui) partsWords(words []para, t *jsonata.Trace, depth int) []para {
	if plainPath(t.Text) && !t.Nothing() && t.Err == nil {
		return words
	}
	for _, child := range t.Children {
		if child.Text == "$states" {
			continue
		}
		text := strings.Repeat("  ", depth) + oneLine(child.Text) + "  " + u.glyphs.To + " " + u.partValue(child)
		switch {
		case child.Item != nil:
			text += "  (at index " + strconv.Itoa(child.Index) + ": " + u.short(child.Item) + ")"
		case child.Count > 1:
			text += "  (the first of " + strconv.Itoa(child.Count) + ")"
		}
		words = append(words, para{outcomeStyle(child), text, 2*depth + 4})
		words = u.partsWords(words, child, depth+1)
	}
	return words
}

func outcomeStyle(t *jsonata.Trace) canvas.Style {
	if t.Nothing() || t.Err != nil {
		return theme.Bad
	}
	return theme.Plain
}

// plainPath reports whether an expression is nothing but names with dots between.
func plainPath(text string) bool {
	return strings.Trim(text, "$_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

func (u *ui) partValue(t *jsonata.Trace) string {
	switch {
	case t.Err != nil && failsBelow(t):
		return "fails"
	case t.Err != nil:
		return "error " + t.Err.Error()
	case t.Function:
		return "a function"
	case t.Cut:
		return "a value too large to be kept"
	case t.Value == nil:
		return "nothing"
	}
	return u.short(t.Value)
}

// failsBelow reports whether the error of a part came up in one of its own parts, which says it.
func failsBelow(t *jsonata.Trace) bool {
	for _, child := range t.Children {
		if child.Err != nil {
			return true
		}
	}
	return false
}

func (u *ui) short(v value.Value) string { return cutPreview(v, 60, u.glyphs) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
