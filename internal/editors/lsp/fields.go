package lsp

import (
	"strings"

	"asldb/engine/asl"
)

// fieldTexts describe the fields of definitions. The form of a field that ends in Path has the text of the other.
var fieldTexts = map[string]string{
	"Type":            "The type of the state: Pass, Task, Choice, Wait, Succeed, Fail, Parallel or Map.",
	"Comment":         "A text for readers. It has no effect; `asldb:ignore RULE: REASON` in it ignores a problem of asldb validate.",
	"QueryLanguage":   "The language that selects and shapes data: JSONPath (the default) or JSONata.",
	"StartAt":         "The name of the state that runs first.",
	"States":          "The states, by their names.",
	"Version":         "The version of the language: 1.0.",
	"Next":            "The name of the state that runs next. A transition stays in its own States.",
	"End":             "true: the state ends the execution, the branch or the iteration.",
	"Retry":           "The retriers. An error goes to the first whose ErrorEquals has it, which runs the state again.",
	"Catch":           "The catchers. An error that no retrier takes goes to the first whose ErrorEquals has it, which names the next state.",
	"ErrorEquals":     "The Error Names that the retrier or catcher takes. States.ALL stands for all, and must be alone and last.",
	"IntervalSeconds": "The seconds before the first retry; 1 by default.",
	"MaxAttempts":     "The greatest number of retries; 3 by default, 0 for none.",
	"BackoffRate":     "The factor by which the interval grows with each retry; 2.0 by default.",
	"MaxDelaySeconds": "The greatest interval between retries, in seconds.",
	"JitterStrategy":  "FULL: the interval is random, up to the computed one. NONE (the default): it is the computed one.",
	"InputPath":       "Selects the part of the raw input that the state uses; `$` by default, null for {}.",
	"OutputPath":      "Selects the part of the data that becomes the state's output; `$` by default, null for {}.",
	"ResultPath":      "The place in the raw input where the result is put; `$` (the default) replaces the input, null drops the result.",
	"Parameters":      "A payload template that makes the effective input. A key that ends in `.$` has a path or an intrinsic function.",
	"ResultSelector":  "A payload template that makes a new result of the raw one.",
	"Arguments":       "The arguments of the task or the branches, with JSONata in `{% %}`.",
	"Output":          "The state's output, with JSONata in `{% %}`; by default the result, or the input of a state without one.",
	"Assign":          "The variables that the state sets. Later states of this and inner scopes read them as `$name`.",
	"Result":          "The result of the Pass state, taken as it is written.",
	"Resource":        "The ARN of the work: a function, an activity, or an integration (`arn:aws:states:::SERVICE:ACTION`).",
	"TimeoutSeconds":  "The greatest duration of the task or, of a definition, of an execution, in seconds. It then fails with States.Timeout.",
	"HeartbeatSeconds": "The greatest time between two heartbeats of the task, in seconds. It then fails with States.HeartbeatTimeout, which a retrier or " +
		"catcher of States.Timeout takes, too.",
	"Credentials":     "The role that the task is called with (`RoleArn`).",
	"Branches":        "The branches, which run at the same time. Each has StartAt and States; the result is the array of their outputs.",
	"Choices":         "The rules. The first that holds names the next state.",
	"Variable":        "The path to the value that the rule compares.",
	"Condition":       "true, false, or a JSONata expression in `{% %}` that decides whether the rule holds.",
	asl.And:           "Holds if all of these rules hold.",
	asl.Or:            "Holds if one of these rules holds.",
	asl.Not:           "Holds if this rule does not.",
	"Default":         "The name of the state that runs next if no rule holds. Without it the state fails with States.NoChoiceMatched.",
	"Seconds":         "The number of seconds to wait.",
	"Timestamp":       "The time to wait for, as in RFC 3339: 2026-01-31T12:00:00Z.",
	"Error":           "The Error Name that the execution fails with.",
	"Cause":           "The text that explains the error.",
	"ItemProcessor":   "The states that run for each item, with StartAt and States, and ProcessorConfig for the mode.",
	"Iterator":        "The older name of ItemProcessor.",
	"ProcessorConfig": "How the iterations run: Mode INLINE or DISTRIBUTED, and ExecutionType of a distributed Map.",
	"Mode":            "INLINE (the default): the iterations run in the execution. DISTRIBUTED: each is an execution of its own.",
	"ExecutionType":   "STANDARD or EXPRESS: the type of the executions of a distributed Map.",
	"ItemsPath":       "The Reference Path to the array (or, in a distributed Map, the object) that the Map goes through.",
	"Items":           "The array or object that the Map goes through, or a JSONata expression in `{% %}` for it.",
	"ItemSelector":    "A payload template that makes the input of each iteration; `$$.Map.Item.Value` is the item.",
	"MaxConcurrency":  "The greatest number of iterations at a time; 0 (the default) is no bound.",

	"ToleratedFailureCount":      "The number of items that may fail before the Map fails.",
	"ToleratedFailurePercentage": "The share of items that may fail before the Map fails, from 0 to 100.",

	"ItemReader":        "Reads the items of a distributed Map from an object store.",
	"ReaderConfig":      "How the dataset is written.",
	"InputType":         "The format of the dataset.",
	"CSVHeaderLocation": "FIRST_ROW: the names of the columns are in the file. GIVEN: they are in CSVHeaders.",
	"CSVHeaders":        "The names of the columns.",
	"CSVDelimiter":      "The character between the fields of a row; COMMA by default.",
	"MaxItems":          "The greatest number of items to read.",
	"ItemsPointer":      "The JSON Pointer to the array or object inside of the dataset.",
	"Transformation":    "Of a reader, LOAD_AND_FLATTEN reads the objects of a list; of a writer, COMPACT or FLATTEN shapes the results.",
	"ManifestType":      "The kind of manifest.",
	"ItemBatcher":       "Gathers items into batches; one execution takes a batch.",
	"BatchInput":        "An input that each batch has besides its items.",
	"MaxItemsPerBatch":  "The greatest number of items in a batch.",

	"MaxInputBytesPerBatch": "The greatest size of a batch, in bytes.",

	"ResultWriter": "Writes the results of a distributed Map to an object store.",
	"WriterConfig": "The shape and format of the results.",
	"OutputType":   "The format of the results.",
	"Label":        "A prefix of the names of the executions that a distributed Map starts.",
}

// fieldText returns the description of a field or a comparison operator, empty where there is none.
func fieldText(name string) string {
	if text := fieldTexts[name]; text != "" {
		return text
	}
	other, isPath := strings.CutSuffix(name, "Path")
	operator := asl.OperatorNamed(name)
	if operator == nil && isPath {
		operator = asl.OperatorNamed(other)
	}
	if operator != nil {
		text := "Compares the value of Variable with "
		switch {
		case operator.Tests:
			text = "Tests the value of Variable, which may be absent: true or false"
			if !operator.TakesAbsent {
				text = "Tests the value of Variable: true or false"
			}
		case isPath:
			text += "the value of this path"
		case operator.Pattern:
			text += "this pattern, in which `*` stands for any characters"
		default:
			text += "this value"
		}
		return text + "."
	}
	if isPath && fieldTexts[other] != "" {
		return fieldTexts[other] + " The value is that of this path."
	}
	return ""
}
