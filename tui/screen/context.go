package screen

import (
	"context"
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

// contract is the screen as views and its own parts know it: every part that a view can be given.
type contract struct{ u *ui }

func (u *ui) context() contract { return contract{u} }

// Keys implements [view.Shell].
func (c contract) Keys() *keys.Map { return c.u.keys }

// Say implements [view.Shell].
func (c contract) Say(style canvas.Style, text string) { c.u.say(style, text) }

// Open implements [view.Shell].
func (c contract) Open(d view.View) { c.u.dialog = d }

// Do implements [view.Shell].
func (c contract) Do(a keys.Action, argument string) { c.u.do(a, argument) }

// Disabled implements [view.Shell].
func (c contract) Disabled(a keys.Action) string { return c.u.disabled(a) }

// Copy implements [view.Shell].
func (c contract) Copy(text string) { c.u.on.host.Copy(text) }

// EditOutside implements [view.Shell].
func (c contract) EditOutside(text string, done func(text string, err error)) {
	c.u.on.host.Edit(text, done)
}

// OpenFile implements [view.Shell].
func (c contract) OpenFile(name string, line, col int) {
	c.u.on.host.OpenFile(name, line, col, func(err error) {
		if err != nil {
			c.Say(canvas.Bad, err.Error())
			return
		}
		c.u.nest.root().reload.edited()
	})
}

// Session implements [view.RunState].
func (c contract) Session() *debug.Session { return c.u.session }

// Log implements [view.RunState].
func (c contract) Log() *runlog.Log { return c.u.session.Log() }

// Start implements [view.RunState].
func (c contract) Start() time.Time { return c.u.start }

// Selection implements [view.Selected].
func (c contract) Selection() *view.Selection { return c.u.selection }

// Newest implements [view.RunState].
func (c contract) Newest() bool { return c.u.following }

// Inspect implements [view.Selected].
func (c contract) Inspect(index int) { c.u.showEvent(index) }

// Glance implements [view.Selected].
func (c contract) Glance(index int) {
	if index < 0 {
		index = c.u.present()
	}
	c.u.showEvent(index)
	c.u.aside = !c.u.following
}

// StandAt implements [view.Control].
func (c contract) StandAt(index int) { c.u.standAt(index) }

// Switch implements [view.Control].
func (c contract) Switch(fork int) error {
	if err := c.u.session.Forks().Switch(fork); err != nil {
		return err
	}
	c.u.catchUp()
	c.u.logpoints.pass()
	return nil
}

// State implements [view.Selected].
func (c contract) State() *asl.State { return c.u.states.Selected() }

// Unshown implements [view.Selected].
func (c contract) Unshown() *asl.State { return c.u.states.Unshown() }

// Document implements [view.Selected].
func (c contract) Document() value.Value { return c.u.data.Document() }

// Path implements [view.Selected].
func (c contract) Path() string { return c.u.data.Path() }

// Begin implements [view.Control].
func (c contract) Begin(command debug.Command) { c.u.run.begin(command) }

// Running implements [view.RunState].
func (c contract) Running() bool { return c.u.run.running }

// Paced implements [view.RunState].
func (c contract) Paced() bool { return c.u.run.paced }

// Later implements [view.Control].
func (c contract) Later(work func() (more bool)) {
	c.u.work = work
	c.u.again()
}

// Behind implements [view.Control].
func (c contract) Behind(work func() (done func())) {
	c.u.on.host.Go(func(context.Context) func() {
		done := work()
		return func() {
			done()
			c.u.layout.place()
		}
	})
}

// PassUntil implements [view.Control].
func (c contract) PassUntil(until time.Time) { c.u.run.passUntil(until) }

// Answer is for the screen itself.
func (c contract) Answer(r *engine.TaskRequest) { c.u.answers.ask(r) }

// Sync implements [view.Control].
func (c contract) Sync() { c.u.sync() }

// Refresh implements [view.Control].
func (c contract) Refresh() { c.u.refresh() }

// SetupChanged implements [view.Control].
func (c contract) SetupChanged() {
	c.u.setups.save()
	c.u.refresh()
}

// Focus implements [view.Panes].
func (c contract) Focus(p view.ID) { c.u.layout.focus(p) }

// Focused implements [view.Panes].
func (c contract) Focused() view.ID { return c.u.layout.mode.Focus }

// Place implements [view.Panes].
func (c contract) Place(p view.ID) canvas.Rect { return c.u.layout.places.Panes[p] }

// Dialog implements [view.Shell].
func (c contract) Dialog() view.View { return c.u.dialog }

// Key implements [view.Shell].
func (c contract) Key(a keys.Action) string { return c.u.keys.Key(a) }

// AskFor implements [view.Prompts].
func (c contract) AskFor(a keys.Action, label, fallback, about string) {
	c.u.prompts.ask(a, label, fallback, about)
}

// History implements [view.Prompts].
func (c contract) History(arg keys.Arg) *view.History { return c.u.prompts.histories.Of(arg.String()) }

// Complete implements [view.Prompts].
func (c contract) Complete(arg keys.Arg, text string) []view.Completion {
	return c.u.prompts.complete(arg, text)
}

// Glyphs implements [view.Shell].
func (c contract) Glyphs() *canvas.Glyphs { return c.u.glyphs }
