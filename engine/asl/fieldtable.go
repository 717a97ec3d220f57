package asl

import "slices"

// stateFields is the table of fields: a row for each field of a state. The builder, the stages of a state, Compile, the
// findings of engine/lint, provenance, completion and TestState's keys read it; docs/architecture.md ("Adding a field")
// lists the files that a new field touches. The table is never changed.
var stateFields = slices.Concat(commonFields, evaluatedFields, workFields, choiceFields, waitFields, failFields, mapFields)

var commonFields = []Field{
	{Name: "Type", types: onAll, Content: ContentWord},
	{Name: "Comment", types: onAll, Content: ContentComment, slot: slot{word: func(s *State) *string { return &s.Comment }}},
	{Name: "QueryLanguage", types: onAll, Content: ContentWord},
	{Name: "Next", types: onPass | onWait | onWork, Content: ContentName, slot: slot{word: func(s *State) *string { return &s.Next }}},
	{Name: "End", types: onPass | onWait | onWork, Content: ContentFlag},
	{Name: "Retry", types: onWork, Content: ContentRetriers, Parts: retrierFields},
	{Name: "Catch", types: onWork, Content: ContentCatchers, Reads: ErrorOutput, Parts: catcherFields},
}

var evaluatedFields = []Field{
	{
		Name: "InputPath", types: onAll &^ onFail, Language: JSONPath, Content: ContentPath, Stage: StageInputPath, Reads: RawInput,
		slot: slot{path: func(s *State) **PathField { return &s.InputPath }},
	}, {
		Name: "OutputPath", types: onAll &^ onFail, Language: JSONPath, Content: ContentPath, Stage: StageOutputPath, Reads: StateOutput,
		slot: slot{path: func(s *State) **PathField { return &s.OutputPath }},
	}, {
		Name: "ResultPath", types: onPass | onWork, Language: JSONPath, Content: ContentResultPath, Stage: StageResultPath, Reads: RawInput,
		slot: slot{path: func(s *State) **PathField { return &s.ResultPath }},
	}, {
		// Older texts of the language do not demand an object, nor do validators.
		Name: "Parameters", types: onPass | onTask | onParallel, Language: JSONPath, Content: ContentTemplate,
		Stage: StageParameters, Reads: EffectiveInput, slot: templateSlot(func(s *State) **TemplateField { return &s.Parameters }),
	}, {
		Name: "ResultSelector", types: onWork, Language: JSONPath, Content: ContentPayload, Stage: StageResultSelector, Reads: RawResult,
		slot: templateSlot(func(s *State) **TemplateField { return &s.ResultSelector }),
	}, {
		Name: "Arguments", types: onTask | onParallel, Language: JSONata, Content: ContentPayload, Stage: StageParameters, Reads: RawInput,
		Inspection: "afterArguments", slot: templateSlot(func(s *State) **TemplateField { return &s.Arguments }),
	}, {
		Name: "Output", types: onAll &^ onFail, Language: JSONata, Content: ContentTemplate, Stage: StageOutputPath, Reads: RawInput,
		Result: true, slot: templateSlot(func(s *State) **TemplateField { return &s.Output }),
	}, {
		Name: "Assign", types: onAll &^ (onSucceed | onFail), Content: ContentAssign, Stage: StageAssign, Reads: AssignInput,
		Result: true, slot: templateSlot(func(s *State) **TemplateField { return &s.Assign }),
	},
}

var workFields = slices.Concat([]Field{
	{
		Name: "Result", types: onPass, Language: JSONPath, Content: ContentLiteral, Stage: StageResult,
		slot: templateSlot(func(s *State) **TemplateField { return &s.Result }),
	},
	{Name: "Resource", types: onTask, Content: ContentURI, Stage: StageResult, slot: slot{word: func(s *State) *string { return &s.Resource }}},
},
	withPath(Field{
		Name: "TimeoutSeconds", types: onTask, Content: ContentCount, Stage: StageLimits, low: 1, high: maxSeconds,
		slot: slot{quantity: func(s *State) **Quantity { return &s.TimeoutSeconds }},
	}),
	withPath(Field{
		Name: "HeartbeatSeconds", types: onTask, Content: ContentCount, Stage: StageLimits, low: 1, high: maxSeconds,
		slot: slot{quantity: func(s *State) **Quantity { return &s.HeartbeatSeconds }},
	}),
	[]Field{
		{
			Name: "Credentials", types: onTask, Content: ContentRole, Stage: StageResult, Reads: EffectiveInput,
			slot: templateSlot(func(s *State) **TemplateField { return &s.Credentials }),
		},
		{Name: "Branches", types: onParallel, Content: ContentBranches, Stage: StageResult},
	},
)

