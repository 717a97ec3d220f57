package screen

import (
	"path/filepath"
	"strings"
	"time"

	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view/dialog"
)

// Reload reads the files of a session again.
type Reload struct {
	// Read reads them, and changes nothing yet.
	Read func() (Reread, error)
	// Changed returns the name of a file that has changed since it was read, or "". It is called beside everything
	// else.
	Changed func() string
	// Problems returns the problems in an error of Read, none where it is about something else.
	Problems func(err error) []source.Diagnostic
	// Edited compiles the definition as it would be with a change of its text, and Write makes that change in the file,
	// which must be as it was read; back takes it back. Both may be nil.
	Edited func(source.Edit) (debug.Reloading, error)
	Write  func(source.Edit) (back func() error, err error)
	// Auto reads the files as soon as one has changed.
	Auto bool
}

// Reread are files that were read again.
type Reread interface {
	// Apply runs them as a what-if, to where the session was or only to its start: see [debug.Session.Reload].
	Apply(atStart bool) (*debug.Reloaded, error)
	// Problems returns the warnings about the definition.
	Problems() []source.Diagnostic
}

// reloadEvery is the time between two looks at the files of the session.
const reloadEvery = time.Second

// reloading reads the definition again, and looks at its file.
type reloading struct {
	contract
	of      *Reload
	forks   *forks
	verdict func() (canvas.Style, string) // of the case that the session runs, "" where it runs none
	run     *runner
	changed string // the file that has changed since it was read
	// problems are the warnings about the definition, which check finds.
	problems []source.Diagnostic
}

// watch looks at the files again and again.
func (rl *reloading) watch() {
	if rl.of != nil && rl.of.Changed != nil {
		later(rl.u, reloadEvery, rl.of.Changed, func(name string) {
			rl.watch()
			rl.seen(name)
		})
	}
}

// seen takes the result of a look at the files.
func (rl *reloading) seen(changed string) {
	news := changed != "" && changed != rl.changed
	rl.changed = changed
	if news && rl.of.Auto && !rl.Running() {
		rl.reload()
	}
}

// notice returns the words for the top line where a file has changed, or "".
func (rl *reloading) notice() string {
	if rl.changed == "" {
		return ""
	}
	return "changed on disk: " + rl.Key(keys.Restart)
}

// edited reads the definition again after the user's editor, where a file has changed.
func (rl *reloading) edited() {
	if rl.of == nil {
		rl.Say(canvas.Plain, "A changed definition runs when asldb is started again.")
		return
	}
	if rl.of.Changed == nil || rl.of.Changed() == "" {
		rl.Say(canvas.Plain, "The file has not changed.")
		return
	}
	rl.reload()
}

// reload reads the files and runs them as a what-if, to where the run was.
func (rl *reloading) reload() {
	next, err := rl.of.Read()
	if err != nil {
		rl.refused(err)
		return
	}
	rl.run.stop()
	same := rl.of.Changed == nil || rl.of.Changed() == ""
	reloaded, err := next.Apply(same)
	if err != nil {
		rl.Say(canvas.Bad, err.Error())
		return
	}
	rl.changed = ""
	rl.entered(reloaded)
	rl.problems = next.Problems()
	if same {
		rl.Say(canvas.Plain, rl.again(reloaded))
		return
	}
	style, verdict := rl.verdict()
	rl.Say(style, strings.TrimSpace(verdict+" "+strings.Join(explain.Reloaded(rl.Session(), reloaded), " ")))
}

// entered shows a run of a changed definition, from its first difference on.
func (rl *reloading) entered(reloaded *debug.Reloaded) {
	rl.Open(nil)
	rl.forks.entered()
	if _, now, at, differs := reloaded.First(rl.Session()); differs && now != nil {
		rl.Inspect(at)
		rl.Refresh()
	}
}

// again says that files without a change run again.
func (rl *reloading) again(r *debug.Reloaded) string {
	if r.Typed == 0 {
		return "Restarted with the same input, seed and breakpoints."
	}
	return "Restarted: " + wording.CountOf(r.Typed, "typed answer is", "typed answers are") +
		" kept, :forget asks again."
}

// refused shows why the files cannot be run. The run before is kept.
func (rl *reloading) refused(err error) {
	var problems []source.Diagnostic
	if rl.of.Problems != nil {
		problems = rl.of.Problems(err)
	}
	if len(problems) == 0 {
		rl.Say(canvas.Bad, "Not read again: "+wording.Line(err.Error())+" The run before is kept.")
		return
	}
	var b strings.Builder
	for i := range problems {
		if problems[i].Severity == source.Error {
			b.WriteString(strings.TrimRight(problems[i].Format(), "\n") + "\n\n")
		}
	}
	b.WriteString("The run before is kept, with its own text. Mend the file, then " + rl.Key(keys.Restart) +
		" reads it again.")
	name := rl.Session().Machine().Definition().Source.Name
	if problems[0].File != nil {
		name = problems[0].File.Name
	}
	text := b.String()
	rl.Open(dialog.NewNotice(rl, filepath.Base(name)+": not read again", text, func() { rl.Copy(text) }))
}
