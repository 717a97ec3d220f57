package tui

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// plain is the debugger without a screen, for screen readers, dumb terminals and scripts. It drives the same screen as
// the program does, by the same commands, and draws nothing.
type plain struct {
	*Player
	*program.Lines
	last        screen.Standing // the place of the run that was written last
	messages    int             // the number of those that were written
	dialog      string          // the lines of the newest dialog
	focus       view.ID
	changedFile func() string // of the session's; nil: none is looked at
	// flag interrupts evaluations. lent: the keys are for the editor.
	flag *interrupt.Flag
	lent atomic.Bool
	// grows: the run is executed elsewhere, and has not ended.
	grows bool
	// interrupted: the newest command was interrupted, and its end is not reported yet.
	interrupted bool
}

// errInterrupted is the error of a command that Ctrl+C has ended.
var errInterrupted = errors.New("interrupted")

// mostPassed bounds the events that are written after a command.
const mostPassed = 20

// RunPlain takes lines and writes sentences until the user quits, the lines end, or ctx is done, whose cause it
// returns.
func RunPlain(ctx context.Context, session *debug.Session, o Options, lines *program.Lines) error {
	o.Words, o.NoColor = true, true
	if o.Interrupt == nil {
		o.Interrupt = &interrupt.Flag{}
		session.SetInterrupt(o.Interrupt.Check)
	}
	p := &plain{Lines: lines, changedFile: watching(o.Reload), flag: o.Interrupt}
	lend := program.Lending(program.NoTerminal)
	if terminal := o.Terminal; terminal != nil {
		lend = func(f func(in, out *os.File) error) error {
			p.lent.Store(true)
			defer p.lent.Store(false)
			return terminal.Guard(f)
		}
	}
	p.Player = newPlayer(session, o, 200, 60, lend)
	defer p.top().SaveSetups()
	if err := p.carry(ctx, func() {}); err != nil {
		return err
	}
	p.Say(p.top().Heading())
	p.Say(p.top().Story()...)
	p.last = p.top().Standing()
	p.tell(keys.None)
	p.Say("help lists the commands.")
	for !p.over() {
		line, ok, err := p.next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			if lost := p.top().Unsaved(); len(lost) > 0 {
				p.Say("Not saved: " + strings.Join(lost, ", ") + ".")
			}
			break
		}
		if err := p.take(ctx, line); err != nil {
			return err
		}
	}
	if _, err := p.stack.Over(); errors.Is(err, ErrBack) {
		return err
	}
	return p.Flush()
}

// growEvery is the time between two looks at a recording that is followed.
const growEvery = 100 * time.Millisecond

// next returns the next line; ok is false at the end. A recording that is followed is reported meanwhile as it grows,
// and behind the end of the lines until its run has ended.
func (p *plain) next(ctx context.Context) (line string, ok bool, err error) {
	for p.top().Followed() {
		line, ok, late, err := p.ReadFor(ctx, growEvery)
		switch {
		case err != nil:
			return "", false, err
		case ok:
			return line, true, nil
		case !late: // no lines come any more
			return "", false, p.followOn(ctx)
		}
		if err := p.grow(ctx); err != nil {
			return "", false, err
		}
	}
	return p.Read(ctx)
}

// followOn reports new events of the recording until its run has ended, or an interrupt.
func (p *plain) followOn(ctx context.Context) error {
	for p.top().Followed() {
		if err := p.Flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-p.Interrupts:
			return nil
		case <-time.After(growEvery):
		}
		if err := p.grow(ctx); err != nil {
			return err
		}
	}
	return nil
}

// grow reports the new events of the recording that is followed, and the place where the run has ended.
func (p *plain) grow(ctx context.Context) error {
	if err := p.carry(ctx, func() { p.top().Extend() }); err != nil {
		return err
	}
	p.grows = p.top().Followed() && p.top().Standing().Session == p.last.Session
	if !p.top().Followed() { // the place where it has ended is reported also where its events were reported before
		p.last.Ending = ""
	}
	p.tell(keys.None)
	p.grows = false
	return nil
}

// watching returns the function that looks at the files of a session; nil where there are none.
func watching(r *screen.Reload) func() string {
	if r == nil {
		return nil
	}
	return r.Changed
}

// take carries out a line and reports the result.
func (p *plain) take(ctx context.Context, line string) error {
	if p.changedFile != nil {
		p.top().FilesChanged(p.changedFile())
	}
	a := keys.None
	if err := p.carry(ctx, func() { a = p.do(line) }); err != nil || p.over() {
		return err
	}
	p.tell(a)
	return nil
}

// evaluationGrace is how long a command that is to end may take before the evaluation that blocks it is ended.
const evaluationGrace = 100 * time.Millisecond

