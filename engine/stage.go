package engine

import "asldb/engine/asl"

// Stage is one step in the processing of a state's data; the table of fields in asl has the fields of each.
type Stage = asl.Stage

// The stages. Which of them a state has depends on its type; see [StagesOf].
const (
	NoStage             = asl.NoStage
	StageInput          = asl.StageInput
	StageInputPath      = asl.StageInputPath
	StageLimits         = asl.StageLimits
	StageItemsPath      = asl.StageItemsPath
	StageItemReader     = asl.StageItemReader
	StageParameters     = asl.StageParameters
	StageItemBatcher    = asl.StageItemBatcher
	StageChoices        = asl.StageChoices
	StageWait           = asl.StageWait
	StageFail           = asl.StageFail
	StageResult         = asl.StageResult
	StageResultWriter   = asl.StageResultWriter
	StageResultSelector = asl.StageResultSelector
	StageAssign         = asl.StageAssign
	StageResultPath     = asl.StageResultPath
	StageOutputPath     = asl.StageOutputPath
	StageOutput         = asl.StageOutput
)
