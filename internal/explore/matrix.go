package explore

import "asldb/engine/asl"

// Line is a line of the matrix: the errors of a task that lead the same way.
type Line struct {
	State *asl.State
	// Errors names the errors, Once and Always say what became of the fault, and Ends how the runs ended.
	Errors, Once, Always, Ends string
	// Bad is set where one of the runs shows a bug or an invariant that does not hold.
	Bad bool
	// OnceRun and AlwaysRun are the runs of the first of the errors; nil: there is none.
	OnceRun, AlwaysRun *Run
}

// Matrix returns the lines of the matrix, with a task's lines next to each other. Where each is set, each error has a
// separate line.
func Matrix(r *Result, ascii, each bool) []Line { return linesWith(r, signsOf(ascii), each) }

// Words is [Matrix] with words in place of signs.
func Words(r *Result, each bool) []Line { return linesWith(r, words, each) }

func linesWith(r *Result, with signs, each bool) []Line {
	var lines []Line
	for _, l := range table(r, with, each) {
		lines = append(lines, Line{
			State: l.state, Errors: l.errors, Once: l.once, Always: l.always, Ends: l.ends, Bad: l.bad, OnceRun: l.onceRun, AlwaysRun: l.alwaysRun,
		})
	}
	return lines
}

// Title returns the first line about a finding, and Details the lines below it.
func Title(f *Finding) string { return title(f) }

// Details implements the lines described at [Title].
func Details(f *Finding) []string { return details(f) }

// Summary counts the findings by their classes: "3 findings: 1 bug, 2 unhandled".
func Summary(r *Result) string { return summary(r) }

// Sign returns the sign before a finding of a class, "" where there is none.
func Sign(c Class, ascii bool) string { return signsOf(ascii).of(c) }

// Legend explains the signs of the matrix in one line.
func Legend(ascii bool) string { return signsOf(ascii).legend() }