// carry begins a command and waits until the screen is idle, unless an interrupt ends it before: then the screen shows
// the place to which it has come.
func (p *plain) carry(ctx context.Context, begin func()) (err error) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p.Interruptible(func() {
		begin()
		p.top().AwaitCalls()
		err = p.settleAll(running)
	}, func(done <-chan struct{}) {
		if p.lent.Load() {
			return
		}
		stop(errInterrupted)
		select {
		case <-done:
		case <-time.After(evaluationGrace):
			p.flag.Raise()
		}
	})
	if ctx.Err() != nil || !errors.Is(context.Cause(running), errInterrupted) {
		return err
	}
	p.flag.Lower()
	p.interrupted = true
	p.top().Interrupt()
	return p.settleAll(ctx)
}

// settleAll waits until the screen is idle; a paced clock does not wait for real time.
func (p *plain) settleAll(ctx context.Context) error {
	for {
		if err := p.stack.Settle(ctx); err != nil || p.tick == 0 || p.over() {
			return err
		}
		if err := p.pass(ctx, p.tick-p.at, ""); err != nil {
			return err
		}
	}
}

// do carries out a line: an answer to the dialog, or a command.
func (p *plain) do(line string) keys.Action {
	text := strings.TrimSpace(line)
	if p.top().Dialog() == nil && (isJSON(text) || strings.HasPrefix(text, "error ")) && p.last.Session.AtEnd() &&
		len(p.last.Session.Requests()) > 0 { // a task waits whose question is not open
		_, _ = p.top().Command(p.top().Table().Binding(keys.Answer).Names[0])
	}
	if p.top().Dialog() != nil && p.answer(text) {
		return keys.None
	}
	name, rest, _ := strings.Cut(text, " ")
	table := p.top().Table()
	switch {
	case text == "", name == "#":
		return keys.None
	case isJSON(text):
		p.Say("No task asks for a result: " + table.Key(keys.Answer) + " changes one, " +
			table.Key(keys.EditData) + " the data.")
		return keys.None
	case name == "help" || name == "?":
		p.help(strings.TrimSpace(rest))
		return keys.None
	}
	if a, _, err := table.Command(text); err == nil && slices.Contains(drawn(), a) {
		p.Say(":" + name + " is about the drawn screen, which there is not here.")
		return keys.None
	}
	if p.top().Dialog() != nil {
		p.stack.Press(keys.Press{Name: "esc"})
	}
	switch _, _, err := table.Command(text); {
	case err != nil && p.top().TurnTo(text):
		return keys.FocusEvents
	case text == "events": // also where another tab of the drawer is shown
		p.top().TurnTo(text)
		return keys.FocusEvents
	}
	if a, _, err := table.Command(text); (err == nil && a == keys.EditData || table.Lookup(text) == keys.EditData) &&
		p.top().Focused() == view.Drawer && !p.last.Session.ReadOnly() { // the data, not the list told last
		p.top().Focus(view.Data)
	}
	if p.finds(text) {
		p.top().Focus(view.Drawer)
	}
	a, err := p.top().Command(text)
	if err != nil {
		p.Say(err.Error())
	}
	return a
}

// finds reports whether a line searches, which it does among the events: they name their places.
func (p *plain) finds(text string) bool {
	a, _, _ := p.top().Table().Command(text)
	if a == keys.None {
		a = p.top().Table().Lookup(text)
	}
	return a == keys.Find || a == keys.FindNext || a == keys.FindPrevious || a == keys.AddWatch
}

// answer gives a line to the dialog; false where it is a command.
func (p *plain) answer(text string) bool {
	press := p.press
	_, _, notCommand := p.top().Table().Command(text)
	if text == "editor" && p.top().Writes() {
		press("ctrl+x")
		return true
	}
	switch d := p.top().Dialog().(type) {
	case *dialog.Question:
		return p.answerQuestion(text)
	case *dialog.Edit:
		switch {
		case text == "", text == "esc":
			press(map[bool]string{true: "ctrl+s", false: "esc"}[text == ""])
		case isJSON(text):
			d.SetText(text)
			press("ctrl+s")
		default:
			return false
		}
	case *dialog.Items:
		switch {
		case text == "", text == "esc":
			press(map[bool]string{true: "enter", false: "esc"}[text == ""])
		case isJSON(text), notCommand != nil:
			p.stack.Press(keys.Press{Text: text})
			press("enter")
		default:
			return false
		}
	case *dialog.Prompt, *dialog.CheckedPrompt:
		if text == "esc" {
			press("esc")
			break
		}
		p.stack.Press(keys.Press{Text: text})
		press("enter")
	default:
		switch {
		case text == "":
			press("enter")
		case text == "space":
			press(" ")
		case slices.Contains([]string{"esc", "enter", "up", "down", "left", "right", "delete"}, text):
			press(text)
		case len([]rune(text)) == 1 && !p.top().Writes():
			p.stack.Press(keys.Press{Name: text, Text: text})
		case notCommand != nil && p.top().Writes():
			p.stack.Press(keys.Press{Text: text})
		default:
			return false
		}
	}
	return true
}

// press gives keys to the topmost view.
func (p *plain) press(names ...string) {
	for _, name := range names {
		p.stack.Press(keys.Press{Name: name})
	}
}

