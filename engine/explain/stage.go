package explain

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// Purpose returns the purpose of a stage of a state in a few words.
func Purpose(s *asl.State, stage engine.Stage) string {
	switch stage {
	case engine.StageInput:
		return "the state's raw input"
	case engine.StageItemReader:
		return "reads the items from an object store"
	case engine.StageItemBatcher:
		return "gathers the items into batches, one for each execution"
	case engine.StageResultWriter:
		return "shapes the Map's result from its executions' results"
	case engine.StageInputPath:
		return "selects a part of the raw input"
	case engine.StageLimits:
		return "reads the bounds from the data"
	case engine.StageItemsPath:
		return "selects the array to go through"
	case engine.StageParameters:
		if s.Type == asl.Map {
			return "makes the input of one iteration"
		}
		return "makes the payload"
	case engine.StageChoices:
		return "the first rule that holds decides where to go"
	case engine.StageWait:
		return "waits on the virtual clock"
	case engine.StageFail:
		return "ends the execution with this error"
	case engine.StageResult:
		return purposeOfWork(s.Type)
	case engine.StageResultSelector:
		return "makes a new result out of the raw one"
	case engine.StageAssign:
		return "sets variables"
	case engine.StageResultPath:
		return purposeOfResultPath(s.ResultPath, "the result")
	case engine.StageOutputPath:
		if s.QueryLanguage == asl.JSONata {
			return "makes the state's output"
		}
		return "selects the state's output"
	case engine.StageOutput:
		return "the state's output"
	}
	return ""
}

func purposeOfWork(t asl.StateType) string {
	switch t {
	case asl.Task:
		return "the work: payload in, raw result out"
	case asl.Pass:
		return "the result, taken as it is written"
	case asl.Parallel:
		return "the work: every branch gets the payload"
	case asl.Map:
		return "the work: one iteration for each item"
	default:
		return ""
	}
}

// Expression returns the name of the field that does a stage's work, its text in the definition, and its purpose.
// caught is the catcher that has taken over the visit, or nil: then its fields replace the state's.
func Expression(s *asl.State, info *engine.StageInfo, caught *asl.Catcher) (field, text, purpose string) {
	field, text, purpose = info.Field, info.Text, Purpose(s, info.Stage)
	if info.Stage == engine.StageResultPath {
		text = ResultPath(s.ResultPath)
	}
	if caught == nil {
		return field, text, purpose
	}
	var template *asl.TemplateField
	switch info.Stage {
	case engine.StageResultPath:
		return "the catcher's ResultPath", ResultPath(caught.ResultPath), purposeOfResultPath(caught.ResultPath, "the Error Output")
	case engine.StageAssign:
		if template = caught.Assign; template != nil {
			field = "the catcher's Assign"
		}
	case engine.StageOutputPath:
		if template = caught.Output; template != nil {
			field = "the catcher's Output"
		}
	}
	if template != nil {
		text = value.Compact(template.Value)
	}
	return field, text, purpose
}

// NotRun says that a stage of a visit has no event, because its field is absent or because it is still to come.
func NotRun(info *engine.StageInfo) string {
	if !info.Declared {
		return info.Field + " is not there: it passes the data on as it is."
	}
	return info.Field + " has not run yet."
}
