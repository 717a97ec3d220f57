package launch

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"asldb/engine/debug"
	"asldb/engine/lint"
	"asldb/engine/outcome"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/files"
)

// ErrNoFile says that the definition of a run is in no file that could be read again.
var ErrNoFile = errors.New("the definition of this run is in no file that could be read again")

// stamp is the look of a file from outside: both change where the file is written.
type stamp struct {
	time time.Time
	size int64
	gone bool
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{gone: true}
	}
	return stamp{info.ModTime(), info.Size(), false}
}

// Files returns the names of the files that the run was read from: the definition, the template that names it, the
// fixtures, the substitutions, and the files of its suite.
func (r *Run) Files() []string {
	var list []string
	add := func(name string) {
		if name != "" && name != files.Stdin && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	d := &r.Spec.Definition
	if d.File != "" && d.Text != nil {
		add(d.Text.Source.Name)
		add(d.Text.Given.Name)
	}
	if r.Spec.Fixtures.Name != "" {
		add(r.Spec.Fixtures.Name)
	}
	add(d.Substitutions)
	for _, name := range r.Spec.Case.Files {
		add(name)
	}
	return list
}

// stamped returns how the files of the run look.
func (r *Run) stamped() *map[string]stamp {
	stamps := make(map[string]stamp)
	for _, name := range r.Files() {
		stamps[name] = stampOf(name)
	}
	return &stamps
}

// Changed returns the name of a file of the run that has changed since it was read, or "". It looks at each file once
// and may be called beside the session.
func (r *Run) Changed() string {
	if stamps := r.stamps.Load(); stamps != nil {
		for _, name := range slices.Sorted(maps.Keys(*stamps)) {
			if (*stamps)[name] != stampOf(name) {
				return name
			}
		}
	}
	return ""
}

// Reread is what the files of a run hold now: see [Run.Reread].
type Reread struct {
	run    *Run
	stamps *map[string]stamp
	spec   Spec
	source *fixtures.Source
	how    debug.Reloading
}

// Reread reads the files of the run again: the definition with its substitutions, and the fixtures. Nothing changes
// until [Reread.Apply]. The error is [ErrNoFile], or one of [New].
func (r *Run) Reread() (*Reread, error) { return r.reread(nil) }

// Edited returns the definition as it would be with a change of one of its files, which stay as they are, and its
// fixtures. The error is
// one of [Run.Reread].
func (r *Run) Edited(edit source.Edit) (debug.Reloading, error) {
	changes := &files.Changes{}
	changes.Add([]source.Edit{edit})
	next, err := r.reread(changes.Contents())
	if err != nil {
		return debug.Reloading{}, err
	}
	return next.how, nil
}

// Write makes a change in a file of the run, which must be as it was read, and returns the function that takes it back.
// The error is a *[files.WriteError].
func (r *Run) Write(edit source.Edit) (back func() error, err error) {
	write := func(edits ...source.Edit) error {
		changes := &files.Changes{}
		changes.Add(edits)
		return changes.Write(filepath.Dir(edit.File.Name))
	}
	if err := write(edit); err != nil {
		return nil, err
	}
	after := &source.File{Name: edit.File.Name, Data: source.Apply(edit.File, []source.Edit{edit})}
	whole := source.Span{End: source.Position{Offset: len(after.Data)}}
	return func() error {
		err := write(source.Edit{File: after, Span: whole, Text: string(edit.File.Data)})
		if err == nil {
			r.stamps.Store(r.stamped())
		}
		return err
	}, nil
}

// reread reads the files of the run, by their names; some have other contents than on the disk.
func (r *Run) reread(changed map[string][]byte) (*Reread, error) {
	spec := *r.Spec
	if spec.Definition.File == "" || spec.Definition.File == files.Stdin || r.Session == nil {
		return nil, ErrNoFile
	}
	d := &spec.Definition
	d.Text, d.Machine, d.Compiled = nil, nil, nil
	next := &Reread{run: r, stamps: r.stamped()} // before they are read: a change meanwhile is one
	reader := spec.files()
	reader.Stdin, reader.Changed = nil, changed
	if err := d.Read(reader); err != nil {
		return nil, err
	}
	if err := d.Parse(); err != nil {
		return nil, err
	}
	machine, err := d.Ready(spec.Dialect)
	if err != nil {
		return nil, err
	}
	next.how = debug.Reloading{Machine: machine, Cause: "edited definition"}
	if spec.Case.Again != nil {
		if err := spec.Case.Again(&spec); err != nil {
			return nil, err
		}
	}
	if err := spec.findFixtures(reader); err != nil {
		return nil, err
	}
	if spec.Fixtures.Name != "" {
		spec.Fixtures.File = nil
		if _, err := spec.Fixtures.Read(reader, spec.warn); err != nil {
			return nil, err
		}
	}
	next.spec = spec
	return next, next.bind()
}

// bind makes the source of the fixtures, as [New] does.
func (n *Reread) bind() error {
	file, r := n.spec.Fixtures.File, n.run
	if file == nil {
		return nil
	}
	bound, err := file.Source(n.spec.Definition.Machine)
	if err != nil {
		return err
	}
	if before := r.Spec.Fixtures.File; file.Input != nil && r.Spec.Input.Value == nil && before != nil &&
		!value.Equal(before.Input, file.Input) {
		n.how.Input = file.Input
	}
	options := r.Session.Options()
	bound.Begin(options.Start, options.Seed)
	bound.SetInterrupt(n.spec.Interrupt)
	bound.Share(n.spec.Program())
	if r.Calls != nil {
		bound.AllowLive(r.Calls, r.permitted) // for the files as they were: see fixtures.Permission
	}
	n.source = bound
	n.how.Source = fixtures.OnMissing(bound, n.spec.Missing)
	if r.History != nil {
		n.how.Source = outcome.First(r.History, n.how.Source)
	}
	return nil
}

// Apply runs what was read, as a fork, to where the session was or only to its start: see [debug.Session.Reload].
func (n *Reread) Apply(atStart bool) (*debug.Reloaded, error) {
	r := n.run
	n.how.AtStart = atStart
	if r.Calls != nil {
		r.Calls.Reset()
	}
	if n.sameText() {
		n.how.Cause = "run again"
		if changed := r.Changed(); changed != "" {
			n.how.Cause = "edited " + filepath.Base(changed)
		}
	}
	reloaded, err := r.Session.Reload(n.how)
	if err != nil {
		return nil, err
	}
	*r.Spec = n.spec
	if n.source != nil {
		r.Source = n.source
	}
	r.stamps.Store(n.stamps)
	return reloaded, nil
}

func (n *Reread) sameText() bool {
	before, now := n.run.Spec.Definition.Text, n.spec.Definition.Text
	return before != nil && now != nil && string(before.Source.Data) == string(now.Source.Data)
}

// Problems returns the warnings about the definition as it was read.
func (n *Reread) Problems() []source.Diagnostic {
	if text := n.spec.Definition.Text; text != nil {
		return text.Problems(lint.Options{})
	}
	return nil
}

// ProblemsOf returns the problems in the error of a definition that cannot be run, and the text; nil for other errors.
func ProblemsOf(err error) ([]source.Diagnostic, *source.File) {
	var wrong *definitions.InvalidError
	if errors.As(err, &wrong) {
		return wrong.Problems, wrong.Source
	}
	return nil, nil
}