// answerQuestion gives a line to a task that asks for its result: a value, or an error with its cause.
func (p *plain) answerQuestion(text string) bool {
	name, isError := strings.CutPrefix(text, "error ")
	switch {
	case text == "", text == "esc":
		p.press(map[bool]string{true: "enter", false: "esc"}[text == ""])
	case isError:
		name, cause, _ := strings.Cut(strings.TrimSpace(name), " ")
		p.press("tab")
		p.stack.Press(keys.Press{Text: name})
		p.press("tab")
		p.stack.Press(keys.Press{Text: strings.TrimSpace(cause)})
		p.press("enter")
	case isJSON(text):
		p.stack.Press(keys.Press{Text: text})
		p.press("enter")
	default:
		return false
	}
	return true
}

// isJSON reports whether a line begins as a JSON value does.
func isJSON(text string) bool {
	return text != "" && (strings.ContainsRune(`{["-0123456789`, rune(text[0])) && !strings.HasPrefix(text, "- ") ||
		text == "true" || text == "false" || text == "null")
}

// tell writes the messages, and then the dialog that has opened, or the place that the run has come to, or the pane
// that a command has turned to.
func (p *plain) tell(a keys.Action) {
	now := p.top().Standing()
	if now.Session != p.last.Session {
		p.messages = 0
	}
	moved := now != p.last || p.interrupted
	if p.interrupted {
		p.Say("") // behind the characters that the terminal shows for the key
		p.interrupted = false
	}
	texts, count := p.top().NewMessages(p.messages)
	p.messages = count
	p.Say(texts...)
	if moved {
		p.moved(&now)
	}
	p.last = now
	switch {
	case p.top().Dialog() != nil:
		lines := p.top().DialogLines()
		if text := strings.Join(lines, "\n"); text != p.dialog || p.top().Dialog() == nil {
			p.dialog = text
			p.Say(lines...)
		}
		return
	case moved && !p.grows:
		p.Say(p.top().Story()...)
		if focus := p.top().Focused(); focus == view.Drawer && focus != p.focus { // a comparison has opened
			p.Say(p.top().PlainLines()...)
		}
	case turns(a):
		p.Say(p.top().PlainLines()...)
	}
	p.dialog, p.focus = "", p.top().Focused()
}

// moved describes the way to another place.
func (p *plain) moved(now *screen.Standing) {
	if now.Session == p.last.Session && now.Fork == p.last.Fork && now.Event > p.last.Event+1 {
		lines, left := p.top().Passed(p.last.Event, mostPassed)
		if left > 0 {
			p.Say(wording.Count(left, "earlier event") + "; events lists all.")
		}
		for _, line := range slices.Backward(lines) {
			p.Say(line)
		}
	}
	if !p.grows {
		p.Say(p.top().Heading())
	}
}

// help lists the commands, those alone in which a text occurs where one is given.
func (p *plain) help(text string) {
	table := p.top().Table()
	for _, group := range keys.Groups() {
		first := true
		for _, b := range table.In(group) {
			if slices.Contains(drawn(), b.Action) {
				continue
			}
			line := strings.TrimPrefix(b.Usage(), ":") + ": " + b.Help
			if names := slices.Concat(b.Names[1:], b.Keys); len(names) > 0 {
				line = strings.TrimPrefix(b.Usage(), ":") + " (" + strings.Join(names, ", ") + "): " + b.Help
			}
			if !strings.Contains(strings.ToLower(line), strings.ToLower(text)) {
				continue
			}
			if first {
				p.Say(group.String() + ":")
				first = false
			}
			p.Say("  " + line + ".")
		}
	}
	p.Say("A line of JSON, or error NAME CAUSE, answers the task that asks; a line that begins with # is skipped.")
}

// turns reports whether a command shows a pane or a list.
func turns(a keys.Action) bool {
	switch a {
	case keys.FocusData, keys.FocusGraph, keys.FocusEvents, keys.FocusSide, keys.FocusNext, keys.FocusPrevious,
		keys.NextTab, keys.PreviousTab, keys.TimelineMode, keys.Iterations, keys.WhatIfs, keys.Compare,
		keys.ListBreaks, keys.Bookmarks, keys.Filter, keys.Source, keys.DataView, keys.AddWatch, keys.Coverage,
		keys.Explore, keys.Judge:
		return true
	default:
		return false
	}
}

// drawn are the actions that only a drawn screen has.
func drawn() []keys.Action {
	return []keys.Action{
		keys.GraphLarger, keys.GraphSmaller, keys.Minimap, keys.Zoom, keys.DividerLeft, keys.DividerRight,
		keys.DividerUp, keys.DividerDown, keys.ScrollLeft, keys.ScrollRight, keys.Redraw, keys.Suspend, keys.Prompt,
		keys.Palette, keys.Fold, keys.FoldAll, keys.PageUp, keys.PageDown,
	}
}
