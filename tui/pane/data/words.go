package data

import (
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/notes"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

// words explains the selected event, and how to go on where the event does not show it.
func (p *Pane) words() []notes.Paragraph {
	s := p.screen.Selection()
	if s.Event == nil {
		return p.greeting()
	}
	session := p.screen.Session()
	var words []notes.Paragraph
	if e := p.options.expected(); e != nil {
		words = append(words, e.Words...)
	}
	words = append(words, p.logged(s.Index)...)
	words = append(words, p.explained(explain.Happened(session, s.Index, p.options.Ran))...)
	words = append(words, p.options.Nested()...)
	words = append(words, p.explained(explain.Choice(session, s.Index))...)
	words = append(words, p.explained(explain.Computed(session, s.Index))...)
	words = append(words, p.queries(s.Index)...)
	if p.screen.Newest() {
		words = append(words, p.standing(session)...)
	}
	return words
}

// explained returns the paragraphs of an explanation. Where it refers to the definition it names the key that shows the text.
func (p *Pane) explained(t explain.Text) []notes.Paragraph {
	words := notes.Of(t, prose.Writer(p.screen.Glyphs(), prose.PreviewLength))
	for i := range t {
		for k := range t[i].Spans {
			if len(t[i].Spans) == 1 && t[i].Spans[k].Place != nil && p.screen.Keys().Has(keys.Source) {
				words[i].Text += ": " + p.screen.Key(keys.Source) + " shows it"
			}
		}
	}
	return words
}

// logged returns the messages of logpoints about an event.
func (p *Pane) logged(index int) []notes.Paragraph {
	var words []notes.Paragraph
	for _, m := range p.screen.Session().Breakpoints().MessagesAt(index) {
		words = append(words, notes.Paragraph{Style: theme.Text, Text: p.screen.Glyphs().Breakpoint + " " + m.Text, Indent: 2})
	}
	return words
}

// Bounds of the unfolded expressions of a stage: in lines, and of a value in characters.
const (
	maxUnfolded   = 14
	unfoldedCells = 60
)

// queries unfolds the JSONata expressions of the stage: the value of each of their parts.
func (p *Pane) queries(index int) []notes.Paragraph {
	words := notes.Of(explain.Query(p.screen.Session(), index), prose.Writer(p.screen.Glyphs(), unfoldedCells))
	if more := len(words) - maxUnfolded; more > 0 {
		text := explain.Plural(more, "more line", "more lines") + ": asldb eval --jsonata --explain has them all"
		words = append(words[:maxUnfolded], notes.Paragraph{Style: theme.Dim, Text: text})
	}
	return words
}

// standing explains why the run has stopped, with the keys to go on.
func (p *Pane) standing(s *debug.Session) []notes.Paragraph {
	stop, key := s.Stop(), p.screen.Key
	if stop.Reason == debug.StoppedForTime {
		return append(p.timers(s), p.explained(explain.Stopped(stop, p.options.Limit))...)
	}
	words := p.explained(explain.Stopped(stop, p.options.Limit))
	switch {
	case stop.Reason == debug.StoppedByInterrupt && stop.Err != nil && stop.Undone:
		words[0].Text = strings.TrimSuffix(words[0].Text, ".") + ": " + key(keys.StepStage) + " retries it."
	case stop.Reason == debug.StoppedByInterrupt && stop.Err != nil, stop.Reason == debug.StoppedByLimit:
		words[0].Text += " " + key(keys.Continue) + " continues."
	case stop.Reason == debug.StoppedBySource && stop.Err != nil:
	case p.atFailedEnd():
		words = append(append(p.afterFailure(true), p.explained(explain.Text{explain.Summary(s)})...), words...)
	case p.atUncaught():
		words = append(p.afterFailure(p.screen.Disabled(keys.Cause) == ""), words...)
	case s.Status().Done():
		summary := p.explained(explain.Text{explain.Summary(s)})
		summary[0].Text += "; " + key(keys.Restart) + " starts again"
		words = append(summary, words...)
	}
	for i := range words {
		if words[i].Indent == 0 && words[i].Style != theme.Dim {
			words[i].Indent = 2
		}
	}
	return words
}

// atFailedEnd reports whether the run stands at its end and has not succeeded.
func (p *Pane) atFailedEnd() bool {
	return p.screen.Newest() && p.screen.Session().Status().Done() && p.screen.Session().Status() != engine.Succeeded && p.screen.Disabled(keys.Cause) == ""
}

// missed is the path that the stage in which the run failed did not find, or "".
func (p *Pane) missed() string {
	if p.options.Missed == nil {
		return ""
	}
	return p.options.Missed()
}

// atUncaught reports whether the run stands at an error that will end it.
func (p *Pane) atUncaught() bool {
	stop := p.screen.Session().Stop()
	return p.screen.Newest() && stop.Reason == debug.StoppedByBreakpoint && stop.Breakpoint != nil && stop.Breakpoint.Standing
}

// afterFailure are the keys at a failure. elsewhere is set where its cause is another event.
func (p *Pane) afterFailure(elsewhere bool) []notes.Paragraph {
	key := p.screen.Key
	var list []string
	if elsewhere {
		list = append(list, key(keys.Look)+" goes to the cause")
	}
	if p.screen.Session().Status().Done() {
		list = append(list, key(keys.Restart)+" starts again")
	} else {
		list = append(list, key(keys.Continue)+" continues")
	}
	if path := p.missed(); path != "" {
		list = append(list, key(keys.ComesFrom)+" follows "+path+" back")
	}
	if p.options.Answerable != nil && p.options.Answerable() != "" {
		list = append(list, key(keys.Answer)+" answers "+p.options.Answerable()+" otherwise")
	}
	return []notes.Paragraph{{Style: theme.Plain, Text: strings.Join(list, ", "), Indent: 2}}
}

// greeting is for a run that has not begun.
func (p *Pane) greeting() []notes.Paragraph {
	key := p.screen.Key
	words := []notes.Paragraph{{Style: theme.Strong, Text: "Nothing has run yet. " + key(keys.StepStage) + ": next stage, " + key(keys.StepState) + ": next state, " +
		key(keys.Continue) + ": run, " + key(keys.ToggleBreak) + ": breakpoint"}}
	for _, sentence := range p.options.About {
		words = append(words, notes.Paragraph{Style: theme.Plain, Text: sentence, Indent: 2})
	}
	words = append(words, p.explained(explain.Text{explain.Begin(p.screen.Session())})...)
	return append(words, notes.Paragraph{Style: theme.Dim, Text: "The input:"})
}

// maxTimers bounds the number of timers that are named; the first is the one that counts.
const maxTimers = 8

// timers names the timers that the run waits for.
func (p *Pane) timers(s *debug.Session) []notes.Paragraph {
	var words []notes.Paragraph
	timers := s.Timers()
	for i, t := range explain.Timers(s, timers[:min(len(timers), maxTimers)]) {
		if i == 0 && p.screen.Selection().Event.Type == engine.RetryScheduled {
			t.Reason = "" // the event has just said it
		}
		label, style := "      ", theme.Dim
		if i == 0 {
			label, style = "next  ", theme.Warn
		}
		text := label + t.Due + "  " + t.Name
		if t.Reason != "" {
			text += "  " + t.Reason
		}
		words = append(words, notes.Paragraph{Style: style, Text: text, Indent: 6})
	}
	if p.screen.Paced() {
		return words
	}
	key := p.screen.Key
	return append(words, notes.Paragraph{Style: theme.Plain, Text: key(keys.NextTimer) + " goes to the next timer, " + key(keys.AdvanceBy) +
		" by a time that you type, " + key(keys.ClockMode) + " changes how time goes"})
}
