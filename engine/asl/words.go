package asl

import "slices"

// enumeration is the table of the words of a field that holds one of a few: the word of the constant 1, then of 2, and
// so on. The zero value of the constants' type is an absent field. Messages list the words in the same order.
type enumeration[E ~uint8] []string

// The enumerations of the language.
var (
	stateTypes       = enumeration[StateType]{"Pass", "Task", "Choice", "Wait", "Succeed", "Fail", "Parallel", "Map"}
	queryLanguages   = enumeration[QueryLanguage]{"JSONPath", "JSONata"}
	jitterStrategies = enumeration[JitterStrategy]{"FULL", "NONE"}
	processorModes   = enumeration[ProcessorMode]{"INLINE", "DISTRIBUTED"}
	executionTypes   = enumeration[ExecutionType]{"STANDARD", "EXPRESS"}
	inputTypes       = enumeration[InputType]{"CSV", "JSON", "JSONL", "PARQUET", "MANIFEST"}
	headerLocations  = enumeration[HeaderLocation]{"FIRST_ROW", "GIVEN"}
	delimiters       = enumeration[Delimiter]{"COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB"}
	loadings         = enumeration[Loading]{"NONE", "LOAD_AND_FLATTEN"}
	manifestTypes    = enumeration[ManifestType]{"ATHENA_DATA", "S3_INVENTORY"}
	outputTypes      = enumeration[OutputType]{"JSON", "JSONL"}
	transformations  = enumeration[Transformation]{"NONE", "COMPACT", "FLATTEN"}
)

// word returns the word of a constant, "" of an absent field.
func (t enumeration[E]) word(e E) string {
	if e == 0 || int(e) > len(t) {
		return ""
	}
	return t[e-1]
}

// named returns the constant of a word, 0 where there is none.
func (t enumeration[E]) named(word string) E { return E(slices.Index(t, word) + 1) }

// wordIn reads one of the words; it returns 0 where m holds another one, which is reported.
func wordIn[E ~uint8](r *reporter, m *NodeMember, t enumeration[E]) E {
	text, ok := r.enum(m, t...)
	if !ok {
		return 0
	}
	return t.named(text)
}

// Words returns the words that a field may hold, nil of a field that holds others. owner is the name of the object's field that the field
// is part of, WriterConfig for example; empty in a state.
func Words(owner, name string) []string {
	switch name {
	case "Type":
		return stateTypes
	case "QueryLanguage":
		return queryLanguages
	case "JitterStrategy":
		return jitterStrategies
	case "Mode":
		return processorModes
	case "ExecutionType":
		return executionTypes
	case "InputType":
		return inputTypes
	case "CSVHeaderLocation":
		return headerLocations
	case "CSVDelimiter":
		return delimiters
	case "ManifestType":
		return manifestTypes
	case "OutputType":
		return outputTypes
	case "Transformation":
		if owner == "WriterConfig" {
			return transformations
		}
		return loadings
	}
	return nil
}

// StateType is the value of a state's Type.
type StateType uint8

// The eight types of states.
const (
	Pass StateType = iota + 1
	Task
	Choice
	Wait
	Succeed
	Fail
	Parallel
	Map
)

// String returns the word of the text, such as "Task".
func (t StateType) String() string { return stateTypes.word(t) }

// QueryLanguage is the language in which a state selects and shapes data.
type QueryLanguage uint8

// The query languages. A state without one has its machine's; a machine without one has JSONPath.
const (
	JSONPath QueryLanguage = iota + 1
	JSONata
)

// String returns the word of the text, "JSONPath" or "JSONata".
func (q QueryLanguage) String() string { return queryLanguages.word(q) }

// JitterStrategy is the value of a retrier's JitterStrategy.
type JitterStrategy uint8

// The strategies. A retrier without the field has JitterNone.
const (
	JitterFull JitterStrategy = iota + 1
	JitterNone
)

// String returns the word of the text, "FULL" or "NONE".
func (j JitterStrategy) String() string { return jitterStrategies.word(j) }

// ProcessorMode is the value of Mode in a ProcessorConfig.
type ProcessorMode uint8

// The modes. A ProcessorConfig without the field has ModeInline.
const (
	ModeInline ProcessorMode = iota + 1
	ModeDistributed
)

// String returns the word of the text, "INLINE" or "DISTRIBUTED".
func (p ProcessorMode) String() string { return processorModes.word(p) }

// ExecutionType is the value of ExecutionType in a ProcessorConfig.
type ExecutionType uint8

// The types of the executions that a distributed Map starts.
const (
	TypeStandard ExecutionType = iota + 1
	TypeExpress
)

// String returns the word of the text, "STANDARD" or "EXPRESS".
func (e ExecutionType) String() string { return executionTypes.word(e) }

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

// String returns the word of the text, such as "CSV".
func (i InputType) String() string { return inputTypes.word(i) }

// HeaderLocation is the value of CSVHeaderLocation in a ReaderConfig.
type HeaderLocation uint8

// The places of the names of the columns.
const (
	HeaderFirstRow HeaderLocation = iota + 1
	HeaderGiven                   // in CSVHeaders
)

// String returns the word of the text, "FIRST_ROW" or "GIVEN".
func (h HeaderLocation) String() string { return headerLocations.word(h) }

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

// String returns the word of the text, such as "PIPE".
func (d Delimiter) String() string { return delimiters.word(d) }

// Byte returns the delimiter itself, a comma where the field is absent.
func (d Delimiter) Byte() byte { return ",,|; \t"[d] }

// Loading is the value of Transformation in a ReaderConfig.
type Loading uint8

// The ways to read a list of objects: as the list, or as all that the objects hold.
const (
	LoadNone Loading = iota + 1
	LoadFlatten
)

// String returns the word of the text, "NONE" or "LOAD_AND_FLATTEN".
func (l Loading) String() string { return loadings.word(l) }

// ManifestType is the value of ManifestType in a ReaderConfig.
type ManifestType uint8

// The types of manifests.
const (
	ManifestAthena ManifestType = iota + 1
	ManifestInventory
)

// String returns the word of the text, "ATHENA_DATA" or "S3_INVENTORY".
func (m ManifestType) String() string { return manifestTypes.word(m) }

// OutputType is the value of OutputType in a WriterConfig.
type OutputType uint8

// The formats of results.
const (
	OutputJSON OutputType = iota + 1
	OutputJSONL
)

// String returns the word of the text, "JSON" or "JSONL".
func (o OutputType) String() string { return outputTypes.word(o) }

// Transformation is the value of Transformation in a WriterConfig.
type Transformation uint8

// The shapes of results: with the data of their executions, the outputs alone, or the items of the outputs.
const (
	TransformNone Transformation = iota + 1
	TransformCompact
	TransformFlatten
)

// String returns the word of the text, such as "COMPACT".
func (t Transformation) String() string { return transformations.word(t) }

// What a field does to the data, behind its name, in the check of a definition as well as in a run.
const (
	// DefaultResultPath names a ResultPath that is absent.
	DefaultResultPath = "ResultPath $ (its default)"
	// SelectsAnother is said of an InputPath or an OutputPath behind its path.
	SelectsAnother = " selects another part of the data"
)

// Replaced is said of a field that puts the result, or the Error Output of a catcher, in place of the whole input.
func Replaced(caught bool) string {
	if caught {
		return ": the Error Output replaced the whole input"
	}
	return ": the result replaced the whole input"
}
