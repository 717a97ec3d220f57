package explore

import (
	"errors"
	"path/filepath"
	"strings"

	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suite/execute"
)

// ErrNoCase says that a run cannot be written as a case: data that an expression makes were edited, or there are too many iterations.
var ErrNoCase = errors.New("the run cannot be written as a case of a suite: its change is an edit of data that an expression makes")

// Suite returns a suite with the cases of the findings, for a file of a name, and the number of its cases; nil where there is none.
//
// Each case says what should hold. One of a bug fails until the bug is mended, and so does one of an invariant that does not hold or of a run
// without end. The others expect the run as it was: they pass.
func (r *Result) Suite(name string) ([]byte, int) {
	var cases strings.Builder
	count := 0
	for _, f := range r.Findings {
		if f.Case == nil {
			continue
		}
		count++
		cases.WriteString("  # " + f.Class.String() + ": " + f.Text + "\n" + f.Case.Text)
	}
	if count == 0 {
		return nil, 0
	}
	const comment = "# Findings of asldb explore. A case of a bug fails until the bug is mended; the others say what the definition does now.\n"
	return []byte(comment + r.head(name) + "\ncases:\n" + cases.String()), count
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
		if short, err := filepath.Rel(filepath.Dir(name), file); err == nil {
			file = short
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
	return b.String()
}
