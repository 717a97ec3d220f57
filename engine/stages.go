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
	// "SecondsPath"); where no field does, the name of the work ("Task", "Branches").
	Field string
	// Text is the text of the field, compact; empty where it is absent.
	Text string
	// Declared reports whether the field is there. input, output and the work itself always are.
	Declared bool
}

// StagesOf returns the stages of a state in their order, those included whose field is absent.
func StagesOf(def *asl.State) []StageInfo {
	stages := asl.StagesOf(def.Type, def.QueryLanguage)
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
	case StageLimits:
		describeLimits(&info, def)
	case StageResult:
		describeWork(&info, def)
	default:
		for _, f := range asl.FieldsAt(def.Type, def.QueryLanguage, stage) {
			describeField(&info, def, f)
		}
	}
	return info
}

// describeField describes a field of the table that does the work of a stage, or a part of it.
func describeField(info *StageInfo, def *asl.State, f *asl.Field) {
	switch f.Content {
	case asl.ContentPath, asl.ContentItemsPath, asl.ContentResultPath:
		info.Field = f.Name
		describePath(info, f.PathIn(def))
	case asl.ContentLiteral, asl.ContentTemplate, asl.ContentPayload, asl.ContentAssign, asl.ContentItems, asl.ContentRole:
		if !info.Declared { // of two names of one field the first stands for both
			info.Field = f.Name
		}
		describeTemplate(info, f.TemplateIn(def))
		for _, rule := range def.Choices {
			info.Declared = info.Declared || templateOf(rule, f) != nil
		}
	case asl.ContentCount, asl.ContentPercentage, asl.ContentTimestamp, asl.ContentQuantityPath:
		info.Declared = true
		if quantity := f.QuantityIn(def); quantity != nil {
			info.Field, info.Text = quantity.Field, quantityText(quantity)
		}
	case asl.ContentText, asl.ContentTextPath:
		info.Declared = true
		if text := f.TextIn(def); text != nil && info.Text == "" {
			info.Text = textFieldText(text)
		}
	case asl.ContentRules:
		info.Declared = true
	case asl.ContentReader, asl.ContentBatcher, asl.ContentWriter:
		describeDistributed(info, def)
	default:
	}
}

// templateOf returns the field of a rule that takes the place of a field of its state; nil where it has none.
func templateOf(rule *asl.ChoiceRule, f *asl.Field) *asl.TemplateField {
	switch f.Stage {
	case StageAssign:
		return rule.Assign
	case StageOutputPath:
		return rule.Output
	default:
		return nil
	}
}

// describeWork describes the work of a state, which Step Functions does.
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
	default:
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
