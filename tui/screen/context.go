package screen

import (
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// contract is the screen as panes and dialogs know it.
type contract struct{ u *ui }

var _ view.Screen = contract{}

func (u *ui) context() view.Screen { return contract{u} }

// Keys implements [pane.Context].
func (c contract) Keys() *keys.Map { return c.u.keys }

// Say implements [pane.Context].
func (c contract) Say(style canvas.Style, text string) { c.u.say(style, text) }

// Open implements [pane.Context].
func (c contract) Open(d view.Dialog) { c.u.dialog = d }

// Do implements [pane.Context].
func (c contract) Do(a keys.Action, argument string) { c.u.do(a, argument) }

// Disabled implements [pane.Context].
func (c contract) Disabled(a keys.Action) string { return c.u.disabled(a) }

// Copy implements [pane.Context].
func (c contract) Copy(text string) { c.u.effects.copy = text }

// EditOutside implements [pane.Context].
func (c contract) EditOutside(text string, done func(text string, err error)) {
	c.u.effects.edit = &Edit{Text: text, Done: done}
}

// OpenFile implements [pane.Context].
func (c contract) OpenFile(name string, line, col int) {
	c.u.effects.open = &OpenFile{Name: name, Line: line, Col: col, Done: func(err error) {
		if err != nil {
			c.Say(canvas.Bad, err.Error())
			return
		}
		c.u.nest.root().reload.edited()
	}}
}

// Quit implements [pane.Context].
func (c contract) Quit() { c.u.effects.quit, c.u.effects.back = !c.u.leaving, c.u.leaving }

// Session implements [pane.Screen].
func (c contract) Session() *debug.Session { return c.u.session }

// Log implements [pane.Screen].
func (c contract) Log() *runlog.Log { return c.u.session.Log() }

// Start implements [pane.Screen].
func (c contract) Start() time.Time { return c.u.start }

// Selection implements [pane.Screen].
func (c contract) Selection() *view.Selection { return c.u.selection }

// Newest implements [pane.Screen].
func (c contract) Newest() bool { return c.u.following }

// Inspect implements [pane.Screen].
func (c contract) Inspect(index int) { c.u.look(index) }

// StandAt implements [pane.Screen].
func (c contract) StandAt(index int) { c.u.standAt(index) }

// Switch implements [pane.Screen].
func (c contract) Switch(fork int) error {
	if err := c.u.session.Forks().Switch(fork); err != nil {
		return err
	}
	c.u.catchUp()
	c.u.logpoints.pass()
	return nil
}

// State implements [pane.Screen].
func (c contract) State() *asl.State { return c.u.states.Selected() }

// Document implements [pane.Screen].
func (c contract) Document() value.Value { return c.u.data.Document() }

// Path implements [pane.Screen].
func (c contract) Path() string { return c.u.data.Path() }

// Begin implements [pane.Screen].
func (c contract) Begin(command debug.Command) { c.u.run.begin(command) }

// Running implements [pane.Screen].
func (c contract) Running() bool { return c.u.run.running }

// Paced implements [pane.Screen].
func (c contract) Paced() bool { return c.u.run.paced }

// Later implements [pane.Screen].
func (c contract) Later(work func() (more bool)) { c.u.work, c.u.effects.advance = work, true }

// PassUntil implements [pane.Screen].
func (c contract) PassUntil(until time.Time) { c.u.run.passUntil(until) }

// Answer implements [pane.Screen].
func (c contract) Answer(r *engine.TaskRequest) { c.u.answers.ask(r) }

// Sync implements [pane.Screen].
func (c contract) Sync() { c.u.sync() }

// Refresh implements [pane.Screen].
func (c contract) Refresh() { c.u.refresh() }

// SetupChanged implements [pane.Screen].
func (c contract) SetupChanged() {
	c.u.setups.save()
	c.u.refresh()
}

// Focus implements [pane.Screen].
func (c contract) Focus(p view.ID) { c.u.layout.focus(p) }

// Focused implements [pane.Screen].
func (c contract) Focused() view.ID { return c.u.layout.mode.Focus }

// Place implements [pane.Screen].
func (c contract) Place(p view.ID) canvas.Rect { return c.u.layout.places.Panes[p] }

// Dialog implements [pane.Screen].
func (c contract) Dialog() view.Dialog { return c.u.dialog }

// Key implements [pane.Screen].
func (c contract) Key(a keys.Action) string { return c.u.keys.Key(a) }

// AskFor implements [pane.Screen].
func (c contract) AskFor(a keys.Action, label, fallback, about string) {
	c.u.prompts.ask(a, label, fallback, about)
}

// History implements [pane.Screen].
func (c contract) History(arg keys.Arg) *view.History { return c.u.prompts.histories.Of(arg.String()) }

// Complete implements [pane.Screen].
func (c contract) Complete(arg keys.Arg, text string) []view.Completion {
	return c.u.prompts.complete(arg, text)
}

// Glyphs implements [pane.Screen].
func (c contract) Glyphs() *canvas.Glyphs { return c.u.glyphs }

// Theme implements [pane.Screen].
func (c contract) Theme() *canvas.Theme { return c.u.theme }
