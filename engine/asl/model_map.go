package asl

// ProcessorConfig is how a Map state runs its iterations.
type ProcessorConfig struct {
	Mode          string // INLINE (default) or DISTRIBUTED
	ExecutionType string // STANDARD or EXPRESS, for DISTRIBUTED
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

// The values of InputType.
const (
	InputCSV      = "CSV"
	InputJSON     = "JSON"
	InputJSONL    = "JSONL"
	InputParquet  = "PARQUET"
	InputManifest = "MANIFEST"
)

// The values of CSVHeaderLocation.
const (
	HeaderFirstRow = "FIRST_ROW"
	HeaderGiven    = "GIVEN"
)

// The values of Transformation in a ReaderConfig.
const (
	LoadNone    = "NONE"
	LoadFlatten = "LOAD_AND_FLATTEN"
)

// The values of ManifestType.
const (
	ManifestAthena    = "ATHENA_DATA"
	ManifestInventory = "S3_INVENTORY"
)

// ReaderConfig says how a dataset is written. An empty string is an absent field.
type ReaderConfig struct {
	InputType         string
	CSVHeaderLocation string
	CSVHeaders        []string // of HeaderGiven
	CSVDelimiter      string   // COMMA (the default), PIPE, SEMICOLON, SPACE or TAB
	// MaxItems has MaxItemsPath too; nil and 0 are no bound.
	MaxItems *Quantity
	// ItemsPointer is a JSON Pointer (RFC 6901) to the array inside a JSON dataset.
	ItemsPointer   string
	Transformation string
	ManifestType   string
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

// ResultWriter says where a distributed Map writes its results, and in what shape.
type ResultWriter struct {
	// Resource and Parameters (Arguments in a JSONata state) are those of the action that writes; empty
	// and nil where the results stay in the state.
	Resource   string
	Parameters *TemplateField
	// Config is nil where the field has no WriterConfig.
	Config *WriterConfig
	Span   Span
}

// The values of OutputType.
const (
	OutputJSON  = "JSON"
	OutputJSONL = "JSONL"
)

// The values of Transformation in a WriterConfig.
const (
	TransformNone    = "NONE"
	TransformCompact = "COMPACT"
	TransformFlatten = "FLATTEN"
)

// WriterConfig says in what shape results are written.
type WriterConfig struct {
	OutputType     string // OutputJSON or OutputJSONL
	Transformation string // empty where it is absent
	Span           Span
}
