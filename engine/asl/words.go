package asl

import "slices"

// The fields below hold one of a few words. Each has a type, whose constants are in the order of its table of words; the zero
// value is an absent field. Messages list the words in the same order.

// wordOf returns the word of a constant, "" of an absent field.
func wordOf[E ~uint8](e E, words []string) string {
	if e == 0 || int(e) > len(words) {
		return ""
	}
	return words[e-1]
}

// wordIn reads one of the words; it returns 0 where m holds another one, which is reported.
func wordIn[E ~uint8](b *builder, m *NodeMember, words []string) E {
	text, ok := b.enum(m, words...)
	if !ok {
		return 0
	}
	return E(slices.Index(words, text) + 1)
}

// wordInto returns a function that reads one of the words into target.
func wordInto[E ~uint8](b *builder, target *E, words []string) func(m *NodeMember) {
	return func(m *NodeMember) { *target = wordIn[E](b, m, words) }
}

// JitterStrategy is the value of a retrier's JitterStrategy.
type JitterStrategy uint8

// The strategies. A retrier without the field has JitterNone.
const (
	JitterFull JitterStrategy = iota + 1
	JitterNone
)

var jitterStrategies = []string{"FULL", "NONE"}

// String returns the word of the text, "FULL" or "NONE".
func (j JitterStrategy) String() string { return wordOf(j, jitterStrategies) }

// ProcessorMode is the value of Mode in a ProcessorConfig.
type ProcessorMode uint8

// The modes. A ProcessorConfig without the field has ModeInline.
const (
	ModeInline ProcessorMode = iota + 1
	ModeDistributed
)

var processorModes = []string{"INLINE", "DISTRIBUTED"}

// String returns the word of the text, "INLINE" or "DISTRIBUTED".
func (p ProcessorMode) String() string { return wordOf(p, processorModes) }

// ExecutionType is the value of ExecutionType in a ProcessorConfig.
type ExecutionType uint8

// The types of the executions that a distributed Map starts.
const (
	TypeStandard ExecutionType = iota + 1
	TypeExpress
)

var executionTypes = []string{"STANDARD", "EXPRESS"}

// String returns the word of the text, "STANDARD" or "EXPRESS".
func (e ExecutionType) String() string { return wordOf(e, executionTypes) }

// InputType is the value of InputType in a ReaderConfig.
type InputType uint8

// The formats of datasets.
const (
	InputCSV InputType = iota + 1
	InputJSON
	InputJSONL
	InputParquet
	InputManifest
)

var inputTypes = []string{"CSV", "JSON", "JSONL", "PARQUET", "MANIFEST"}

// String returns the word of the text, such as "CSV".
func (i InputType) String() string { return wordOf(i, inputTypes) }

// HeaderLocation is the value of CSVHeaderLocation in a ReaderConfig.
type HeaderLocation uint8

// The places of the names of the columns.
const (
	HeaderFirstRow HeaderLocation = iota + 1
	HeaderGiven                   // in CSVHeaders
)

var headerLocations = []string{"FIRST_ROW", "GIVEN"}

// String returns the word of the text, "FIRST_ROW" or "GIVEN".
func (h HeaderLocation) String() string { return wordOf(h, headerLocations) }

// Delimiter is the value of CSVDelimiter in a ReaderConfig.
type Delimiter uint8

// The delimiters. A ReaderConfig without the field has DelimiterComma.
const (
	DelimiterComma Delimiter = iota + 1
	DelimiterPipe
	DelimiterSemicolon
	DelimiterSpace
	DelimiterTab
)

var delimiters = []string{"COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB"}

// String returns the word of the text, such as "PIPE".
func (d Delimiter) String() string { return wordOf(d, delimiters) }

// Byte returns the delimiter itself, a comma where the field is absent.
func (d Delimiter) Byte() byte { return ",,|; \t"[d] }

// Loading is the value of Transformation in a ReaderConfig.
type Loading uint8

// The ways to read a list of objects: as the list, or as all that the objects hold.
const (
	LoadNone Loading = iota + 1
	LoadFlatten
)

var loadings = []string{"NONE", "LOAD_AND_FLATTEN"}

// String returns the word of the text, "NONE" or "LOAD_AND_FLATTEN".
func (l Loading) String() string { return wordOf(l, loadings) }

// ManifestType is the value of ManifestType in a ReaderConfig.
type ManifestType uint8

// The types of manifests.
const (
	ManifestAthena ManifestType = iota + 1
	ManifestInventory
)

var manifestTypes = []string{"ATHENA_DATA", "S3_INVENTORY"}

// String returns the word of the text, "ATHENA_DATA" or "S3_INVENTORY".
func (m ManifestType) String() string { return wordOf(m, manifestTypes) }

// OutputType is the value of OutputType in a WriterConfig.
type OutputType uint8

// The formats of results.
const (
	OutputJSON OutputType = iota + 1
	OutputJSONL
)

var outputTypes = []string{"JSON", "JSONL"}

// String returns the word of the text, "JSON" or "JSONL".
func (o OutputType) String() string { return wordOf(o, outputTypes) }

// Transformation is the value of Transformation in a WriterConfig.
type Transformation uint8

// The shapes of results: with the data of their executions, the outputs alone, or the items of the outputs.
const (
	TransformNone Transformation = iota + 1
	TransformCompact
	TransformFlatten
)

var transformations = []string{"NONE", "COMPACT", "FLATTEN"}

// String returns the word of the text, such as "COMPACT".
func (t Transformation) String() string { return wordOf(t, transformations) }