var choiceFields = []Field{
	{Name: "Choices", types: onChoice, Content: ContentRules, Stage: StageChoices, Reads: EffectiveInput, Parts: ruleFields},
	{Name: "Default", types: onChoice, Content: ContentName, slot: slot{word: func(s *State) *string { return &s.Default }}},
}

var waitFields = slices.Concat(
	withPath(Field{
		Name: "Seconds", types: onWait, Content: ContentCount, Stage: StageWait, high: maxSeconds,
		slot: slot{quantity: func(s *State) **Quantity { return &s.Seconds }},
	}),
	withPath(Field{
		Name: "Timestamp", types: onWait, Content: ContentTimestamp, Stage: StageWait,
		slot: slot{quantity: func(s *State) **Quantity { return &s.Timestamp }},
	}),
)

var failFields = slices.Concat(
	withPath(Field{
		Name: "Error", types: onFail, Content: ContentText, Stage: StageFail, slot: slot{text: func(s *State) **TextField { return &s.Error }},
	}),
	withPath(Field{
		Name: "Cause", types: onFail, Content: ContentText, Stage: StageFail, slot: slot{text: func(s *State) **TextField { return &s.Cause }},
	}),
)

var mapFields = slices.Concat([]Field{
	{Name: "ItemProcessor", types: onMap, Content: ContentProcessor, Stage: StageResult},
	{Name: "Iterator", types: onMap, Content: ContentProcessor, Stage: StageResult},
	{
		Name: "ItemsPath", types: onMap, Language: JSONPath, Content: ContentItemsPath, Stage: StageItemsPath, Reads: EffectiveInput,
		slot: slot{path: func(s *State) **PathField { return &s.ItemsPath }},
	}, {
		Name: "Items", types: onMap, Language: JSONata, Content: ContentItems, Stage: StageItemsPath, Reads: RawInput,
		slot: templateSlot(func(s *State) **TemplateField { return &s.Items }),
	}, {
		Name: "ItemSelector", types: onMap, Content: ContentPayload, Stage: StageParameters, Reads: EffectiveInput,
		slot: templateSlot(func(s *State) **TemplateField { return &s.ItemSelector }),
	}, { // the older name
		Name: "Parameters", types: onMap, Language: JSONPath, Content: ContentTemplate, Stage: StageParameters, Reads: EffectiveInput,
		slot: templateSlot(func(s *State) **TemplateField { return &s.ItemSelector }),
	},
},
	withPath(Field{
		Name: "MaxConcurrency", types: onMap, Content: ContentCount, Stage: StageLimits, high: maxConcurrency,
		slot: slot{quantity: func(s *State) **Quantity { return &s.MaxConcurrency }},
	}),
	withPath(Field{
		Name: "ToleratedFailureCount", types: onMap, Content: ContentCount, Stage: StageLimits, high: maxItems,
		slot: slot{quantity: func(s *State) **Quantity { return &s.ToleratedFailureCount }},
	}),
	withPath(Field{
		Name: "ToleratedFailurePercentage", types: onMap, Content: ContentPercentage, Stage: StageLimits,
		slot: slot{quantity: func(s *State) **Quantity { return &s.ToleratedFailurePercentage }},
	}),
	[]Field{
		{
			Name: "ItemReader", types: onMap, Content: ContentReader, Stage: StageItemReader, Reads: EffectiveInput, Distributed: true,
			Parts: readerFields,
		}, {
			Name: "ItemBatcher", types: onMap, Content: ContentBatcher, Stage: StageItemBatcher, Reads: EffectiveInput, Distributed: true,
			Parts: batcherFields,
		}, {
			Name: "ResultWriter", types: onMap, Content: ContentWriter, Stage: StageResultWriter, Reads: EffectiveInput, Distributed: true,
			Parts: writerFields,
		},
		{Name: "Label", types: onMap, Content: ContentLabel, Distributed: true, slot: slot{word: func(s *State) *string { return &s.Label }}},
	},
)

