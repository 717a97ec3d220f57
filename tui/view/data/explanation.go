package data

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/view"
)

// explanation explains the selected event above its data.
type explanation struct {
	screen  Screen
	options *Options
	noticed noticedFacts
}

// noticedFacts are the facts that a run has noticed, for the log that they are of; before its end, about the visits
// since the stop before.
type noticedFacts struct {
	log    *runlog.Log
	length int
	text   explain.Text
}

// maxNoticed is the number of facts that are shown; maxSince bounds the events since the stop before that are searched
// for them.
const (
	maxNoticed = 5
	maxSince   = 500
)

// facts returns the facts that a run noticed: all of them once it has succeeded, else those since the stop before.
func (e *explanation) facts(s *debug.Session) []prose.Paragraph {
	done := s.Status().Done()
	if e.options.Unnoticed || done && s.Status() != engine.Succeeded {
		return nil
	}
	if n := &e.noticed; n.log != s.Log() || n.length != s.Log().Len() {
		before := n.length
		if n.log != s.Log() || before > s.Log().Len() {
			before = 0
		}
		*n = noticedFacts{log: s.Log(), length: s.Log().Len()}
		switch {
		case done:
			n.text = explain.Noticed(explain.RunOf(s, nil))
		case n.length-before <= maxSince:
			n.text = explain.NoticedSince(explain.RunOf(s, nil), visitBefore(s.Log(), before))
		}
	}
	text := e.noticed.text
	words := e.explained(text[:min(maxNoticed, len(text))])
	if more := len(text) - maxNoticed; more > 0 {
		words = append(words, prose.Paragraph{Style: canvas.Dim,
			Text: wording.Grouped(more) + " more: asldb why lists them"})
	}
	return words
}

// visitBefore returns the index at which the visit of the event before an index began.
func visitBefore(log *runlog.Log, index int) int {
	for i := index - 1; i >= log.First(); i-- {
		if visit := log.At(i).Visit; visit != nil {
			return max(log.First(), int(visit.Entered)-1)
		}
	}
	return log.First()
}

// words explains the selected event, and how to continue where the event does not show it.
func (e *explanation) words() []prose.Paragraph {
	s := e.screen.Selection()
	if s.Event == nil {
		return e.greeting()
	}
	session := e.screen.Session()
	var words []prose.Paragraph
	if expected := e.options.expected(); expected != nil {
		words = append(words, expected.Words...)
	}
	words = append(words, e.logged(s.Index)...)
	happened, service := explain.Service(explain.Happened(session, s.Index, e.options.Ran))
	cause, handled := happened.Split()
	words = append(words, e.explained(cause)...)
	words = append(words, e.mending()...)
	words = append(words, e.explained(handled)...)
	words = append(words, e.options.Nested()...)
	words = append(words, e.explained(explain.Choice(session, s.Index))...)
	words = append(words, e.explained(explain.Computed(session, s.Index))...)
	words = append(words, e.queries(s.Index)...)
	if e.screen.Newest() {
		words = append(words, e.standing(session)...)
	}
	return append(words, e.explained(service)...)
}

// explained returns the paragraphs of an explanation.
func (e *explanation) explained(t explain.Text) []prose.Paragraph {
	writer := prose.Writer(e.screen.Glyphs(), prose.PreviewLength)
	writer.NoIDs = e.options.Recorded == nil || !e.options.Recorded()
	return prose.Of(t, writer)
}

// logged returns the messages of logpoints about an event.
func (e *explanation) logged(index int) []prose.Paragraph {
	var words []prose.Paragraph
	for _, m := range e.screen.Session().Breakpoints().MessagesAt(index) {
		words = append(words, prose.Paragraph{Style: canvas.Text, Text: e.screen.Glyphs().Breakpoint + " " + m.Text,
			Indent: 2})
	}
	return words
}

// Bounds of the unfolded expressions of a stage: in lines, and of a value in characters.
const (
	maxUnfolded   = 14
	unfoldedCells = 60
)

// queries unfolds the JSONata expressions of the stage: the value of each of their parts.
func (e *explanation) queries(index int) []prose.Paragraph {
	words := prose.Of(explain.Query(e.screen.Session(), index), prose.Writer(e.screen.Glyphs(), unfoldedCells))
	if more := len(words) - maxUnfolded; more > 0 {
		text := wording.Count(more, "more line") + ": asldb eval --jsonata --parts has them all"
		words = append(words[:maxUnfolded], prose.Paragraph{Style: canvas.Dim, Text: text})
	}
	return words
}

