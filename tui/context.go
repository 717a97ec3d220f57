package tui

import (
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
)

// dialogContext is what dialogs know of a screen.
type dialogContext struct{ u *ui }

var _ pane.Context = dialogContext{}

func (u *ui) context() pane.Context { return dialogContext{u} }

// Keys implements [pane.Context].
func (c dialogContext) Keys() *keys.Map { return c.u.keys }

// Say implements [pane.Context].
func (c dialogContext) Say(style canvas.Style, text string) { c.u.say(style, text) }

// Open implements [pane.Context].
func (c dialogContext) Open(d pane.Dialog) { c.u.dialog = d }

// Do implements [pane.Context].
func (c dialogContext) Do(a keys.Action, argument string) { c.u.do(a, argument) }

// Disabled implements [pane.Context].
func (c dialogContext) Disabled(a keys.Action) string { return c.u.disabled(a) }

// OnClick implements [pane.Context].
func (c dialogContext) OnClick(place canvas.Rect, do func()) {
	c.u.mouse.add(place, func(*ui) { do() })
}

// Copy implements [pane.Context].
func (c dialogContext) Copy(text string) { c.u.effects.copy = text }

// EditOutside implements [pane.Context].
func (c dialogContext) EditOutside(text string, done func(text string, err error)) {
	c.u.effects.external = &external{text: text, done: done}
}

// Quit implements [pane.Context].
func (c dialogContext) Quit() { c.u.effects.quit = true }
