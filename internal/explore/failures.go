package explore

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/internal/wording"
)

// Failures say where the failures of states lead, by the state's path.
type Failures map[string]*Failure

// Failure says how the errors of one state are handled, with the errors of its tasks where it is a Map or Parallel
// state. An error counts once, though its fault comes once and always: it may be retried first, and not be handled
// then.
type Failure struct {
	// Errors is the number of errors that were looked at, Retried, Tolerated and Unhandled of how many of them a
	// retrier scheduled another attempt, a Map state went on, and nothing handled it. Passed is how many of the errors
	// of a task fail the state around it.
	Errors, Retried, Tolerated, Unhandled, Passed int
	// Caught is the number of errors by catcher, from 0.
	Caught map[int]int
	// Bugs is the number of errors behind which there is a bug or an invariant that does not hold.
	Bugs int
}

// FailuresOf returns the failures of an exploration.
func FailuresOf(r *Result) Failures {
	d := (&jsonWriter{r: r, number: numbers(r)}).document()
	return failures(&d)
}

// ReadFailures reads the failures of a report in JSON. The error says why the text is none of the definition.
func ReadFailures(data []byte, machine *asl.StateMachine) (Failures, error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil || d.Version == 0 || d.Matrix == nil {
		return nil, fmt.Errorf("it is not a report of asldb explore --json")
	}
	if d.Version != 1 {
		return nil, fmt.Errorf("the report has version %d, and this asldb reads version 1", d.Version)
	}
	known := map[string]bool{}
	for state := range machine.All() {
		known[state.Path()] = true
	}
	for _, row := range d.Matrix {
		if !known[row.Task] {
			return nil, fmt.Errorf("the report is of another definition, %s: this one has no state %s", wording.Line(d.Definition), wording.Line(row.Task))
		}
	}
	return failures(&d), nil
}

func failures(d *document) Failures {
	all := Failures{}
	at := func(path string) *Failure {
		if all[path] == nil {
			all[path] = &Failure{Caught: map[int]int{}}
		}
		return all[path]
	}
	seen := map[string]bool{} // a fault, what became of it, and where: it counts once
	first := func(row *matrixRow, rest string) bool {
		key := row.Task + "\n" + row.Kind + "\n" + row.Error + "\n" + rest
		if seen[key] {
			return false
		}
		seen[key] = true
		return true
	}
	for i := range d.Matrix {
		row := &d.Matrix[i]
		if first(row, "") {
			at(row.Task).Errors++
		}
		for _, run := range []*runRow{row.Once, row.Always} {
			if run == nil {
				continue
			}
			for _, n := range run.Findings {
				if n < len(d.Findings) && isBad(d.Findings[n].Class) && first(row, "bug") {
					at(row.Task).Bugs++
				}
			}
			for _, s := range run.Handling {
				index := -1
				if s.Index != nil {
					index = *s.Index
				}
				if !first(row, fmt.Sprintf("%s %s %d", s.State, s.Kind, index)) {
					continue
				}
				if s.State != row.Task && first(row, "passed") {
					at(row.Task).Passed++
				}
				f := at(s.State)
				switch s.Kind {
				case Retried.String():
					f.Retried++
				case Caught.String():
					f.Caught[index]++
				case Tolerated.String():
					f.Tolerated++
				case Unhandled.String():
					f.Unhandled++
				}
			}
		}
	}
	return all
}

func isBad(class string) bool {
	return class == Bug.String() || class == Broken.String()
}

// Text returns the outcomes of the errors in one line: "40 errors: 38 not handled, 1 retried, 1 caught".
func (f *Failure) Text() string {
	var parts []string
	f.each(unicodeSigns, func(n int, word, _ string) { parts = append(parts, fmt.Sprintf("%d %s", n, word)) })
	text := f.counts() + strings.Join(parts, ", ")
	if f.Bugs > 0 {
		text += "; " + wording.Count(f.Bugs, "bug")
	}
	return text
}

// counts is the beginning of Text; empty of a state without its own errors.
func (f *Failure) counts() string {
	if f.Errors == 0 {
		return ""
	}
	return wording.Count(f.Errors, "error") + ": "
}

// Brief is Text with signs in place of words where it is longer than a number of characters.
func (f *Failure) Brief(ascii bool, most int) string {
	if text := f.Text(); len(text) <= most {
		return text
	}
	return f.counts() + f.Short(ascii)
}

// Short is Text in signs, without the number of errors.
func (f *Failure) Short(ascii bool) string {
	var parts []string
	f.each(signsOf(ascii), func(n int, _, sign string) { parts = append(parts, fmt.Sprintf("%s%d", sign, n)) })
	if f.Bugs > 0 {
		parts = append(parts, signsOf(ascii).attention+strconv.Itoa(f.Bugs))
	}
	return strings.Join(parts, " ")
}

// each calls do for each thing that became of errors, the worst first.
func (f *Failure) each(s signs, do func(n int, word, sign string)) {
	caught := 0
	for _, n := range f.Caught {
		caught += n
	}
	for _, part := range []struct {
		n          int
		word, sign string
	}{
		{f.Unhandled, "not handled", s.nothing}, {f.Retried, "retried", s.retry}, {caught, "caught", s.catch}, {f.Tolerated, "tolerated", s.tolerate},
		{f.Passed, "passed on", s.pass},
	} {
		if part.n > 0 {
			do(part.n, part.word, part.sign)
		}
	}
}
