package screen

import (
	"path/filepath"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// fixing offers the changes of the definition that mend the failure on the screen. Each is tried on this run before.
type fixing struct {
	contract
	of      *Reload
	reload  *reloading
	forks   *forks
	endings *endings
	show    func() // brings the pane of the data up to date
	// waiting and offered are about the failure at the end of log when it had length events.
	log     *runlog.Log
	length  int
	waiting []explain.Fix
	offered []triedFix
	spent   time.Duration
	written *writtenFix
}

// triedFix is a fix with which the state that failed passes, or that there was no time to try.
type triedFix struct {
	explain.Fix
	how   debug.Reloading
	tried string // how the run ended, "" where it was not tried
}

// writtenFix is a fix that was made, until it is taken back.
type writtenFix struct {
	back        func() error // nil where no file was written
	before, now int          // forks
}

// tryingFor bounds the time that the fixes of a failure are tried for.
const tryingFor = 200 * time.Millisecond

func (fx *fixing) bindings() view.Bindings {
	return view.Bindings{
		{Action: keys.ApplyFix, Run: plainly(func() { fx.open(0) }), Disabled: fx.none},
		{Action: keys.Undo, Applies: fx.undoable, Run: plainly(fx.undo)},
	}
}

// none says why no fix is offered, "" where one is.
func (fx *fixing) none() string {
	switch {
	case fx.failure() < 0:
		return "the run has not failed; " + fx.Key(keys.StepOut) + " steps out"
	case fx.log != fx.Log() || fx.length != fx.Log().Len() || len(fx.offered) == 0:
		return "no fix of this failure has mended it when it was tried"
	}
	return ""
}

// consider begins to try the fixes of a failure that the screen has come to.
func (fx *fixing) consider() {
	failure := fx.failure()
	if failure < 0 {
		fx.log, fx.waiting, fx.offered = nil, nil, nil
		return
	}
	if fx.log == fx.Log() && fx.length == fx.Log().Len() {
		return
	}
	fx.log, fx.length, fx.offered, fx.spent = fx.Log(), fx.Log().Len(), nil, 0
	if fx.waiting = explain.Fixes(fx.Session(), failure); len(fx.waiting) > 0 {
		fx.Later(fx.step)
	}
}

// failure returns the index of the error that ends the run, or will, -1 where the screen shows none.
func (fx *fixing) failure() int {
	if fx.of == nil || fx.of.Edited == nil || !fx.Newest() || !fx.endings.failed() && !fx.endings.atUncaught() ||
		readOnly(fx.contract) != "" {
		return -1
	}
	if root := fx.endings.shown(); root != nil {
		return int(root.Root()) - 1
	}
	return -1
}

// step tries the next fix, and reports whether there are more.
func (fx *fixing) step() (more bool) {
	if len(fx.waiting) == 0 || fx.log != fx.Log() || fx.length != fx.Log().Len() {
		return false
	}
	f, begun := fx.waiting[0], time.Now()
	fx.waiting = fx.waiting[1:]
	over := func() bool { return fx.spent+time.Since(begun) > tryingFor }
	if how, err := fx.of.Edited(f.Edit); err == nil {
		switch tried, err := fx.Session().Try(how, over); {
		case err != nil:
		case over() && tried.Stop().Reason == debug.StoppedByLimit:
			fx.waiting = append(fx.waiting, f) // the trial did not come to an end
		default:
			if words, passes := fx.judge(tried); passes {
				fx.offered = append(fx.offered, triedFix{f, how, words})
			}
		}
	}
	if fx.spent += time.Since(begun); fx.spent > tryingFor {
		fx.untried()
	}
	if more = len(fx.waiting) > 0; !more && len(fx.offered) > 0 && fx.Newest() && fx.Dialog() == nil {
		fx.show()
	}
	return more
}

// untried offers the fixes that wait behind those that were tried, unless one of these mends the failure.
func (fx *fixing) untried() {
	waiting, none := fx.waiting, len(fx.offered) == 0
	for fx.waiting = nil; none && len(waiting) > 0; waiting = waiting[1:] {
		if how, err := fx.of.Edited(waiting[0].Edit); err == nil {
			fx.offered = append(fx.offered, triedFix{waiting[0], how, ""})
		}
	}
}

// notTried says of a fix that the run was not repeated with it.
const notTried = "not tried: that takes long"

// judge says how a run with a fix ended; passes is set where the state that failed has passed.
func (fx *fixing) judge(tried *debug.Session) (words string, passes bool) {
	failed := fx.Log().At(fx.failure())
	if failed.Visit == nil {
		return "", false
	}
	name := failed.Visit.State.Name
	exited, reached := false, false
	for i := range tried.Log().Len() {
		e := tried.Log().At(i)
		if e.Visit == nil || e.Visit.State.Name != name {
			continue
		}
		exited = exited || e.Type == engine.StateExited
		reached = reached || e.Type == engine.StageCompleted && e.Stage == failed.Stage
		if e.Type == engine.StateFailed || e.Type == failed.Type && e.Stage == failed.Stage {
			return "", false
		}
	}
	asks := ""
	for _, request := range tried.Requests() {
		if asks == "" || request.Visit.State.Name == name {
			asks = request.Visit.State.Name
		}
	}
	switch status := tried.Status(); {
	case !exited && reached && asks == name:
		return name + " passes " + failed.Stage.String() + ", and asks for its result", true
	case !exited && status != engine.Succeeded:
		return "", false
	case status == engine.Failed:
		return name + " passes, then FAILED" + failedIn(tried.Log()), true
	case status.Done():
		return name + " passes, " + status.String(), true
	case asks != "":
		return name + " passes, then " + asks + " asks for its result", true
	}
	return name + " passes", true
}

// failedIn names the state where a run failed: " in Ship"; empty where it failed outside of all.
func failedIn(log *runlog.Log) string {
	for i := log.Len() - 1; i >= 0; i-- {
		if e := log.At(i); e.Failure() != nil && e.Visit != nil {
			return " in " + e.Visit.State.Name
		}
	}
	return ""
}

// fixFrame is the cells beside a line of a change: its number, its sign and the blanks.
const fixFrame = 12

// words describe the fix that is offered.
func (fx *fixing) words() []prose.Paragraph {
	if fx.none() != "" {
		return nil
	}
	f, number, sign := &fx.offered[0], "fix", fx.Glyphs().Visited
	if n := len(fx.offered); n > 1 {
		number = "fix 1 of " + strconv.Itoa(n)
	}
	style, tried := canvas.Good, "tried: "+f.tried
	if f.tried == "" {
		style, tried, sign = canvas.Warn, notTried, fx.Glyphs().Warning
	}
	list := prose.Of(f.Diff(fx.Place(view.Data).W-fixFrame), prose.Writer(fx.Glyphs(), prose.PreviewLength))
	for i := range list {
		list[i].Indent = prose.NoWrap
	}
	return append(list, prose.Paragraph{Style: style, Indent: 2,
		Text: sign + " " + number + ", " + tried + "; " + fx.Key(keys.ApplyFix) + ": " + f.Words})
}

// open shows the change of a fix.
func (fx *fixing) open(n int) {
	f := &fx.offered[n]
	file := f.Edit.File
	after := source.Apply(file, []source.Edit{f.Edit})
	name := filepath.Base(file.Name)
	d := &dialog.Fix{
		Screen: fx,
		Title:  name, Words: f.Words, Tried: f.tried, Diff: string(value.Unified(name, string(file.Data), name,
			string(after))),
		Write: func() { fx.write(f) }, Session: func() { fx.inSession(f) },
	}
	if len(fx.offered) > 1 {
		d.Next = func() { fx.open((n + 1) % len(fx.offered)) }
	}
	fx.Open(d)
}

// write makes the change in the file, and reads that again.
func (fx *fixing) write(f *triedFix) {
	back, err := fx.of.Write(f.Edit)
	if err != nil {
		fx.Say(canvas.Bad, err.Error())
		return
	}
	before := fx.Session().Forks().Current()
	fx.reload.reload()
	if now := fx.Session().Forks().Current(); now != before {
		fx.written = &writtenFix{back, before, now}
	}
}

// inSession runs the definition with the change, which no file has.
func (fx *fixing) inSession(f *triedFix) {
	before := fx.Session().Forks().Current()
	how := f.how
	how.Cause = "fix"
	reloaded, err := fx.Session().Reload(how)
	if err != nil {
		fx.Say(canvas.Bad, err.Error())
		return
	}
	fx.written = &writtenFix{nil, before, fx.Session().Forks().Current()}
	fx.reload.entered(reloaded)
	fx.Say(canvas.Plain, "The fix is in this session alone: "+f.Words+".")
}

// undoable reports whether the run on the screen is the run with a fix.
func (fx *fixing) undoable() bool {
	return fx.written != nil && fx.written.now == fx.Session().Forks().Current()
}

// undo takes a fix back: the file has the text before, and the run before is on the screen.
func (fx *fixing) undo() {
	w := fx.written
	if w.back != nil {
		if err := w.back(); err != nil {
			fx.Say(canvas.Bad, err.Error())
			return
		}
	}
	if err := fx.Session().Forks().Switch(w.before); err != nil {
		fx.Say(canvas.Bad, err.Error())
		return
	}
	fx.written = nil
	fx.forks.entered()
	fx.Say(canvas.Plain, "Undone: the definition is as it was, and so is the run.")
}