// standing explains why the run has stopped, with the keys to continue.
func (e *explanation) standing(s *debug.Session) []prose.Paragraph {
	stop, key := s.Stop(), e.screen.Key
	if stop.Reason == debug.StoppedForTime {
		return append(e.timers(s), e.explained(explain.Stopped(stop, e.options.Limit))...)
	}
	words := e.explained(explain.Stopped(stop, e.options.Limit))
	switch {
	case stop.Reason == debug.StoppedByInterrupt && stop.Err != nil && stop.Undone:
		words[0].Text = strings.TrimSuffix(words[0].Text, ".") + ": " + key(keys.StepStage) + " retries it."
	case stop.Reason == debug.StoppedByInterrupt && stop.Err != nil, stop.Reason == debug.StoppedByLimit:
		words[0].Text += " " + key(keys.Continue) + " continues."
	case stop.Reason == debug.StoppedBySource && stop.Err != nil:
	case e.atFailedEnd():
		words = append(e.explained(explain.Text{explain.Summary(s)}), words...)
	case e.atUncaught():
	case s.Status().Done():
		summary := e.explained(explain.Text{explain.Summary(s)})
		summary[0].Text += "; " + key(keys.Restart) + " starts again"
		words = append(append(summary, e.facts(s)...), words...)
	default:
		words = append(words, e.facts(s)...)
	}
	for i := range words {
		if words[i].Indent == 0 && words[i].Style != canvas.Dim {
			words[i].Indent = 2
		}
	}
	return words
}

// mending describes the offered fix of a failure, and the other keys.
func (e *explanation) mending() []prose.Paragraph {
	end := e.atFailedEnd()
	if !end && !e.atUncaught() {
		return nil
	}
	var words []prose.Paragraph
	if e.options.Fix != nil {
		words = e.options.Fix()
	}
	return append(words, e.afterFailure(end || e.screen.Disabled(keys.Cause) == ""))
}

// atFailedEnd reports whether the run is at its end and has not succeeded.
func (e *explanation) atFailedEnd() bool {
	return e.screen.Newest() && e.screen.Session().Status().Done() &&
		e.screen.Session().Status() != engine.Succeeded && e.screen.Disabled(keys.Cause) == ""
}

// missed returns the path that the stage in which the run failed did not find, or "".
func (e *explanation) missed() string {
	if e.options.Missed == nil {
		return ""
	}
	return e.options.Missed()
}

// atUncaught reports whether the run is at an error that will end it.
func (e *explanation) atUncaught() bool {
	stop := e.screen.Session().Stop()
	return e.screen.Newest() && stop.Reason == debug.StoppedByBreakpoint && stop.Breakpoint != nil &&
		stop.Breakpoint.Standing
}

// afterFailure returns the keys at a failure. elsewhere is set where its cause is another event.
func (e *explanation) afterFailure(elsewhere bool) prose.Paragraph {
	key := e.screen.Key
	var list []string
	if elsewhere {
		list = append(list, key(keys.Look)+" goes to the cause")
	}
	if e.screen.Session().Status().Done() {
		list = append(list, key(keys.Restart)+" starts again")
	} else {
		list = append(list, key(keys.Continue)+" continues")
	}
	if path := e.missed(); path != "" {
		list = append(list, key(keys.ComesFrom)+" follows "+path+" back")
	}
	if e.options.Answerable != nil && e.options.Answerable() != "" {
		list = append(list, key(keys.Answer)+" answers "+e.options.Answerable()+" otherwise")
	}
	text := strings.Join(list, ", ")
	if e.withoutInput() {
		text += ". No input was given: " + key(keys.BackContinue) + ", then " + key(keys.EditData) +
			" offers one made up from the paths that the states read"
	}
	return prose.Paragraph{Style: canvas.Plain, Text: text, Indent: 2}
}

// withoutInput reports whether no input was given, and one can be offered.
func (e *explanation) withoutInput() bool {
	given, ok := e.screen.Session().Options().Input.(*value.Object)
	return e.options.Grown && ok && given.Len() == 0
}

// greeting returns the words for a run that has not begun.
func (e *explanation) greeting() []prose.Paragraph {
	key := e.screen.Key
	words := []prose.Paragraph{{Style: canvas.Strong, Text: "Nothing has run yet. " + key(keys.StepStage) +
		": next stage, " + key(keys.StepState) + ": next state, " +
		key(keys.Continue) + ": run, " + key(keys.ToggleBreak) + ": breakpoint"}}
	for _, sentence := range e.options.About {
		words = append(words, prose.Paragraph{Style: canvas.Plain, Text: sentence, Indent: 2})
	}
	words = append(words, e.tasks()...)
	words = append(words, e.problems()...)
	words = append(words, e.explained(explain.Text{explain.Begin(e.screen.Session())})...)
	return append(words, prose.Paragraph{Style: canvas.Dim, Text: e.aboutInput()})
}

