package tui

import (
	"strconv"
	"strings"

	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/keys"
	"asldb.dev/asldb/tui/theme"
)

func breaksRoom() room {
	return room{
		actions: []keys.Action{keys.ToggleBreak, keys.AddBreak, keys.ListBreaks, keys.BreakOnError, keys.Delete},
		act:     (*ui).actOnBreaks,
		disabled: func(u *ui, a keys.Action) string {
			if a == keys.Delete {
				return u.keys.Key(keys.ListBreaks) + " opens the list, where it works"
			}
			return ""
		},
	}
}

func (u *ui) actOnBreaks(a keys.Action, argument string) bool {
	switch a {
	case keys.ToggleBreak:
		u.toggleBreak(u.target())
	case keys.BreakOnError:
		u.toggleErrorBreak()
	case keys.AddBreak:
		if argument != "" {
			u.addBreak(argument)
			return true
		}
		u.askFor(a, "Stop at:", "", "STATE, STATE:STAGE, STATE:error or error, and perhaps after it: if EXPRESSION, in which $ is the data "+
			"after the stage (at a state's entry, its raw input)")
	case keys.ListBreaks:
		u.dialog = &breakList{}
	default:
		return false
	}
	return true
}

// target is the state that an action is about: the one selected in the graph.
func (u *ui) target() *asl.State { return u.graph.selected }

func (u *ui) toggleBreak(state *asl.State) {
	if state == nil {
		return
	}
	if b := u.session.BreakpointAt(state); b != nil {
		u.session.Remove(b.ID)
		u.say(theme.Plain, "Breakpoint removed: "+breakpointText(b))
	} else {
		u.tellBreak(u.session.BreakAt(state))
	}
	u.refresh()
}

func (u *ui) toggleErrorBreak() {
	for _, b := range u.session.Breakpoints() {
		if b.AnyError() {
			u.session.Remove(b.ID)
			u.say(theme.Plain, "Errors do not stop the run any more.")
			u.refresh()
			return
		}
	}
	u.addBreak("error")
}

func (u *ui) addBreak(spec string) {
	b, err := u.session.Break(spec)
	if err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.tellBreak(b)
}

func (u *ui) tellBreak(b *debug.Breakpoint) {
	u.say(theme.Plain, u.glyphs.Breakpoint+" The run will stop at: "+breakpointText(b))
	u.refresh()
}

func breakpointsSection() section {
	return lineSection("Breakpoints", func(u *ui, p *lineList) {
		for _, b := range u.session.Breakpoints() {
			p.add(breakpointLine(b, u.glyphs))
		}
		if len(p.lines) == 0 {
			p.add(theme.Dim, "", "none ("+u.keys.Key(keys.ToggleBreak)+" sets one)")
		}
	}, func(u *ui) string { return countText(len(u.session.Breakpoints())) }, func(u *ui) int { return min(2*len(u.session.Breakpoints()), 2) })
}

func breakpointLine(b *debug.Breakpoint, g *canvas.Glyphs) (style canvas.Style, left, text string) {
	style, left, text = theme.Plain, g.Breakpoint, breakpointText(b)
	if b.Hits > 0 {
		text += "  hits " + strconv.Itoa(b.Hits)
	}
	if !b.Enabled {
		style, left, text = theme.Dim, g.BreakpointOff, text+"  off"
	}
	return style, left + " " + strconv.Itoa(b.ID), text
}

// breakpointText is the breakpoint's spec, in words where that alone would say too little.
func breakpointText(b *debug.Breakpoint) string {
	if b.AnyError() {
		return strings.Replace(b.String(), "error", "any error", 1)
	}
	return b.String()
}
