package asl

// ProcessorConfig is how a Map state runs its iterations.
type ProcessorConfig struct {
	Mode          ProcessorMode
	ExecutionType ExecutionType // of ModeDistributed
	Span          Span
}

// Distributed reports whether the state is a Map whose iterations run as executions of their own.
func (s *State) Distributed() bool {
	return s.ProcessorConfig != nil && s.ProcessorConfig.Mode == ModeDistributed
}

// ItemReader says where a distributed Map reads its items from.
type ItemReader struct {
	// Resource is the action: "arn:aws:states:::s3:getObject" or "…:s3:listObjectsV2".
	Resource string
	// Parameters are those of the action; Arguments in a JSONata state. Nil where they are absent.
	Parameters *TemplateField
	// Config is never nil; without a ReaderConfig it has the defaults.
	Config *ReaderConfig
	Span   Span
}

// ReaderConfig says how a dataset is written. The zero value of a field is an absent one.
type ReaderConfig struct {
	InputType         InputType
	CSVHeaderLocation HeaderLocation
	CSVHeaders        []string // of HeaderGiven
	CSVDelimiter      Delimiter
	// MaxItems has MaxItemsPath too; nil and 0 are no bound.
	MaxItems *Quantity
	// ItemsPointer is a JSON Pointer (RFC 6901) to the array inside a JSON dataset.
	ItemsPointer   string
	Transformation Loading
	ManifestType   ManifestType
	Span           Span
}

// ItemBatcher says how many items one iteration gets.
type ItemBatcher struct {
	// BatchInput is given to every batch besides its items; nil where it is absent.
	BatchInput *TemplateField
	// MaxItemsPerBatch and MaxInputBytesPerBatch have a …Path form too; nil where absent.
	MaxItemsPerBatch, MaxInputBytesPerBatch *Quantity
	Span                                    Span
}

// ResultWriter says where a distributed Map writes its results, and their shape.
type ResultWriter struct {
	// Resource and Parameters (Arguments in a JSONata state) are those of the action that writes; empty
	// and nil where the results stay in the state.
	Resource   string
	Parameters *TemplateField
	// Config is nil where the field has no WriterConfig.
	Config *WriterConfig
	Span   Span
}

// WriterConfig is the shape of the results.
type WriterConfig struct {
	OutputType     OutputType
	Transformation Transformation
	Span           Span
}