// aboutInput is the line above the input.
func (e *explanation) aboutInput() string {
	key := e.screen.Key(keys.EditData)
	if e.withoutInput() {
		return "No input was given (" + key + " offers one that is made up from the paths that the states read):"
	}
	return "The input (" + key + " edits it):"
}

// tasks says which tasks have results, and which will ask the user for them.
func (e *explanation) tasks() []prose.Paragraph {
	if e.options.Answers == nil || e.screen.Session().ReadOnly() {
		return nil
	}
	var asks []string
	total := 0
	for state := range e.screen.Session().Machine().Definition().All() {
		if state.Type != asl.Task {
			continue
		}
		if total++; !e.options.Answers(state) {
			asks = append(asks, wording.Line(state.Name))
		}
	}
	g := e.screen.Glyphs()
	switch {
	case total == 0:
		return nil
	case len(asks) == 0:
		return []prose.Paragraph{{Style: canvas.Plain, Text: g.Visited + " " + wording.CountOf(total,
			"task has a result", "tasks have results"), Indent: 2}}
	}
	text := g.Waiting + " " + wording.CountOf(len(asks), "task will ask you for its result",
		"tasks will ask you for their results")
	if len(asks) < total {
		text = g.Waiting + " " + strconv.Itoa(len(asks)) + " of " + strconv.Itoa(total) +
			" tasks will ask you for their results"
	}
	names := strings.Join(asks[:min(len(asks), mostAsking)], ", ")
	if more := len(asks) - mostAsking; more > 0 {
		names += " and " + strconv.Itoa(more) + " more"
	}
	return []prose.Paragraph{{Style: canvas.Plain, Text: text + ": " + names + ". " +
		e.screen.Key(keys.SaveFixtures) + " keeps your answers as fixtures", Indent: 2}}
}

// mostAsking bounds the tasks without results that are named before a run.
const mostAsking = 6

// mostProblems bounds the warnings that are named before a run.
const mostProblems = 3

// Warned says how many warnings there are about the definition, and which keys lead to them.
func Warned(s view.Shell, n int) string {
	return s.Glyphs().Warning + " " + wording.Count(n, "warning") + " about the definition: " + s.Key(keys.Source) +
		" shows the text, " + s.Key(keys.AddWatch) + " in it the next one"
}

// problems names the warnings about the definition, with their lines.
func (e *explanation) problems() []prose.Paragraph {
	var words []prose.Paragraph
	list := e.options.Problems()
	if len(list) > 0 {
		words = append(words, prose.Paragraph{Style: canvas.Warn, Text: Warned(e.screen, len(list)), Indent: 2})
	}
	for i := range list[:min(len(list), mostProblems)] {
		d := &list[i]
		text := e.screen.Glyphs().Warning + " line " + strconv.Itoa(d.Span.Start.Line) + ": " + wording.Line(d.Message)
		words = append(words, prose.Paragraph{Style: canvas.Warn, Text: text, Indent: 2})
	}
	if more := len(list) - mostProblems; more > 0 {
		words = append(words, prose.Paragraph{Style: canvas.Dim, Text: strconv.Itoa(more) + " more", Indent: 2})
	}
	return words
}

// maxTimers bounds the number of timers that are named; the first is the one that counts.
const maxTimers = 8

// timers names the timers that the run waits for.
func (e *explanation) timers(s *debug.Session) []prose.Paragraph {
	var words []prose.Paragraph
	timers := s.Timers()
	for i, t := range explain.Timers(s, timers[:min(len(timers), maxTimers)]) {
		if i == 0 && e.screen.Selection().Event.Type == engine.RetryScheduled {
			t.Reason = "" // the event has just said it
		}
		label, style := "      ", canvas.Dim
		if i == 0 {
			label, style = "next  ", canvas.Warn
		}
		text := label + t.Due + "  " + t.Name
		if t.Reason != "" {
			text += "  " + t.Reason
		}
		words = append(words, prose.Paragraph{Style: style, Text: text, Indent: 6})
	}
	if e.screen.Paced() {
		return words
	}
	key := e.screen.Key
	return append(words, prose.Paragraph{Style: canvas.Plain, Text: key(keys.NextTimer) +
		" goes to the next timer, " + key(keys.AdvanceBy) +
		" by a time that you type, " + key(keys.ClockMode) + " changes how time goes"})
}
