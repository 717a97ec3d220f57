package why

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// Step is one thing to do next.
type Step struct {
	// Purpose is the effect of the command in a few words.
	Purpose string `json:"purpose,omitempty"`
	// Command is a line for a POSIX shell, empty where there is only advice.
	Command string `json:"command,omitempty"`
}

// The names of files that the commands need and that the question does not have.
const (
	savedHistory   = "history.json"
	savedTrace     = "recording.trace"
	someDefinition = "DEFINITION"
	someFixtures   = "FIXTURES"
)

// steps returns the next steps: to the error in the debugger, to the executions inside, and on from the end.
func (a *Answer) steps() []Step {
	root := a.Ending.Chain.Root()
	steps := []Step{a.debug(root)}
	if run := a.Ending.Run.MapRun(root); run != "" {
		steps = append(steps, Step{"list the child executions that failed",
			"aws stepfunctions list-executions --map-run-arn " + wording.Shell(run) + " --status-filter FAILED"})
	}
	innermost := ""
	for child := a.Ending.Run.Child(root); child != nil; child = child.Child {
		if child.Arn != "" {
			innermost = child.Arn
		}
	}
	if innermost != "" {
		steps = append(steps, Step{"explain the execution that it started",
			"aws stepfunctions get-execution-history --execution-arn " + wording.Shell(innermost) + " | asldb why -"})
	}
	return append(steps, a.redrive()...)
}

// debug opens the recording in the debugger at the error of the last link.
func (a *Answer) debug(root *provenance.Link) Step {
	step, spec := Step{Purpose: "open the debugger at the error"}, ""
	if root.Visit != nil {
		spec = root.Visit.Path()
		if root.Kind == provenance.Failed && a.Ending.Run.Log.At(root.Event).RaisesError() {
			spec += ":error"
			if n := a.errorsBefore(root); n > 0 {
				spec += " hits == " + strconv.Itoa(n+1)
			}
		} else { // a history has no event for the errors of some states
			step.Purpose = "open the debugger at the state"
		}
	}
	words := []string{"asldb", "debug"}
	if a.Recording == nil {
		words = []string{"asldb", "replay", a.file(0)}
		if a.question.Fork != 0 {
			words = append(words, a.flags()...)
		}
	} else {
		if a.question.Definition.File != "" {
			words = append(words, a.definition()...)
		}
		for i := range a.question.Files {
			words = append(words, "--history", a.file(i))
		}
		words = append(words, a.flags()...)
	}
	if spec != "" {
		words = append(words, "--break", spec)
	} else {
		step.Purpose = "open it in the debugger"
	}
	step.Command = command(words)
	if a.Recording == nil && a.question.Files[0] == files.Stdin || a.fromStdin() {
		step.Purpose += " (save the recording first)"
	}
	return step
}

// errorsBefore counts the errors of the state of a link, in the same branch or iteration, that came up before it.
func (a *Answer) errorsBefore(l *provenance.Link) int {
	n, path := 0, l.Visit.Path()
	for i, log := a.Ending.Run.Log.First(), a.Ending.Run.Log; i < l.Event; i++ {
		if e := log.At(i); e.Visit != nil && e.Visit.State == l.Visit.State && e.RaisesError() && e.Visit.Path() == path {
			n++
		}
	}
	return n
}

// redrive says how the execution can continue.
func (a *Answer) redrive() []Step {
	e := a.Ending
	first := &e.Chain.Links[0]
	top := topOf(first.Visit)
	if a.Recording != nil && a.Recording.Express() {
		return []Step{{Purpose: "an Express execution cannot be redriven: start it again"}}
	}
	if origin := e.Run.Machine.Definition().Origin; origin != nil && origin.Format != asl.FromHistory {
		return nil // Step Functions has no such execution
	}
	if first.Kind == provenance.Failed && top != nil && top.State.Type == asl.Fail {
		return []Step{{Purpose: "a redrive would run " + top.State.Name + " again, a Fail state: mend the cause and start a new execution"}}
	}
	if f := first.Failure; first.Kind == provenance.Failed && f != nil && !f.Catchable() {
		return []Step{{Purpose: "a redrive would meet " + f.Name + " in " + nameOf(top) + " again: mend the definition or the input and start a new execution"}}
	}
	purpose := "continue from the state that failed, with the definition that the execution had"
	if top != nil {
		purpose = "continue from " + top.State.Name + ", with the definition that the execution had"
	}
	if a.Recording == nil {
		if e.Run.Derived {
			return nil
		}
		return []Step{{"continue from " + nameOf(top) + " with other results", command([]string{"asldb", "run", "--redrive", a.file(0), "--fixtures", someFixtures})}}
	}
	arn := cmp.Or(a.Recording.Execution.ARN, "ARN")
	definition := []string{someDefinition}
	if a.question.Definition.File != "" {
		definition = a.definition()
	}
	words := append([]string{"asldb", "run"}, definition...)
	words = append(words, "--redrive", a.file(0), "--fixtures", someFixtures)
	steps := []Step{{"try that with results of your own", command(append(words, a.flags()...))}}
	return append([]Step{{purpose, "aws stepfunctions redrive-execution --execution-arn " + wording.Shell(arn)}}, steps...)
}

func nameOf(visit *engine.Visit) string {
	if visit == nil {
		return "its end"
	}
	return visit.State.Name
}

// topOf returns the visit around a visit that is of no branch and no iteration.
func topOf(visit *engine.Visit) *engine.Visit {
	for visit != nil && visit.Parent != nil {
		visit = visit.Parent
	}
	return visit
}

// fromStdin reports whether the history came from standard input.
func (a *Answer) fromStdin() bool {
	return slices.Contains(a.question.Files, files.Stdin)
}

// file returns the name of a file for a command.
func (a *Answer) file(i int) string {
	switch name := a.question.Files[i]; {
	case name != files.Stdin:
		return name
	case a.Recording == nil:
		return savedTrace
	default:
		return savedHistory
	}
}

// definition returns the argument and the flags of the definition.
func (a *Answer) definition() []string {
	d := &a.question.Definition
	words := []string{d.File}
	if d.Resource != "" {
		words = append(words, "--resource", d.Resource)
	}
	for _, pair := range d.Substitute {
		words = append(words, "--substitute", pair)
	}
	if d.Substitutions != "" {
		words = append(words, "--substitutions", d.Substitutions)
	}
	return words
}

// flags returns the flags that choose an execution of the recording.
func (a *Answer) flags() []string {
	var words []string
	if a.question.Execution != "" {
		words = append(words, "--execution", a.question.Execution)
	}
	if a.question.Attempt != 0 {
		words = append(words, "--attempt", strconv.Itoa(a.question.Attempt))
	}
	if a.question.Fork != 0 {
		words = append(words, "--fork", strconv.Itoa(a.question.Fork))
	}
	return words
}

// command writes words as a line for a POSIX shell.
func command(words []string) string {
	list := value.Each(words, wording.Shell)
	return strings.Join(list, " ")
}
