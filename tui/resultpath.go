package tui

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/diff"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// destination is where a ResultPath puts what it is given.
type destination uint8

const (
	replacesInput destination = iota // $, which is also the default
	intoInput                        // a place in the raw input
	nowhere                          // null: the raw input goes on
)

func destinationOf(field *asl.PathField) destination {
	switch {
	case field == nil:
		return replacesInput
	case field.Null:
		return nowhere
	case field.Path.String() == "$":
		return replacesInput
	}
	return intoInput
}

// purposeOfResultPath says what a ResultPath does with a thing: the result, or the Error Output.
func purposeOfResultPath(field *asl.PathField, thing string) string {
	switch destinationOf(field) {
	case nowhere:
		return "discards " + thing + ": the raw input goes on"
	case intoInput:
		return "puts " + thing + " into the raw input"
	}
	return thing + " replaces the raw input"
}

// resultPathText is what a ResultPath says.
func resultPathText(field *asl.PathField) string {
	switch {
	case field == nil:
		return "$ (its default)"
	case field.Null:
		return "null"
	}
	return field.Path.String()
}

// caughtExpression is what the field of a catcher says that does the work of a stage after an error was caught; ok is
// false for a stage for which a catcher has no field.
func caughtExpression(c *asl.Catcher, stage engine.Stage) (field, text string, ok bool) {
	template := c.Assign
	switch stage {
	case engine.StageResultPath:
		return "the catcher's ResultPath", resultPathText(c.ResultPath), true
	case engine.StageAssign:
		field = "the catcher's Assign"
	case engine.StageOutputPath:
		field, template = "the catcher's Output", c.Output
	default:
		return "", "", false
	}
	if template == nil {
		return "", "", false
	}
	return field, value.Compact(template.Value), true
}

// maxLost is how many lost members are named.
const maxLost = 12

// lostWords names what is in before and not in after; none where nothing is lost. put is a Reference Path at which it
// would have been kept.
func lostWords(before, after value.Value, put string, g *canvas.Glyphs) []para {
	names, more := diff.Lost(before, after, maxLost)
	if len(names) == 0 {
		return nil
	}
	if more > 0 {
		names = append(names, "and "+grouped(more)+" more")
	}
	return []para{
		{theme.Removed, g.Removed + " lost: " + strings.Join(names, ", "), 2},
		{theme.Dim, `"ResultPath": "` + put + `" keeps the raw input.`, 0},
	}
}

// freeMember is a Reference Path to a member that an object does not have yet.
func freeMember(v value.Value, name string) string {
	object, _ := v.(*value.Object)
	free := name
	for n := 2; object != nil && object.Get(free) != nil; n++ {
		free = name + strconv.Itoa(n)
	}
	return "$." + free
}

// resultPathWords says what was lost by the ResultPath of a state, or of the catcher that took over.
func (m *moment) resultPathWords(g *canvas.Glyphs) []para {
	e := m.event
	if e == nil || e.Type != engine.StageCompleted || e.Stage != engine.StageResultPath || e.Visit == nil {
		return nil
	}
	put := freeMember(e.Before, "result")
	if m.caught != nil {
		put = freeMember(e.Before, "error")
	}
	return lostWords(e.Before, e.After, put, g)
}

// explainCatch says what becomes of an error that a catcher takes.
func explainCatch(e *engine.Event, d *engine.CatchDetail, g *canvas.Glyphs) []para {
	paras := []para{
		{theme.Warn, g.Caught + " catcher " + strconv.Itoa(d.Catcher+1) + " takes " + d.Failure.Name + " and goes to " + d.Next, 2},
		{theme.Dim, clip(d.Failure.Reason(), maxCause), 0},
	}
	if e.Visit == nil || d.Catcher >= len(e.Visit.State.Catch) {
		return append(paras, para{theme.Dim, "This is the Error Output.", 0})
	}
	catcher := e.Visit.State.Catch[d.Catcher]
	if e.Visit.State.QueryLanguage == asl.JSONata {
		text := "This is the Error Output, $states.errorOutput; the catcher's Output makes of it what goes on."
		if catcher.Output == nil {
			text = "This is the Error Output. The catcher has no Output: the Error Output goes on in place of the input."
		}
		return append(paras, para{theme.Dim, text, 0})
	}
	paras = append(paras, para{theme.Dim, "This is the Error Output. The catcher's ResultPath is " + resultPathText(catcher.ResultPath) +
		": " + caughtPurpose(catcher) + ".", 0})
	if destinationOf(catcher.ResultPath) == replacesInput {
		paras = append(paras, lostWords(e.Before, e.After, freeMember(e.Before, "error"), g)...)
	}
	return paras
}

func caughtPurpose(c *asl.Catcher) string {
	switch destinationOf(c.ResultPath) {
	case nowhere:
		return "it discards the Error Output, and the raw input goes on"
	case intoInput:
		return "it puts the Error Output into the raw input"
	}
	return "the Error Output replaces the raw input"
}
