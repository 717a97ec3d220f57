package project

import (
	"slices"
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// Definition is a definition that has been checked.
type Definition struct {
	// Given is the file that was named; Source is the source of the tree Root. Both are nil where the text could not be
	// read.
	Given, Source *source.File
	Root          *source.Node
	// Problems are the checks' problems. They are to include hints, so that the level of those can be raised.
	Problems []source.Diagnostic
}

// Steer returns the problems of a definition as the project file and the ignores in the definition have them: at their
// levels, without those that are ignored, and with the problems of ignores; hints only where they are wanted. p may be
// nil.
func (p *Project) Steer(d Definition, hints bool) []source.Diagnostic {
	sound := !slices.ContainsFunc(d.Problems, func(d source.Diagnostic) bool { return d.Severity == source.Error })
	if sound { // the checks of a definition with errors are not complete
		p.reach(d.Given, d.Source)
	}
	c := commentsOf(d.Source, d.Root)
	kept := slices.DeleteFunc(slices.Clone(d.Problems), func(problem source.Diagnostic) bool {
		return !rules.Essential(problem.Rule) && (p.ignored(d.Given, &problem) || c.ignores(&problem))
	})
	own := c.invalid
	for _, i := range c.list {
		if sound && !i.used {
			own = append(own, source.Diagnostic{
				Rule: rules.UnusedIgnore, Severity: source.Hint, Pointer: i.pointer, Span: i.span, File: d.Source,
				Message: "nothing here breaks the rule " + i.rule + ": the ignore is not needed",
			})
		}
	}
	steered := lint.Merge(kept, own)
	for i := range steered {
		if level, known := p.level(&steered[i], d.Given); known && !rules.Essential(steered[i].Rule) {
			steered[i].Severity = level.severity()
		}
	}
	return slices.DeleteFunc(steered, func(problem source.Diagnostic) bool {
		level, known := p.level(&problem, d.Given)
		return known && level == Off || problem.Severity == source.Hint && !hints
	})
}

// level returns the level that the project file has for a problem of a definition in the file that was given.
func (p *Project) level(d *source.Diagnostic, given *source.File) (level Level, known bool) {
	if p == nil {
		return 0, false
	}
	for i := range p.sections {
		if own, ok := p.sections[i].levels[d.Rule]; ok && p.isFor(p.sections[i].pattern, d.File, given) {
			level, known = own, true
		}
	}
	return level, known
}

// isFor reports whether a pattern matches one of the files, which may be nil.
func (p *Project) isFor(pattern string, files ...*source.File) bool {
	return pattern == "" || slices.ContainsFunc(files, func(f *source.File) bool { return f != nil && p.matches(pattern, f.Name) })
}

// severity returns the severity of problems of a level that is not Off.
func (l Level) severity() source.Severity {
	switch l {
	case Hint, Off:
		return source.Hint
	case Warning:
		return source.Warning
	case Error:
	}
	return source.Error
}

// reach notes that files have been checked.
func (p *Project) reach(files ...*source.File) {
	if p == nil {
		return
	}
	for _, i := range p.ignores {
		if p.isFor(i.pattern, files...) {
			i.reached.Store(true)
		}
	}
}

// ignored reports whether an entry of the project file is for a problem, and notes its use.
func (p *Project) ignored(given *source.File, d *source.Diagnostic) bool {
	if p == nil {
		return false
	}
	found := false
	for _, i := range p.ignores {
		if i.rule != d.Rule || !p.isFor(i.pattern, d.File, given) {
			continue
		}
		if path, name := asl.StateAt(d.Pointer); i.state == "" || i.state == path || i.state == name {
			i.used.Store(true)
			found = true
		}
	}
	return found
}

// Unused returns hints about the entries of "ignore" that no problem of the definitions so far has needed, of those for
// files that have been checked.
func (p *Project) Unused() []source.Diagnostic {
	var list []source.Diagnostic
	if p == nil {
		return nil
	}
	severity := source.Hint
	if level, known := p.Level(rules.UnusedIgnore, ""); known && level == Off {
		return nil
	} else if known {
		severity = level.severity()
	}
	for _, i := range p.ignores {
		if i.used.Load() || !i.reached.Load() {
			continue
		}
		list = append(list, source.Diagnostic{
			Rule: rules.UnusedIgnore, Severity: severity, Span: i.span, File: p.Source,
			Message: "no definition that was checked breaks the rule " + i.rule + " where it is ignored (" + strconv.Quote(i.reason) + ")",
		})
	}
	return list
}
