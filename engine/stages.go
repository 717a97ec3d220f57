package engine

import (
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/value"
)

// StageInfo describes one stage of a state for people.
type StageInfo struct {
	Stage Stage
	// Field is the name of the field that does the work, as the text has it ("ItemSelector",
	// "SecondsPath"); where no field does, what happens ("Task", "Branches").
	Field string
	// Text is what the field says, compact; empty where it is absent.
	Text string
	// Declared reports whether the field is there. input, output and the work itself always are.
	Declared bool
}

// stagesByType are the stages of each state type in their order (specification, "Input and Output
// Processing", and Step Functions' variables).
var stagesByType = map[asl.StateType][]Stage{
	asl.Pass: {
		StageInput, StageInputPath, StageParameters, StageResult, StageAssign, StageResultPath, StageOutputPath, StageOutput,
	},
	asl.Task: {
		StageInput, StageInputPath, StageLimits, StageParameters, StageResult, StageAssign, StageResultSelector,
		StageResultPath, StageOutputPath, StageOutput,
	},
	asl.Choice:  {StageInput, StageInputPath, StageChoices, StageAssign, StageOutputPath, StageOutput},
	asl.Wait:    {StageInput, StageInputPath, StageWait, StageAssign, StageOutputPath, StageOutput},
	asl.Succeed: {StageInput, StageInputPath, StageOutputPath, StageOutput},
	asl.Fail:    {StageInput, StageFail},
	asl.Parallel: {
		StageInput, StageInputPath, StageParameters, StageResult, StageAssign, StageResultSelector,
		StageResultPath, StageOutputPath, StageOutput,
	},
	asl.Map: {
		StageInput, StageInputPath, StageLimits, StageItemsPath, StageParameters, StageResult, StageAssign,
		StageResultSelector, StageResultPath, StageOutputPath, StageOutput,
	},
}

// StagesOf returns the stages of a state in their order, those included whose field is absent.
func StagesOf(def *asl.State) []StageInfo {
	stages := stagesByType[def.Type]
	infos := make([]StageInfo, 0, len(stages))
	for _, stage := range stages {
		info := stageInfo(def, stage)
		if stage == StageLimits && !info.Declared {
			continue
		}
		infos = append(infos, info)
	}
	return infos
}

func stageInfo(def *asl.State, stage Stage) StageInfo {
	info := StageInfo{Stage: stage, Field: stage.String()}
	switch stage {
	case StageInput, StageOutput:
		info.Declared = true
	case StageInputPath:
		describePath(&info, def.InputPath)
	case StageItemsPath:
		describePath(&info, def.ItemsPath)
	case StageResultPath:
		describePath(&info, def.ResultPath)
	case StageOutputPath:
		describePath(&info, def.OutputPath)
	case StageLimits:
		describeLimits(&info, def)
	case StageParameters:
		if def.Type == asl.Map {
			info.Field = "ItemSelector"
			describeTemplate(&info, def.ItemSelector)
		} else {
			describeTemplate(&info, def.Parameters)
		}
	case StageResultSelector:
		describeTemplate(&info, def.ResultSelector)
	case StageAssign:
		describeTemplate(&info, def.Assign)
		for _, rule := range def.Choices {
			info.Declared = info.Declared || rule.Assign != nil
		}
	default:
		describeWork(&info, def)
	}
	return info
}

func describeWork(info *StageInfo, def *asl.State) {
	info.Declared = true
	switch def.Type {
	case asl.Pass:
		info.Declared = def.Result != nil
		describeTemplate(info, def.Result)
	case asl.Task:
		info.Field, info.Text = "Task", def.Resource
	case asl.Parallel:
		info.Field = "Branches"
	case asl.Map:
		info.Field = "Iterations"
	case asl.Wait:
		for _, quantity := range []*asl.Quantity{def.Seconds, def.Timestamp} {
			if quantity != nil {
				info.Field, info.Text = quantity.Field, quantityText(quantity)
			}
		}
	case asl.Fail:
		if def.Error != nil {
			info.Text = textFieldText(def.Error)
		}
	}
}

func describePath(info *StageInfo, field *asl.PathField) {
	switch {
	case field == nil:
	case field.Null:
		info.Declared, info.Text = true, "null"
	default:
		info.Declared, info.Text = true, field.Path.String()
	}
}

func describeTemplate(info *StageInfo, field *asl.TemplateField) {
	if field != nil {
		info.Declared, info.Text = true, value.Compact(field.Value)
	}
}

func describeLimits(info *StageInfo, def *asl.State) {
	for _, quantity := range limitFields(def) {
		if quantity == nil || quantity.Path == nil {
			continue
		}
		if info.Declared {
			info.Text += ", "
		} else {
			info.Field = quantity.Field
		}
		info.Declared = true
		info.Text += quantity.Field + " " + quantity.Path.String()
	}
}

// limitFields are the fields that bound a state's work and may be given by a path.
func limitFields(def *asl.State) [5]*asl.Quantity {
	return [5]*asl.Quantity{
		def.TimeoutSeconds, def.HeartbeatSeconds, def.MaxConcurrency, def.ToleratedFailureCount, def.ToleratedFailurePercentage,
	}
}

func quantityText(quantity *asl.Quantity) string {
	switch {
	case quantity.Path != nil:
		return quantity.Path.String()
	case quantity.Literal != nil:
		if text, ok := quantity.Literal.(value.String); ok {
			return string(text)
		}
		return value.Compact(quantity.Literal)
	}
	return quantity.JSONata
}

func textFieldText(text *asl.TextField) string {
	switch {
	case text.Path != nil:
		return text.Path.String()
	case text.Intrinsic != nil:
		return text.Field
	}
	return text.Literal
}
