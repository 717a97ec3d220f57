package engine

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
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
		StageInput, StageInputPath, StageLimits, StageItemsPath, StageItemReader, StageParameters, StageItemBatcher,
		StageResult, StageResultWriter, StageAssign, StageResultSelector, StageResultPath, StageOutputPath, StageOutput,
	},
}

// queryStages are the stages of states in JSONata. Arguments takes the place of Parameters, Items that of
// ItemsPath, and Output that of OutputPath.
var queryStages = map[asl.StateType][]Stage{
	asl.Pass:     {StageInput, StageAssign, StageOutputPath, StageOutput},
	asl.Task:     {StageInput, StageLimits, StageParameters, StageResult, StageAssign, StageOutputPath, StageOutput},
	asl.Choice:   {StageInput, StageChoices, StageAssign, StageOutputPath, StageOutput},
	asl.Wait:     {StageInput, StageWait, StageAssign, StageOutputPath, StageOutput},
	asl.Succeed:  {StageInput, StageOutputPath, StageOutput},
	asl.Fail:     {StageInput, StageFail},
	asl.Parallel: {StageInput, StageParameters, StageResult, StageAssign, StageOutputPath, StageOutput},
	asl.Map: {
		StageInput, StageLimits, StageItemsPath, StageItemReader, StageParameters, StageItemBatcher,
		StageResult, StageResultWriter, StageAssign, StageOutputPath, StageOutput,
	},
}

// StagesOf returns the stages of a state in their order, those included whose field is absent.
func StagesOf(def *asl.State) []StageInfo {
	stages := stagesByType[def.Type]
	if def.QueryLanguage == asl.JSONata {
		stages = queryStages[def.Type]
	}
	infos := make([]StageInfo, 0, len(stages))
	for _, stage := range stages {
		info := stageInfo(def, stage)
		if !info.Declared && onlyWhereDeclared(stage) {
			continue
		}
		if stage == StageItemsPath && def.ItemReader != nil {
			continue // it is not looked at
		}
		infos = append(infos, info)
	}
	return infos
}

func onlyWhereDeclared(stage Stage) bool {
	switch stage {
	case StageLimits, StageItemReader, StageItemBatcher, StageResultWriter:
		return true
	}
	return false
}

func stageInfo(def *asl.State, stage Stage) StageInfo {
	info := StageInfo{Stage: stage, Field: stage.String()}
	switch stage {
	case StageInput, StageOutput:
		info.Declared = true
	case StageInputPath:
		describePath(&info, def.InputPath)
	case StageItemsPath:
		if def.QueryLanguage == asl.JSONata {
			info.Field = "Items"
			describeTemplate(&info, def.Items)
		} else {
			describePath(&info, def.ItemsPath)
		}
	case StageResultPath:
		describePath(&info, def.ResultPath)
	case StageOutputPath:
		if def.QueryLanguage == asl.JSONata {
			describeOutput(&info, def)
		} else {
			describePath(&info, def.OutputPath)
		}
	case StageLimits:
		describeLimits(&info, def)
	case StageParameters:
		switch {
		case def.Type == asl.Map:
			info.Field = "ItemSelector"
			describeTemplate(&info, def.ItemSelector)
		case def.QueryLanguage == asl.JSONata:
			info.Field = "Arguments"
			describeTemplate(&info, def.Arguments)
		default:
			describeTemplate(&info, def.Parameters)
		}
	case StageItemReader, StageItemBatcher, StageResultWriter:
		describeDistributed(&info, def)
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

// describeOutput describes the Output field, which the rules of a Choice state may have, too.
func describeOutput(info *StageInfo, def *asl.State) {
	info.Field = "Output"
	describeTemplate(info, def.Output)
	for _, rule := range def.Choices {
		info.Declared = info.Declared || rule.Output != nil
	}
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

// describeDistributed describes the fields that only a distributed Map has.
func describeDistributed(info *StageInfo, def *asl.State) {
	switch {
	case info.Stage == StageItemReader && def.ItemReader != nil:
		describeAction(info, def.ItemReader.Resource, def.ItemReader.Parameters)
	case info.Stage == StageResultWriter && def.ResultWriter != nil:
		describeAction(info, def.ResultWriter.Resource, def.ResultWriter.Parameters)
		if config := def.ResultWriter.Config; config != nil {
			info.Text = strings.TrimSpace(info.Text + " " + config.OutputType.String() + " " + config.Transformation.String())
		}
	case info.Stage == StageItemBatcher && def.ItemBatcher != nil:
		info.Declared = true
		for _, quantity := range []*asl.Quantity{def.ItemBatcher.MaxItemsPerBatch, def.ItemBatcher.MaxInputBytesPerBatch} {
			if quantity != nil {
				info.Text = strings.TrimSpace(info.Text + " " + quantity.Field + " " + quantityText(quantity))
			}
		}
	}
}

func describeAction(info *StageInfo, resource string, parameters *asl.TemplateField) {
	describeTemplate(info, parameters)
	info.Declared = true
	info.Text = strings.TrimSpace(strings.TrimPrefix(resource, "arn:aws:states:::") + " " + info.Text)
}

func describeLimits(info *StageInfo, def *asl.State) {
	for _, quantity := range limitFields(def) {
		if quantity == nil || quantity.Literal != nil {
			continue
		}
		if info.Declared {
			info.Text += ", "
		} else {
			info.Field = quantity.Field
		}
		info.Declared = true
		info.Text += quantity.Field + " " + quantityText(quantity)
	}
}

// limitFields are the fields that bound a state's work and may be given by a path; nil where they are absent.
func limitFields(def *asl.State) []*asl.Quantity {
	fields := []*asl.Quantity{def.TimeoutSeconds, def.HeartbeatSeconds, def.MaxConcurrency}
	return append(fields, laterLimits(def)...)
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
	if quantity.Calculation != nil {
		return quantity.Calculation.String()
	}
	return "{% " + quantity.Query.Text() + " %}"
}

func textFieldText(text *asl.TextField) string {
	switch {
	case text.Path != nil:
		return text.Path.String()
	case text.Intrinsic != nil:
		return text.Field
	case text.Calculation != nil:
		return text.Calculation.String()
	case text.Query != nil:
		return "{% " + text.Query.Text() + " %}"
	}
	return text.Literal
}
