package explore

import (
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/value"
	"asldb/internal/report"
)

// Result is what an exploration found. The same definition, bases and options give the same Result, unless its time ran
// out.
type Result struct {
	// Definition is the name of the definition's file.
	Definition string
	Machine    *engine.Machine
	// Bases are the runs in which faults were put, in their order.
	Bases []*Base
	// Tasks is the number of Task states with faults, Errors the number of their errors, counted by task.
	Tasks, Errors int
	// Planned is the number of runs that were planned, Done the number that were done. Distinct is how many of
	// these went different ways: by other states, with other errors or to another end.
	Planned, Done, Distinct int
	// Stopped is the reason why not all runs were done; NotStopped: they all were.
	Stopped Stop
	// Rows are the matrix: the tasks in the order of the text, each with its faults.
	Rows []*Row
	// Others are the runs whose data were changed, at Choice states, Map states and in the results of tasks, and those
	// with two faults.
	Others []*Run
	// Findings are in the order of their classes, the worst first, and in a class in the order of the text. One cause is
	// one finding; what is so of all tasks is last.
	Findings []*Finding
	// Coverage are the parts of the definition with the number of runs that went through them, runs of the same way
	// counted once.
	Coverage coverage.Definition
	// Notes are sentences about the exploration: tasks that no run reached, results that placeholders gave.
	Notes []string
	// Seed is the seed of the random choices of all runs.
	Seed int64

	explored *exploration
}

// Stop is the reason why an exploration ended before all its runs were done.
type Stop uint8

// The reasons.
const (
	NotStopped Stop = iota
	// StoppedByRuns and StoppedByTime: the bound of the runs, or of the time, was reached.
	StoppedByRuns
	StoppedByTime
	// StoppedByContext: it was interrupted.
	StoppedByContext
)

// Base is a run without faults: an input with the results of tasks.
type Base struct {
	// Name is the name of the case in the fixtures or in the suite; empty where there is only one base without a name.
	Name string
	// Placeholder is set where the input and the results were made up from the definition.
	Placeholder bool
	// Run is the run itself.
	Run *Run

	setting *setting
	alone   bool // it has no runs with faults
}

// Row is a row of the matrix: one error of one task.
type Row struct {
	Base *Base
	// State is the Task state.
	State *asl.State
	// Kind and Error are the fault's.
	Kind  Kind
	Error string
	// Where is First or All of the iterations that the task is in; All outside of Map states.
	Where Where
	// Once and Always are the runs in which the fault comes once, and each time.
	Once, Always *Run
}

// Kind is the kind of a Change.
type Kind uint8

// The kinds of changes of a run.
const (
	// Fails: a task fails with an Error.
	Fails Kind = iota + 1
	// Late: a task answers after TimeoutSeconds, or sends no heartbeat within HeartbeatSeconds.
	Late
	// Large: the result of a task is larger than the quota, and the error is States.DataLimitExceeded.
	Large
	// Input: a value of the execution's input is another one.
	Input
	// ResultValue: a value of a task's result is another one.
	ResultValue
	// Edited: the data of a Choice state or Map state is edited when it is entered, since its value does not come from
	// outside as it is.
	Edited
)

// Where says in which iterations a fault comes.
type Where uint8

// The places of a fault.
const (
	// All: in all of them.
	All Where = iota
	// First: in the first one of each Map state around the task.
	First
)

// Change is one thing in which a run differs from its base.
type Change struct {
	Kind Kind
	// State is the Task state of a fault, or of a result; the Choice or Map state for which a value is changed.
	State *asl.State
	// Error and Cause are those with which the task fails; of Late and Large those with which the state does.
	Error, Cause string
	Where        Where
	// Always: the fault comes each time. Otherwise it comes once, in each of the iterations that Where names.
	Always bool
	// Source is the Task state whose first result is changed, of ResultValue.
	Source *asl.State
	// Path is the place of the value that is changed ("$.order.total"), Value the new value; nil: there is none.
	Path  string
	Value value.Value
	// Aim says in short what the value is for: "below 100", "no items", "without Item".
	Aim string

	outcome engine.Outcome // of a fault, and of a result as it is changed
	times   int            // of a fault that comes always: at most so often; 0: each time
	alike   []string       // the other errors of the task that the definition does not tell apart from this one
}

