package history

import "strings"

// Family is the subject of an event type.
type Family uint8

// The families of event types.
const (
	// OfUnknown is a type that this program does not know.
	OfUnknown Family = iota
	OfExecution
	// OfState: a state was entered or left, or the work of it aborted.
	OfState
	// OfTask, OfLambda and OfActivity: one attempt of a task, by the kind of its integration.
	OfTask
	OfLambda
	OfActivity
	OfParallel
	OfMap
	OfIteration
	OfMapRun
	OfEvaluation
)

// Phase is the progress of an event's subject.
type Phase uint8

// The phases. The first three have no end; those from Succeeded on are ends.
const (
	Entered Phase = iota + 1
	Scheduled
	Started
	Submitted
	Redriven
	Exited
	Succeeded
	Failed
	TimedOut
	Aborted
)

// Kind is the meaning of an event type's name.
type Kind struct {
	Family Family
	Phase  Phase
	// Key is the member that has the details; empty where the type has none.
	Key string
	// Refused is set of a failure before the work had begun: ScheduleFailed, StartFailed, SubmitFailed.
	Refused bool
}

// task reports whether the kind is one of an attempt of a task.
func (k Kind) task() bool {
	return k.Family == OfTask || k.Family == OfLambda || k.Family == OfActivity
}

const (
	enteredKey = "stateEnteredEventDetails"
	exitedKey  = "stateExitedEventDetails"
	keySuffix  = "EventDetails"
)

// kinds are the 62 types of the service.
var kinds = buildKinds()

func buildKinds() map[string]Kind {
	all := make(map[string]Kind, 62)
	add := func(family Family, prefix string, bare string, phases ...string) {
		for _, name := range phases {
			full := prefix + name
			kind := Kind{Family: family, Key: strings.ToLower(full[:1]) + full[1:] + keySuffix}
			for _, refused := range []string{"Schedule", "Start", "Submit"} {
				if rest, ok := strings.CutPrefix(name, refused); ok && rest == "Failed" {
					kind.Refused, name = true, rest
				}
			}
			kind.Phase = phaseNames[name]
			if strings.Contains(bare, " "+name+" ") {
				kind.Key = ""
			}
			all[full] = kind
		}
	}
	add(OfExecution, "Execution", "", "Started", "Succeeded", "Failed", "TimedOut", "Aborted", "Redriven")
	add(OfTask, "Task", "", "Scheduled", "Started", "StartFailed", "Submitted", "SubmitFailed", "Succeeded", "Failed", "TimedOut")
	add(OfLambda, "LambdaFunction", " Started ", "Scheduled", "ScheduleFailed", "Started", "StartFailed", "Succeeded", "Failed", "TimedOut")
	add(OfActivity, "Activity", "", "Scheduled", "ScheduleFailed", "Started", "Succeeded", "Failed", "TimedOut")
	add(OfParallel, "ParallelState", " Started Succeeded Failed ", "Started", "Succeeded", "Failed")
	add(OfMap, "MapState", " Succeeded Failed ", "Started", "Succeeded", "Failed")
	add(OfIteration, "MapIteration", "", "Started", "Succeeded", "Failed", "Aborted")
	add(OfMapRun, "MapRun", " Succeeded Aborted ", "Started", "Succeeded", "Failed", "Aborted", "Redriven")
	for _, state := range []string{"Pass", "Task", "Choice", "Wait", "Succeed", "Fail", "Parallel", "Map"} {
		all[state+"StateEntered"] = Kind{Family: OfState, Phase: Entered, Key: enteredKey}
		if state != "Fail" {
			all[state+"StateExited"] = Kind{Family: OfState, Phase: Exited, Key: exitedKey}
		}
	}
	for _, state := range []string{"Task", "Wait", "Parallel", "Map"} {
		all[state+"StateAborted"] = Kind{Family: OfState, Phase: Aborted}
	}
	all["EvaluationFailed"] = Kind{Family: OfEvaluation, Phase: Failed, Key: "evaluationFailedEventDetails"}
	return all
}

var phaseNames = map[string]Phase{
	"Scheduled": Scheduled, "Started": Started, "Submitted": Submitted, "Redriven": Redriven,
	"Succeeded": Succeeded, "Failed": Failed, "TimedOut": TimedOut, "Aborted": Aborted,
}

// KindOf returns the meaning of an event type's name; its Family is OfUnknown where the service has no such
// type.
func KindOf(name string) Kind { return kinds[name] }

// StateType returns the type of state that an OfState event names: "Task" of "TaskStateEntered".
func StateType(name string) string {
	before, _, _ := strings.Cut(name, "State")
	return before
}