// The fields of retriers, catchers and choice rules, in the order in which messages list them.
var (
	retrierFields = []Field{
		{Name: "ErrorEquals", Content: ContentErrorNames}, {Name: "IntervalSeconds", Content: ContentNumber},
		{Name: "MaxAttempts", Content: ContentNumber}, {Name: "BackoffRate", Content: ContentNumber},
		{Name: "MaxDelaySeconds", Content: ContentNumber}, {Name: "JitterStrategy", Content: ContentWord},
		{Name: "Comment", Content: ContentComment},
	}
	catcherFields = []Field{
		{Name: "ErrorEquals", Content: ContentErrorNames},
		{Name: "Next", Content: ContentName},
		{Name: "ResultPath", Language: JSONPath, Content: ContentResultPath, Stage: StageResultPath, Reads: RawInput},
		{Name: "Assign", Content: ContentAssign, Stage: StageAssign, Reads: ErrorOutput},
		{Name: "Output", Language: JSONata, Content: ContentTemplate, Stage: StageOutputPath, Reads: ErrorOutput},
		{Name: "Comment", Content: ContentComment},
	}
	// The comparison operators, which a rule has besides, have their own table.
	ruleFields = []Field{
		{Name: "Variable", Language: JSONPath, Content: ContentPath, Reads: EffectiveInput},
		{Name: "Next", Content: ContentName},
		{Name: "Comment", Content: ContentComment},
		{Name: "Assign", Content: ContentAssign, Stage: StageAssign, Reads: EffectiveInput},
		{Name: "Output", Language: JSONata, Content: ContentTemplate, Stage: StageOutputPath, Reads: RawInput},
		{Name: "Condition", Language: JSONata, Content: ContentCondition, Stage: StageChoices, Reads: RawInput},
		{Name: And, Language: JSONPath, Content: ContentRules},
		{Name: Or, Language: JSONPath, Content: ContentRules},
		{Name: Not, Language: JSONPath, Content: ContentRules},
	}
)

// The fields of the objects of a distributed Map.
var (
	readerFields = []Field{
		{Name: "Resource", Content: ContentURI},
		{Name: "Parameters", Language: JSONPath, Content: ContentPayload, Reads: EffectiveInput},
		{Name: "Arguments", Language: JSONata, Content: ContentPayload, Reads: RawInput},
		{Name: "ReaderConfig", Content: ContentConfig, Parts: readerConfigFields},
	}
	readerConfigFields = slices.Concat([]Field{
		{Name: "InputType", Content: ContentWord}, {Name: "CSVHeaderLocation", Content: ContentWord},
		{Name: "CSVHeaders", Content: ContentHeaders}, {Name: "CSVDelimiter", Content: ContentWord},
	}, withPath(Field{Name: "MaxItems", Content: ContentCount, high: maxRead}), []Field{
		{Name: "ItemsPointer", Content: ContentPointer}, {Name: "Transformation", Content: ContentWord},
		{Name: "ManifestType", Content: ContentWord},
	})
	batcherFields = slices.Concat([]Field{{Name: "BatchInput", Content: ContentPayload, Reads: EffectiveInput}},
		withPath(Field{Name: "MaxItemsPerBatch", Content: ContentCount, low: 1, high: maxItems}),
		withPath(Field{Name: "MaxInputBytesPerBatch", Content: ContentCount, low: 1, high: maxBatchBytes}),
	)
	writerFields = []Field{
		{Name: "Resource", Content: ContentURI},
		{Name: "Parameters", Language: JSONPath, Content: ContentPayload, Reads: EffectiveInput},
		{Name: "Arguments", Language: JSONata, Content: ContentPayload, Reads: RawInput},
		{Name: "WriterConfig", Content: ContentConfig, Parts: writerConfigFields},
	}
	writerConfigFields = []Field{{Name: "OutputType", Content: ContentWord}, {Name: "Transformation", Content: ContentWord}}
)

// templateSlot is the slot of a template.
func templateSlot(of func(*State) **TemplateField) slot { return slot{template: of} }

// withPath returns a field with a literal, and its form that ends in Path.
func withPath(f Field) []Field {
	f.Reads = EffectiveInput
	p := f
	p.Name, p.Language, p.Content = f.Name+"Path", JSONPath, ContentQuantityPath
	if f.Content == ContentText {
		f.Reads, p.Reads, p.Content = RawInput, RawInput, ContentTextPath
	}
	return []Field{f, p}
}
