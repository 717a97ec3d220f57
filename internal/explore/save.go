package explore

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suite/execute"
	"asldb/internal/suite/result"
)

// ErrNoCase says that a run cannot be written as a case: data that an expression makes were edited, or there are too many iterations.
var ErrNoCase = errors.New("the run cannot be written as a case of a suite: its data are edited, or there are too many iterations")

// ErrNoFile says that the definition is in no file that a suite could name.
var ErrNoFile = errors.New("a suite names the file of its definition, and this one is in none")

// Saved is a suite with the cases of findings.
type Saved struct {
	Text []byte
	// Cases is the number of its cases. Dropped are the names of those that do not show their finding again when a suite runs them.
	Cases   int
	Dropped []string
}

// Suite returns a suite with the cases of the findings, for a file of a name. The error is one about the suite that was made.
//
// Each case says what should hold. One of a bug fails until the bug is mended, and so does one of an invariant that does not hold or of a run
// without end. The others expect the run as it was: they pass.
func (r *Result) Suite(name string) (*Saved, error) {
	if r.explored.options.Machine.Definition.File == "" {
		return nil, ErrNoFile
	}
	saved := &Saved{}
	write := func(dropped map[string]bool) []byte {
		var cases strings.Builder
		saved.Cases = 0
		for _, f := range r.Findings {
			if f.Case == nil || dropped[f.Case.Name] {
				continue
			}
			saved.Cases++
			cases.WriteString("  # " + f.Class.String() + ": " + firstLine(f.Text) + "\n" + f.Case.Text)
		}
		const comment = "# Findings of asldb explore. A case of a bug fails until the bug is mended; the others say what the definition does now.\n"
		return []byte(comment + r.head(name) + "\ncases:\n" + cases.String())
	}
	text := write(nil)
	if saved.Cases == 0 {
		return saved, nil
	}
	made, err := suite.Load(name, text)
	if err != nil {
		return nil, err
	}
	dropped := map[string]bool{}
	for i, f := range r.Cases() {
		want := result.Failed
		if f.Case.Holds {
			want = result.Passed
		}
		if got, _ := execute.Run(made.Cases[i], r.explored.options.Machine, execute.Options{}); got.Kind != want {
			dropped[f.Case.Name] = true
			saved.Dropped = append(saved.Dropped, f.Case.Name)
		}
	}
	saved.Text = write(dropped)
	return saved, nil
}

// Cases returns the findings that have a case.
func (r *Result) Cases() []*Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f *Finding) bool { return f.Case == nil })
}

// Reproduce returns a run as a case; nil where it cannot be written.
func (r *Result) Reproduce(run *Run) (*Case, error) {
	x := r.explored
	d := newDriver()
	a, err := x.analysis(d, run)
	if err != nil {
		return nil, err
	}
	made := a.reproduce(&sign{class: Uncaught, state: x.start(), event: run.Event})
	if made == nil {
		return nil, ErrNoCase
	}
	return made, nil
}

// Spec returns a run for the debugger. The error is [ErrNoCase], or one about a file.
func (r *Result) Spec(run *Run) (launch.Spec, error) {
	made, err := r.Reproduce(run)
	if err != nil {
		return launch.Spec{}, err
	}
	name := filepath.Join(filepath.Dir(r.Definition), "explored.test.yaml")
	read, err := suite.Load(name, []byte(r.head(name)+"\ncases:\n"+made.Text))
	if err != nil {
		return launch.Spec{}, err
	}
	return execute.Spec(read.Cases[0], r.explored.options.Machine, execute.Options{})
}

// head is the common part of a suite: the definition, and what all cases have.
func (r *Result) head(name string) string {
	relative := func(file string) string {
		from, wrong := filepath.Abs(filepath.Dir(name))
		to, err := filepath.Abs(file)
		if err == nil && wrong == nil {
			if short, err := filepath.Rel(from, to); err == nil {
				file = short
			}
		}
		return quoted(filepath.ToSlash(file))
	}
	definition := &r.explored.options.Machine.Definition
	base := r.Bases[0].setting
	var b strings.Builder
	b.WriteString("version: 1\ndefinition: " + relative(definition.File) + "\n")
	if definition.Resource != "" {
		b.WriteString("resource: " + quoted(definition.Resource) + "\n")
	}
	started := "startTime: " + quoted(base.options.Start.Format("2006-01-02T15:04:05Z07:00")) + "\n"
	switch {
	case base.file == nil:
		b.WriteString(started)
		for line := range strings.Lines(string(base.drafted)) {
			if !strings.HasPrefix(line, "version:") && !strings.HasPrefix(line, "#") {
				b.WriteString(line)
			}
		}
	case base.written:
		b.WriteString("include: [" + relative(base.file.Name) + "]\n")
		if base.file.StartTime == nil {
			b.WriteString(started)
		}
	}
	if rules := r.explored.options.Invariants; rules != nil {
		b.WriteString("invariants: " + value.Compact(rules) + "\n")
	}
	return b.String()
}
