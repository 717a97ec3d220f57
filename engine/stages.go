package engine

import (
	"slices"
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
	var infos []StageInfo
	for where, m := range asl.FlowOf(def, false).Moves() {
		if m.Stage == NoStage || where.Lane != nil && where.Lane.Kind >= asl.LaneCaught {
			continue
		}
		at := slices.IndexFunc(infos, func(info StageInfo) bool { return info.Stage == m.Stage })
		if at < 0 {
			at = len(infos)
			infos = append(infos, StageInfo{Stage: m.Stage, Field: m.Stage.String()})
		}
		infos[at].describe(def, m)
	}
	return slices.DeleteFunc(infos, func(info StageInfo) bool { return info.Stage == StageLimits && !info.Declared })
}

// describe takes over what a move of the stage says.
func (info *StageInfo) describe(def *asl.State, m *asl.Move) {
	parts := m.Parts()
	switch m.Stage {
	case StageLimits:
		for i := range parts {
			if parts[i].Kind != asl.MoveText {
				info.bound(def, &parts[i])
			}
		}
	case StageWait, StageFail:
		info.Declared = true
		for i := range parts {
			if info.Text == "" {
				info.Text = textOf(def, &parts[i])
			}
			if m.Stage == StageWait {
				info.Field = parts[i].Field.Name
			}
		}
	case StageItemReader, StageResultWriter:
		info.Declared = true
		info.action(def, m)
	case StageItemBatcher:
		info.Declared, info.Text = true, ""
		for _, quantity := range []string{"MaxItemsPerBatch", "MaxItemsPerBatchPath", "MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"} {
			if n := def.Node.Get("ItemBatcher").Get(quantity); n != nil {
				info.Text = strings.TrimSpace(info.Text + " " + quantity + " " + written(n))
			}
		}
	case StageResult:
		info.work(def, m)
	case StageInput, StageOutput, StageChoices:
		info.Declared = true
	default:
		info.field(def, m)
	}
}

// field takes over a field that has a stage to itself; of a Choice the text is the text of the state's own field.
func (info *StageInfo) field(def *asl.State, m *asl.Move) {
	if m.Field == nil {
		return
	}
	info.Field, info.Declared = m.Field.Name, info.Declared || !m.Absent
	switch {
	case m.Absent || m.Node == nil || strings.HasPrefix(m.At, "Choices["):
	case m.Field.Content.Templated() || m.Field.Content == asl.ContentLiteral:
		info.Text = value.Compact(m.Node.Value)
	default:
		info.Text = written(m.Node)
	}
}

// bound adds a bound that is not a literal.
func (info *StageInfo) bound(def *asl.State, part *asl.Move) {
	name := part.At[strings.LastIndexByte(part.At, '/')+1:]
	if info.Declared {
		info.Text += ", "
	} else {
		info.Field = name
	}
	info.Declared = true
	info.Text += name + " " + textOf(def, part)
}

// work describes the work of a state, which Step Functions does.
func (info *StageInfo) work(def *asl.State, m *asl.Move) {
	info.Declared = def.Type != asl.Pass
	switch def.Type {
	case asl.Pass:
		info.field(def, m)
	case asl.Task:
		info.Field, info.Text = "Task", def.Resource
	case asl.Parallel:
		info.Field = "Branches"
	case asl.Map:
		info.Field = "Iterations"
	default:
	}
}

// action describes a reader or writer by its action, what that is given, and the shape of what it writes.
func (info *StageInfo) action(def *asl.State, m *asl.Move) {
	n := def.Node.Get(m.Stage.String())
	list := []string{strings.TrimPrefix(written(n.Get("Resource")), "arn:aws:states:::")}
	for _, name := range []string{"Parameters", "Arguments"} {
		if given := n.Get(name); given != nil {
			list = append(list, value.Compact(given.Value))
		}
	}
	if writer := def.ResultWriter; m.Stage == StageResultWriter && writer.Config != nil {
		list = append(list, writer.Config.OutputType.String(), writer.Config.Transformation.String())
	}
	info.Text = strings.Join(slices.DeleteFunc(list, func(text string) bool { return text == "" }), " ")
}

// textOf returns the text of the field of a move.
func textOf(def *asl.State, m *asl.Move) string {
	if q := m.Field.QuantityIn(def); q != nil && q.Calculation != nil {
		return q.Calculation.String()
	}
	if t := m.Field.TextIn(def); t != nil && t.Calculation != nil {
		return t.Calculation.String()
	}
	return written(m.Node)
}

// written returns a value of the text: a string as it is, and other values compact.
func written(n *asl.Node) string {
	if n == nil {
		return ""
	}
	if text, ok := n.Value.(value.String); ok {
		return string(text)
	}
	return value.Compact(n.Value)
}
