package explore

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/work"
)

// ErrNoCase says that a run cannot be written as a case: data that an expression makes were edited, or there are too
// many iterations.
var ErrNoCase = errors.New(
	"the run cannot be written as a case of a suite: its data are edited, or there are too many iterations",
)

// ErrNoFile says that the definition is in no file that a suite could name.
var ErrNoFile = errors.New("a suite names the file of its definition, and this one is in none")

// Saved is a suite with the cases of findings; where none has a case, with the case of the first run without faults.
type Saved struct {
	Text []byte
	// Cases is the number of its cases, and Untried the number of cases without enough time for their trial. Dropped
	// are the names of those that do not show their finding again when a suite runs them.
	Cases, Untried int
	Dropped        []string
	// NoFinding is set where no finding has a case.
	NoFinding bool
}

// Suite returns a suite with the cases of the findings, for a file of a name. The error is one about the suite that was
// made.
//
// Each case says what should hold. One of a bug fails until the bug is mended, and so does one of an invariant that
// does not hold or of a run without end. The others expect the run as it was: they pass.
func (r *Result) Suite(ctx context.Context, name string) (*Saved, error) {
	if r.explored.options.Machine.Definition.File == "" {
		return nil, ErrNoFile
	}
	ctx, done := r.explored.rest(ctx)
	defer done()
	list := value.Each(r.Cases(), func(f *Finding) saveable {
		return saveable{f.Class.String() + ": " + firstLine(f.Text), f.Case}
	})
	saved := &Saved{}
	list, err := r.tried(ctx, name, list, saved)
	if err != nil {
		return nil, err
	}
	if saved.NoFinding = len(list) == 0; saved.NoFinding {
		reproduction, err := r.Reproduce(r.Bases[0].Run)
		if err != nil {
			return nil, err
		}
		list = []saveable{{"the run without faults", reproduction}}
	}
	saved.Text, saved.Cases = r.suite(name, list), len(list)
	return saved, nil
}

// saveable is a case with the comment above it.
type saveable struct {
	comment string
	*Case
}

// suite writes a suite.
func (r *Result) suite(name string, list []saveable) []byte {
	var cases strings.Builder
	for _, c := range list {
		cases.WriteString("  # " + c.comment + "\n" + c.Text)
	}
	const comment = "# Findings of asldb explore. A case of a bug fails until the bug is mended; " +
		"the others say what the definition does now.\n"
	return []byte(comment + r.head(name) + "\ncases:\n" + cases.String())
}

// tried runs cases as a suite does, and returns those that show their findings again.
func (r *Result) tried(ctx context.Context, name string, list []saveable, saved *Saved) ([]saveable, error) {
	if len(list) == 0 {
		return nil, nil
	}
	loaded, err := suite.Load(name, r.suite(name, list))
	if err != nil {
		return nil, err
	}
	got := make([]*suite.Outcome, len(list))
	work.Each(ctx, len(list), r.explored.options.Parallel, func(i int) {
		o := suiterun.CaseOptions{Context: ctx, Interrupt: ctx.Err, Brief: true}
		if outcome, _ := suiterun.RunCase(loaded.Cases[i], r.explored.options.Machine, o); ctx.Err() == nil {
			got[i] = outcome
		}
	})
	var kept []saveable
	for i, c := range list {
		switch {
		case got[i] == nil:
			saved.Untried++
		case c.Holds != (got[i].Kind == suite.Passed), !c.Holds && got[i].Kind != suite.OutcomeFailed:
			saved.Dropped = append(saved.Dropped, c.Name)
			continue
		}
		kept = append(kept, c)
	}
	if saved.Untried > 0 && r.Stopped == NotStopped {
		r.explored.stop(ctx, "")
	}
	return kept, nil
}

// Cases returns the findings that have a case.
func (r *Result) Cases() []*Finding {
	return slices.DeleteFunc(r.Every(), func(f *Finding) bool { return f.Case == nil })
}

// Reproduce returns a run as a case; nil where it cannot be written.
func (r *Result) Reproduce(run *Run) (*Case, error) {
	x := r.explored
	d := newDriver()
	a, err := x.analysis(context.Background(), d, run)
	if err != nil {
		return nil, err
	}
	reproduction := a.reproduce(&sign{class: Uncaught, state: x.start(), event: run.Event})
	if reproduction == nil {
		return nil, ErrNoCase
	}
	return reproduction, nil
}

// Spec returns a run for the debugger. The error is [ErrNoCase], or one about a file.
func (r *Result) Spec(run *Run) (launch.Spec, error) {
	reproduction, err := r.Reproduce(run)
	if err != nil {
		return launch.Spec{}, err
	}
	name := filepath.Join(filepath.Dir(r.Definition), "explored.test.yaml")
	read, err := suite.Load(name, []byte(r.head(name)+"\ncases:\n"+reproduction.Text))
	if err != nil {
		return launch.Spec{}, err
	}
	return suiterun.Spec(read.Cases[0], r.explored.options.Machine, suiterun.CaseOptions{})
}

// head is the common part of a suite: the definition, and what all cases have.
func (r *Result) head(name string) string {
	relative := func(file string) string {
		from, wrong := filepath.Abs(filepath.Dir(name))
		if to, err := filepath.Abs(file); err == nil && wrong == nil {
			if short, err := filepath.Rel(from, to); err == nil {
				file = short
			}
		}
		return value.Quote(filepath.ToSlash(file))
	}
	definition := &r.explored.options.Machine.Definition
	base := r.Bases[0].setting
	var b strings.Builder
	b.WriteString("version: 1\ndefinition: " + relative(definition.File) + "\n")
	if definition.Resource != "" {
		b.WriteString("resource: " + value.Quote(definition.Resource) + "\n")
	}
	started := "startTime: " + value.Quote(base.options.Start.Format("2006-01-02T15:04:05Z07:00")) + "\n"
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