// Run is one run of an exploration.
type Run struct {
	// Number numbers the runs of a Result, from 1; the bases come first.
	Number int
	Base   *Base
	// Changes are the run's; a base has none.
	Changes []*Change
	// Handling is what became of the fault of the first change, in order. It is empty where the fault did not come up.
	Handling []Step
	// Reached is set where the change took effect: its task was asked for, its state was entered.
	Reached bool
	// Status is the end. It is Runnable where the run was ended at the bound of its events.
	Status engine.Status
	// Error and Cause belong to an execution that has not succeeded.
	Error, Cause string
	// Events is the number of events, History the number that Step Functions' history would have, and States
	// the number of visits of states.
	Events, History, States int
	// Virtual is the virtual time that the run took.
	Virtual time.Duration
	// Event is the index of the event in which the fault came up, or of the entry into the state whose data was
	// changed, from 0; -1 where there is none.
	Event int
	// Aborted is the number of branches and iterations that were ended because another one had failed.
	Aborted int

	signature uint64
	done      bool
	raised    bool         // an error of the definition itself, or one that might be
	tasks     []*asl.State // those that its own events asked for: its base has asked for all others
	deciding  []*asl.State // the Choice and Map states that its own events entered
}

// Step is one answer to a fault.
type Step struct {
	Kind StepKind
	// State has the retrier or catcher: the task's own, or a Parallel or Map state around it.
	State *asl.State
	// Index is the place of the retrier or catcher in Retry or Catch, from 0.
	Index int
	// Count is how often it was done.
	Count int
	// Next is where the catcher leads.
	Next string
}

// StepKind is the kind of a Step.
type StepKind uint8

// The answers to a fault.
const (
	// Retried: a retrier scheduled another attempt, Count times.
	Retried StepKind = iota + 1
	// Caught: a catcher took the error.
	Caught
	// Tolerated: the Map state went on, as its tolerated failures allow.
	Tolerated
	// Unhandled: no retrier and no catcher takes it, or takes it any more.
	Unhandled
)

// Class is the class of a Finding.
type Class uint8

// The classes, the worst first.
const (
	// Bug: the definition fails by itself after it has handled a fault.
	Bug Class = iota + 1
	// Broken: an invariant does not hold.
	Broken
	// Endless: a run does not come to its end, or has more events than the service allows.
	Endless
	// Uncaught: nothing handles an error, and the execution fails.
	Uncaught
	// Data: the definition fails by itself with other data. Whether such data can come is not known.
	Data
	// Swallowed: the execution succeeded though a task failed and was not done again. That may be intended.
	Swallowed
	// Unreached: no run goes through a state, a rule, a retrier or a catcher.
	Unreached
)

// Finding is one result of an exploration, with the shortest run that shows it.
type Finding struct {
	Class Class
	// State is the state that fails, whose error is not handled, that is entered again and again, or that has the
	// unreached part.
	State *asl.State
	// Field is the field that failed, and At the place of it or of the state.
	Field string
	At    report.Place
	// Errors are the errors that nothing handles, or that were swallowed; else the one error of the end.
	Errors []string
	// Text is a sentence without a full stop that says what is wrong.
	Text string
	// Lost is what is lost by an error that nothing handles: tasks that were done, other iterations that were ended.
	Lost []string
	// Event is the index of the event in which it showed, from 0; -1 where there is none.
	Event int
	// Run is the shortest run that shows it, nil of Unreached. Count is the number of runs that show it.
	Run   *Run
	Count int
	// Invariant is the text of the invariant, of Broken.
	Invariant string
	// Item is the part that no run reaches, of Unreached.
	Item *coverage.Item
	// Case is the reproduction; nil where none can be written.
	Case *Case
	// Same are the further findings with this cause, and Subject names the states of all: "4 of 6 tasks"; empty: State.
	Same    []*Finding
	Subject string
	alone   string // the text without the others
}

// Case is a run as a case of a suite.
type Case struct {
	// Name is its name, and Text its text in YAML: the name as a key in the first column, the rest below it.
	Name string `json:"name"`
	Text string `json:"text"`
	// Holds is set where the case passes as the definition is; else it fails until the finding is mended.
	Holds bool `json:"passes"`
}
