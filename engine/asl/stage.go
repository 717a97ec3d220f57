package asl

import "strconv"

// Stage is one step in the processing of a state's data.
type Stage uint8

// The stages. The table of fields says which of them a state has; see [StagesOf].
const (
	NoStage Stage = iota
	StageInput
	StageInputPath
	// StageLimits evaluates the fields that bound the work: TimeoutSecondsPath, HeartbeatSecondsPath,
	// MaxConcurrencyPath and the like. It is listed only where a state has such a field.
	StageLimits
	StageItemsPath
	// StageItemReader reads a distributed Map's items, StageItemBatcher gathers them into batches, and
	// StageResultWriter shapes its results. They are listed only where a state has the field.
	StageItemReader
	StageParameters // also a Map state's ItemSelector, once for each item
	StageItemBatcher
	StageChoices
	StageWait
	StageFail   // ErrorPath and CausePath
	StageResult // the work: the task, the branches, the iterations, or a Pass state's Result
	StageResultWriter
	StageResultSelector
	StageAssign
	StageResultPath
	StageOutputPath
	StageOutput
)

// stages has a row for each stage: its name, and the key under which TestState shows its result.
var stages = [...]struct{ name, inspection string }{
	NoStage:             {},
	StageInput:          {"input", "input"},
	StageInputPath:      {"InputPath", "afterInputPath"},
	StageLimits:         {"Limits", ""},
	StageItemsPath:      {"ItemsPath", "afterItemsPath"},
	StageItemReader:     {"ItemReader", "afterItemsPointer"},
	StageParameters:     {"Parameters", "afterParameters"},
	StageItemBatcher:    {"ItemBatcher", "afterItemBatcher"},
	StageChoices:        {"Choices", ""},
	StageWait:           {"Wait", ""},
	StageFail:           {"Fail", ""},
	StageResult:         {"Result", "result"},
	StageResultWriter:   {"ResultWriter", ""},
	StageResultSelector: {"ResultSelector", "afterResultSelector"},
	StageAssign:         {"Assign", ""},
	StageResultPath:     {"ResultPath", "afterResultPath"},
	StageOutputPath:     {"OutputPath", ""},
	StageOutput:         {"output", "output"},
}

// String returns the stage's name: the name of the field that does the work where there is one.
func (s Stage) String() string {
	if int(s) < len(stages) {
		return stages[s].name
	}
	return "Stage(" + strconv.Itoa(int(s)) + ")"
}

// Inspection returns the key under which Step Functions' TestState shows the stage's result
// ("afterInputPath"), or "" where it does not show it.
func (s Stage) Inspection() string {
	if int(s) < len(stages) {
		return stages[s].inspection
	}
	return ""
}

// stageOrder lists the stages as a state runs them (specification, "Input and Output Processing", and Step Functions'
// variables).
var stageOrder = [...]Stage{
	StageInput, StageInputPath, StageLimits, StageItemsPath, StageItemReader, StageParameters, StageItemBatcher, StageChoices,
	StageWait, StageFail, StageResult, StageResultWriter, StageAssign, StageResultSelector, StageResultPath, StageOutputPath, StageOutput,
}

// StagesOf returns the stages of a type of state in their order: those that a field of the table belongs to, between the
// state's input and its output.
func StagesOf(t StateType, language QueryLanguage) []Stage {
	list := make([]Stage, 0, len(stageOrder))
	for _, stage := range stageOrder {
		edge := stage == StageInput || stage == StageOutput && t != Fail
		if edge || len(FieldsAt(t, language, stage)) > 0 {
			list = append(list, stage)
		}
	}
	return list
}
